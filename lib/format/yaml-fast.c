/* yaml-fast.c: one pass over the bytes, driven by a table of byte classes.
 *
 * The YAML is copied to the arena once. Scalars are slices of that copy, each
 * ended by a NUL that overwrites the next byte. The original is scanned; its
 * last byte is a newline, so most loops need no bound.
 *
 * In case of doubt, a form is rejected. Before you extend the grammar, extend
 * the test against libyaml.
 */
#include "format/yaml-fast.h"

#include "base/ascii.h"
#include "format/yaml-scalar.h"

#define PAIRS_MAX 32
#define ITEMS_MAX 64
#define KEY_MAX 128

enum {
	KEY = 1,   /* allowed in a key */
	OPEN = 2,  /* may begin a plain scalar */
	BLOCK = 4, /* continues a plain scalar in any position */
	FLOW = 8,  /* also inside a flow list */
	QUOTE = 16 /* literal in quotes and comments */
};

#define WORD (OPEN | BLOCK | FLOW | QUOTE)
#define INSIDE (BLOCK | FLOW | QUOTE)
#define ALNUM (KEY | WORD)
#define LETTERS(first)                                             \
	[first] = ALNUM, [first + 1] = ALNUM, [first + 2] = ALNUM, \
	[first + 3] = ALNUM, [first + 4] = ALNUM

static const unsigned char classes[256] = {
	[' '] = QUOTE,	       ['!'] = INSIDE,	      ['"'] = QUOTE,
	['\''] = QUOTE,	       ['#'] = QUOTE,	      ['$'] = WORD,
	['%'] = INSIDE,	       ['&'] = INSIDE,	      ['('] = WORD,
	[')'] = WORD,	       ['*'] = INSIDE,	      ['+'] = WORD,
	[','] = BLOCK | QUOTE, ['-'] = KEY | INSIDE,  ['.'] = KEY | WORD,
	['/'] = WORD,	       LETTERS('0'),	      LETTERS('5'),
	[':'] = QUOTE,	       [';'] = WORD,	      ['<'] = WORD,
	['='] = WORD,	       ['>'] = INSIDE,	      ['?'] = BLOCK | QUOTE,
	['@'] = INSIDE,	       LETTERS('A'),	      LETTERS('F'),
	LETTERS('K'),	       LETTERS('P'),	      LETTERS('U'),
	['Z'] = ALNUM,	       ['['] = BLOCK | QUOTE, [']'] = BLOCK | QUOTE,
	['^'] = WORD,	       ['_'] = ALNUM,	      ['`'] = INSIDE,
	LETTERS('a'),	       LETTERS('f'),	      LETTERS('k'),
	LETTERS('p'),	       LETTERS('u'),	      ['z'] = ALNUM,
	['{'] = BLOCK | QUOTE, ['|'] = INSIDE,	      ['}'] = BLOCK | QUOTE,
	['~'] = WORD,
};

struct yaml_fast {
	const char *p;
	size_t len;
	size_t i; /* offset of the next byte */
	char *copy;
	uint32_t base;
};

static unsigned char class_of(char c)
{
	return classes[(unsigned char)c];
}

/* Return the length of the character beyond ASCII at P; 0 if YAML treats it
 * specially: C1 (including NEL), LS, PS, BOM, U+FFFE, U+FFFF. */
static size_t multibyte_len(const char *p)
{
	const unsigned char *s = (const unsigned char *)p;

	if (s[0] < 0xC2)
		return 0;
	if (s[0] < 0xE0)
		return s[0] == 0xC2 && s[1] < 0xA0 ? 0 : 2;
	if (s[0] == 0xE2 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9))
		return 0;
	if (s[0] == 0xEF &&
	    ((s[1] == 0xBB && s[2] == 0xBF) || (s[1] == 0xBF && s[2] >= 0xBE)))
		return 0;
	return s[0] < 0xF0 ? 3 : 4;
}

/* Skip to the QUOTE that ends a string on this line or, if QUOTE is 0, to the
 * end of a comment. Returns false if something is not simple. */
static bool skip_quoted(struct yaml_fast *s, char quote)
{
	for (;;) {
		char c = s->p[s->i];
		size_t size = 1;

		if (c == quote)
			return true;
		if (c & 0x80)
			size = multibyte_len(s->p + s->i);
		else if (c == '\n' || c == '\r')
			return !quote;
		else if (c == '\\' ? quote == '"' : !(class_of(c) & QUOTE))
			return false;
		if (!size)
			return false;
		s->i += size;
	}
}

static bool skip_newline(struct yaml_fast *s)
{
	if (s->p[s->i] == '\r')
		s->i++;
	if (s->p[s->i] != '\n')
		return false;
	s->i++;
	return true;
}

