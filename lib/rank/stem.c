/* stem.c: Porter's five steps over one bit a letter.
 *
 * Which letters are consonants is worked out once, as a mask: the measure of a
 * stem (how many times a vowel is followed by a consonant) is then one count
 * of bits, and the rules are tables.
 *
 * Known limit: it stems whatever is of Latin letters alone, words of other
 * languages too; documents and questions alike, so that they still meet.
 */
#include "rank/stem.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "rank/irregular.h"

#define WORD_MAX 63

struct word {
	char *p;
	size_t n;
	uint64_t consonants; /* bit i: letter i is one */
};

/* An ending becomes another. */
struct rule {
	char ending[8];
	size_t len;
	char becomes[8];
};

#define RULE(ending, becomes)                       \
	{                                           \
		ending, sizeof(ending) - 1, becomes \
	}

static bool is_vowel(char c)
{
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

/* Classify the letters from FROM on; a y behind a consonant is a vowel. */
static void classify(struct word *w, size_t from)
{
	w->consonants &= (UINT64_C(1) << from) - 1;
	for (size_t i = from; i < w->n; i++) {
		bool after = i && (w->consonants >> (i - 1) & 1);

		if (!is_vowel(w->p[i]) && !(w->p[i] == 'y' && after))
			w->consonants |= UINT64_C(1) << i;
	}
}

static bool consonant(const struct word *w, size_t i)
{
	return w->consonants >> i & 1;
}

/* How many times, in the first N letters, a consonant follows a vowel. */
static int measure(const struct word *w, size_t n)
{
	if (n < 2)
		return 0;
	return __builtin_popcountll(~w->consonants & (w->consonants >> 1) &
				    ((UINT64_C(1) << (n - 1)) - 1));
}

static bool has_vowel(const struct word *w, size_t n)
{
	return (~w->consonants & ((UINT64_C(1) << n) - 1)) != 0;
}

/* The first N letters end in two equal consonants. */
static bool ends_double(const struct word *w, size_t n)
{
	return n > 1 && w->p[n - 1] == w->p[n - 2] && consonant(w, n - 1);
}

/* They end in consonant, vowel, consonant, the last not w, x or y: hop. */
static bool ends_short(const struct word *w, size_t n)
{
	return n > 2 && consonant(w, n - 1) && !consonant(w, n - 2) &&
	       consonant(w, n - 3) && !strchr("wxy", w->p[n - 1]);
}

static bool ends(const struct word *w, const char *ending, size_t len)
{
	return w->n >= len && !memcmp(w->p + w->n - len, ending, len);
}

/* Cut W to N letters and append TEXT. */
static void become(struct word *w, size_t n, const char *text)
{
	size_t len = strlen(text);

	memcpy(w->p + n, text, len);
	w->n = n + len;
	classify(w, n);
}

/* Apply the first of RULES that W ends in where what precedes the ending has
 * a measure above LEAST; an ending of RULES that does not, ends the search. */
static void apply(struct word *w, const struct rule *rules, size_t n, int least)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = rules[i].len;

		if (w->p[w->n - 1] != rules[i].ending[len - 1] ||
		    !ends(w, rules[i].ending, len))
			continue;
		if (measure(w, w->n - len) > least)
			become(w, w->n - len, rules[i].becomes);
		return;
	}
}

/* Where W ends in ies or ied: make that an i, or behind one letter alone, as
 * in ties, an ie. */
static bool cut_ie(struct word *w, const char *ending)
{
	if (!ends(w, ending, 3))
		return false;
	w->n -= w->n == 4 ? 1 : 2;
	return true;
}

static void cut_plural(struct word *w)
{
	if (w->p[w->n - 1] != 's' || cut_ie(w, "ies"))
		return;
	if (ends(w, "sses", 4))
		w->n -= 2;
	else if (w->p[w->n - 2] != 's')
		w->n--;
}

/* What follows where -ed or -ing was cut: hopp(ing), fil(ing), conflat(ed). */
static void mend(struct word *w)
{
	if (ends(w, "at", 2) || ends(w, "bl", 2) || ends(w, "iz", 2))
		become(w, w->n, "e");
	else if (ends_double(w, w->n) && !strchr("lsz", w->p[w->n - 1]))
		w->n--;
	else if (measure(w, w->n) == 1 && ends_short(w, w->n))
		become(w, w->n, "e");
}

