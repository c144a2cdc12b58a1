/* known-projects.c: the list is replaced whole, if it is still what was read, and
 * nobody waits for anybody: who comes second reads it again.
 */
#include "repo/known-projects.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "repo/owner.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "projects"
#define FILE_MAX ((size_t)2 * 1024 * 1024)
#define DAY (24 * 60 * 60)
#define MONTH (30 * DAY)
#define ATTEMPTS 3

/* The folder that the list stands in, -1 in FD where there is none. */
struct place {
	int fd;
	struct buf path; /* of the list */
};

/* What the list WAS is to be, appended to TEXT: false where nothing changes. */
typedef bool edit_fn(struct buf *text, const struct buf *was, const void *ctx);
