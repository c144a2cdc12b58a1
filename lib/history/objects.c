/* objects.c: git cat-file --batch writes NAME, TYPE, SIZE and a newline, then so
 * many bytes and a newline; or NAME and "missing".
 */
#include "history/objects.h"

#include "sys/git.h"

#include <stdio.h>
#include <stdlib.h>

#define PIECE ((size_t)16 * 1024 * 1024)

struct reader {
	object_fn *fn;
	void *ctx;
	struct err *e;
	int result;
	size_t max;
	bool pieces;

	bool inside; /* an object, of which LEFT bytes and a newline follow */
	bool skipped;
	size_t left;
	char name[80], type[16];
};

static void hand_over(struct reader *r, const char *p, size_t len)
{
	const struct object o = {r->name, r->type, p, len};

	r->result = r->fn(r->ctx, &o, r->e);
}

/* Read a header, LINE of LEN bytes. */
static void enter(struct reader *r, const char *line, size_t len)
{
	char text[160];
	unsigned long long size;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	r->inside =
		sscanf(text, "%79s %15s %llu", r->name, r->type, &size) == 3;
	if (!r->inside) {
		snprintf(r->type, sizeof(r->type), "missing");
		hand_over(r, NULL, 0);
		return;
	}
	r->left = size;
	r->skipped = !r->pieces && size > r->max;
	if (r->skipped)
		hand_over(r, NULL, 0);
}

/* Take from the LEN bytes of P what makes a whole: so many, 0 for none yet. */
static size_t step(struct reader *r, const char *p, size_t len)
{
	const char *end = r->inside ? NULL : memchr(p, '\n', len);
	const size_t all = r->left + 1;
	size_t n = 0;

	if (!r->inside) {
		if (end)
			enter(r, p, (size_t)(end - p));
		return end ? (size_t)(end - p) + 1 : 0;
	}
	if (len >= all) {
		if (!r->skipped)
			hand_over(r, p, r->left);
		r->inside = false;
		return all;
	}
	if (r->skipped) {
		n = len;
	} else if (r->pieces && len >= PIECE) {
		hand_over(r, p, len < r->left ? len : r->left);
		n = len - OBJECTS_OVERLAP;
	}
	r->left -= n;
	return n;
}

static bool take(void *ctx, struct buf *out)
{
	struct reader *r = ctx;
	size_t at = 0, n = 1;

	while (n && at < out->len && !r->result) {
		n = step(r, out->p + at, out->len - at);
		at += n;
	}
	memmove(out->p, out->p + at, out->len - at);
	buf_cut(out, out->len - at);
	return !r->result;
}

static int run(struct reader *r, const char *dir, const char *const *words,
	       const char *input, size_t len)
{
	const int status =
		git_ask_taking(dir, words, input, len, take, r, r->e);

	if (r->result)
		return r->result;
	if (status > 0 || r->inside)
		return err_set(r->e, ERR_HELPER, "git cannot read its objects");
	return status;
}

int objects_each(const char *dir, const struct buf *names, size_t max,
		 object_fn *fn, void *ctx, struct err *e)
{
	static const char *const words[] = {"cat-file", "--batch", "--buffer",
					    NULL};
	struct reader r = {.fn = fn, .ctx = ctx, .e = e, .max = max};

	return names->len ? run(&r, dir, words, names->p, names->len) : 0;
}

int objects_each_of_all(const char *dir, object_fn *fn, void *ctx,
			struct err *e)
{
	static const char *const words[] = {
		"cat-file",    "--batch",  "--batch-all-objects",
		"--unordered", "--buffer", NULL};
	struct reader r = {.fn = fn, .ctx = ctx, .e = e, .pieces = true};

	return run(&r, dir, words, "", 0);
}
