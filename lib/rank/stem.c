/* stem.c: Porter's five steps with one bit per letter.
 *
 * A mask of the consonants is computed once. The measure of a stem (how often a
 * consonant follows a vowel) is then a bit count, and the rules are tables.
 *
 * Known limit: all words of only a to z are stemmed, including those of other
 * languages. Documents and queries are treated alike, so they still match.
 */
#include "rank/stem.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "rank/irregular.h"
#include "rank/spelling.h"

#define WORD_MAX 63

struct word {
	char *p;
	size_t n;
	uint64_t consonants; /* bit i: letter i is a consonant */
};

/* Replace ENDING by BECOMES. */
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

/* Classify the letters from FROM on. A y after a consonant is a vowel. */
static void classify(struct word *w, size_t from)
{
	w->consonants &= (UINT64_C(1) << from) - 1;
	for (size_t i = from; i < w->n; i++) {
		bool after = i && (w->consonants >> (i - 1) & 1);

		if (!is_vowel(w->p[i]) && !(w->p[i] == 'y' && after))
			w->consonants |= UINT64_C(1) << i;
	}
}

static bool is_consonant(const struct word *w, size_t i)
{
	return w->consonants >> i & 1;
}

/* Return how often a consonant follows a vowel in the first N letters. */
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

/* Return true if the first N letters end in two equal consonants. */
static bool ends_double(const struct word *w, size_t n)
{
	return n > 1 && w->p[n - 1] == w->p[n - 2] && is_consonant(w, n - 1);
}

/* Return true if the first N letters end in consonant, vowel, consonant, the
 * last one not w, x or y: hop. */
static bool ends_short(const struct word *w, size_t n)
{
	return n > 2 && is_consonant(w, n - 1) && !is_consonant(w, n - 2) &&
	       is_consonant(w, n - 3) && !strchr("wxy", w->p[n - 1]);
}

static bool has_ending(const struct word *w, const char *ending, size_t len)
{
	return w->n >= len && !memcmp(w->p + w->n - len, ending, len);
}

/* Cut W to N letters and append TEXT. */
static void replace_ending(struct word *w, size_t n, const char *text)
{
	size_t len = strlen(text);

	memcpy(w->p + n, text, len);
	w->n = n + len;
	classify(w, n);
}

/* Apply the first of RULES whose ending W has, if the part before it has a
 * measure above LEAST. Later rules are not tried, even if it does not. */
static void apply_rules(struct word *w, const struct rule *rules, size_t n,
			int least)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = rules[i].len;

		if (w->p[w->n - 1] != rules[i].ending[len - 1] ||
		    !has_ending(w, rules[i].ending, len))
			continue;
		if (measure(w, w->n - len) > least)
			replace_ending(w, w->n - len, rules[i].becomes);
		return;
	}
}

/* If W ends in ies or ied, cut it to i, or after a single letter, as in ties,
 * to ie. Return true if it did. */
static bool cut_ie(struct word *w, const char *ending)
{
	if (!has_ending(w, ending, 3))
		return false;
	w->n -= w->n == 4 ? 1 : 2;
	return true;
}

static void cut_plural(struct word *w)
{
	if (w->p[w->n - 1] != 's' || cut_ie(w, "ies"))
		return;
	if (has_ending(w, "sses", 4))
		w->n -= 2;
	else if (w->p[w->n - 2] != 's')
		w->n--;
}

/* Repair a word after -ed or -ing was cut: hopp(ing), fil(ing), conflat(ed). */
static void repair_past(struct word *w)
{
	if (has_ending(w, "at", 2) || has_ending(w, "bl", 2) ||
	    has_ending(w, "iz", 2))
		replace_ending(w, w->n, "e");
	else if (ends_double(w, w->n) && !strchr("lsz", w->p[w->n - 1]))
		w->n--;
	else if (measure(w, w->n) == 1 && ends_short(w, w->n))
		replace_ending(w, w->n, "e");
}

