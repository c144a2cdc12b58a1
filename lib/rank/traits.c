/* traits.c: one pass over the words of a text, and a look at its lines.
 *
 * Known limits: the first word of a sentence is never taken for a name, since
 * each begins with a capital. A commit is told by the form of its first line or of
 * its last one, so that of some projects two thirds are not.
 */
#include "rank/traits.h"

#include "base/ascii.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define WORD_MAX 16	/* bytes of the longest listed word, and more */
#define TITLE_MAX 200	/* bytes of a title */
#define SUBJECT_MAX 72	/* bytes of the first line of a commit */
#define CODE_LINES 3	/* fewer lines are no code */
#define CODE_SIGNS 0.07 /* signs of code for each byte of letters and digits */
#define YEAR_DIGITS 4

static bool is_listed(const char *list, const char *word)
{
	char key[WORD_MAX + 3];

	snprintf(key, sizeof(key), " %s ", word);
	return strstr(list, key) != NULL;
}

/* A word in lower case, without the part after an apostrophe. */
struct word {
	char lower[WORD_MAX + 1]; /* "" if it is longer */
	size_t start, end;	  /* with what follows an apostrophe */
	bool first;		  /* of a sentence */
	bool capital;		  /* a capital, then a small letter */
	bool number;
};

#define LEFT_QUOTE 0x201C
#define RIGHT_QUOTE 0x201D
#define LEFT_GUILLEMET 0xAB
#define RIGHT_GUILLEMET 0xBB
#define RIGHT_SINGLE_QUOTE 0x2019 /* and the typographic apostrophe */
#define ELLIPSIS 0x2026

/* Return the character at I of P, and set *SIZE to its bytes. */
static uint32_t read_char(const char *p, size_t len, size_t i, size_t *size)
{
	*size = 1;
	return p[i] & 0x80 ? utf8_decode(p + i, len - i, size)
			   : (unsigned char)p[i];
}

/* Return true if words are made of C. Bytes that are not UTF-8 are in none. */
static inline bool is_word_char(uint32_t c)
{
	if (c < 0x80)
		return ascii_is_alnum((char)c);
	return c != UTF8_BAD && unicode_is_word(c);
}

static bool is_apostrophe(uint32_t c)
{
	return c == '\'' || c == RIGHT_SINGLE_QUOTE;
}

/* Return the end of the letters of P from I on. */
static size_t end_of_letters(const char *p, size_t len, size_t i)
{
	size_t size;

	for (; i < len && is_word_char(read_char(p, len, i, &size)); i += size)
		;
	return i;
}

/* Return true if an apostrophe is at I of P, and then a letter. Set *SIZE to the
 * bytes of the apostrophe. */
static bool continues(const char *p, size_t len, size_t i, size_t *size)
{
	return i < len && is_apostrophe(read_char(p, len, i, size)) &&
	       i + *size < len && ascii_is_letter(p[i + *size]);
}

/* Read the word at I of P, which is a letter or digit. */
static void read_word(const char *p, size_t len, size_t i, struct word *w)
{
	const size_t end = end_of_letters(p, len, i), n = end - i;
	bool number = true;
	size_t size;

	*w = (struct word){.start = i, .end = end};
	for (size_t k = 0; k < n && n <= WORD_MAX; k++)
		w->lower[k] = ascii_lower(p[i + k]);
	for (size_t k = 0; k < n && number; k++)
		number = ascii_is_digit(p[i + k]);
	w->number = number;
	w->capital = n > 1 && ascii_is_upper(p[i]) && ascii_is_lower(p[i + 1]);
	while (continues(p, len, w->end, &size)) {
		for (w->end += size;
		     w->end < len && ascii_is_letter(p[w->end]);)
			w->end++;
	}
}

enum { TIME = TRAIT_TIME, SELF = TRAIT_SELF, PLAIN = 0x100 };

