/* unicode.c: case folding and normalization, using the tables of utf8proc.
 *
 * ASCII is copied in runs. A character that folds to itself is copied if no
 * combining mark follows. All other characters go through a small window, which
 * is decomposed, put in canonical order, composed and written. A half full
 * window is closed before the next character that cannot combine with its
 * predecessor. Memory is therefore fixed and time is linear.
 *
 * Known limit: if several hundred marks follow one letter, they are folded in
 * pieces, so their order may differ from the canonical one.
 */
#include "base/unicode.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <utf8proc.h>

#define WINDOW 256
#define SLUG_MAX 50

struct folding {
	utf8proc_int32_t window[WINDOW];
	size_t n;
	bool caseless;
	struct buf *out;
};

static int category(uint32_t c)
{
	return utf8proc_get_property((utf8proc_int32_t)c)->category;
}

static bool is_mark(uint32_t c)
{
	int k = category(c);

	return k >= UTF8PROC_CATEGORY_MN && k <= UTF8PROC_CATEGORY_ME;
}

bool unicode_may_compose(uint32_t c)
{
	if (c < 0x300)
		return false;
	return (c >= 0x1160 && c <= 0x11FF) || (c >= 0x16D63 && c <= 0x16D6A) ||
	       is_mark(c);
}

static int combining_class(utf8proc_int32_t c)
{
	return utf8proc_get_property(c)->combining_class;
}

/* Put the marks in canonical order: an insertion sort, as the window is
 * small. */
static void order_marks(utf8proc_int32_t *w, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		utf8proc_int32_t c = w[i];
		int class = combining_class(c);
		size_t k = i;

		if (!class)
			continue;
		for (; k && combining_class(w[k - 1]) > class; k--)
			w[k] = w[k - 1];
		w[k] = c;
	}
}

/* Remove U+0307 (dot above) after an i, because İ folds to i and U+0307 and
 * must equal i. Marks below the letter may come between them. Returns the new
 * length. */
static size_t drop_dots(utf8proc_int32_t *w, size_t n)
{
	size_t kept = 0;
	bool on_i = false;

	for (size_t i = 0; i < n; i++) {
		int class = combining_class(w[i]);

		if (on_i && w[i] == 0x307)
			continue;
		on_i = w[i] == 'i' || (on_i && class && class < 230);
		w[kept++] = w[i];
	}
	return kept;
}

static void add_char(struct buf *out, uint32_t c)
{
	buf_grow(out, 4);
	out->len += utf8_put(c, out->p + out->len);
	out->p[out->len] = '\0';
}

