/* jsonc.c: any bytes as a settings file in which an agent is set up.
 *
 * Properties: values have places inside the text; an edit fails and changes
 * nothing, or its value is read back; a second edit changes nothing; a dropped
 * value is gone; valid strict JSON stays valid.
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
	must(v->start <= v->end && v->end <= len,
	     "a value has a place inside the text");
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
		same(&text, &was, "a failed edit changes nothing");
		goto out;
	}
	changed = text.len != was.len;
	must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "it is read");
	must(value_equal(jsonc_at(&root, path), &v),
	     "a put value is read back");
	must(!strict || is_strict(&text, a), "strict JSON stays strict JSON");
	buf_add(&again, text.p, text.len);
	must(jsonc_put(&again, path, &v, &e) == 0, "put again");
	same(&again, &text, "the second edit changes nothing");
	if (jsonc_append(&text, list, &v, &e) == 0) {
		must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "read");
		must(!strict || is_strict(&text, a),
		     "strict JSON stays strict JSON");
	}
	if (changed && jsonc_drop(&text, path, &e) == 0) {
		must(jsonc_parse(text.p, text.len, a, &root, &e) == 0, "read");
		must(!jsonc_at(&root, path), "a dropped value is gone");
		must(!strict || is_strict(&text, a),
		     "strict JSON stays strict JSON");
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
