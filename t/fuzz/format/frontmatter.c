/* frontmatter.c: any bytes as a document.
 *
 * Properties: a document that was read can be written and reads back equal,
 * with its body, also as JSON; an edit changes the value of its key and no
 * other byte; an error has a line and a column.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "repo/record.h"

/* Check that the places of V are in the header, in order. */
static void must_lie_in(const struct value *v, const struct frontmatter *fm)
{
	must(v->start <= v->end, "a value ends after its start");
	must(v->start >= fm->yaml && v->end <= fm->yaml + fm->yaml_len,
	     "a value is inside the header");
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++)
		must_lie_in(&v->u.list.items[i], fm);
	for (size_t i = 0; v->kind == VALUE_MAP && i < v->u.map.n; i++) {
		must_lie_in(&v->u.map.pairs[i].key, fm);
		must_lie_in(&v->u.map.pairs[i].val, fm);
	}
}

static void write_and_read(const struct frontmatter *fm, struct arena *a)
{
	const char *body = fm->text + fm->body;
	size_t len = fm->len - fm->body;
	struct buf out = {0}, again = {0};
	struct frontmatter back;
	struct err e;

	if (frontmatter_join(&out, &fm->data, body, len, &e) < 0) {
		must_be_error(&e);
		must(fm->yaml_len > 4096, "a small document can be written");
		buf_release(&out);
		return;
	}
	must(frontmatter_parse(&back, buf_str(&out), out.len, "x", a, &e) == 0,
	     "a written document can be read");
	must(value_equal(&back.data, &fm->data), "the values stay");
	must(back.len - back.body == len &&
		     (!len || !memcmp(back.text + back.body, body, len)),
	     "the body stays");
	must(frontmatter_join(&again, &back.data, body, len, &e) == 0 &&
		     again.len == out.len &&
		     (!out.len || !memcmp(again.p, out.p, out.len)),
	     "writing twice gives equal bytes");
	buf_release(&again);
	buf_release(&out);
}

static void json_and_back(const struct value *data, struct arena *a)
{
	struct buf out = {0};
	struct value back;
	struct err e;

	if (json_write_value(&out, data, &e) < 0) {
		must(json_write_unfit(data) && !out.len,
		     "JSON reports values that it cannot have");
		return;
	}
	must(utf8_check(out.p, out.len) == out.len, "JSON is UTF-8");
	must(json_parse(out.p, out.len, a, &back, &e) == 0,
	     "written JSON can be read");
	must(value_equal(&back, data), "the values stay");
	buf_release(&out);
}

/* Set KEY to V, and check that all bytes before START and from END on stay. */
static void edit(const struct frontmatter *fm, const char *key,
		 const struct value *v, size_t start, size_t end,
		 struct arena *a)
{
	struct buf out = {0};
	struct frontmatter back;
	const struct value *got;
	size_t tail = fm->len - end;
	struct err e;

	if (frontmatter_set(&out, fm, key, v, &e) < 0) {
		must_be_error(&e);
		must(!out.len, "a failed edit appends nothing");
		buf_release(&out);
		return;
	}
	must(out.len >= start + tail, "an edit removes no other byte");
	must(!start || !memcmp(out.p, fm->text, start),
	     "an edit keeps the bytes before it");
	must(!tail || !memcmp(out.p + out.len - tail, fm->text + end, tail),
	     "an edit keeps the bytes after it");
	must(frontmatter_parse(&back, out.p, out.len, "x", a, &e) == 0,
	     "an edited document can be read");
	got = value_get(&back.data, key);
	must(got && value_equal(got, v),
	     "an edited document has the new value");
	must(back.data.u.map.n == fm->data.u.map.n + !value_get(&fm->data, key),
	     "an edit adds and removes no other key");
	buf_release(&out);
}

static void edit_all(const struct frontmatter *fm, struct arena *a)
{
	struct value list = {.kind = VALUE_LIST}, items[2], v;
	size_t at = fm->present ? fm->yaml : fm->body;

	items[0] = value_str("a: b #c");
	items[1] = value_int(7);
	list.u.list.items = items;
	list.u.list.n = 2;
	v = value_str("2026-02-09T14:30:00Z");
	edit(fm, "new key", &list, at, fm->present ? fm->body : at, a);
	for (size_t i = 0; i < fm->data.u.map.n && i < 4; i++) {
		const struct value_pair *p = &fm->data.u.map.pairs[i];

		if (strlen(p->key.u.s.p) == p->key.u.s.len)
			edit(fm, p->key.u.s.p, i % 2 ? &v : &list, p->key.end,
			     p->val.end, a);
	}
}

static void must_name_place(const struct err *e)
{
	int line, col, end = 0;

	must_be_error(e);
	must(e->code == ERR_DATA, "a bad document is a data error");
	must(sscanf(e->text, "'x':%d:%d: %n", &line, &col, &end) == 2 && end,
	     "an error has a line and a column");
	must(line > 0 && col > 0, "lines and columns count from 1");
}

static void check_schemas(const struct frontmatter *fm, struct arena *a)
{
	static const enum schema all[] = {SCHEMA_MEMORY, SCHEMA_CONTEXT,
					  SCHEMA_ARTICLE};
	struct record r;
	struct err e;
	struct buf json = {0};

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (schema_check(all[i], fm, "x", &e) < 0)
			must_name_place(&e);
	}
	if (record_read(&r, fm->text, fm->len, "x", SCOPE_PROJECT, a, &e) < 0)
		return;
	must(r.id >= 1 && r.id <= SCHEMA_ID_MAX, "an id is in its range");
	record_json(&json, &r, RECORD_WHOLE);
	must(utf8_check(json.p, json.len) == json.len, "a record is UTF-8");
	must(!memchr(json.p, '\n', json.len), "a record is one line");
	buf_release(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena a = {0};
	struct frontmatter fm;
	struct err e;

	if (frontmatter_parse(&fm, text, size, "x", &a, &e) < 0) {
		must_name_place(&e);
	} else {
		if (fm.data.u.map.n)
			must_lie_in(&fm.data, &fm);
		write_and_read(&fm, &a);
		json_and_back(&fm.data, &a);
		edit_all(&fm, &a);
		check_schemas(&fm, &a);
	}
	arena_release(&a);
	return 0;
}