/* Skip blanks, a comment and the line end after a node. */
static bool skip_rest(struct yaml_fast *s)
{
	size_t start = s->i;

	while (s->p[s->i] == ' ')
		s->i++;
	if (s->p[s->i] == '#') {
		if (s->i == start || !skip_quoted(s, 0))
			return false;
	}
	return skip_newline(s);
}

/* Skip blank lines, comment lines and the indentation of the next node, whose
 * width *INDENT gets. */
static bool skip_lines(struct yaml_fast *s, size_t *indent)
{
	for (;;) {
		size_t start = s->i;

		if (start == s->len)
			break;
		while (s->p[s->i] == ' ')
			s->i++;
		*indent = s->i - start;
		if (s->p[s->i] == '#') {
			if (!skip_quoted(s, 0))
				return false;
		} else if (s->p[s->i] != '\n' && s->p[s->i] != '\r') {
			return true;
		}
		if (!skip_newline(s))
			return false;
	}
	*indent = 0;
	return true;
}

/* Set OUT to the scalar at [start, end). The type of a PLAIN one is
 * resolved. */
static void set_scalar(struct yaml_fast *s, size_t start, size_t end,
		       bool plain, struct value *out)
{
	char *text = s->copy + start;

	text[end - start] = '\0';
	if (plain) {
		yaml_scalar_resolve(text, end - start, out);
	} else {
		out->kind = VALUE_STR;
		out->u.s.p = text;
		out->u.s.len = end - start;
	}
}

static bool read_quoted(struct yaml_fast *s, struct value *out)
{
	size_t start = s->i;
	char quote = s->p[s->i++];

	if (!skip_quoted(s, quote))
		return false;
	s->i++;
	if (s->p[s->i] == quote) /* '' */
		return false;
	set_scalar(s, start + 1, s->i - 1, false, out);
	out->start = s->base + (uint32_t)start;
	out->end = s->base + (uint32_t)s->i;
	return true;
}

/* What a byte that does not simply continue a plain scalar means. */
enum stop { STOP_NONE, STOP_END, STOP_BAD };
static enum stop classify_stop(const struct yaml_fast *s, bool flow)
{
	char c = s->p[s->i], next;

	switch (c) {
	case ':':
		next = s->p[s->i + 1];
		return flow || next == ' ' || next == '\n' || next == '\r' ||
				       next == '\t'
			       ? STOP_BAD
			       : STOP_NONE;
	case '#':
		if (s->p[s->i - 1] != ' ')
			return STOP_NONE;
		return flow ? STOP_BAD : STOP_END;
	case '"':
	case '\'':
	case '\\':
		return STOP_NONE;
	case ',':
	case ']':
		return STOP_END; /* only in flow: otherwise they are BLOCK */
	case '\n':
	case '\r':
		return flow ? STOP_BAD : STOP_END;
	default:
		return STOP_BAD;
	}
}

static bool read_plain(struct yaml_fast *s, bool flow, struct value *out)
{
	const unsigned char go = flow ? FLOW : BLOCK;
	size_t start = s->i, end = start, size;

	for (;;) {
		char c = s->p[s->i];

		if (class_of(c) & go) {
			end = ++s->i;
		} else if (c == ' ') {
			s->i++;
		} else if (c & 0x80) {
			size = multibyte_len(s->p + s->i);
			if (!size)
				return false;
			end = s->i += size;
		} else {
			enum stop t = classify_stop(s, flow);

			if (t == STOP_BAD)
				return false;
			if (t == STOP_END)
				break;
			end = ++s->i;
		}
	}
	s->i = end;
	set_scalar(s, start, end, true, out);
	out->start = s->base + (uint32_t)start;
	out->end = s->base + (uint32_t)end;
	return true;
}

static bool read_scalar(struct yaml_fast *s, bool flow, struct value *out)
{
	const char *p = s->p + s->i;

	if (*p == '"' || *p == '\'')
		return read_quoted(s, out);
	if (!(class_of(*p) & OPEN) && !(*p & 0x80) && *p != '\\' &&
	    !(*p == '-' && ascii_is_digit(p[1])))
		return false;
	return read_plain(s, flow, out);
}

static void set_list(struct arena *a, const struct value *items, size_t n,
		     struct value *out)
{
	out->kind = VALUE_LIST;
	out->u.list.n = n;
	out->u.list.items = arena_alloc(a, n * sizeof(*items));
	if (n)
		memcpy(out->u.list.items, items, n * sizeof(*items));
}

static void skip_spaces(struct yaml_fast *s)
{
	while (s->p[s->i] == ' ')
		s->i++;
}