/* Words with a meaning, sorted. PLAIN: a capital makes no name of it. */
static const struct listed_word {
	char word[12];
	unsigned traits;
} listed_words[] = {
	{"afternoon", TIME},
	{"ago", TIME},
	{"april", TIME | PLAIN},
	{"august", TIME | PLAIN},
	{"autumn", TIME},
	{"christmas", TIME},
	{"day", TIME},
	{"days", TIME},
	{"december", TIME | PLAIN},
	{"dr", PLAIN},
	{"evening", TIME},
	{"february", TIME | PLAIN},
	{"friday", TIME | PLAIN},
	{"hey", PLAIN},
	{"hi", PLAIN},
	{"hour", TIME},
	{"hours", TIME},
	{"i", SELF | PLAIN},
	{"january", TIME | PLAIN},
	{"july", TIME | PLAIN},
	{"june", TIME | PLAIN},
	{"last", TIME},
	{"march", TIME | PLAIN},
	{"may", PLAIN},
	{"me", SELF},
	{"mine", SELF},
	{"minutes", TIME},
	{"monday", TIME | PLAIN},
	{"month", TIME},
	{"months", TIME},
	{"morning", TIME},
	{"mr", PLAIN},
	{"mrs", PLAIN},
	{"my", SELF},
	{"myself", SELF},
	{"next", TIME},
	{"night", TIME},
	{"november", TIME | PLAIN},
	{"october", TIME | PLAIN},
	{"ok", PLAIN},
	{"our", SELF},
	{"ours", SELF},
	{"recently", TIME},
	{"saturday", TIME | PLAIN},
	{"september", TIME | PLAIN},
	{"spring", TIME},
	{"summer", TIME},
	{"sunday", TIME | PLAIN},
	{"thursday", TIME | PLAIN},
	{"today", TIME},
	{"tomorrow", TIME},
	{"tonight", TIME},
	{"tuesday", TIME | PLAIN},
	{"us", SELF},
	{"we", SELF},
	{"wednesday", TIME | PLAIN},
	{"week", TIME},
	{"weekend", TIME},
	{"weeks", TIME},
	{"winter", TIME},
	{"year", TIME},
	{"years", TIME},
	{"yesterday", TIME},
};

/* Return the first 8 bytes of WORD as a number of the same order. They differ
 * in all listed words. Compilers make one load of it, and none of a loop. */
static uint64_t sort_key(const char *word)
{
	const unsigned char *w = (const unsigned char *)word;

	return (uint64_t)w[0] << 56 | (uint64_t)w[1] << 48 |
	       (uint64_t)w[2] << 40 | (uint64_t)w[3] << 32 |
	       (uint64_t)w[4] << 24 | (uint64_t)w[5] << 16 |
	       (uint64_t)w[6] << 8 | (uint64_t)w[7];
}