static void cut_past(struct word *w)
{
	size_t cut = 0;

	if (cut_ie(w, "ied"))
		return;
	if (has_ending(w, "eed", 3)) {
		if (measure(w, w->n - 3) > 0)
			w->n--;
		return;
	}
	if (has_ending(w, "ed", 2))
		cut = 2;
	else if (has_ending(w, "ing", 3))
		cut = 3;
	if (!cut || !has_vowel(w, w->n - cut))
		return;
	w->n -= cut;
	repair_past(w);
}

/* Make cry, cried and cries equal; but leave say and by. */
static void turn_y(struct word *w)
{
	if (w->n > 2 && w->p[w->n - 1] == 'y' && is_consonant(w, w->n - 2))
		replace_ending(w, w->n - 1, "i");
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

	apply_rules(w, rules, ARRAY_LEN(rules), 0);
}

static void cut_suffix(struct word *w)
{
	static const struct rule rules[] = {
		RULE("icate", "ic"), RULE("ative", ""),	 RULE("alize", "al"),
		RULE("iciti", "ic"), RULE("ical", "ic"), RULE("ful", ""),
		RULE("ness", "")};

	apply_rules(w, rules, ARRAY_LEN(rules), 0);
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

	if (has_ending(w, "sion", 4) || has_ending(w, "tion", 4)) {
		if (measure(w, w->n - 3) > 1)
			w->n -= 3;
		return;
	}
	apply_rules(w, rules, ARRAY_LEN(rules), 1);
}

static void cut_final_letter(struct word *w)
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

/* Compare the LEN letters of P with the form of ENTRY: -1, 0 or 1. *DIGIT is
 * set to the end of the form. */
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

/* If the LEN letters of W are an irregular form, replace them by its stem and
 * return the stem's length, else 0. Binary search over bytes: each step goes
 * back to the start of an entry. */
static size_t stem_irregular(char *w, size_t len)
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

/* Stem the LEN bytes of P in place, and return the new length. */
static size_t stem_english(char p[STEM_ROOM], size_t len)
{
	struct word w = {.p = p, .n = len};
	size_t found;

	if (len < 3 || len > WORD_MAX)
		return len;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < 'a' || p[i] > 'z')
			return len;
	}
	found = stem_irregular(p, len);
	if (found)
		return found;
	w.n = spelling_unite(p, len);
	classify(&w, 0);
	cut_plural(&w);
	cut_past(&w);
	turn_y(&w);
	cut_double_suffix(&w);
	cut_suffix(&w);
	cut_last_suffix(&w);
	cut_final_letter(&w);
	return w.n;
}

char stem_first(const char *word, size_t len)
{
	/* The irregular forms with N = 0, see irregular.h: their stem begins
	 * with another letter. */
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

/* Stemming only cuts endings, so only these irregular forms have a stem that
 * begins with another letter. */
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

#define KEPT_MAX 15  /* longest cached word or stem */
#define FEW 16	     /* words before there is a cache: most queries have none */
#define SOME 4096    /* words before it is larger */
#define MANY 16384   /* words before it is large */
#define KEPT_FEW 128 /* all powers of 2 */
#define KEPT_SOME 1024
#define KEPT_MANY 8192 /* as many as the words of a large store */

struct stem_kept {
	uint8_t len, n; /* lengths of both; 0: unused */
	char word[KEPT_MAX], stem[KEPT_MAX];
};

static struct stem_kept *cache_slot(struct stem_cache *c, const char *word,
				    size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)word[i]) * 16777619u;
	return &c->kept[(hash ^ hash >> 15) & (c->room_for - 1)];
}

/* Enlarge the cache when the number of words makes it worthwhile. */
static void grow_cache(struct stem_cache *c)
{
	const size_t most = c->asked > MANY   ? KEPT_MANY
			    : c->asked > SOME ? KEPT_SOME
			    : c->asked > FEW  ? KEPT_FEW
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

	grow_cache(c);
	if (c->kept && len <= KEPT_MAX) {
		kept = cache_slot(c, word, len);
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
