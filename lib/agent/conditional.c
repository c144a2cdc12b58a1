/* conditional.c: one pass over the text, from marker to marker.
 *
 * The open markers are a stack. Text is kept while none of them names another
 * provider: `unwanted` counts those that do. If removing markers leaves a line
 * blank, the line is removed too, and so are blank lines after it that would
 * follow another blank line.
 */
#include "agent/conditional.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

struct marker {
	size_t start, end; /* offsets of `[` and after `]` */
	bool opens;
	const char *name; /* of an [IF NAME] */
	size_t name_len;
};

struct opened {
	size_t start;
	bool foreign; /* it names another provider */
};

struct resolving {
	struct buf *out;
	const char *p;
	size_t len;
	const char *provider;
	const char *file;
	struct opened *open;
	size_t n, cap;
	size_t unwanted; /* how many of OPEN are foreign */
	bool joint;	 /* something was removed just before this point */
};

bool conditional_name(const char *name, size_t len)
{
	if (!len || len > CONDITIONAL_NAME_MAX || !ascii_is_alnum(*name))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!ascii_is_alnum(name[i]) && !memchr("._-", name[i], 3))
			return false;
	}
	return true;
}

/* Return the length of the marker's word at P, "[IF" or "[ENDIF"; 0 if there is
 * none. */
static size_t marker_word(const char *p, size_t len)
{
	static const char *const words[] = {"[IF", "[ENDIF"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i]);

		if (len >= n && !memcmp(p, words[i], n) &&
		    (len == n || !ascii_is_alnum(p[n])))
			return n;
	}
	return 0;
}

/* Return the offset of the first marker from AT on, or LEN if there is none. */
static size_t find_marker(const char *p, size_t len, size_t at)
{
	const char *found;

	while (at < len && (found = memchr(p + at, '[', len - at))) {
		at = (size_t)(found - p);
		if (marker_word(found, len - at))
			return at;
		at++;
	}
	return len;
}

static size_t skip_blanks(const char *p, size_t len, size_t at)
{
	while (at < len && ascii_is_blank(p[at]))
		at++;
	return at;
}

static int set_fault(const struct resolving *r, size_t offset, struct err *e,
		     const char *what)
{
	int line, col;

	utf8_place(r->p, offset, &line, &col);
	return err_set(e, ERR_DATA, "'%s':%d:%d: %s", r->file, line, col, what);
}

/* Parse the marker at START into M. Return 0, or -1 with ERR_DATA. */
static int read_marker(const struct resolving *r, size_t start,
		       struct marker *m, struct err *e)
{
	size_t at = start + marker_word(r->p + start, r->len - start);

	*m = (struct marker){.start = start, .opens = at - start == 3};
	at = skip_blanks(r->p, r->len, at);
	if (m->opens) {
		m->name = r->p + at;
		while (at < r->len &&
		       (ascii_is_alnum(r->p[at]) || memchr("._-", r->p[at], 3)))
			at++;
		m->name_len = (size_t)(r->p + at - m->name);
		at = skip_blanks(r->p, r->len, at);
	}
	m->end = at + 1;
	if (at < r->len && r->p[at] == ']' &&
	    (!m->opens || conditional_name(m->name, m->name_len)))
		return 0;
	return set_fault(r, start, e,
			 m->opens ? "malformed conditional: expected [IF NAME]"
				  : "malformed conditional: expected [ENDIF]");
}

/* Return the offset after the newline of the blank line at AT; 0 if there is none
 * before END. */
static size_t blank_line(const char *p, size_t end, size_t at)
{
	at = skip_blanks(p, end, at);
	if (at < end && p[at] == '\r')
		at++;
	return at < end && p[at] == '\n' ? at + 1 : 0;
}

/* Return the offset of the last appended line if it has only blanks, else SIZE_MAX.
 */
static size_t blank_tail(const struct resolving *r)
{
	size_t i = r->out->len;

	while (i && ascii_is_blank(r->out->p[i - 1]))
		i--;
	return !i || r->out->p[i - 1] == '\n' ? i : SIZE_MAX;
}

/* Return true if the output is empty or ends in a blank line. */
static bool has_blank_line(const struct resolving *r)
{
	const size_t len = r->out->len;

	return !len || (len > 1 && !memcmp(r->out->p + len - 2, "\n\n", 2));
}

/* Text before START was removed. Remove the rest of its line if it is blank,
 * and the blank lines after it that are too many. Return the offset after
 * them. */
static size_t close_gap(struct resolving *r, size_t start, size_t end)
{
	size_t next = blank_line(r->p, end, start), tail;

	if (!next || (tail = blank_tail(r)) == SIZE_MAX)
		return start;
	if (tail < r->out->len)
		buf_cut(r->out, tail);
	do
		start = next;
	while (has_blank_line(r) && (next = blank_line(r->p, end, start)));
	return start;
}

/* Append the text from START to END, if it is wanted here. */
static void add_text(struct resolving *r, size_t start, size_t end)
{
	if (r->unwanted)
		return;
	if (r->joint)
		start = close_gap(r, start, end);
	if (skip_blanks(r->p, end, start) < end)
		r->joint = false;
	buf_add(r->out, r->p + start, end - start);
}

static int apply_marker(struct resolving *r, const struct marker *m,
			struct err *e)
{
	bool foreign;

	r->joint = true;
	if (!m->opens) {
		if (!r->n)
			return set_fault(r, m->start, e,
					 "[ENDIF] without an [IF]");
		r->unwanted -= r->open[--r->n].foreign;
		return 0;
	}
	foreign = !r->provider || strlen(r->provider) != m->name_len ||
		  memcmp(r->provider, m->name, m->name_len) != 0;
	*MEM_ADD(r->open, r->n, r->cap) = (struct opened){m->start, foreign};
	r->unwanted += foreign;
	return 0;
}

int conditional_resolve(struct buf *out, const char *p, size_t len,
			const char *provider, const char *file, struct err *e)
{
	struct resolving r = {.out = out,
			      .p = p,
			      .len = len,
			      .provider = provider,
			      .file = file};
	struct marker m;
	size_t at, shown = 0;
	int result = -1;

	while ((at = find_marker(p, len, shown)) < len) {
		if (read_marker(&r, at, &m, e) < 0)
			goto out;
		add_text(&r, shown, at);
		if (apply_marker(&r, &m, e) < 0)
			goto out;
		shown = m.end;
	}
	if (r.n) {
		set_fault(&r, r.open[r.n - 1].start, e,
			  "[IF] is never closed by [ENDIF]");
		goto out;
	}
	add_text(&r, shown, len);
	result = 0;
out:
	free(r.open);
	return result;
}

void conditional_disarm(struct buf *out, const char *p, size_t len)
{
	size_t at, shown = 0;

	while ((at = find_marker(p, len, shown)) < len) {
		buf_add(out, p + shown, at - shown);
		buf_adds(out, "&#91;");
		shown = at + 1;
	}
	buf_add(out, p + shown, len - shown);
}
