/* cursor.h: where a page of memories ends, as text that a client hands back to get
 * the next one.
 *
 * Pages go from the highest id down, so that what is saved in between disturbs
 * none, and what is removed is missing, and nothing else.  A cursor is an id and
 * its store, and, where others have both too, the name of the file; not a count:
 * it needs no memory of ours, and holds for ever.
 */
#ifndef CO_MCP_CURSOR_H
#define CO_MCP_CURSOR_H

#include "base/buf.h"
#include "repo/root.h"

struct cursor {
	int64_t id;
	enum scope scope;
	const char *file; /* NULL: all that have the id */
};

/* Append "7p", or "7p/NAME". */
void cursor_format(struct buf *out, const struct cursor *at);

/* False where TEXT is none that cursor_format() makes.  The file lives in A. */
bool cursor_parse(struct cursor *at, const char *text, struct arena *a);

/* Append "/NAME" for a FILE, nothing for NULL, as URIs have it. */
void cursor_add_file(struct buf *out, const char *file);

/* Read what cursor_add_file() made: *FILE lives in A, or is NULL. */
bool cursor_parse_file(const char **file, const char *text, struct arena *a);

/* The last part of PATH, borrowed. */
const char *cursor_file_of(const char *path);

/* The cursor of the record that begins at START of the LEN bytes of P, records as
 * `co-knowledge --list --json` prints them; its file, in A, is named where the
 * record before or behind has its id and store. */
struct cursor cursor_at(const char *p, size_t len, size_t start,
			struct arena *a);

/* How many of the LEN bytes of P stand before AT. */
size_t cursor_before(const char *p, size_t len, const struct cursor *at);

/* Where the last line of the LEN bytes of P begins. */
size_t cursor_last(const char *p, size_t len);

#endif
