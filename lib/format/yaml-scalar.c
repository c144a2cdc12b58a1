/* yaml-scalar.c: the tag resolution of YAML 1.2 (10.3.2) and the additions of
 * YAML 1.1. */
#include "format/yaml-scalar.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <math.h>

/* Return true if P is one of WORDS, which are separated by |. */
static bool is_word(const char *p, size_t len, const char *words)
{
	const struct value v = {.kind = VALUE_STR, .u.s = {p, len}};

	return value_is_word(&v, words);
}

static void set_string(struct value *out, enum value_kind kind, const char *p,
		       size_t len)
{
	out->kind = kind;
	out->u.s.p = p;
	out->u.s.len = len;
}

static int digit_value(char c)
{
	if (ascii_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* Parse all of [S, END) as digits of BASE into *N. Returns 1, 0 if there is
 * another character or none, or -1 beyond 64 bits. */
static int read_digits(const char *s, const char *end, unsigned base,
		       uint64_t *n)
{
	bool beyond = false;

	if (s == end)
		return 0;
	for (*n = 0; s < end; s++) {
		unsigned d = (unsigned)digit_value(*s);

		if (d >= base)
			return 0;
		if (*n > (UINT64_MAX - d) / base)
			beyond = true;
		*n = *n * base + d;
	}
	return beyond ? -1 : 1;
}

/* Set OUT to the integer P. Returns false if P is none. */
static bool resolve_int(const char *p, size_t len, struct value *out)
{
	const char *s = p, *end = p + len;
	bool negative = *p == '-';
	unsigned base = 10;
	uint64_t n;
	int r;

	if (*s == '-' || *s == '+') {
		s++;
	} else if (*s == '0' && (s[1] == 'x' || s[1] == 'o')) {
		base = s[1] == 'x' ? 16 : 8;
		s += 2;
	}
	r = read_digits(s, end, base, &n);
	if (r == 0)
		return false;
	if (r < 0 || n > (uint64_t)INT64_MAX + negative) {
		set_string(out, VALUE_BIGINT, p, len);
		return true;
	}
	out->kind = VALUE_INT;
	out->u.i = (int64_t)(negative ? 0 - n : n);
	return true;
}

static const char *skip_decimal(const char *s)
{
	while (ascii_is_digit(*s))
		s++;
	return s;
}

/* Return true if P has the form of a float of the core schema. */
static bool is_float(const char *p, size_t len)
{
	const char *s = p, *digits, *point;

	if (*s == '-' || *s == '+')
		s++;
	digits = s;
	s = skip_decimal(s);
	if (*s == '.') {
		point = s++;
		s = skip_decimal(s);
		if (point == digits && s == point + 1)
			return false;
	} else if (s == digits) {
		return false;
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		if (*s == '-' || *s == '+')
			s++;
		digits = s;
		s = skip_decimal(s);
		if (s == digits)
			return false;
	}
	return s == p + len;
}

static void resolve_number(const char *p, size_t len, struct value *out)
{
	bool sign = *p == '-' || *p == '+';

	if (resolve_int(p, len, out))
		return;
	if (is_word(p + sign, len - sign, ".inf|.Inf|.INF")) {
		out->kind = VALUE_FLOAT;
		out->u.f = *p == '-' ? -INFINITY : INFINITY;
	} else if (is_word(p, len, ".nan|.NaN|.NAN")) {
		out->kind = VALUE_FLOAT;
		out->u.f = NAN;
	} else if (is_float(p, len)) {
		out->kind = VALUE_FLOAT;
		out->u.f = strtod(p, NULL);
	} else {
		set_string(out, VALUE_STR, p, len);
	}
}

void yaml_scalar_resolve(const char *p, size_t len, struct value *out)
{
	switch (*p) {
	case '\0':
	case '~':
	case 'n':
	case 'N':
		if (len && !is_word(p, len, "~|null|Null|NULL"))
			break;
		out->kind = VALUE_NULL;
		return;
	case 't':
	case 'T':
	case 'f':
	case 'F':
		if (!is_word(p, len, "true|True|TRUE|false|False|FALSE"))
			break;
		out->kind = VALUE_BOOL;
		out->u.b = (*p | 32) == 't';
		return;
	case '+':
	case '-':
	case '.':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		resolve_number(p, len, out);
		return;
	default:
		break;
	}
	set_string(out, VALUE_STR, p, len);
}

/* The booleans and other special words of YAML 1.1. */
#define YAML11_WORDS "y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|=|<<"

/* Skip digits of YAML 1.1, which may be grouped by underscores. */
static const char *skip_grouped(const char *s)
{
	while (ascii_is_digit(*s) || *s == '_')
		s++;
	return s;
}

/* Skip sexagesimal groups (:30:45). */
static const char *skip_sixties(const char *s)
{
	while (*s == ':' && ascii_is_digit(s[1])) {
		if (s[2] < '0' || s[2] > '9')
			s += 2;
		else if (s[1] <= '5')
			s += 3;
		else
			break;
	}
	return s;
}

static bool is_yaml11_based(const char *s, const char *end)
{
	unsigned base = s[1] == 'x' ? 16 : s[1] == 'b' ? 2 : 8;

	for (s += 2; s < end; s++) {
		if (*s != '_' && (unsigned)digit_value(*s) >= base)
			return false;
	}
	return true;
}

/* Return true if P is a number of YAML 1.1: 1_000, 0b1, -0x1F, 12:30:45,
 * 1_0.5e+3. */
static bool is_yaml11_number(const char *p, size_t len)
{
	const char *s = p, *end = p + len, *start;

	if (*s == '-' || *s == '+')
		s++;
	if (*s == '0' && (s[1] == 'x' || s[1] == 'b' || s[1] == 'o'))
		return is_yaml11_based(s, end);
	if ((*s < '0' || *s > '9') &&
	    !(*s == '.' && (ascii_is_digit(s[1]) || s[1] == '_')))
		return false;
	s = skip_sixties(skip_grouped(s));
	if (*s == '.')
		s = skip_grouped(s + 1);
	if (*s == 'e' || *s == 'E') {
		start = s + 1 + (s[1] == '-' || s[1] == '+');
		s = skip_decimal(start);
		if (s == start)
			return false;
	}
	return s == end;
}

bool yaml_scalar_needs_escape(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 ||
	       c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF ||
	       c == UTF8_BAD;
}

/* Return true if the bytes of P allow it without quotes. In brackets, PyYAML
 * ends a scalar at a question mark. */
static bool has_bare_form(const char *p, size_t len, bool flow)
{
	size_t size;

	if (!len || strchr("-?:,[]{}#&*!|>'\"%@` ", *p) || p[len - 1] == ' ' ||
	    p[len - 1] == ':' || strncmp(p, "...", 3) == 0)
		return false;
	for (size_t i = 0; i < len; i += size) {
		uint32_t c = utf8_decode(p + i, len - i, &size);

		if (yaml_scalar_needs_escape(c) ||
		    (c == '#' && p[i - 1] == ' ') ||
		    (c == ':' && p[i + 1] == ' '))
			return false;
		if (flow && c < 0x80 && strchr(",?[]{}", p[i]))
			return false;
	}
	return true;
}

bool yaml_scalar_is_bare(const char *p, size_t len, bool flow)
{
	struct value v;

	if (!has_bare_form(p, len, flow) || is_word(p, len, YAML11_WORDS) ||
	    is_yaml11_number(p, len))
		return false;
	yaml_scalar_resolve(p, len, &v);
	return v.kind == VALUE_STR;
}
