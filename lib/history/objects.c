/* objects.c: git cat-file --batch prints NAME, TYPE, SIZE and a newline, then
 * SIZE bytes and a newline; or NAME and "missing".
 *
 * In a partial clone it stops at the first object that it would have to fetch,
 * whatever the settings. It is then started again for the remaining objects
 * that git rev-list reports as present. In every git since 2.16, only this
 * command looks for objects without fetching them.
 */
#include "history/objects.h"

#include "base/table.h"
#include "repo/layout.h"
#include "sys/git.h"

#define PIECE ((size_t)16 * 1024 * 1024)

void objects_add_remedy(struct buf *out, const char *root)
{
	buf_adds(out, "git -C ");
	buf_add_word(out, root);
	buf_adds(out, " log --all -p -m --full-history -- knowledge "
		      ">/dev/null");
}

struct reader {
	object_fn *fn;
	void *ctx;
	struct err *e;
	int result;
	bool pieces;

	/* Requested and not passed on yet, one per line; NULL: all objects. */
	const char *names;
	const struct table *here; /* the names in PRESENT */
	/* Names requested from this process; NULL: all. */
	const struct buf *present;

	bool inside; /* within an object; LEFT bytes and a newline follow */
	bool skipped;
	size_t left;
	char name[80], type[16];
};

/* Return true if this process was asked for the object NAME of LEN bytes. */
static bool is_here(const struct reader *r, const char *name, size_t len)
{
	struct table_look look;
	size_t at;

	if (!r->present)
		return true;
	look = table_look(r->here, name, len, 0);
	while (table_next(&look, &at)) {
		if (!strncmp(r->present->p + at, name, len))
			return true;
	}
	return false;
}

/* Pass on the next names that git was not asked for as missing. */
static void report_missing(struct reader *r)
{
	struct object o = {.type = "missing"};
	char name[80];

	while (r->names && *r->names && !r->result) {
		const size_t len = strcspn(r->names, "\n");

		if (is_here(r, r->names, len))
			return;
		snprintf(name, sizeof(name), "%.*s", (int)len, r->names);
		o.name = name;
		r->result = r->fn(r->ctx, &o, r->e);
		r->names += len + (r->names[len] == '\n');
	}
}

static void report_object(struct reader *r, const char *p, size_t len)
{
	const struct object o = {r->name, r->type, p, len};

	report_missing(r);
	if (r->result)
		return;
	r->result = r->fn(r->ctx, &o, r->e);
	if (r->names) {
		r->names += strcspn(r->names, "\n");
		r->names += *r->names == '\n';
	}
}

/* Parse the header LINE of LEN bytes. */
static void parse_header(struct reader *r, const char *line, size_t len)
{
	char text[160];
	unsigned long long size;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	r->inside =
		sscanf(text, "%79s %15s %llu", r->name, r->type, &size) == 3;
	if (!r->inside) {
		snprintf(r->type, sizeof(r->type), "missing");
		report_object(r, NULL, 0);
		return;
	}
	r->left = size;
	r->skipped = !r->pieces && size > LAYOUT_FILE_MAX;
	if (r->skipped)
		report_object(r, NULL, 0);
}

/* Consume the next header, object or piece of the LEN bytes of P. Returns the
 * number of bytes consumed, 0 if more input is needed. */
static size_t consume(struct reader *r, const char *p, size_t len)
{
	const char *end = r->inside ? NULL : memchr(p, '\n', len);
	const size_t all = r->left + 1;
	size_t n = 0;

	if (!r->inside) {
		if (end)
			parse_header(r, p, (size_t)(end - p));
		return end ? (size_t)(end - p) + 1 : 0;
	}
	if (len >= all) {
		if (!r->skipped)
			report_object(r, p, r->left);
		r->inside = false;
		return all;
	}
	if (r->skipped) {
		n = len;
	} else if (r->pieces && len >= PIECE) {
		report_object(r, p, len < r->left ? len : r->left);
		n = len - OBJECTS_OVERLAP;
	}
	r->left -= n;
	return n;
}