static void close_window(struct folding *f)
{
	utf8proc_ssize_t n;

	if (!f->n)
		return;
	order_marks(f->window, f->n);
	if (f->caseless)
		f->n = drop_dots(f->window, f->n);
	n = utf8proc_normalize_utf32(f->window, (utf8proc_ssize_t)f->n,
				     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	buf_grow(f->out, f->n * 4);
	for (utf8proc_ssize_t i = 0; i < n; i++)
		f->out->len += utf8_put((uint32_t)f->window[i],
					f->out->p + f->out->len);
	f->out->p[f->out->len] = '\0';
	f->n = 0;
}

static void fold_char(struct folding *f, uint32_t c)
{
	unsigned options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
	int boundclass = UTF8PROC_BOUNDCLASS_START;
	size_t room = WINDOW - f->n;
	utf8proc_ssize_t n;

	if (f->caseless) {
		options |= UTF8PROC_CASEFOLD;
		if (c == 0x131) /* ı */
			c = 'i';
	}
	if (room < UNICODE_BARE_MAX ||
	    (room < WINDOW / 2 && !unicode_may_compose(c))) {
		close_window(f);
		room = WINDOW;
	}
	n = utf8proc_decompose_char((utf8proc_int32_t)c, f->window + f->n,
				    (utf8proc_ssize_t)room, options,
				    &boundclass);
	if (n > 0)
		f->n += (size_t)n;
}

static void add_ascii(struct buf *out, const char *p, size_t len, bool lower)
{
	char *to;

	buf_grow(out, len);
	to = out->p + out->len;
	if (lower) {
		for (size_t i = 0; i < len; i++)
			to[i] = ascii_lower(p[i]);
	} else if (len) {
		memcpy(to, p, len);
	}
	out->len += len;
	out->p[out->len] = '\0';
}

static size_t ascii_prefix(const char *p, size_t len)
{
	uint64_t word;
	size_t i = 0;

	for (; len - i >= 8; i += 8) {
		memcpy(&word, p + i, 8);
		if (word & UINT64_C(0x8080808080808080))
			break;
	}
	while (i < len && !(p[i] & 0x80))
		i++;
	return i;
}

/* Return the character at P and its *SIZE; U+FFFD for a bad byte; 0 at the
 * end. */
static uint32_t char_at(const char *p, size_t len, size_t *size)
{
	uint32_t c = 0;

	*size = 0;
	if (len)
		c = utf8_decode(p, len, size);
	return c == UTF8_BAD ? 0xFFFD : c;
}

/* Return true if C, which has a canonical decomposition, composes back to C.
 * This is so in the blocks of Latin and Kana; false for all other blocks, where
 * it is not known. */
static bool recomposes(uint32_t c)
{
	return c < 0x340 || (c >= 0x1E00 && c <= 0x1EFF) ||
	       (c >= 0x3040 && c <= 0x30FF);
}

/* Return true if C folds to itself when no mark follows, as most characters
 * do. */
static bool is_folded(uint32_t c, bool caseless)
{
	const utf8proc_property_t *property =
		utf8proc_get_property((utf8proc_int32_t)c);

	if (caseless &&
	    (property->casefold_seqindex != UINT16_MAX || c == 0x131))
		return false;
	if (property->decomp_seqindex != UINT16_MAX && !property->decomp_type &&
	    !recomposes(c))
		return false;
	return !unicode_may_compose(c);
}

/* Return the length of the ASCII prefix of P that no mark can change. */
static size_t plain_prefix(const char *p, size_t len)
{
	size_t run = ascii_prefix(p, len), size;

	if (run && unicode_may_compose(char_at(p + run, len - run, &size)))
		run--;
	return run;
}

void unicode_fold(struct buf *out, const char *p, size_t len, bool caseless)
{
	struct folding f = {.caseless = caseless, .out = out};
	size_t run, size, unused;
	uint32_t c;

	for (; len; p += size, len -= size) {
		run = plain_prefix(p, len);
		if (run) {
			close_window(&f);
			add_ascii(out, p, run, caseless);
			size = run;
			continue;
		}
		c = char_at(p, len, &size);
		if (is_folded(c, caseless) &&
		    !unicode_may_compose(
			    char_at(p + size, len - size, &unused))) {
			close_window(&f);
			add_char(out, c);
		} else {
			fold_char(&f, c);
		}
	}
	close_window(&f);
}

/* A range of characters, by their first byte and a range of the second. */
struct prefix_range {
	unsigned char first, low, high;
};

/* Return true if P contains a character of one of the N ranges EACH. */
static bool has_prefix_in(const char *p, size_t len,
			  const struct prefix_range *each, size_t n)
{
	const char *const end = p + len;

	for (; n; n--, each++) {
		const char *at = p;

		while (end - at > 1 &&
		       (at = memchr(at, each->first, (size_t)(end - at - 1)))) {
			const unsigned char next = (unsigned char)*++at;

			if (next >= each->low && next <= each->high)
				return true;
		}
	}
	return false;
}

bool unicode_may_become_ascii(const char *p, size_t len)
{
	static const struct prefix_range each[] = {
		{0xC3, 0x9F, 0x9F}, /* ß */
		{0xC4, 0xB0, 0xB1}, /* İ and ı */
		{0xC5, 0x89, 0xBF}, /* ŉ, ſ, and some between */
		{0xCC, 0x87, 0x87}, /* the dot above that an i loses */
		{0xCD, 0xBE, 0xBE}, /* a Greek question mark */
		{0xE1, 0xBA, 0xBF}, /* ẚ, ẞ, a Greek varia, and more */
		{0xE2, 0x84, 0x84}, /* K */
		{0xEF, 0xAC, 0xAC}, /* ﬀ to ﬆ */
	};

	return has_prefix_in(p, len, each, ARRAY_LEN(each));
}

bool unicode_may_become_ideograph(const char *p, size_t len)
{
	static const struct prefix_range each[] = {
		{0xEF, 0xA4, 0xAB}, /* compatibility ideographs */
		{0xF0, 0xAF, 0xAF},
	};

	return has_prefix_in(p, len, each, ARRAY_LEN(each));
}

void unicode_lower(struct buf *out, const char *p, size_t len)
{
	struct buf small = {0};
	size_t size;

	for (; len; p += size, len -= size) {
		const uint32_t c = char_at(p, len, &size);

		add_char(&small, c == 0x130 ? 'i'
					    : (uint32_t)utf8proc_tolower(
						      (utf8proc_int32_t)c));
	}
	unicode_fold(out, buf_str(&small), small.len, false);
	buf_release(&small);
}

size_t unicode_bare(uint32_t c, uint32_t out[UNICODE_BARE_MAX])
{
	utf8proc_int32_t all[UNICODE_BARE_MAX];
	int boundclass = UTF8PROC_BOUNDCLASS_START;
	utf8proc_ssize_t n;
	size_t kept = 0;

	n = utf8proc_decompose_char((utf8proc_int32_t)c, all, UNICODE_BARE_MAX,
				    UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
					    UTF8PROC_CASEFOLD | UTF8PROC_IGNORE,
				    &boundclass);
	if (n < 0 || n > UNICODE_BARE_MAX) {
		out[0] = c;
		return 1;
	}
	for (utf8proc_ssize_t i = 0; i < n; i++) {
		if (!is_mark((uint32_t)all[i]))
			out[kept++] = (uint32_t)all[i];
	}
	return kept;
}

const char *unicode_plain(uint32_t c)
{
	switch (c) {
	case 0xE6: /* æ */
		return "ae";
	case 0x153: /* œ */
		return "oe";
	case 0xF0:  /* ð */
	case 0x111: /* đ */
		return "d";
	case 0xFE: /* þ */
		return "th";
	case 0x127: /* ħ */
		return "h";
	case 0x131: /* ı */
		return "i";
	case 0x142: /* ł */
		return "l";
	case 0x14B: /* ŋ */
		return "ng";
	case 0xF8: /* ø */
		return "o";
	case 0x167: /* ŧ */
		return "t";
	default:
		return "";
	}
}

/* Append C to the slug that begins at START in OUT. */
static void slug_char(struct buf *out, size_t start, uint32_t c)
{
	const char *plain = unicode_plain(c);

	if (*plain)
		buf_adds(out, plain);
	else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
		buf_addc(out, (char)c);
	else if (out->len > start && out->p[out->len - 1] != '-')
		buf_addc(out, '-');
}

void unicode_slug(struct buf *out, const char *p, size_t len)
{
	uint32_t bare[UNICODE_BARE_MAX], c;
	size_t start = out->len, size, n;

	len = utf8_prefix(p, len, SLUG_MAX);
	for (; len; p += size, len -= size) {
		c = utf8_decode(p, len, &size);
		bare[0] = c;
		n = c < 0x80 || c == UTF8_BAD ? 1 : unicode_bare(c, bare);
		if (c >= 'A' && c <= 'Z')
			bare[0] = c | 0x20;
		for (size_t i = 0; i < n; i++)
			slug_char(out, start, bare[i]);
	}
	if (out->len - start > SLUG_MAX)
		buf_cut(out, start + SLUG_MAX);
	if (out->len > start && out->p[out->len - 1] == '-')
		buf_cut(out, out->len - 1);
	if (out->len == start)
		buf_adds(out, "memory");
}

bool unicode_is_word(uint32_t c)
{
	int k = category(c);

	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO;
}

/* Return true if C is in a block of Latin letters, or of marks and symbols that
 * go with any script. */
static bool is_latin_block(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} blocks[] = {
		{0, 0x36F},	    {0x1AB0, 0x1AFF},	{0x1D00, 0x1DFF},
		{0x1E00, 0x1EFF},   {0x2000, 0x2BFF},	{0x2C60, 0x2C7F},
		{0xA720, 0xA7FF},   {0xAB30, 0xAB6F},	{0xFB00, 0xFB06},
		{0xFE00, 0xFE2F},   {0xFF21, 0xFF5A},	{0x10780, 0x107BF},
		{0x1D400, 0x1D7FF}, {0x1DF00, 0x1DFFF}, {0xE0000, 0xE0FFF}};

	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		if (c <= blocks[i].last)
			return c >= blocks[i].first;
	}
	return false;
}

