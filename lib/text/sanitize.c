/* sanitize.c: one scanner decides which characters are hidden; two writers use
 * it.
 *
 * Plain ASCII is copied in runs. Any other character is judged by the character
 * before it, the one after it and, for direction marks, by whether its line
 * contains right-to-left letters. Each is examined a bounded number of times,
 * so time is linear. The replacements are ASCII that neither hides nor reads as
 * a tag, so that sanitizing twice changes nothing.
 *
 * These invisible characters are kept:
 *   ZWJ, ZWNJ          after a letter or mark beyond Latin, or an emoji
 *   LRM, RLM, ALM      in a line with a right-to-left letter
 *   VS15, VS16         after an emoji, a symbol, a digit, # or *
 *   other variations   after the characters that Unicode defines them for
 *   tags               in the flags of England, Scotland and Wales
 * Two of them in a row are hidden.
 *
 * Known limit: letters that look alike (Cyrillic о for o) are kept.
 */
#include "text/sanitize.h"

#include "base/unicode.h"
#include "base/utf8.h"

#define ZWNJ 0x200C
#define ZWJ 0x200D
#define BLACK_FLAG 0x1F3F4
#define TAG_END 0xE007F
#define FLAG_SIZE 28 /* bytes of a flag; each character has four */

struct scanner {
	const char *p;
	const char *tag;   /* name of the prompt's wrapper, or NULL */
	size_t len, at;	   /* at: the character to judge */
	uint32_t before;   /* the character before it; 0: none */
	size_t flag_end;   /* tags before this offset belong to a flag */
	size_t line_end;   /* end of the line for which `rtl` is known */
	bool rtl;	   /* the line has a right-to-left letter */
	bool after_hidden; /* the previous character is invisible */
	bool varied;	   /* `before` has its variation selector */
};

/* Return true if C is invisible in every context. */
static bool is_never_seen(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x7F, 0x9F},	    {0xAD, 0xAD},	{0x115F, 0x1160},
		{0x17B4, 0x17B5},   {0x180E, 0x180E},	{0x200B, 0x200B},
		{0x2028, 0x202E},   {0x2060, 0x206F},	{0x3164, 0x3164},
		{0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},	{0xFFA0, 0xFFA0},
		{0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},	{0x1BCA0, 0x1BCA3},
		{0x1D173, 0x1D17A}, {0xE0000, 0xE00FF}, {0xE01F0, 0xE0FFF},
	};

	if ((c & 0xFFFE) == 0xFFFE) /* noncharacters of every plane */
		return true;
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		if (c <= ranges[i].last)
			return c >= ranges[i].first;
	}
	return false;
}

static bool is_joiner(uint32_t c)
{
	return c == ZWNJ || c == ZWJ || c == 0x34F;
}

static bool is_direction(uint32_t c)
{
	return c == 0x200E || c == 0x200F || c == 0x61C;
}

static bool is_variation(uint32_t c)
{
	return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF) ||
	       (c >= 0x180B && c <= 0x180D) || c == 0x180F;
}

/* Return true if the variation selector C may follow BASE. */
static bool may_vary(uint32_t base, uint32_t c)
{
	if (c >= 0xE0100)
		return unicode_is_ideograph(base);
	if (c < 0xFE00)
		return base >= 0x1800 && base <= 0x18AF; /* Mongolian */
	if (c >= 0xFE0E)
		return (base >= '0' && base <= '9') || base == '#' ||
		       base == '*' || unicode_is_emoji(base) ||
		       (base > 0x7F && unicode_is_symbol(base));
	return base == '0' || (base > 0x7F && unicode_is_symbol(base)) ||
	       unicode_is_foreign(base) || (base >= 0x3000 && base <= 0x303F) ||
	       (base >= 0xFF01 && base <= 0xFF1F);
}

static uint32_t char_at(const struct scanner *s, size_t offset, size_t *size)
{
	*size = 0;
	if (offset >= s->len)
		return 0;
	return utf8_decode(s->p + offset, s->len - offset, size);
}

