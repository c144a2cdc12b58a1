/* cursor.h: a cursor: where a page of memories ends, as text that a client sends
 * back to get the next page.
 *
 * Pages go from the highest id down. So a memory that is saved between two pages
 * disturbs neither, and a removed one is missing and changes nothing else. A cursor
 * is not a count but an id and its store, and the name of the file if several have
 * both. So the server stores nothing for it, and it never expires.
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

/* Parse TEXT, as cursor_format() makes it. The file is allocated in A. Return false
 * if it is malformed. */
bool cursor_parse(struct cursor *at, const char *text, struct arena *a);

/* Append "/NAME" for FILE, escaped as in URIs; nothing if FILE is NULL. */
void cursor_add_file(struct buf *out, const char *file);

/* Parse what cursor_add_file() appended. Set *FILE, allocated in A, or to NULL.
 * Return false if TEXT is malformed. */
bool cursor_parse_file(const char **file, const char *text, struct arena *a);

/* Return the cursor of the record that begins at START in the LEN bytes of P, which
 * are records as `co-knowledge --list --json` prints them. It names the file,
 * allocated in A, if the record before or after it has the same id and store. */
struct cursor cursor_at(const char *p, size_t len, size_t start,
			struct arena *a);

/* Return how many of the LEN bytes of P are before AT. */
size_t cursor_before(const char *p, size_t len, const struct cursor *at);

/* Return the offset of the last line of the LEN bytes of P. */
size_t cursor_last(const char *p, size_t len);

#endif
