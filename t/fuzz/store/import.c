/* import.c: any bytes as a line of co-memory-save --batch.
 *
 * Properties: a saved memory has the content, tags, source, date and free keys
 * of the line; a refused line has an error.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "store/save.h"

static void must_read_back(const struct store_new *n, const struct buf *text,
			   struct arena *a)
{
	struct frontmatter fm;
	struct record r;
	const char *p = n->content;
	size_t len = n->len;
	struct err e;

	utf8_strip(&p, &len);
	must(record_read(&r, text->p, text->len, "x", SCOPE_PROJECT, a, &e) ==
		     0,
	     "a saved memory can be read");
	must(r.id == 42, "the id stays");
	must(r.content_len == len && !memcmp(r.content, p, len),
	     "the content stays");
	must(r.source && !strcmp(r.source, n->source ? n->source : "user-told"),
	     "the source stays");
	must(r.ntags <= n->ntags, "the number of tags stays");
	must(frontmatter_parse(&fm, text->p, text->len, "x", a, &e) == 0,
	     "the header can be read");
	for (size_t i = 0; i < n->extra->u.map.n; i++) {
		const struct value_pair *pair = &n->extra->u.map.pairs[i];
		const struct value *got = value_get(&fm.data, pair->key.u.s.p);

		must(got && value_equal(got, &pair->val), "the free keys stay");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const tags[] = {"given"};
	struct store_new n = {.tags = tags, .ntags = 1};
	struct composed d = {0};
	struct record r;
	struct buf text = {0};
	struct arena a = {0};
	struct err e;

	if (save_parse(&n, (const char *)data, size, &a, &e) < 0 ||
	    compose_check(&d, &n, &a, &e) < 0 ||
	    compose_text(&d, 42, &text, &r, &a, &e) < 0) {
		must_be_error(&e);
		must(e.code == ERR_DATA, "a bad line is a data error");
	} else {
		must_read_back(&n, &text, &a);
	}
	buf_release(&text);
	arena_release(&a);
	return 0;
}
