/* log.h: files of lines in the user's state directory, mode 0600.
 *
 * Each event is one line. A file that has grown beyond its limit becomes NAME.old, and
 * a new one begins, so both together are bounded. A line that cannot be written is
 * lost: nothing waits for a log, and nothing fails without it.
 */
#ifndef CO_SHOWN_LOG_H
#define CO_SHOWN_LOG_H

#include "base/buf.h"
#include "base/err.h"

#define LOG_MAX (256 * 1024)

/* A file: NAME in FOLDER, a directory below the state directory (NULL: in the state
 * directory itself). It may have MAX bytes. */
struct log_file {
	const char *folder, *name;
	size_t max;
};

/* Add the time and TEXT, made safe for a terminal, to the log NAME, for people. */
void log_add(const char *name, const char *text);

/* Add LINE, which has no line end, to F as it is, for programs. Return false if it is
 * lost. */
bool log_add_data(const struct log_file *f, const struct buf *line);

/* Append the lines of F to OUT, the oldest first, with those of NAME.old. Return 0, or -1
 * if one of the two files cannot be read; it is then skipped. */
int log_read(const struct log_file *f, struct buf *out, struct err *e);

/* Append the path of the directory of F. Return 0 or -1. */
int log_add_path(struct buf *out, const struct log_file *f, struct err *e);

#endif
