/* template.c: the first line as a template, the rest as a memory.
 *
 * Properties: a template prints limited output, or is refused with an offset
 * inside it; a template that prints the content reports that.
 */
#include "../fuzz.h"

#include "cli/template.h"

static const char *const tags[] = {"a", "ü b", "c"};

/* The memory that is used if the input has none. */
static const struct record sample = {
	.id = 7,
	.path = "/home/ada/project/007-x.md",
	.created = "2026-02-09T14:30:00Z",
	.at = {1770647400, 0},
	.tags = (const char **)tags,
	.ntags = 3,
	.source = "user-told",
	.content = "first\nsecond é\xFF",
	.content_len = 15,
};

/* Check that T, which printed R as OUT, reports if it needs the content. */
static void must_keep_content(const struct template *t, const struct record *r,
			      const struct buf *out)
{
	struct record without = *r;
	struct buf again = {0};

	if (template_uses(t, RECORD_CONTENT) ||
	    template_uses(t, RECORD_SUMMARY))
		return;
	without.content = NULL;
	without.content_len = 0;
	template_add(&again, t, &without);
	must(again.len == out->len &&
		     (!out->len || !memcmp(again.p, out->p, out->len)),
	     "a template that prints the content reports it");
	buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *text;
	struct arena a = {0};
	struct buf out = {0};
	struct record r;
	struct template *t;
	struct err e;
	size_t len, offset = 0;

	text = fuzz_line(&p, &size, &len, &a);
	len = strlen(text);
	if (record_read(&r, p ? p : "", size, "/x/y.md", SCOPE_GLOBAL, &a, &e) <
	    0)
		r = sample;
	if (template_new(&t, text, &a, &e) < 0) {
		const char *behind = e.text + strlen("bad template ''") + len;

		must_be_error(&e);
		must(e.code == ERR_USAGE, "a bad template is a usage error");
		must(len > 4000 ||
			     sscanf(behind, " at offset %zu", &offset) == 1,
		     "the error has an offset");
		must(offset <= len, "the offset is inside the template");
	} else {
		template_add(&out, t, &r);
		must(out.len <= (len + 1) * (r.content_len + 4096),
		     "the output is limited");
		must_keep_content(t, &r, &out);
	}
	buf_release(&out);
	arena_release(&a);
	return 0;
}
