/* jsonc.c: any bytes as a file of settings that an agent is set up in.
 *
 * Holds: what is read stands on bytes inside the text; an edit is refused, and
 * then nothing is changed, or what it put is read back; put twice is put once;
 * taken away it is gone, and what strict readers of JSON take is still taken.
 */
#include "../fuzz.h"

#include "format/json-read.h"
#include "format/jsonc.h"

static const struct jsonc_step path[] = {
	{"mcp", 0}, {"co", 0}, {NULL, SIZE_MAX}};
static const struct jsonc_step list[] = {
	{"hooks", 0}, {"End", 0}, {NULL, SIZE_MAX}};

static void must_stand(const struct value *v, size_t len)
{
	must(v->start <= v->end && v->end <= len, "a value has its place");
	if (v->kind == VALUE_LIST) {
		for (size_t i = 0; i < v->u.list.n; i++)
			must_stand(&v->u.list.items[i], len);
	} else if (v->kind == VALUE_MAP) {
		for (size_t i = 0; i < v->u.map.n; i++)
			must_stand(&v->u.map.pairs[i].val, len);
	}
}

static bool is_strict(const struct buf *text, struct arena *a)
{
	struct value v;
	struct err e;

	return json_parse(buf_str(text), text->len, a, &v, &e) == 0;
}

static void same(const struct buf *a, const struct buf *b, const char *what)
{
	must(a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len)),
	     what);
}

static void edit(const uint8_t *data, size_t size, struct arena *a)
{
	struct buf was = {0}, text = {0}, again = {0};
	struct value v, root;
	bool strict, changed;
	struct err e;

	must(jsonc_parse("{\"k\": [\"x\", 1]}", 15, a, &v, &e) == 0, "value");
	buf_add(&was, data, size);
	buf_add(&text, data, size);
	strict = is_strict(&was, a);
	if (jsonc_put(&text, path, &v, &e) < 0) {
		must_be_error(&e);
		same(&text, &was, "what is refused changes nothing");
		goto out;
	}
	changed = text.len != was.len;
	must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "it is read");
	must(value_equal(jsonc_at(&root, path), &v), "with what was put");
	must(!strict || is_strict(&text, a), "strictly, if it was");
	buf_add(&again, text.p, text.len);
	must(jsonc_put(&again, path, &v, &e) == 0, "put again");
	same(&again, &text, "it changes nothing");
	if (jsonc_append(&text, list, &v, &e) == 0) {
		must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "read");
		must(!strict || is_strict(&text, a), "strictly, if it was");
	}
	if (changed && jsonc_drop(&text, path, &e) == 0) {
		must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "read");
		must(!jsonc_at(&root, path), "what was dropped is gone");
		must(!strict || is_strict(&text, a), "strictly, if it was");
	}
out:
	buf_release(&was);
	buf_release(&text);
	buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	struct arena a = {0};
	struct value v;
	struct err e;

	if (jsonc_parse(p, size, &a, &v, &e) < 0)
		must_be_error(&e);
	else
		must_stand(&v, size);
	edit((const uint8_t *)p, size, &a);
	arena_release(&a);
	return 0;
}