static bool in_rtl_line(struct scanner *s)
{
	size_t start = s->at, i, size;
	const char *end;

	if (s->at < s->line_end)
		return s->rtl;
	while (start && s->p[start - 1] != '\n')
		start--;
	end = memchr(s->p + s->at, '\n', s->len - s->at);
	s->line_end = end ? (size_t)(end - s->p) : s->len;
	s->rtl = false;
	for (i = start; i < s->line_end && !s->rtl; i += size) {
		uint32_t c = char_at(s, i, &size);

		s->rtl = c != UTF8_BAD && !is_direction(c) && unicode_is_rtl(c);
	}
	return s->rtl;
}

/* Return the end of the flag (black flag, tags, end tag) at s->at, or 0. */
static size_t flag_end(const struct scanner *s)
{
	static const char names[][6] = {"gbeng", "gbsct", "gbwls"};
	char name[6] = "";
	size_t size, i;

	if (s->len - s->at < FLAG_SIZE)
		return 0;
	for (i = 0; i < 5; i++) {
		uint32_t c = char_at(s, s->at + 4 * (i + 1), &size);

		if (c < 0xE0061 || c > 0xE007A)
			return 0;
		name[i] = (char)(c - 0xE0000);
	}
	if (char_at(s, s->at + 24, &size) != TAG_END)
		return 0;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(name, names[i]))
			return s->at + FLAG_SIZE;
	}
	return 0;
}

/* Return true if C, beyond ASCII and of SIZE bytes, at s->at, is hidden. */
static bool judge_hidden(struct scanner *s, uint32_t c, size_t size)
{
	size_t unused;
	uint32_t next;

	if (s->at < s->flag_end)
		return false;
	if (is_never_seen(c))
		return true;
	if (is_variation(c))
		return s->varied || !may_vary(s->before, c);
	if (!is_joiner(c) && !is_direction(c))
		return false;
	next = char_at(s, s->at + size, &unused);
	if (s->after_hidden || is_joiner(next) || is_direction(next) ||
	    (next >= 0x7F && next != UTF8_BAD && is_never_seen(next)))
		return true;
	if (is_direction(c))
		return !in_rtl_line(s);
	return !unicode_is_foreign(s->before) && !unicode_is_emoji(s->before);
}

/* Return true if C, beyond ASCII and valid, of SIZE bytes, at s->at, is hidden,
 * and record C for the characters after it. */
static bool is_hidden(struct scanner *s, uint32_t c, size_t size)
{
	bool hidden, unseen = is_joiner(c) || is_direction(c);

	if (c < 0x300 && c >= 0xA0 && c != 0xAD) { /* most European letters */
		hidden = false;
	} else {
		if (c == BLACK_FLAG)
			s->flag_end = flag_end(s);
		hidden = judge_hidden(s, c, size);
	}
	/* A variation selector keeps `before`, so that a joiner may follow an
	 * emoji that has one. */
	s->varied = is_variation(c) && !hidden;
	if (!s->varied)
		s->before = hidden ? 0 : c;
	s->after_hidden = hidden || unseen;
	return hidden;
}

/* Return true if the eight bytes at P are printable ASCII and, for a prompt,
 * contain no `<`. A byte below the blank, above the tilde or equal to `<` sets
 * its sign bit in the sum. */
static bool are_printed(const char *p, bool prompt)
{
	const uint64_t each = UINT64_C(0x0101010101010101), sign = each << 7;
	uint64_t word, odd;

	memcpy(&word, p, sizeof(word));
	odd = word | (word + each) | (word - ' ' * each);
	if (prompt)
		odd |= (word ^ '<' * each) - each;
	return !(odd & sign);
}

/* Return the length of the prefix of P that is copied unchanged. */
static size_t plain_prefix(const char *p, size_t len, bool prompt)
{
	size_t i = 0;

	while (i < len) {
		unsigned char c = (unsigned char)p[i];

		if (c > 0x7E || (c < 0x20 && c != '\t' && c != '\n') ||
		    (c == '<' && prompt))
			break;
		i++;
	}
	return i;
}

