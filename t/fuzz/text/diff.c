/* diff.c: any bytes as two texts, separated by the first NUL.
 *
 * Properties: equal texts have no difference; otherwise the hunks, applied to
 * the first text at their places, give the second.
 */
#include "../fuzz.h"

#include "text/diff.h"

struct text {
	const char *p;
	size_t len;
};

/* Cut the first line off T, with its end. */
static struct text cut_line(struct text *t)
{
	const char *end = t->len ? memchr(t->p, '\n', t->len) : NULL;
	struct text line = {t->p, end ? (size_t)(end - t->p) + 1 : t->len};

	t->p += line.len;
	t->len -= line.len;
	return line;
}

static bool starts(struct text t, const char *word)
{
	return t.len >= strlen(word) && !memcmp(t.p, word, strlen(word));
}

/* Read the line number after SIGN in the header of a hunk, and the count after
 * it. */
static void read_range(struct text header, char sign, size_t *at, size_t *n)
{
	const char *p = memchr(header.p, sign, header.len);
	char *end;

	must(p, "a hunk has two places");
	*at = strtoul(p + 1, &end, 10);
	must(*end == ',', "a place has two numbers");
	*n = strtoul(end + 1, &end, 10);
}

/* Apply one line of a hunk to OLD. BEFORE and AFTER are the lines that the hunk
 * has left. */
static void apply(struct text *diff, struct text *old, struct buf *new,
		  size_t *before, size_t *after)
{
	static const char none[] = "\\ No newline at end of file\n";
	struct text line = cut_line(diff);
	const char mark = *line.p++;

	line.len--;
	if (starts(*diff, none)) {
		cut_line(diff);
		line.len--;
	}
	must(strchr(" +-", mark), "a line has a mark");
	if (mark != '+') {
		struct text was = cut_line(old);

		must(was.len == line.len && !memcmp(was.p, line.p, line.len),
		     "a removed line is in the first text");
		--*before;
	}
	if (mark != '-') {
		buf_add(new, line.p, line.len);
		--*after;
	}
}

static void patch(struct text diff, struct text old, struct buf *new)
{
	size_t was = 0, is = 0; /* lines done */

	while (diff.len) {
		struct text header = cut_line(&diff);
		size_t at, before, to, after, n, m;

		must(starts(header, "@@ -"), "a hunk has a header");
		read_range(header, '-', &at, &before);
		read_range(header, '+', &to, &after);
		n = before;
		m = after;
		for (; was + (before > 0) < at; was++, is++) {
			struct text same = cut_line(&old);

			must(same.len, "a hunk is inside the text");
			buf_add(new, same.p, same.len);
		}
		must(is + (after > 0) == to,
		     "a hunk is at its line in both texts");
		while (before || after) {
			must(diff.len,
			     "a hunk has as many lines as its header states");
			apply(&diff, &old, new, &before, &after);
		}
		was += n;
		is += m;
	}
	buf_add(new, old.p, old.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	const char *end = size ? memchr(p, '\0', size) : NULL;
	const size_t first = end ? (size_t)(end - p) : size;
	struct buf was = {0}, now = {0}, diff = {0}, new = {0};

	buf_add(&was, p, first);
	if (end)
		buf_add(&now, end + 1, size - first - 1);
	diff_lines(&diff, &was, &now);
	must((diff.len == 0) ==
		     (was.len == now.len &&
		      !memcmp(buf_str(&was), buf_str(&now), was.len)),
	     "different texts have a difference");
	patch((struct text){buf_str(&diff), diff.len},
	      (struct text){buf_str(&was), was.len}, &new);
	must(new.len == now.len &&
		     !memcmp(buf_str(&new), buf_str(&now), now.len),
	     "the hunks give the second text");
	buf_release(&was);
	buf_release(&now);
	buf_release(&diff);
	buf_release(&new);
	return 0;
}