/* Return the entry of the LOWER word, which zeros follow, or NULL. */
static const struct listed_word *find_listed(const char *lower)
{
	const uint64_t key = sort_key(lower);
	size_t low = 0, high = ARRAY_LEN(listed_words);

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (sort_key(listed_words[middle].word) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_LEN(listed_words) &&
			       sort_key(listed_words[low].word) == key &&
			       !strcmp(listed_words[low].word, lower)
		       ? &listed_words[low]
		       : NULL;
}

static unsigned word_traits(const struct word *w)
{
	const struct listed_word *found;
	const bool name = w->capital && !w->first;

	if (w->number)
		return w->end - w->start == YEAR_DIGITS &&
				       (w->lower[0] == '1' ||
					w->lower[0] == '2')
			       ? TRAIT_TIME
			       : 0;
	if (w->capital && !strcmp(w->lower, "may"))
		return TRAIT_TIME;
	found = find_listed(w->lower);
	if (!found)
		return name ? TRAIT_NAME : 0;
	return (found->traits & (TIME | SELF)) |
	       (name && !(found->traits & PLAIN) ? TRAIT_NAME : 0);
}

/* Return true if C begins a sentence, or ends one within another. */
static bool is_quote(uint32_t c)
{
	return c == '"' || c == LEFT_QUOTE || c == RIGHT_QUOTE ||
	       c == LEFT_GUILLEMET || c == RIGHT_GUILLEMET;
}

/* Return true if C ends a sentence that is no question. */
static bool is_stop(uint32_t c)
{
	return c == '.' || c == ELLIPSIS;
}

static bool is_space(uint32_t c)
{
	return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

/* Return LEN without the blanks and line ends before it in P. */
static size_t cut_space(const char *p, size_t len)
{
	while (len && is_space((unsigned char)p[len - 1]))
		len--;
	return len;
}

/* Return true if a sign before I of P ends a sentence. */
static bool ends_sentence(const char *p, size_t len, size_t i)
{
	uint32_t c;
	size_t size;

	if (i >= len)
		return true;
	c = read_char(p, len, i, &size);
	return is_space(c) || c == ')' || is_quote(c) ||
	       c == RIGHT_SINGLE_QUOTE;
}

/* Return the traits that the words and sentences of P have. */
static unsigned read_sentences(const char *p, size_t len)
{
	unsigned traits = 0;
	bool first = true, open = false; /* a sentence without its end */
	struct word w;
	size_t size;

	for (size_t i = 0; i < len;) {
		const uint32_t c = read_char(p, len, i, &size);

		if (is_word_char(c)) {
			read_word(p, len, i, &w);
			w.first = first;
			traits |= word_traits(&w);
			first = false;
			open = true;
			i = w.end;
			continue;
		}
		i += size;
		if (c == '\n' || c == ':' || is_quote(c)) {
			first = true;
		} else if ((is_stop(c) || c == '!' || c == '?') &&
			   ends_sentence(p, len, i)) {
			if (open && is_stop(c))
				traits |= TRAIT_INFORMS;
			open = false;
			first = true;
		}
	}
	return open ? traits | TRAIT_INFORMS : traits;
}

static bool has_code_lines(const char *p, size_t len)
{
	const char *const end = p + len, *newline;

	for (int lines = 1; lines < CODE_LINES; lines++) {
		newline = memchr(p, '\n', (size_t)(end - p));
		if (!newline)
			return false;
		p = newline + 1;
	}
	return true;
}

/* Return true if P has so many signs of code that it is taken for source code. */
static bool is_code(const char *p, size_t len)
{
	static const bool is_sign[128] = {
		['('] = true, [')'] = true, ['{'] = true,  ['}'] = true,
		['['] = true, [']'] = true, [';'] = true,  ['='] = true,
		['<'] = true, ['>'] = true, ['_'] = true,  ['+'] = true,
		['*'] = true, ['|'] = true, ['\\'] = true, ['&'] = true,
	};
	size_t signs = 0, letters = 0, size;

	if (!has_code_lines(p, len))
		return false;
	for (size_t i = 0; i < len; i += size) {
		const uint32_t c = read_char(p, len, i, &size);

		signs += c < ARRAY_LEN(is_sign) && is_sign[c];
		letters += is_word_char(c) ? size : 0;
	}
	return (double)signs >= CODE_SIGNS * (double)letters;
}

/* Return the length of the line at P, without "\n" or "\r\n" at its end. */
static size_t line_length(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);
	const size_t line = end ? (size_t)(end - p) : len;

	return end && line && p[line - 1] == '\r' ? line - 1 : line;
}

/* Return true if the first line, of LINE bytes, is followed by an empty one and
 * then by text. */
static bool is_titled(const char *p, size_t len, size_t line)
{
	const size_t next = line + (line < len && p[line] == '\r') + 1;

	return line && line <= TITLE_MAX && next + 1 < len &&
	       (p[next] == '\n' || p[next] == '\r');
}

/* Return true if the LEN bytes of P begin with an area and a colon: "rank: find
 * dates", "feat(api)!: add a key". */
static bool has_area(const char *p, size_t len)
{
	size_t i = 0;
	bool scope;

	while (i < len && (ascii_is_alnum(p[i]) || strchr("._/-", p[i])))
		i++;
	scope = i && i < len && p[i] == '(';
	while (scope && i < len && p[i] != ' ' && p[i] != ':')
		i++;
	i += i < len && p[i] == '!';
	return i && ascii_is_lower(*p) && i + 2 < len && p[i] == ':' &&
	       p[i + 1] == ' ' && (scope || ascii_is_lower(p[i + 2]));
}

/* Return true if the LEN bytes of P end with a number of a request: (#123). */
static bool has_request(const char *p, size_t len)
{
	size_t i = len;

	if (!len || p[--i] != ')')
		return false;
	while (i && ascii_is_digit(p[i - 1]))
		i--;
	return i > 2 && i < len - 1 && p[i - 1] == '#' && p[i - 2] == '(';
}

/* Return true if the last line of P is a trailer, as Signed-off-by: and
 * Change-Id: are. */
static bool has_trailer(const char *p, size_t len)
{
	const char *last = NULL;
	size_t i = 0, hyphens = 0;

	len = cut_space(p, len);
	for (size_t k = 0; k + 1 < len; k++)
		last = p[k] == '\n' ? p + k + 1 : last;
	if (!last)
		return false;
	len -= (size_t)(last - p);
	for (; i < len && (ascii_is_letter(last[i]) || last[i] == '-'); i++)
		hyphens += last[i] == '-';
	return hyphens && ascii_is_upper(*last) && i + 1 < len &&
	       last[i] == ':' && last[i + 1] == ' ';
}

/* Return true if W is how commits begin: Add, Fix, Remove. Rules for agents, too,
 * begin with a verb, but with others: Use, Avoid, Run. */
static bool is_commit_verb(const char *w)
{
	static const char list[] =
		" add added adds bump clean cleanup correct deprecate disable "
		"drop enable extend extract fix fixed fixes implement improve "
		"increase introduce merge minor move optimize reduce refactor "
		"release remove removed rename reorder replace revert rework "
		"rewrite simplify support switch tidy tweak typo update "
		"updated "
		"upgrade ";

	return is_listed(list, w);
}

/* Return true if P, whose first line has LINE bytes, is written like the message
 * of a commit. */
static bool is_commit(const char *p, size_t len, size_t line)
{
	const bool body = line < len;
	struct word w;

	if (!line || !ascii_is_alnum(*p) || (body && !is_titled(p, len, line)))
		return false;
	if (has_request(p, line) || (body && has_trailer(p, len)))
		return true;
	if (line > SUBJECT_MAX || p[line - 1] == '.')
		return false;
	read_word(p, line, 0, &w);
	return has_area(p, line) || is_commit_verb(w.lower);
}

unsigned traits_of_text(const char *p, size_t len)
{
	unsigned traits = read_sentences(p, len);
	size_t line;

	len = cut_space(p, len);
	line = line_length(p, len);
	if (traits_is_question(p, len))
		traits |= TRAIT_ASKS;
	if (is_code(p, len))
		return traits | TRAIT_CODE;
	if (is_titled(p, len, line))
		traits |= TRAIT_TITLED;
	return is_commit(p, len, line) ? traits | TRAIT_COMMIT : traits;
}

bool traits_is_question(const char *p, size_t len)
{
	static const char *const marks[] = {
		"?",
		"\xef\xbc\x9f", /* full width */
		"\xd8\x9f",	/* Arabic */
		"\xcd\xbe",	/* Greek */
		"\xd5\x9e",	/* Armenian */
		"\xe1\x8d\xa7", /* Ethiopic */
	};

	while (len && (!p[len - 1] || ascii_is_space(p[len - 1])))
		len--;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const size_t size = strlen(marks[i]);

		if (len >= size && !memcmp(p + len - size, marks[i], size))
			return true;
	}
	return false;
}

