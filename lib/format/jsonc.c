/* jsonc.c: a recursive parser that limits the depth before it recurses. Numbers
 * that are not integers are kept as text.
 *
 * Known limit: files beyond 4 GiB cannot be read, as positions have 32 bits.
 */
#include "format/jsonc.h"

#include "base/ascii.h"
#include "base/utf8.h"

#define INT_DIGITS 18 /* any number of so many digits fits in 64 bits */

struct jsonc_reader {
	const char *p;
	size_t len, at;
	int depth;
	struct arena *a;
	struct err *e;
};

static int set_fault(const struct jsonc_reader *r, size_t at, const char *what)
{
	return utf8_fault(r->e, r->p, at, what);
}

/* Skip blanks and comments. Returns 0 or -1. */
static int skip_blanks(struct jsonc_reader *r)
{
	for (;;) {
		const char *p = r->p + r->at, *end;
		size_t left = r->len - r->at;

		if (left && memchr(" \t\r\n", *p, 4)) {
			r->at++;
		} else if (left > 1 && p[0] == '/' && p[1] == '/') {
			end = memchr(p, '\n', left);
			r->at += end ? (size_t)(end - p) : left;
		} else if (left > 1 && p[0] == '/' && p[1] == '*') {
			end = memmem(p + 2, left - 2, "*/", 2);
			if (!end)
				return set_fault(r, r->at,
						 "a comment never ends");
			r->at += (size_t)(end - p) + 2;
		} else {
			return 0;
		}
	}
}

/* Return the next character after blanks and comments, 0 at the end, or -1. */
static int peek_char(struct jsonc_reader *r)
{
	if (skip_blanks(r) < 0)
		return -1;
	return r->at < r->len ? (unsigned char)r->p[r->at] : 0;
}

/* Append the character of the escape whose backslash is at r->at. */
static int read_escape(struct jsonc_reader *r, struct buf *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p = r->p + r->at + 1, *found;
	size_t left = r->len - r->at - 1, n = 5;
	uint32_t c, low;
	char utf8[4];

	found = left && *p ? strchr(from, *p) : NULL;
	if (found) {
		buf_addc(out, to[found - from]);
		r->at += 2;
		return 0;
	}
	if (left < n || *p != 'u' || !utf8_hex(p + 1, 4, &c))
		return set_fault(r, r->at, "a bad escape");
	if (c >= 0xD800 && c < 0xDC00 && left >= 11 && p[5] == '\\' &&
	    p[6] == 'u' && utf8_hex(p + 7, 4, &low) && low >= 0xDC00 &&
	    low < 0xE000) {
		c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
		n = 11;
	}
	if (c >= 0xD800 && c < 0xE000)
		c = 0xFFFD;
	buf_add(out, utf8, utf8_put(c, utf8));
	r->at += 1 + n;
	return 0;
}

static int read_string(struct jsonc_reader *r, struct value *v)
{
	size_t start = r->at++;
	struct buf text = {0};

	*v = (struct value){.kind = VALUE_STR, .start = (uint32_t)start};
	buf_grow(&text, 0);
	while (r->at < r->len && r->p[r->at] != '"') {
		const unsigned char c = (unsigned char)r->p[r->at];

		if (c < 0x20) {
			buf_release(&text);
			return set_fault(r, r->at, "a control in a string");
		}
		if (c != '\\') {
			buf_addc(&text, (char)c);
			r->at++;
		} else if (read_escape(r, &text) < 0) {
			buf_release(&text);
			return -1;
		}
	}
	v->u.s.p = arena_copy(r->a, buf_str(&text), text.len);
	v->u.s.len = text.len;
	buf_release(&text);
	if (r->at == r->len)
		return set_fault(r, start, "a string never ends");
	v->end = (uint32_t)++r->at;
	return 0;
}

static size_t count_digits(const struct jsonc_reader *r, size_t at)
{
	size_t n = 0;

	while (at + n < r->len && ascii_is_digit(r->p[at + n]))
		n++;
	return n;
}

/* Return true if the number P is an integer, *N, in canonical form. */
static bool is_int(const char *p, size_t len, int64_t *n)
{
	const size_t sign = *p == '-';

	*n = 0;
	if (len - sign > INT_DIGITS || (sign && p[1] == '0'))
		return false;
	for (size_t i = sign; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		*n = *n * 10 + (p[i] - '0');
	}
	*n = sign ? -*n : *n;
	return true;
}

/* Read a number, true, false or null. */
static int read_literal(struct jsonc_reader *r, struct value *v)
{
	static const char *const words[] = {"null", "true", "false"};
	size_t start = r->at, at = start, n;

	*v = (struct value){.start = (uint32_t)start};
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		n = strlen(words[i]);
		if (r->len - at >= n && !memcmp(r->p + at, words[i], n)) {
			v->kind = i ? VALUE_BOOL : VALUE_NULL;
			v->u.b = i == 1;
			r->at = at + n;
			v->end = (uint32_t)r->at;
			return 0;
		}
	}
	at += at < r->len && r->p[at] == '-';
	n = count_digits(r, at);
	if (!n || (n > 1 && r->p[at] == '0'))
		return set_fault(r, start, "expected a value");
	at += n;
	if (at < r->len && r->p[at] == '.') {
		if (!(n = count_digits(r, at + 1)))
			return set_fault(r, start, "a bad number");
		at += 1 + n;
	}
	if (at < r->len && (r->p[at] | 32) == 'e') {
		at++;
		at += at < r->len && (r->p[at] == '+' || r->p[at] == '-');
		if (!(n = count_digits(r, at)))
			return set_fault(r, start, "a bad number");
		at += n;
	}
	v->end = (uint32_t)at;
	r->at = at;
	if (is_int(r->p + start, at - start, &v->u.i)) {
		v->kind = VALUE_INT;
		return 0;
	}
	v->kind = VALUE_BIGINT; /* its text is kept */
	v->u.s.p = arena_copy(r->a, r->p + start, at - start);
	v->u.s.len = at - start;
	return 0;
}

