/* oplog-purge.c: all lines are read first, since a line may give another name for the file of
 * any other line. Names and sums to remove are marked until no line adds one. A context
 * or a list of items contains many things, so it is not purged as a file: it loses only
 * the lines with a sum that is removed.
 */
#include "oplog/oplog.h"

#include "base/table.h"
#include "oplog/lines-json.h"

#include <fcntl.h>
#include <unistd.h>

/* A segment, or the directory of the log itself: a file of lines, and contents whose
 * file names are their sums. */
struct folder {
	int fd;
	const char *path;    /* absolute */
	struct buf text;     /* the file of lines */
	struct strings kept; /* names of the other files */
};

struct line {
	size_t folder, at, len;
	struct oplog_change c; /* with PATH NULL if it is no valid line */
	bool goes;	       /* it is removed */
};

/* Return the name by which the file at PATH is purged: its file name. An article may
 * have the name of any other file, so its name begins with its directory. */
static const char *name_of(const char *path)
{
	static const char articles[] = LAYOUT_ARTICLES "/";
	const size_t len = strlen(articles);
	const char *name = file_name_of(path);

	return (size_t)(name - path) >= len &&
			       !strncmp(name - len, articles, len)
		       ? name - len
		       : name;
}

static bool is_lines(const char *name)
{
	return !strcmp(name, OPLOG_OPS) || !strcmp(name, OPLOG_NOTE) ||
	       !strcmp(name, LOG_FOLDER_STORE);
}

/* Return true if the file at PATH is one memory, draft or article; false for
 * settings.json and files directly in knowledge/, as a context, which contain many
 * things. */
static bool is_of_one(const char *path)
{
	return strchr(path, '/') != strrchr(path, '/');
}