/* Return true for a verb that makes a question of the word before it. */
static bool is_auxiliary(const char *w)
{
	return is_listed(" did do does is are was were has have had will would "
			 "can could should s ",
			 w);
}

/* Return the trait that the question words B, after A and before C, want. Each
 * is in lower case, "" at an end. */
static unsigned wanted_by(const char *a, const char *b, const char *c,
			  bool first)
{
	static const char names[] =
		" city cities country countries state states town place places "
		"area book books game games movie movies film show song songs "
		"band bands artist artists author authors company person "
		"people restaurant park school university team brand ";
	static const char times[] =
		" date dates day days month months year years time week weeks "
		"season ";
	const bool asks = first || is_auxiliary(c);

	if (!strcmp(b, "when") && asks)
		return TRAIT_TIME;
	if (!strcmp(a, "how") && !strcmp(b, "long"))
		return TRAIT_TIME;
	if ((!strcmp(b, "where") || !strcmp(b, "who") || !strcmp(b, "whom")) &&
	    asks)
		return TRAIT_NAME;
	if (strcmp(a, "which") && strcmp(a, "what"))
		return 0;
	if (is_listed(times, b))
		return TRAIT_TIME;
	return is_listed(names, b) ? TRAIT_NAME : 0;
}

unsigned traits_wanted(const char *p, size_t len)
{
	struct word before = {.start = 0}, now = {.start = 0}, next;
	unsigned traits = 0;
	bool any = false;

	for (size_t i = 0, size; i < len;) {
		if (!is_word_char(read_char(p, len, i, &size))) {
			i += size;
			continue;
		}
		read_word(p, len, i, &next);
		i = next.end;
		if (any)
			traits |= wanted_by(before.lower, now.lower, next.lower,
					    now.first);
		next.first = !any;
		any = true;
		before = now;
		now = next;
	}
	if (any)
		traits |= wanted_by(before.lower, now.lower, "", now.first);
	return traits;
}
