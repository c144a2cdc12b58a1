/* jsonc-form.c: lists of scalars stand on one line, objects on many. */
#include "format/jsonc-form.h"

#include "format/json-write.h"
#include "format/jsonc.h"

void jsonc_form_break(struct buf *out, const struct jsonc_form *f,
		      const char *base, int depth)
{
	buf_adds(out, f->newline);
	buf_adds(out, base);
	while (depth-- > 0)
		buf_adds(out, f->unit);
}

static bool is_flat(const struct value *v)
{
	if (v->kind != VALUE_LIST)
		return v->kind != VALUE_MAP || !v->u.map.n;
	for (size_t i = 0; i < v->u.list.n; i++) {
		const enum value_kind kind = v->u.list.items[i].kind;

		if (kind == VALUE_MAP || kind == VALUE_LIST)
			return false;
	}
	return true;
}

void jsonc_form_add(struct buf *out, const struct value *v,
		    const struct jsonc_form *form, const char *base, int depth)
{
	const bool map = v->kind == VALUE_MAP;
	size_t n;
	struct jsonc_form f = *form;

	if (v->kind == VALUE_BIGINT) {
		buf_add(out, v->u.s.p, v->u.s.len);
		return;
	}
	if (!map && v->kind != VALUE_LIST) {
		json_write_value(out, v, NULL);
		return;
	}
	n = map ? v->u.map.n : v->u.list.n;
	f.flat = f.flat || is_flat(v);
	buf_addc(out, map ? '{' : '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(out, ',');
		if (!f.flat)
			jsonc_form_break(out, &f, base, depth + 1);
		else if (i)
			buf_addc(out, ' ');
		if (map) {
			const struct value *key = &v->u.map.pairs[i].key;

			json_write_str(out, key->u.s.p, key->u.s.len);
			buf_adds(out, ": ");
		}
		jsonc_form_add(
			out, map ? &v->u.map.pairs[i].val : &v->u.list.items[i],
			&f, base, depth + 1);
	}
	if (!f.flat && n)
		jsonc_form_break(out, &f, base, depth);
	buf_addc(out, map ? '}' : ']');
}

void jsonc_print(struct buf *out, const struct value *v)
{
	const struct jsonc_form form = {"\n", "  ", false};

	jsonc_form_add(out, v, &form, "", 0);
	buf_addc(out, '\n');
}