static bool parse_output(void *ctx, struct buf *out)
{
	struct reader *r = ctx;
	size_t at = 0, n = 1;

	while (n && at < out->len && !r->result) {
		n = consume(r, out->p + at, out->len - at);
		at += n;
	}
	memmove(out->p, out->p + at, out->len - at);
	buf_cut(out, out->len - at);
	return !r->result;
}

static int run_git(struct reader *r, const char *dir, const char *const *words,
		   const char *input, size_t len)
{
	const int status =
		git_ask_taking(dir, words, input, len, parse_output, r, r->e);

	if (r->result)
		return r->result;
	if (status > 0 || r->inside)
		return err_set(r->e, ERR_HELPER, "git cannot read its objects");
	return status;
}

/* Collect the object names from the complete lines of git rev-list so far. */
static bool collect_names(void *ctx, struct buf *out)
{
	struct buf *present = ctx;
	const char *p = out->p, *end = p + out->len, *stop;

	for (; (stop = memchr(p, '\n', (size_t)(end - p))); p = stop + 1)
		buf_addf(present, "%.*s\n", (int)strcspn(p, " \n"), p);
	memmove(out->p, p, (size_t)(end - p));
	buf_cut(out, (size_t)(end - p));
	return true;
}

/* Append to OUT the names in R whose objects are present. */
static int find_present(const struct reader *r, const char *dir,
			struct buf *out)
{
	static const char *const words[] = {"rev-list",
					    "--no-walk",
					    "--objects",
					    "--ignore-missing",
					    "--missing=allow-any",
					    "--stdin",
					    NULL};

	return git_ask_taking(dir, words, r->names, strlen(r->names),
			      collect_names, out, NULL);
}

/* Continue with the remaining names of R after git failed at the first one:
 * read those that are present. If all are present, FAILED was another error
 * and is returned. */
static int retry_present(struct reader *r, const char *dir,
			 const char *const *words, int failed)
{
	struct buf present = {0}, asked = {0};
	struct table here = {0};
	size_t n = 0, all = 0;

	if (find_present(r, dir, &present) != 0)
		goto out;
	for (const char *p = buf_str(&present); *p; p += strcspn(p, "\n") + 1)
		table_put(&here, p, strcspn(p, "\n"), 0,
			  (size_t)(p - present.p));
	r->here = &here;
	r->present = &present;
	for (const char *p = r->names; *p; all++) {
		const size_t len = strcspn(p, "\n");

		if (is_here(r, p, len)) {
			buf_addf(&asked, "%.*s\n", (int)len, p);
			n++;
		}
		p += len + (p[len] == '\n');
	}
	if (n == all)
		goto out;
	failed = n ? run_git(r, dir, words, asked.p, asked.len) : 0;
	if (!failed)
		report_missing(r);
	failed = r->result ? r->result : failed;
out:
	r->here = NULL;
	r->present = NULL;
	buf_release(&present);
	buf_release(&asked);
	table_release(&here);
	return failed;
}

int objects_each(const char *dir, const struct buf *names, object_fn *fn,
		 void *ctx, struct err *e)
{
	static const char *const words[] = {"cat-file", "--batch", "--buffer",
					    NULL};
	struct err why;
	struct reader r = {.fn = fn, .ctx = ctx, .e = &why};
	int failed;

	if (!names->len)
		return 0;
	r.names = names->p;
	failed = run_git(&r, dir, words, names->p, names->len);
	if (failed && !r.result && !r.inside)
		failed = retry_present(&r, dir, words, failed);
	if (failed && e)
		*e = why;
	return failed;
}

int objects_each_of_all(const char *dir, object_fn *fn, void *ctx,
			struct err *e)
{
	static const char *const words[] = {
		"cat-file",    "--batch",  "--batch-all-objects",
		"--unordered", "--buffer", NULL};
	struct reader r = {.fn = fn, .ctx = ctx, .e = e, .pieces = true};

	return run_git(&r, dir, words, "", 0);
}