/* Like plain_prefix(), but eight bytes at a time. */
static size_t plain_run(const char *p, size_t len, bool prompt)
{
	size_t i = 0, n;

	do {
		while (len - i >= 8 && are_printed(p + i, prompt))
			i += 8;
		n = plain_prefix(p + i, len - i < 8 ? len - i : 8, prompt);
		i += n;
	} while (n == 8);
	return i;
}

/* Advance over N plain ASCII characters. */
static void pass_plain(struct scanner *s, size_t n)
{
	s->at += n;
	s->before = (unsigned char)s->p[s->at - 1];
	s->after_hidden = s->varied = false;
}

/* Act as if no character preceded. */
static void reset_before(struct scanner *s)
{
	s->before = 0;
	s->after_hidden = s->varied = false;
}

/* Return true if C may occur within a tag without changing how it reads: any
 * blank, control or invalid byte. */
static bool is_gap(uint32_t c)
{
	return c <= ' ' || c == UTF8_BAD || is_never_seen(c) || c == 0xA0 ||
	       c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
	       c == 0x205F || c == 0x3000;
}

/* States of recognising the wrapper's tag, besides an offset in its name. */
enum { BEFORE_NAME = -1, NOT_A_TAG = -2 };

static bool is_dash(uint32_t c)
{
	return c == '-' || c == '_' || c == 0xB7 || c == 0x2212 ||
	       (c >= 0x2010 && c <= 0x2015) || c == 0x30FB;
}

/* Return the state after the bare character C, from the state AT in the tag
 * NAME. */
static int tag_step(const char *name, int at, uint32_t c)
{
	if (at == BEFORE_NAME &&
	    (c == '/' || c == '\\' || c == 0x2044 || c == 0x2215))
		return at;
	if (at == BEFORE_NAME)
		at = 0;
	if (name[at] == '-') { /* any number of dashes, also none */
		if (is_dash(c))
			return at;
		at++;
	}
	return c == (unsigned char)name[at] ? at + 1 : NOT_A_TAG;
}

/* Return true if the text at P, which follows a `<`, reads as the tag NAME. */
static bool is_tag(const char *name, const char *p, size_t len)
{
	uint32_t bare[UNICODE_BARE_MAX];
	int at = BEFORE_NAME;
	size_t i = 0, size, n;

	for (; i < len && at != NOT_A_TAG; i += size) {
		uint32_t c = utf8_decode(p + i, len - i, &size);

		if (is_gap(c))
			continue;
		n = unicode_bare(c, bare);
		for (size_t k = 0; k < n && at != NOT_A_TAG; k++) {
			at = tag_step(name, at, bare[k]);
			if (at != NOT_A_TAG && at != BEFORE_NAME && !name[at])
				return true;
		}
	}
	return false;
}

/* Return true if C is a form of `<`, including ≮. */
static bool is_less_than(uint32_t c)
{
	return c == '<' || c == 0xFF1C || c == 0xFE64 || c == 0x226E;
}

/* Append PREFIX, V in at least DIGITS hexadecimal digits, and `>`. */
static void add_hex(struct buf *out, const char *prefix, uint32_t v, int digits)
{
	buf_adds(out, prefix);
	while (digits < 6 && v >> (4 * digits))
		digits++;
	while (digits--)
		buf_addc(out, "0123456789ABCDEF"[v >> (4 * digits) & 15]);
	buf_addc(out, '>');
}

static void add_visible(struct buf *out, uint32_t c)
{
	if (c < 0x20 || c == 0x7F) {
		buf_addc(out, '^');
		buf_addc(out, (char)(c ^ 0x40));
	} else {
		add_hex(out, "<U+", c, 4);
	}
}

enum output_kind { FOR_LINE, FOR_LINES, FOR_PROMPT };

static bool is_crlf(const struct scanner *s)
{
	return s->len - s->at > 1 && !memcmp(s->p + s->at, "\r\n", 2);
}

/* Append the ASCII character at s->at, which is not plain, and advance. */
static void add_ascii(struct buf *out, struct scanner *s, enum output_kind kind)
{
	const char *p = s->p + s->at;
	size_t left = s->len - s->at;

	if (*p == '<')
		buf_adds(out, is_tag(s->tag, p + 1, left - 1) ? "&lt;" : "<");
	else if (kind == FOR_LINE || !is_crlf(s))
		add_visible(out, (unsigned char)*p);
	pass_plain(s, 1);
}