static void cut_past(struct word *w)
{
	size_t cut = 0;

	if (cut_ie(w, "ied"))
		return;
	if (ends(w, "eed", 3)) {
		if (measure(w, w->n - 3) > 0)
			w->n--;
		return;
	}
	if (ends(w, "ed", 2))
		cut = 2;
	else if (ends(w, "ing", 3))
		cut = 3;
	if (!cut || !has_vowel(w, w->n - cut))
		return;
	w->n -= cut;
	mend(w);
}

/* So that cry, cried and cries meet; but not say, nor by. */
static void turn_y(struct word *w)
{
	if (w->n > 2 && w->p[w->n - 1] == 'y' && consonant(w, w->n - 2))
		become(w, w->n - 1, "i");
}

static void cut_double_suffix(struct word *w)
{
	static const struct rule rules[] = {
		RULE("ational", "ate"), RULE("tional", "tion"),
		RULE("enci", "ence"),	RULE("anci", "ance"),
		RULE("izer", "ize"),	RULE("bli", "ble"),
		RULE("alli", "al"),	RULE("entli", "ent"),
		RULE("eli", "e"),	RULE("ousli", "ous"),
		RULE("ization", "ize"), RULE("ation", "ate"),
		RULE("ator", "ate"),	RULE("alism", "al"),
		RULE("iveness", "ive"), RULE("fulness", "ful"),
		RULE("ousness", "ous"), RULE("aliti", "al"),
		RULE("iviti", "ive"),	RULE("biliti", "ble"),
		RULE("logi", "log")};

	apply(w, rules, ARRAY_LEN(rules), 0);
}

static void cut_suffix(struct word *w)
{
	static const struct rule rules[] = {
		RULE("icate", "ic"), RULE("ative", ""),	 RULE("alize", "al"),
		RULE("iciti", "ic"), RULE("ical", "ic"), RULE("ful", ""),
		RULE("ness", "")};

	apply(w, rules, ARRAY_LEN(rules), 0);
}

static void cut_last_suffix(struct word *w)
{
	static const struct rule rules[] = {
		RULE("al", ""),	  RULE("ance", ""), RULE("ence", ""),
		RULE("er", ""),	  RULE("ic", ""),   RULE("able", ""),
		RULE("ible", ""), RULE("ant", ""),  RULE("ement", ""),
		RULE("ment", ""), RULE("ent", ""),  RULE("ou", ""),
		RULE("ism", ""),  RULE("ate", ""),  RULE("iti", ""),
		RULE("ous", ""),  RULE("ive", ""),  RULE("ize", "")};

	if (ends(w, "sion", 4) || ends(w, "tion", 4)) {
		if (measure(w, w->n - 3) > 1)
			w->n -= 3;
		return;
	}
	apply(w, rules, ARRAY_LEN(rules), 1);
}

static void tidy(struct word *w)
{
	if (w->p[w->n - 1] == 'e') {
		int m = measure(w, w->n - 1);

		if (m > 1 || (m == 1 && !ends_short(w, w->n - 1)))
			w->n--;
	}
	if (w->p[w->n - 1] == 'l' && ends_double(w, w->n) &&
	    measure(w, w->n) > 1)
		w->n--;
}

/* -1, 0 or 1 as the LEN letters of P are before, at or after ENTRY's form,
 * whose end is *DIGIT. */
static int compare_form(const char *p, size_t len, const char *entry,
			const char **digit)
{
	size_t i = 0;

	while (i < len && p[i] == entry[i])
		i++;
	*digit = entry + i;
	if (i == len)
		return ascii_is_digit(entry[i]) ? 0 : -1;
	return (unsigned char)p[i] < (unsigned char)entry[i] ? -1 : 1;
}

/* If the LEN letters of W are an irregular form, put its stem in their place
 * and return the length of that; else 0.  A search by halves over bytes, where
 * each step goes back to the begin of an entry. */
