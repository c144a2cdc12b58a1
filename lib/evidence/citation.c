/* citation.c: a citation is parsed from its end, since a path may contain any
 * of the separators. */
#include "evidence/citation.h"

#include "base/ascii.h"
#include "text/sanitize.h"

#include <limits.h>

/* Parse the number that ends at *END in P into *N and move *END before it.
 * Returns false if there is none. */
static bool parse_number_before(const char *p, size_t *end, size_t *n)
{
	size_t start = *end, value = 0;

	while (start && ascii_is_digit(p[start - 1]))
		start--;
	if (start == *end || *end - start > 8 || p[start] == '0')
		return false;
	for (size_t i = start; i < *end; i++)
		value = value * 10 + (size_t)(p[i] - '0');
	*n = value;
	*end = start;
	return true;
}

/* Move *END before MARK, if P has it there. Returns false if not. */
static bool skip_mark_before(const char *p, size_t *end, const char *mark)
{
	const size_t len = strlen(mark);

	if (*end < len || memcmp(p + *end - len, mark, len) != 0)
		return false;
	*end -= len;
	return true;
}

/* Parse #L10-L20 at the end of the LEN bytes of P into C. Returns its offset,
 * LEN if there is none. */
static size_t parse_lines_suffix(struct citation *c, const char *p, size_t len)
{
	size_t end = len, first, last;

	if (!parse_number_before(p, &end, &last) ||
	    !skip_mark_before(p, &end, "-L") ||
	    !parse_number_before(p, &end, &first) ||
	    !skip_mark_before(p, &end, "#L"))
		return len;
	c->first = first;
	c->last = last;
	return end;
}

/* Parse :10 or :10-20 at the end of P, as people type it. Returns as
 * parse_lines_suffix(). */
static size_t parse_typed_lines(struct citation *c, const char *p, size_t len)
{
	size_t end = len, first, last;

	if (!parse_number_before(p, &end, &last))
		return len;
	first = last;
	if (end && p[end - 1] == '-') {
		end--;
		if (!parse_number_before(p, &end, &first))
			return len;
	}
	if (!skip_mark_before(p, &end, ":"))
		return len;
	c->first = first;
	c->last = last;
	return end;
}

/* Return true if the text after the last # of PATH looks like a malformed line
 * range. */
static bool has_wrong_lines(const char *path)
{
	const char *hash = strrchr(path, '#');

	return hash && hash[1] == 'L' && ascii_is_digit(hash[2]);
}

static int check_path(const char *path, size_t len, struct err *e)
{
	size_t at = 0, n;

	if (!len || len >= PATH_MAX || path[0] == '/')
		return err_set(
			e, ERR_DATA,
			"a citation names a file below the directory that "
			"contains .co-cli, not '%s'",
			path);
	for (; at < len; at += n + 1) {
		n = strcspn(path + at, "/");
		if (!n || (n == 1 && path[at] == '.') ||
		    (n == 2 && path[at] == '.' && path[at + 1] == '.') ||
		    at + n + 1 == len)
			return err_set(e, ERR_DATA,
				       "a citation names a file by a path "
				       "without '.', '..' and '//', not '%s'",
				       path);
	}
	return 0;
}

static bool is_url(const char *p, size_t len)
{
	return (len > 7 && !memcmp(p, "http://", 7)) ||
	       (len > 8 && !memcmp(p, "https://", 8));
}

/* Check the path or URL, LEN bytes of P, without lines and hash, and set it in
 * C. */
static int set_path(struct citation *c, const char *p, size_t len,
		    struct arena *a, struct err *e)
{
	c->path = arena_copy(a, p, len);
	if (!sanitize_is_line(p, len))
		return err_set(e, ERR_DATA,
			       "a citation has no controls and no hidden "
			       "characters");
	if (c->url)
		return strcspn(c->path, " ") == len
			       ? 0
			       : err_set(e, ERR_DATA, "no URL has blanks: '%s'",
					 c->path);
	if ((c->first && c->last < c->first) || has_wrong_lines(c->path))
		return err_set(e, ERR_DATA,
			       "lines are cited as #L10-L20, one as #L5-L5: "
			       "'%s'",
			       c->path);
	return check_path(c->path, len, e);
}

/* Return true if the LEN bytes of P end in @ and a hash. */
static bool has_hash(const char *p, size_t len)
{
	size_t n = 0;

	while (n < CITATION_HASH && n < len &&
	       (ascii_is_digit(p[len - n - 1]) ||
		(p[len - n - 1] >= 'a' && p[len - n - 1] <= 'f')))
		n++;
	return n == CITATION_HASH && len > n && p[len - n - 1] == '@';
}

/* Return true if the LEN bytes of P are the full name of a commit: a SHA-1 or a
 * SHA-256. A file of that name cannot be cited. */
static bool is_commit(const char *p, size_t len)
{
	if (len != 40 && len != 64)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!ascii_is_hex(p[i]) || ascii_is_upper(p[i]))
			return false;
	}
	return true;
}

static void set_commit(struct citation *c, const char *p, size_t len,
		       struct arena *a)
{
	*c = (struct citation){.path = arena_copy(a, p, len), .commit = true};
}

int citation_parse(struct citation *c, const char *p, size_t len,
		   struct arena *a, struct err *e)
{
	size_t end = len - CITATION_HASH - 1;

	*c = (struct citation){0};
	if (is_commit(p, len)) {
		set_commit(c, p, len, a);
		return 0;
	}
	if (memchr(p, '\0', len) || !has_hash(p, len))
		return err_set(e, ERR_DATA,
			       "a citation ends in @ and %d digits from 0 to f",
			       CITATION_HASH);
	memcpy(c->hash, p + end + 1, CITATION_HASH);
	c->url = is_url(p, end);
	if (!c->url)
		end = parse_lines_suffix(c, p, end);
	return set_path(c, p, end, a, e);
}

int citation_place(struct citation *c, const char *p, struct arena *a,
		   struct err *e)
{
	const size_t len = strlen(p);
	size_t end = len;

	if (is_commit(p, len)) {
		set_commit(c, p, len, a);
		return 0;
	}
	*c = (struct citation){.url = is_url(p, len)};
	if (!c->url)
		end = parse_lines_suffix(c, p, len);
	if (!c->url && end == len)
		end = parse_typed_lines(c, p, len);
	/* Such a path would be parsed as a citation. */
	if (!c->url && !c->first && has_hash(p, len))
		return err_set(e, ERR_DATA,
			       "'%s' cannot be cited: it ends as a citation",
			       p);
	return set_path(c, p, end, a, e);
}

void citation_add_place(struct buf *out, const struct citation *c)
{
	buf_adds(out, c->path);
	if (c->first)
		buf_addf(out, "#L%zu-L%zu", c->first, c->last);
}

void citation_add(struct buf *out, const struct citation *c)
{
	citation_add_place(out, c);
	if (!c->commit)
		buf_addf(out, "@%s", c->hash);
}
