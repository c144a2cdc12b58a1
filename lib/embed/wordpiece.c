/* wordpiece.c: one pass over the text collects a word, and splits it when it
 * ends.
 *
 * Pieces are found by a hash of their bytes, which is computed for all prefixes
 * of the rest of the word in one pass; then the longest one is looked up first.
 *
 * Known limit: accents are removed from single characters. Each mark is
 * removed, so its order among other marks does not matter.
 */
#include "embed/wordpiece.h"

#include "base/compat.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define SLOTS 65536 /* of the table; most are empty */
#define EMPTY 65535
#define INSIDE (UINT32_C(1) << 31) /* a piece that does not begin a word */
#define LETTERS_MAX 100		   /* a longer word is unknown */
#define PIECE_MAX 64		   /* bytes of the longest piece looked for */
#define PROBES_MAX 256		   /* slots that one piece is looked for in */

struct splitter {
	const struct wordpiece *w;
	uint16_t *out;
	size_t n, max;
	char word[LETTERS_MAX * 4];
	size_t len, letters;
};

size_t wordpiece_size(size_t pieces, size_t bytes)
{
	return SLOTS * 2 + (pieces + 1) * 4 + bytes;
}

void wordpiece_init(struct wordpiece *w, const unsigned char *p, size_t pieces,
		    size_t bytes)
{
	w->table = p;
	w->starts = p + SLOTS * 2;
	w->text = (const char *)w->starts + (pieces + 1) * 4;
	w->pieces = pieces;
	w->bytes = bytes;
}

static uint32_t read_start(const struct wordpiece *w, size_t piece)
{
	uint32_t start;

	memcpy(&start, w->starts + piece * 4, sizeof(start));
	return compat_le32(start);
}

/* Return true if PIECE has the LEN bytes of P, and is for the inside of a word
 * if INSIDE is set. */
static bool is_piece(const struct wordpiece *w, size_t piece, const char *p,
		     size_t len, uint32_t inside)
{
	const uint32_t start = read_start(w, piece);
	const size_t from = start & ~INSIDE;
	const size_t to = read_start(w, piece + 1) & ~INSIDE;

	return (start & INSIDE) == inside && from <= to && to <= w->bytes &&
	       to - from == len && !memcmp(w->text + from, p, len);
}

/* Return the number of the piece with the LEN bytes of P, or EMPTY. HASH is
 * that of these bytes. */
static uint16_t find_piece(const struct wordpiece *w, const char *p, size_t len,
			   uint32_t inside, uint32_t hash)
{
	size_t slot = (hash ^ hash >> 15) % SLOTS;

	for (size_t tries = 0; tries < PROBES_MAX; tries++) {
		const unsigned char *at = w->table + slot * 2;
		const uint16_t piece = (uint16_t)(at[0] | at[1] << 8);

		if (piece == EMPTY)
			break;
		if (piece < w->pieces && is_piece(w, piece, p, len, inside))
			return piece;
		slot = (slot + 1) % SLOTS;
	}
	return EMPTY;
}

/* Find the longest piece at the start of the LEN bytes of P, which lie inside a
 * word if INSIDE is set. Return its length in bytes, or 0; set *PIECE. */
static size_t find_longest(const struct wordpiece *w, const char *p, size_t len,
			   uint32_t inside, uint16_t *piece)
{
	uint32_t hashes[PIECE_MAX + 1];

	len = len < PIECE_MAX ? len : PIECE_MAX;
	hashes[0] = inside ? 0x9E3779B9 : 0x811C9DC5;
	for (size_t i = 0; i < len; i++)
		hashes[i + 1] =
			(hashes[i] ^ (unsigned char)p[i]) * UINT32_C(16777619);
	for (; len; len--) {
		*piece = find_piece(w, p, len, inside, hashes[len]);
		if (*piece != EMPTY)
			return len;
	}
	return 0;
}

static void add_piece(struct splitter *s, uint16_t piece)
{
	if (s->n < s->max)
		s->out[s->n++] = piece;
}

/* Split the word collected so far, and begin another. */
static void end_word(struct splitter *s)
{
	const size_t before = s->n, len = s->len;
	const bool fits = s->letters <= LETTERS_MAX;
	size_t at = 0, found = 1;
	uint16_t piece;

	for (; fits && at < len && found; at += found) {
		found = find_longest(s->w, s->word + at, len - at,
				     at ? INSIDE : 0, &piece);
		if (found)
			add_piece(s, piece);
	}
	if (!fits || (len && !found)) {
		s->n = before;
		add_piece(s, WORDPIECE_UNKNOWN);
	}
	s->len = s->letters = 0;
}

static void add_letter(struct splitter *s, uint32_t c)
{
	if (s->letters++ < LETTERS_MAX)
		s->len += utf8_put(c, s->word + s->len);
}

/* Add C, whose accents are gone: to a word, or as a word of its own. */
static void add_plain(struct splitter *s, uint32_t c, bool alone)
{
	if (alone)
		end_word(s);
	add_letter(s, c);
	if (alone)
		end_word(s);
}

/* Add the character C. */
static void add_character(struct splitter *s, uint32_t c)
{
	uint32_t plain[UNICODE_BARE_MAX];
	size_t n;

	switch (unicode_role(c)) {
	case UNICODE_CONTROL:
		return;
	case UNICODE_BLANK:
		end_word(s);
		return;
	case UNICODE_LETTER:
		break;
	default:
		add_plain(s, c, true);
		return;
	}
	n = unicode_unaccented(c, plain);
	for (size_t i = 0; i < n; i++)
		add_plain(s, plain[i],
			  unicode_role(plain[i]) == UNICODE_PUNCTUATION);
}

size_t wordpiece_split(const struct wordpiece *w, const char *text, size_t len,
		       uint16_t *out, size_t max)
{
	struct splitter s = {.w = w, .out = out, .max = max};
	size_t size;

	for (size_t i = 0; i < len && s.n < max; i += size) {
		const uint32_t c = utf8_decode(text + i, len - i, &size);

		if (c != UTF8_BAD)
			add_character(&s, c);
	}
	end_word(&s);
	return s.n;
}