static size_t regular(char *w, size_t len)
{
	const char *low = irregular_forms;
	const char *high = irregular_forms + irregular_size, *digit;

	while (low < high) {
		const char *entry = low + (high - low) / 2;
		int order;

		while (entry > low && entry[-1])
			entry--;
		order = compare_form(w, len, entry, &digit);
		if (!order) {
			size_t keep = (size_t)(*digit - '0');
			size_t rest = strlen(digit + 1);

			memcpy(w + keep, digit + 1, rest);
			return keep + rest;
		}
		if (order < 0)
			high = entry;
		else
			low = entry + strlen(entry) + 1;
	}
	return 0;
}

size_t stem_english(char p[STEM_ROOM], size_t len)
{
	struct word w = {.p = p, .n = len};
	size_t found;

	if (len < 3 || len > WORD_MAX)
		return len;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < 'a' || p[i] > 'z')
			return len;
	}
	found = regular(p, len);
	if (found)
		return found;
	classify(&w, 0);
	cut_plural(&w);
	cut_past(&w);
	turn_y(&w);
	cut_double_suffix(&w);
	cut_suffix(&w);
	cut_last_suffix(&w);
	tidy(&w);
	return w.n;
}

char stem_first(const char *word, size_t len)
{
	/* The irregular forms that keep no letter. */
	static const struct {
		char form[11], first;
	} others[] = {
		{"are", 'b'},	     {"artal", 'r'},	{"artel", 'r'},
		{"ate", 'e'},	     {"aurar", 'e'},	{"challoth", 'h'},
		{"lisente", 's'},    {"listente", 's'}, {"makuta", 'l'},
		{"maloti", 'l'},     {"oedemata", 'e'}, {"oesophagi", 'e'},
		{"oesophagus", 'e'}, {"was", 'b'},	{"went", 'g'},
		{"were", 'b'},	     {"ycleped", 'c'},	{"yclept", 'c'}};

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		if (others[i].form[0] == *word &&
		    strlen(others[i].form) == len &&
		    !memcmp(others[i].form, word, len))
			return others[i].first;
	}
	return *word;
}

/* Endings alone are cut; only irregular forms that keep no letter may have a
 * stem of another first one. */
void stem_widen(bool first[256])
{
	const char *at = irregular_forms, *form;
	const char *const end = irregular_forms + irregular_size;

	for (; (at = memchr(at, '0', (size_t)(end - at))) != NULL; at++) {
		for (form = at; form > irregular_forms && form[-1];)
			form--;
		if (first[(unsigned char)at[1]])
			first[(unsigned char)*form] = true;
	}
}

#define KEPT_MAX 15 /* letters of a word that is kept, and of its stem */
#define FEW 16	    /* words are stemmed without a cache: questions are; */
#define SOME 4096   /* of so many few are kept, more of what goes on: */
#define KEPT_FEW 128
#define KEPT_MANY 1024 /* both powers of 2 */

struct stem_kept {
	uint8_t len, n; /* of both; 0: none is kept here */
	char word[KEPT_MAX], stem[KEPT_MAX];
};

static struct stem_kept *place_of(struct stem_cache *c, const char *word,
				  size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)word[i]) * 16777619u;
	return &c->kept[(hash ^ hash >> 15) & (c->room_for - 1)];
}

/* Have room for as many words as pays by now. */
static void keep_more(struct stem_cache *c)
{
	const size_t most = c->asked > SOME  ? KEPT_MANY
			    : c->asked > FEW ? KEPT_FEW
					     : 0;

	c->asked++;
	if (c->room_for >= most)
		return;
	free(c->kept);
	c->kept = mem_alloc(most * sizeof(*c->kept));
	c->room_for = most;
}

const char *stem_cached(struct stem_cache *c, const char *word, size_t len,
			size_t *n)
{
	struct stem_kept *kept = NULL;

	keep_more(c);
	if (c->kept && len <= KEPT_MAX) {
		kept = place_of(c, word, len);
		if (kept->len == len && !memcmp(kept->word, word, len)) {
			*n = kept->n;
			return kept->stem;
		}
	}
	memcpy(c->room, word, len);
	*n = stem_english(c->room, len);
	if (kept && *n <= KEPT_MAX) {
		kept->len = (uint8_t)len;
		kept->n = (uint8_t)*n;
		memcpy(kept->word, word, len);
		memcpy(kept->stem, c->room, *n);
	}
	return c->room;
}

void stem_cache_release(struct stem_cache *c)
{
	free(c->kept);
}