/* Read a flow list of scalars on one line. */
static bool read_flow(struct yaml_fast *s, struct arena *a, struct value *out)
{
	struct value items[ITEMS_MAX];
	size_t start = s->i++, n = 0;

	skip_spaces(s);
	while (s->p[s->i] != ']') {
		if (n == ITEMS_MAX || !read_scalar(s, true, &items[n++]))
			return false;
		skip_spaces(s);
		if (s->p[s->i] == ']')
			break;
		if (s->p[s->i++] != ',')
			return false;
		skip_spaces(s);
	}
	s->i++;
	set_list(a, items, n, out);
	out->start = s->base + (uint32_t)start;
	out->end = s->base + (uint32_t)s->i;
	return true;
}

/* Read a block list of scalars from its first dash, which is indented by INDENT
 * blanks. */
static bool read_block(struct yaml_fast *s, size_t indent, struct arena *a,
		       struct value *out)
{
	struct value items[ITEMS_MAX];
	size_t start = s->i, n = 0, next = indent;

	while (next == indent && s->i < s->len && s->p[s->i] == '-' &&
	       s->p[s->i + 1] == ' ') {
		s->i++;
		skip_spaces(s);
		if (n == ITEMS_MAX || !read_scalar(s, false, &items[n++]) ||
		    !skip_rest(s) || !skip_lines(s, &next))
			return false;
	}
	if (next || s->i == start)
		return false;
	set_list(a, items, n, out);
	out->start = s->base + (uint32_t)start;
	out->end = items[n - 1].end;
	return true;
}

/* Read the value after the colon of a key, up to the next key. */
static bool read_value(struct yaml_fast *s, struct arena *a, struct value *out)
{
	size_t colon = s->i, indent;
	char c;

	skip_spaces(s);
	c = s->p[s->i];
	if (c != '\n' && c != '\r' && c != '#') {
		if (!(c == '[' ? read_flow(s, a, out)
			       : read_scalar(s, false, out)))
			return false;
		return skip_rest(s) && skip_lines(s, &indent) && !indent;
	}
	s->i = colon;
	if (!skip_rest(s) || !skip_lines(s, &indent))
		return false;
	if (s->i < s->len && s->p[s->i] == '-')
		return read_block(s, indent, a, out);
	*out = (struct value){.kind = VALUE_NULL,
			      .start = s->base + (uint32_t)colon,
			      .end = s->base + (uint32_t)colon};
	return !indent;
}

static bool read_key(struct yaml_fast *s, struct value *out)
{
	size_t start = s->i;

	if (!(class_of(s->p[start]) & KEY) || !(class_of(s->p[start]) & OPEN) ||
	    s->p[start] == '.')
		return false;
	while (class_of(s->p[s->i]) & KEY)
		s->i++;
	if (s->p[s->i] != ':' || s->i - start > KEY_MAX)
		return false;
	set_scalar(s, start, s->i, false, out);
	out->start = s->base + (uint32_t)start;
	out->end = s->base + (uint32_t)s->i;
	s->i++;
	return s->p[s->i] == ' ' || s->p[s->i] == '\n' || s->p[s->i] == '\r';
}

static bool is_duplicate_key(const struct value_pair *pairs, size_t n)
{
	const struct value *key = &pairs[n].key;

	for (size_t i = 0; i < n; i++) {
		if (pairs[i].key.u.s.len == key->u.s.len &&
		    memcmp(pairs[i].key.u.s.p, key->u.s.p, key->u.s.len) == 0)
			return true;
	}
	return false;
}

bool yaml_fast_parse(const char *p, size_t len, uint32_t base, struct arena *a,
		     struct value *out)
{
	struct yaml_fast s = {p, len, 0, NULL, base};
	struct value_pair pairs[PAIRS_MAX];
	size_t n = 0, indent;

	*out = (struct value){.kind = VALUE_MAP};
	if (!len)
		return true;
	if (p[len - 1] != '\n' || !skip_lines(&s, &indent) || indent)
		return false;
	s.copy = arena_copy(a, p, len);
	for (; s.i < len; n++) {
		if (n == PAIRS_MAX || !read_key(&s, &pairs[n].key) ||
		    is_duplicate_key(pairs, n) ||
		    !read_value(&s, a, &pairs[n].val))
			return false;
	}
	out->u.map.n = n;
	out->u.map.pairs = arena_alloc(a, n * sizeof(*pairs));
	if (!n)
		return true;
	memcpy(out->u.map.pairs, pairs, n * sizeof(*pairs));
	out->start = pairs[0].key.start;
	out->end = pairs[n - 1].val.end;
	return true;
}
