/* json-write.c: runs of characters that need no escape are copied; the others
 * are written one by one. */
#include "format/json-write.h"

#include "base/utf8.h"

#include <math.h>

/* Return true if no byte of W is a control character, a quote, a backslash or
 * beyond ASCII. */
static bool is_plain_word(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones * 0x80;
	const uint64_t quote = w ^ ones * '"', slash = w ^ ones * '\\';

	/* A subtraction borrows from the sign bit where the byte is smaller. */
	return !(((w - ones * 0x20) | (quote - ones) | (slash - ones) |
		  (w + ones) | w) &
		 high);
}

static bool are_plain_bytes(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return is_plain_word(w);
}

/* Return true if the last bytes of P, from I on and fewer than eight, are
 * plain. The bytes before I are known to be plain, and some are checked
 * again. */
static bool is_rest_plain(const char *p, size_t len, size_t i)
{
	uint32_t a, b;

	if (len >= 8)
		return are_plain_bytes(p + len - 8);
	if (len < 4 || i)
		return false;
	memcpy(&a, p, sizeof(a));
	memcpy(&b, p + len - 4, sizeof(b));
	return is_plain_word((uint64_t)a << 32 | b);
}

/* Return the length of the prefix of P that needs no escape. */
static size_t plain_prefix(const char *p, size_t len)
{
	size_t i = 0, size;

	while (i < len) {
		const unsigned char c = (unsigned char)p[i];

		if (len - i < 8 && is_rest_plain(p, len, i))
			return len;
		if (len - i >= 8 && are_plain_bytes(p + i)) {
			i += 8;
		} else if (utf8_is_wide(p + i, len - i)) {
			i += utf8_wide(p + i, len - i);
		} else if (c >= 0x80) {
			const uint32_t wide =
				utf8_decode(p + i, len - i, &size);

			if (wide == UTF8_BAD || wide <= 0x9F)
				break;
			i += size;
		} else if (c < 0x20 || c == 0x7F || c == '"' || c == '\\') {
			break;
		} else {
			i++;
		}
	}
	return i;
}

static void add_character(struct buf *out, const char *p, size_t size,
			  uint32_t c)
{
	const char letter = utf8_letter(c, "\"\\\b\f\n\r\t", "\"\\bfnrt");

	if (letter)
		buf_add(out, (char[]){'\\', letter}, 2);
	else if (c == UTF8_BAD)
		buf_adds(out, "\xEF\xBF\xBD");
	else if (c < 0x20 || (c >= 0x7F && c <= 0x9F))
		buf_addf(out, "\\u%04x", (unsigned)c);
	else
		buf_add(out, p, size);
}

void json_write_str(struct buf *out, const char *p, size_t len)
{
	size_t i = 0, size;

	buf_grow(out, len + 2);
	out->p[out->len++] = '"';
	while (i < len) {
		size_t run = plain_prefix(p + i, len - i);

		buf_add(out, p + i, run);
		i += run;
		if (i == len)
			break;
		uint32_t c = utf8_decode(p + i, len - i, &size);
		add_character(out, p + i, size, c);
		i += size;
	}
	buf_addc(out, '"');
}

void json_write_key(struct buf *out, const char *key)
{
	const char last = out->len ? out->p[out->len - 1] : '\n';

	if (last != '{' && last != '[' && last != ':' && last != '\n')
		buf_addc(out, ',');
	if (!key)
		return;
	json_write_str(out, key, strlen(key));
	buf_addc(out, ':');
}

void json_write_open(struct buf *out, const char *key, char c)
{
	json_write_key(out, key);
	buf_addc(out, c);
}

void json_write_close(struct buf *out, char c)
{
	buf_addc(out, c);
}

void json_write_end(struct buf *out)
{
	json_write_close(out, '}');
	buf_addc(out, '\n');
}

void json_write_text(struct buf *out, const char *key, const char *s)
{
	json_write_key(out, key);
	if (s)
		json_write_str(out, s, strlen(s));
	else
		buf_adds(out, "null");
}

void json_write_bytes(struct buf *out, const char *key, const char *p,
		      size_t len)
{
	json_write_key(out, key);
	json_write_str(out, p, len);
}