bool unicode_is_foreign(uint32_t c)
{
	int k = category(c);

	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_ME &&
	       !is_latin_block(c);
}

bool unicode_is_rtl(uint32_t c)
{
	int class;

	if (c < 0x590) /* the first right-to-left character */
		return false;
	class = utf8proc_get_property((utf8proc_int32_t)c)->bidi_class;
	return class == UTF8PROC_BIDI_CLASS_R ||
	       class == UTF8PROC_BIDI_CLASS_AL;
}

size_t unicode_columns(const char *p, size_t len)
{
	size_t columns = 0, size;

	for (size_t i = 0; i < len; i += size) {
		const uint32_t c = utf8_decode(p + i, len - i, &size);

		columns += utf8proc_charwidth((utf8proc_int32_t)c) > 1 ? 2 : 1;
	}
	return columns;
}

bool unicode_is_ideograph(uint32_t c)
{
	return (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
	       (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

size_t unicode_unaccented(uint32_t c, uint32_t out[UNICODE_BARE_MAX])
{
	utf8proc_int32_t parts[UNICODE_BARE_MAX];
	int boundclass = UTF8PROC_BOUNDCLASS_START;
	utf8proc_ssize_t n;
	size_t kept = 0;

	if (c < 0x80) {
		out[0] = (uint32_t)(unsigned char)ascii_lower((char)c);
		return 1;
	}
	n = utf8proc_decompose_char(
		(utf8proc_int32_t)c, parts, UNICODE_BARE_MAX,
		UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &boundclass);
	for (utf8proc_ssize_t i = 0; i < n && i < UNICODE_BARE_MAX; i++) {
		if (category((uint32_t)parts[i]) != UTF8PROC_CATEGORY_MN)
			out[kept++] = (uint32_t)utf8proc_tolower(parts[i]);
	}
	return kept;
}

static enum unicode_role ascii_role(uint32_t c)
{
	if (c == ' ' || (c >= '\t' && c <= '\r' && c != '\v' && c != '\f'))
		return UNICODE_BLANK;
	if (c < ' ' || c == 0x7F)
		return UNICODE_CONTROL;
	return ascii_is_alnum((char)c) ? UNICODE_LETTER : UNICODE_PUNCTUATION;
}

enum unicode_role unicode_role(uint32_t c)
{
	const int k = c < 0x80 ? 0 : category(c);

	if (c < 0x80)
		return ascii_role(c);
	if (c == 0xFFFD || k == UTF8PROC_CATEGORY_CN ||
	    k >= UTF8PROC_CATEGORY_CC)
		return UNICODE_CONTROL;
	if (k >= UTF8PROC_CATEGORY_ZS && k <= UTF8PROC_CATEGORY_ZP)
		return UNICODE_BLANK;
	if (k >= UTF8PROC_CATEGORY_PC && k <= UTF8PROC_CATEGORY_PO)
		return UNICODE_PUNCTUATION;
	return unicode_is_ideograph(c) ? UNICODE_IDEOGRAPH : UNICODE_LETTER;
}

bool unicode_is_symbol(uint32_t c)
{
	int k = category(c);

	return k == UTF8PROC_CATEGORY_SM || k == UTF8PROC_CATEGORY_SO;
}

bool unicode_is_emoji(uint32_t c)
{
	const utf8proc_property_t *property;

	if (c >= 0x1F3FB && c <= 0x1F3FF)
		return true;
	property = utf8proc_get_property((utf8proc_int32_t)c);
	return property->boundclass ==
	       UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

void unicode_library(struct buf *out)
{
	buf_addf(out, "utf8proc %s", utf8proc_version());
}
