/* cursor.c: the records are sorted by id, the project's before the user's, and then
 * by file. They may be many, so lines are read from the end, and parsed only if an
 * id occurs twice.
 */
#include "mcp/cursor.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "sys/file.h"

#include <inttypes.h>

#define ID "{\"id\":"
#define GLOBAL "\"scope\":\"global\""
#define NOWHERE ((size_t)-1)

static const char alnum[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz";

void cursor_add_file(struct buf *out, const char *file)
{
	if (!file)
		return;
	buf_addc(out, '/');
	for (; *file; file++) {
		if (strchr(alnum, *file) || strchr("-._~", *file))
			buf_addc(out, *file);
		else
			buf_addf(out, "%%%02X", (unsigned char)*file);
	}
}

bool cursor_parse_file(const char **file, const char *text, struct arena *a)
{
	char *name;

	*file = NULL;
	if (!*text)
		return true;
	if (*text++ != '/')
		return false;
	*file = name = arena_strdup(a, text);
	for (; *text; text++) {
		uint32_t byte;

		if (*text != '%') {
			*name++ = *text;
			continue;
		}
		if (!utf8_hex(text + 1, 2, &byte) || !byte)
			return false;
		*name++ = (char)byte;
		text += 2;
	}
	*name = '\0';
	return **file;
}

void cursor_format(struct buf *out, const struct cursor *at)
{
	buf_addf(out, "%" PRId64 "%c", at->id,
		 at->scope == SCOPE_GLOBAL ? 'g' : 'p');
	cursor_add_file(out, at->file);
}

bool cursor_parse(struct cursor *at, const char *text, struct arena *a)
{
	const size_t digits = strspn(text, "0123456789");
	struct buf again = {0};
	bool same;

	if (!digits || digits > 9 ||
	    (text[digits] != 'p' && text[digits] != 'g') ||
	    !cursor_parse_file(&at->file, text + digits + 1, a))
		return false;
	at->id = strtoll(text, NULL, 10);
	at->scope = text[digits] == 'g' ? SCOPE_GLOBAL : SCOPE_PROJECT;
	cursor_format(&again, at);
	same = !strcmp(again.p, text);
	buf_release(&again);
	return same;
}

size_t cursor_last(const char *p, size_t len)
{
	if (len && p[len - 1] == '\n')
		len--;
	while (len && p[len - 1] != '\n')
		len--;
	return len;
}

/* The id and the store of the record on the line P. */
static struct cursor read_line(const char *p, size_t len)
{
	struct cursor at = {0};

	if (len > strlen(ID) && !memcmp(p, ID, strlen(ID)))
		at.id = strtoll(p + strlen(ID), NULL, 10);
	/* In a string, each quote follows a backslash. */
	if (memmem(p, len, GLOBAL, strlen(GLOBAL)))
		at.scope = SCOPE_GLOBAL;
	return at;
}

static const char *read_file(const char *p, size_t len, struct arena *a)
{
	const char *path = NULL;
	struct value v;

	if (json_parse(p, len, a, &v, NULL) == 0)
		path = value_text(&v, "path");
	return path ? file_name_of(path) : "";
}

/* Compare X and Y without their files. */
static int compare(const struct cursor *x, const struct cursor *y)
{
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->scope == SCOPE_GLOBAL) - (y->scope == SCOPE_GLOBAL);
}

struct cursor cursor_at(const char *p, size_t len, size_t start,
			struct arena *a)
{
	const char *newline = memchr(p + start, '\n', len - start);
	const size_t end = newline ? (size_t)(newline - p) + 1 : len;
	const char *next = memchr(p + end, '\n', len - end);
	const size_t before = cursor_last(p, start);
	struct cursor at = read_line(p + start, end - start);
	struct cursor other = read_line(p + before, start - before);
	bool doubled = start && !compare(&at, &other);

	if (end < len) {
		other = read_line(p + end,
				  next ? (size_t)(next - p) - end : len - end);
		doubled = doubled || !compare(&at, &other);
	}
	if (doubled)
		at.file = read_file(p + start, end - start, a);
	return at;
}

/* Names that are no UTF-8 are not printed as they are, and sort elsewhere: so
 * the file itself is looked for first. */
size_t cursor_before(const char *p, size_t len, const struct cursor *at)
{
	size_t same = NOWHERE, lower = NOWHERE;
	struct arena a = {0};

	while (len) {
		const size_t start = cursor_last(p, len);
		const struct cursor here = read_line(p + start, len - start);
		const int order = compare(&here, at);
		int names = 1;

		if (order < 0)
			break;
		if (order == 0 && at->file) {
			arena_reset(&a);
			names = strcmp(read_file(p + start, len - start, &a),
				       at->file);
		}
		if (names == 0)
			same = start;
		else if (names < 0 && lower == NOWHERE)
			lower = len;
		len = start;
	}
	arena_release(&a);
	return same != NOWHERE ? same : lower != NOWHERE ? lower : len;
}