void json_write_given(struct buf *out, const char *key, const char *s)
{
	if (s)
		json_write_text(out, key, s);
}

void json_write_texts(struct buf *out, const char *key,
		      const char *const *items, size_t n)
{
	json_write_open(out, key, '[');
	for (size_t i = 0; i < n; i++)
		json_write_text(out, NULL, items[i]);
	json_write_close(out, ']');
}

void json_write_int(struct buf *out, const char *key, int64_t i)
{
	json_write_key(out, key);
	buf_addi(out, i);
}

void json_write_size(struct buf *out, const char *key, size_t n)
{
	json_write_int(out, key, (int64_t)n);
}

void json_write_bool(struct buf *out, const char *key, bool b)
{
	json_write_key(out, key);
	buf_adds(out, b ? "true" : "false");
}

void json_write_raw(struct buf *out, const char *key, const char *raw)
{
	json_write_key(out, key);
	buf_adds(out, raw);
}

static const struct value *unfit_in_map(const struct value *v)
{
	const struct value *bad;

	for (size_t i = 0; i < v->u.map.n; i++) {
		if ((bad = json_write_unfit(&v->u.map.pairs[i].key)))
			return bad;
		if ((bad = json_write_unfit(&v->u.map.pairs[i].val)))
			return bad;
	}
	return NULL;
}

const struct value *json_write_unfit(const struct value *v)
{
	const struct value *bad = NULL;

	switch (v->kind) {
	case VALUE_NULL:
	case VALUE_BOOL:
	case VALUE_INT:
		return NULL;
	case VALUE_BIGINT:
		return v;
	case VALUE_FLOAT:
		return isfinite(v->u.f) ? NULL : v;
	case VALUE_STR:
		return utf8_check(v->u.s.p, v->u.s.len) < v->u.s.len ? v : NULL;
	case VALUE_LIST:
		for (size_t i = 0; !bad && i < v->u.list.n; i++)
			bad = json_write_unfit(&v->u.list.items[i]);
		return bad;
	case VALUE_MAP:
		return unfit_in_map(v);
	}
	return NULL;
}

static void add_value(struct buf *out, const struct value *v);

static void add_list(struct buf *out, const struct value *v)
{
	buf_addc(out, '[');
	for (size_t i = 0; i < v->u.list.n; i++) {
		json_write_key(out, NULL);
		add_value(out, &v->u.list.items[i]);
	}
	buf_addc(out, ']');
}

static void add_map(struct buf *out, const struct value *v)
{
	buf_addc(out, '{');
	for (size_t i = 0; i < v->u.map.n; i++) {
		json_write_key(out, NULL);
		add_value(out, &v->u.map.pairs[i].key);
		buf_addc(out, ':');
		add_value(out, &v->u.map.pairs[i].val);
	}
	buf_addc(out, '}');
}

static void add_value(struct buf *out, const struct value *v)
{
	char text[VALUE_FLOAT_TEXT];

	switch (v->kind) {
	case VALUE_NULL:
		buf_adds(out, "null");
		break;
	case VALUE_BOOL:
		buf_adds(out, v->u.b ? "true" : "false");
		break;
	case VALUE_INT:
		buf_addi(out, v->u.i);
		break;
	case VALUE_FLOAT:
		buf_adds(out, value_format_float(v->u.f, text));
		break;
	case VALUE_BIGINT:
	case VALUE_STR:
		json_write_str(out, v->u.s.p, v->u.s.len);
		break;
	case VALUE_LIST:
		add_list(out, v);
		break;
	case VALUE_MAP:
		add_map(out, v);
		break;
	}
}

int json_write_value(struct buf *out, const struct value *v, struct err *e)
{
	const struct value *bad = json_write_unfit(v);

	if (bad && bad->kind == VALUE_BIGINT)
		return err_set(e, ERR_DATA,
			       "JSON cannot hold an integer beyond 64 bits");
	if (bad && bad->kind == VALUE_FLOAT)
		return err_set(e, ERR_DATA,
			       "JSON cannot hold an infinity or NaN");
	if (bad)
		return err_set(e, ERR_DATA,
			       "JSON cannot hold text that is not UTF-8");
	add_value(out, v);
	return 0;
}
