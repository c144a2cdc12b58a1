/* sessions.c: where each agent keeps its records is a pattern of names.  What a
 * record says of itself stands in its first lines and its last ones, which are
 * looked through for members by their names, unparsed: thousands are listed.
 */
#include "transcript/sessions.h"

#include "base/mem.h"
#include "format/json-read.h"
#include "format/value.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "transcript/opencode.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK ((size_t)64 * 1024)
#define OPENCODE_FILE "/opencode.db"

struct place {
	const char *variable; /* that moves the folder; or NULL */
	const char *folder;   /* below it, or below $HOME where it is unset */
	const char *patterns[3];
};

struct database {
	struct sessions *list;
	const char *path;
};