static int read_value(struct jsonc_reader *r, struct value *v);

/* After a member, return 1 if another follows, 0 after the bracket CLOSE, or
 * -1. */
static int next_member(struct jsonc_reader *r, char close)
{
	int c = peek_char(r);

	if (c == ',') {
		r->at++;
		c = peek_char(r);
		if (c != close)
			return c < 0 ? -1 : 1;
	}
	if (c == close) {
		r->at++;
		return 0;
	}
	return c < 0 ? -1
		     : set_fault(r, r->at,
				 close == '}' ? "expected , or }"
					      : "expected , or ]");
}

/* Read the opening bracket at r->at. Returns as next_member(). */
static int first_member(struct jsonc_reader *r, char close)
{
	int c;

	if (++r->depth > JSONC_DEPTH)
		return set_fault(r, r->at, "nested deeper than 64");
	r->at++;
	c = peek_char(r);
	if (c != close)
		return c < 0 ? -1 : 1;
	r->at++;
	return 0;
}

static int read_list(struct jsonc_reader *r, struct value *v)
{
	struct value *items = NULL;
	size_t n = 0, cap = 0;
	int more;

	*v = (struct value){.kind = VALUE_LIST, .start = (uint32_t)r->at};
	more = first_member(r, ']');
	while (more > 0) {
		if (read_value(r, MEM_ADD(items, n, cap)) < 0)
			more = -1;
		else
			more = next_member(r, ']');
	}
	if (n)
		v->u.list.items = memcpy(arena_alloc(r->a, n * sizeof(*items)),
					 items, n * sizeof(*items));
	v->u.list.n = n;
	v->end = (uint32_t)r->at;
	free(items);
	r->depth--;
	return more;
}

static int read_pair(struct jsonc_reader *r, struct value_pair *pair)
{
	int c = peek_char(r);

	if (c != '"')
		return c < 0 ? -1 : set_fault(r, r->at, "expected a key");
	if (read_string(r, &pair->key) < 0)
		return -1;
	c = peek_char(r);
	if (c != ':')
		return c < 0 ? -1 : set_fault(r, r->at, "expected :");
	r->at++;
	return read_value(r, &pair->val);
}

static int read_map(struct jsonc_reader *r, struct value *v)
{
	struct value_pair *pairs = NULL;
	const struct value *duplicate;
	size_t n = 0, cap = 0;
	int more;

	*v = (struct value){.kind = VALUE_MAP, .start = (uint32_t)r->at};
	more = first_member(r, '}');
	while (more > 0) {
		if (read_pair(r, MEM_ADD(pairs, n, cap)) < 0)
			more = -1;
		else
			more = next_member(r, '}');
	}
	if (n)
		v->u.map.pairs = memcpy(arena_alloc(r->a, n * sizeof(*pairs)),
					pairs, n * sizeof(*pairs));
	v->u.map.n = n;
	duplicate = more == 0 ? value_duplicate_key(v) : NULL;
	if (duplicate)
		more = set_fault(r, duplicate->start, "a key given twice");
	v->end = (uint32_t)r->at;
	free(pairs);
	r->depth--;
	return more;
}

static int read_value(struct jsonc_reader *r, struct value *v)
{
	int c = peek_char(r);

	if (c < 0)
		return -1;
	if (c == '{')
		return read_map(r, v);
	if (c == '[')
		return read_list(r, v);
	if (c == '"')
		return read_string(r, v);
	return read_literal(r, v);
}

static size_t bom_len(const char *p, size_t len)
{
	return len >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

bool jsonc_is_blank(const char *p, size_t len, size_t *bom)
{
	*bom = bom_len(p, len);
	while (len > *bom && strchr(" \t\r\n", p[len - 1]) && p[len - 1])
		len--;
	return len == *bom;
}

int jsonc_parse(const char *p, size_t len, struct arena *a, struct value *out,
		struct err *e)
{
	struct jsonc_reader r = {.p = p, .len = len, .a = a, .e = e};
	size_t bad = utf8_check(p, strnlen(p, len));

	if (len >= UINT32_MAX)
		return err_set(e, ERR_DATA, "1:1: larger than 4 GiB");
	if (bad < len)
		return set_fault(&r, bad, "not UTF-8 text");
	r.at = bom_len(p, len);
	if (read_value(&r, out) < 0)
		return -1;
	switch (peek_char(&r)) {
	case -1:
		return -1;
	case 0:
		if (r.at == len)
			return 0;
	}
	return set_fault(&r, r.at, "unexpected text after the value");
}

const struct value *jsonc_at(const struct value *root, jsonc_path path)
{
	for (size_t i = 0; root; i++) {
		if (path[i].key)
			root = value_get(root, path[i].key);
		else if (path[i].item == SIZE_MAX)
			return root;
		else if (root->kind == VALUE_LIST &&
			 path[i].item < root->u.list.n)
			root = &root->u.list.items[path[i].item];
		else
			root = NULL;
	}
	return NULL;
}

const struct value *jsonc_dotted(const struct value *root, const char *key)
{
	const struct value *whole = value_get(root, key), *part;
	const char *dot = strchr(key, '.');
	struct buf first = {0};

	if (whole || !dot)
		return whole;
	buf_add(&first, key, (size_t)(dot - key));
	part = value_get(root, first.p);
	buf_release(&first);
	return part && part->kind == VALUE_MAP ? value_get(part, dot + 1)
					       : NULL;
}