/* Append the character beyond ASCII at s->at, and advance. */
static void add_char(struct buf *out, struct scanner *s, enum output_kind kind)
{
	size_t size;
	uint32_t c = char_at(s, s->at, &size);

	if (c == UTF8_BAD) {
		reset_before(s);
		add_hex(out, "<", (unsigned char)s->p[s->at], 2);
	} else if (is_hidden(s, c, size)) {
		add_visible(out, c);
	} else if (kind == FOR_PROMPT && is_less_than(c) &&
		   is_tag(s->tag, s->p + s->at + size, s->len - s->at - size)) {
		reset_before(s);
		buf_adds(out, "&lt;");
	} else {
		buf_add(out, s->p + s->at, size);
	}
	s->at += size;
}

static void sanitize_for(struct buf *out, const char *p, size_t len,
			 const char *tag, enum output_kind kind)
{
	struct scanner s = {.p = p, .tag = tag, .len = len};
	size_t run;

	while (s.at < len) {
		run = plain_run(p + s.at, len - s.at, kind == FOR_PROMPT);
		if (run) {
			buf_add(out, p + s.at, run);
			pass_plain(&s, run);
		} else if (p[s.at] & 0x80) {
			add_char(out, &s, kind);
		} else {
			add_ascii(out, &s, kind);
		}
	}
	buf_grow(out, 0);
}

void sanitize_terminal(struct buf *out, const char *p, size_t len, bool lines)
{
	const char *newline;
	size_t run;

	if (lines) {
		sanitize_for(out, p, len, NULL, FOR_LINES);
		return;
	}
	while (len && (newline = memchr(p, '\n', len))) {
		run = (size_t)(newline - p);
		sanitize_for(out, p, run, NULL, FOR_LINE);
		add_visible(out, '\n');
		p += run + 1;
		len -= run + 1;
	}
	sanitize_for(out, p, len, NULL, FOR_LINE);
}

void sanitize_prompt(struct buf *out, const char *p, size_t len)
{
	sanitize_for(out, p, len, SANITIZE_WRAPPER, FOR_PROMPT);
}

void sanitize_tagged(struct buf *out, const char *p, size_t len,
		     const char *tag)
{
	sanitize_for(out, p, len, tag, FOR_PROMPT);
}

void sanitize_line(struct buf *out, const char *p, size_t len)
{
	struct buf clean = {0};
	const char *line;

	utf8_strip(&p, &len);
	/* Fast path: most tags and names are plain. */
	if (plain_prefix(p, len, true) == len && !memchr(p, '\n', len)) {
		buf_add(out, p, len);
		return;
	}
	sanitize_prompt(&clean, p, len);
	for (p = buf_str(&clean); *p; p += strspn(p, " \t\n")) {
		line = p;
		p += strcspn(p, "\n");
		len = (size_t)(p - line);
		utf8_strip(&line, &len);
		buf_add(out, line, len);
		if (p[strspn(p, " \t\n")])
			buf_adds(out, " \xe2\x86\xb5 "); /* U+21B5 */
	}
	buf_release(&clean);
}

size_t sanitize_find_hidden(const char *p, size_t len, uint32_t *c)
{
	struct scanner s = {.p = p, .len = len};
	uint32_t found = 0;
	size_t run, size;

	while (s.at < len) {
		run = plain_run(p + s.at, len - s.at, false);
		if (run) {
			pass_plain(&s, run);
			continue;
		}
		found = char_at(&s, s.at, &size);
		if (found < 0x80) {
			if (!is_crlf(&s))
				break;
			pass_plain(&s, 1);
			continue;
		}
		if (found == UTF8_BAD)
			reset_before(&s);
		else if (is_hidden(&s, found, size))
			break;
		s.at += size;
	}
	if (s.at < len && c)
		*c = found;
	return s.at;
}

bool sanitize_is_line(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)p[i] < ' ' || p[i] == 0x7F)
			return false;
	}
	return utf8_check(p, len) == len &&
	       sanitize_find_hidden(p, len, NULL) == len;
}
