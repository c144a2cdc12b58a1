/* value.c: see value.h. */
#include "format/value.h"

#include "base/mem.h"

#include <math.h>

const struct value *value_get(const struct value *map, const char *key)
{
	if (!map || map->kind != VALUE_MAP)
		return NULL;
	for (size_t i = 0; i < map->u.map.n; i++) {
		const struct value_pair *pair = &map->u.map.pairs[i];

		if (value_is(&pair->key, key))
			return &pair->val;
	}
	return NULL;
}

const struct value *value_item(const struct value *list, size_t i)
{
	return list && list->kind == VALUE_LIST && i < list->u.list.n
		       ? &list->u.list.items[i]
		       : NULL;
}

const struct value *value_item_or_self(const struct value *v, size_t i)
{
	return v && v->kind == VALUE_LIST ? value_item(v, i) : i ? NULL : v;
}

bool value_has_int(const struct value *v, int64_t i)
{
	const struct value *item;

	for (size_t k = 0; (item = value_item_or_self(v, k)); k++) {
		if (item->kind == VALUE_INT && item->u.i == i)
			return true;
	}
	return false;
}

int64_t value_positive(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_INT && v->u.i > 0 ? v->u.i : 0;
}

void value_put(struct value *map, const char *key, struct value v)
{
	size_t i = 0;

	while (i < map->u.map.n && !value_is(&map->u.map.pairs[i].key, key))
		i++;
	map->u.map.pairs[i].key = value_str(key);
	map->u.map.pairs[i].val = v;
	map->u.map.n += i == map->u.map.n;
}

const char *value_text(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR && strlen(v->u.s.p) == v->u.s.len
		       ? v->u.s.p
		       : NULL;
}

bool value_is(const struct value *v, const char *s)
{
	size_t len = strlen(s);

	return v && v->kind == VALUE_STR && v->u.s.len == len &&
	       memcmp(v->u.s.p, s, len) == 0;
}

bool value_is_true(const struct value *v)
{
	return v && v->kind == VALUE_BOOL && v->u.b;
}

bool value_is_texts(const struct value *v)
{
	if (v->kind != VALUE_LIST)
		return false;
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind != VALUE_STR)
			return false;
	}
	return true;
}

bool value_is_word(const struct value *v, const char *words)
{
	for (const char *w = words; *w; w += *w == '|') {
		size_t n = strcspn(w, "|");

		if (v && v->kind == VALUE_STR && v->u.s.len == n &&
		    !memcmp(v->u.s.p, w, n))
			return true;
		w += n;
	}
	return false;
}

static bool equal_lists(const struct value *a, const struct value *b)
{
	if (a->u.list.n != b->u.list.n)
		return false;
	for (size_t i = 0; i < a->u.list.n; i++) {
		if (!value_equal(&a->u.list.items[i], &b->u.list.items[i]))
			return false;
	}
	return true;
}

static bool equal_maps(const struct value *a, const struct value *b)
{
	if (a->u.map.n != b->u.map.n)
		return false;
	for (size_t i = 0; i < a->u.map.n; i++) {
		const struct value_pair *x = &a->u.map.pairs[i];
		const struct value_pair *y = &b->u.map.pairs[i];

		if (!value_equal(&x->key, &y->key) ||
		    !value_equal(&x->val, &y->val))
			return false;
	}
	return true;
}

/* Unlike ==, distinguish -0.0 from 0.0 and treat NaN as equal to NaN. */
static bool equal_floats(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return memcmp(&a, &b, sizeof(a)) == 0;
}

bool value_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_NULL:
		return true;
	case VALUE_BOOL:
		return a->u.b == b->u.b;
	case VALUE_INT:
		return a->u.i == b->u.i;
	case VALUE_FLOAT:
		return equal_floats(a->u.f, b->u.f);
	case VALUE_BIGINT:
	case VALUE_STR:
		return a->u.s.len == b->u.s.len &&
		       memcmp(a->u.s.p, b->u.s.p, a->u.s.len) == 0;
	case VALUE_LIST:
		return equal_lists(a, b);
	case VALUE_MAP:
		return equal_maps(a, b);
	}
	return false;
}

char *value_format_float(double f, char out[VALUE_FLOAT_TEXT])
{
	char digits[VALUE_FLOAT_TEXT - 4];
	size_t whole;

	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, f);
		if (strtod(digits, NULL) == f)
			break;
	}
	/* YAML 1.1 requires a point even before an exponent. */
	whole = strcspn(digits, ".e");
	snprintf(out, VALUE_FLOAT_TEXT, "%.*s%s%s", (int)whole, digits,
		 digits[whole] == '.' ? "" : ".0", digits + whole);
	return out;
}

struct value value_str(const char *s)
{
	struct value v = {.kind = VALUE_STR};

	v.u.s.p = s;
	v.u.s.len = strlen(s);
	return v;
}

struct value value_int(int64_t i)
{
	struct value v = {.kind = VALUE_INT};

	v.u.i = i;
	return v;
}

bool value_has_item(const struct value *list, const struct value *v)
{
	const struct value *item;

	for (size_t i = 0; (item = value_item(list, i)); i++) {
		if (value_equal(item, v))
			return true;
	}
	return false;
}

/* Compare by text, then position, so that duplicates are adjacent. */
static int compare_keys(const void *x, const void *y)
{
	const struct value *a = *(const struct value *const *)x;
	const struct value *b = *(const struct value *const *)y;
	int r;

	if (a->u.s.len != b->u.s.len)
		return a->u.s.len < b->u.s.len ? -1 : 1;
	r = memcmp(a->u.s.p, b->u.s.p, a->u.s.len);
	return r ? r : (a->start > b->start) - (a->start < b->start);
}

const struct value *value_duplicate_key(const struct value *map)
{
	const struct value *duplicate = NULL;
	const size_t n = map->u.map.n;
	const struct value **keys;

	if (n < 2)
		return NULL;
	keys = mem_resize(NULL, n, sizeof(*keys));
	for (size_t i = 0; i < n; i++)
		keys[i] = &map->u.map.pairs[i].key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < n; i++) {
		if (value_equal(keys[i - 1], keys[i]) &&
		    (!duplicate || keys[i]->start < duplicate->start))
			duplicate = keys[i];
	}
	free(keys);
	return duplicate;
}
