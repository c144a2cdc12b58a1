/* json-read.c: jansson parses the text, and its tree is copied to the arena.
 *
 * jansson recurses up to 2048 levels, so the nesting is checked first. jansson
 * reports lack of memory as a fault of the text; it therefore allocates with
 * mem_alloc(), which ends the process. It does not report positions, so start
 * and end of all values are 0.
 */
#include "format/json-read.h"

#include "base/utf8.h"

#include <jansson.h>

#define DEPTH_MAX 64

static size_t skip_blanks(const char *p, size_t len, size_t i)
{
	while (i < len && memchr(" \t\n\r", p[i], 4))
		i++;
	return i;
}

/* Return the offset after the string that opens at I, which is over LEN if it does
 * not end. */
static size_t skip_string(const char *p, size_t len, size_t i)
{
	for (i++; i < len && p[i] != '"'; i++) {
		if (p[i] == '\\')
			i++;
	}
	return i + 1;
}

/* Return the offset of the first bracket beyond DEPTH_MAX in the value at I, or
 * LEN. */
static size_t find_too_deep(const char *p, size_t len, size_t i)
{
	int depth = 0;

	while (i < len) {
		if (p[i] == '"') {
			i = skip_string(p, len, i);
			continue;
		}
		if ((p[i] == '[' || p[i] == '{') && ++depth > DEPTH_MAX)
			return i;
		if ((p[i] == ']' || p[i] == '}') && --depth <= 0)
			break;
		if (!depth)
			break;
		i++;
	}
	return len;
}

static struct value convert(json_t *j, struct arena *a);

static void convert_string(const char *p, size_t len, struct arena *a,
			   struct value *out)
{
	out->kind = VALUE_STR;
	out->u.s.p = arena_copy(a, p, len);
	out->u.s.len = len;
}

static void convert_list(json_t *j, struct arena *a, struct value *out)
{
	size_t n = json_array_size(j);

	out->kind = VALUE_LIST;
	out->u.list.n = n;
	out->u.list.items = arena_alloc(a, n * sizeof(struct value));
	for (size_t i = 0; i < n; i++)
		out->u.list.items[i] = convert(json_array_get(j, i), a);
}

static void convert_map(json_t *j, struct arena *a, struct value *out)
{
	struct value_pair *pair;
	const char *key;
	json_t *val;

	out->kind = VALUE_MAP;
	out->u.map.n = json_object_size(j);
	out->u.map.pairs = arena_alloc(a, out->u.map.n * sizeof(*pair));
	pair = out->u.map.pairs;
	json_object_foreach(j, key, val)
	{
		convert_string(key, strlen(key), a, &pair->key);
		pair->val = convert(val, a);
		pair++;
	}
}

static struct value convert(json_t *j, struct arena *a)
{
	struct value v = {.kind = VALUE_NULL};

	switch (json_typeof(j)) {
	case JSON_NULL:
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		v.kind = VALUE_BOOL;
		v.u.b = json_is_true(j);
		break;
	case JSON_INTEGER:
		v.kind = VALUE_INT;
		v.u.i = json_integer_value(j);
		break;
	case JSON_REAL:
		v.kind = VALUE_FLOAT;
		v.u.f = json_real_value(j);
		break;
	case JSON_STRING:
		convert_string(json_string_value(j), json_string_length(j), a,
			       &v);
		break;
	case JSON_ARRAY:
		convert_list(j, a, &v);
		break;
	case JSON_OBJECT:
		convert_map(j, a, &v);
		break;
	}
	return v;
}

int json_parse_at(const char *p, size_t len, size_t *at, struct arena *a,
		  struct value *out, struct err *e)
{
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK |
			     JSON_DECODE_ANY | JSON_ALLOW_NUL;
	size_t start = skip_blanks(p, len, *at), deep, next_at;
	json_error_t error;
	json_t *j;

	if (start == len)
		return 0;
	deep = find_too_deep(p, len, start);
	if (deep < len)
		return utf8_fault(e, p, deep, "nested deeper than 64");
	json_set_alloc_funcs(mem_alloc, free);
	j = json_loadb(p + start, len - start, flags, &error);
	next_at = start + (error.position > 0 ? (size_t)error.position : 0);
	if (!j)
		return utf8_fault(e, p, next_at > start ? next_at - 1 : start,
				  error.text);
	*out = convert(j, a);
	json_decref(j);
	*at = next_at;
	return 1;
}

int json_parse(const char *p, size_t len, struct arena *a, struct value *out,
	       struct err *e)
{
	size_t at = 0;
	int r = json_parse_at(p, len, &at, a, out, e);

	if (r < 0)
		return -1;
	if (r == 0)
		return utf8_fault(e, p, len, "expected a JSON text");
	at = skip_blanks(p, len, at);
	if (at < len)
		return utf8_fault(e, p, at,
				  "unexpected text after the JSON text");
	return 0;
}

bool json_within(const char *p, size_t len, size_t most)
{
	size_t values = 1, i = 0;
	int depth = 0;

	while (i < len) {
		if (p[i] == '"') {
			i = skip_string(p, len, i);
			continue;
		}
		if (p[i] == '[' || p[i] == '{') {
			values++;
			if (++depth > DEPTH_MAX)
				return false;
		}
		values += p[i] == ',' || p[i] == ':';
		depth -= p[i] == ']' || p[i] == '}';
		if (values > most)
			return false;
		i++;
	}
	return true;
}

/* Return the code unit of the escape \uXXXX at P, 0 if there is none. */
static unsigned code_unit(const char *p, size_t len)
{
	uint32_t unit;

	return len >= 6 && p[0] == '\\' && p[1] == 'u' &&
			       utf8_hex(p + 2, 4, &unit)
		       ? unit
		       : 0;
}

static bool is_high_surrogate(unsigned unit)
{
	return unit >= 0xD800 && unit < 0xDC00;
}

static bool is_low_surrogate(unsigned unit)
{
	return unit >= 0xDC00 && unit < 0xE000;
}

void json_mend(char *p, size_t len)
{
	char *end = p + len;

	while (p < end && (p = memchr(p, '\\', (size_t)(end - p)))) {
		const size_t rest = (size_t)(end - p);
		const unsigned unit = code_unit(p, rest);

		if (is_high_surrogate(unit) &&
		    is_low_surrogate(code_unit(p + 6, rest - 6))) {
			p += 12;
		} else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
			memcpy(p, "\\ufffd", 6);
			p += 6;
		} else {
			p += 2; /* such as an escaped backslash */
		}
	}
}

int json_parse_mended(const char *p, size_t len, struct arena *a,
		      struct value *out, struct err *e)
{
	char *mended = arena_copy(a, p, len);

	json_mend(mended, len);
	return json_parse(mended, len, a, out, e);
}

void json_library(struct buf *out)
{
	buf_addf(out, "jansson %s", jansson_version_str());
}
