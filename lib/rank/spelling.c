/* spelling.c: rules for endings (-ise, -yse, -logue, -tre), and a table of beginnings.
 *
 * The rules do not change words that never have z: those with a short stem (advise,
 * promise, surprise), and those whose noun has s (supervise, precise, advertise). A few
 * others get a key that no word has, as enterprize, which does no harm.
 */
#include "rank/spelling.h"

static bool is_vowel(char c)
{
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ||
	       c == 'y';
}

/* Return how often a consonant follows a vowel in the N letters of P. */
static int count_syllables(const char *p, size_t n)
{
	int syllables = 0;

	for (size_t i = 1; i < n; i++)
		syllables += is_vowel(p[i - 1]) && !is_vowel(p[i]);
	return syllables;
}

static bool has_ending(const char *p, size_t len, const char *ending)
{
	const size_t n = strlen(ending);

	return len >= n && !memcmp(p + len - n, ending, n);
}

/* Return true if the N letters of P make a verb with -ize: optim, local, critic. */
static bool takes_ize(const char *p, size_t n)
{
	if (n < 3 || is_vowel(p[n - 1]) || strchr("vw", p[n - 1]) ||
	    has_ending(p, n, "rt") ||
	    (p[n - 1] == 'c' && !has_ending(p, n, "ic")))
		return false;
	return count_syllables(p, n) > 1 || (n == 4 && !memcmp(p, "real", 4));
}

/* Return the offset of the s of -ise or -yse in P, whatever its ending, else 0. */
static size_t find_s(const char *p, size_t len)
{
	static const char *const endings[] = {
		"se",	"sed",	  "ses",     "ser",   "sers",
		"sing", "sation", "sations", "sable", "sational"};

	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		const size_t n = strlen(endings[i]);

		if (len > n + 3 && p[len - 1] == endings[i][n - 1] &&
		    has_ending(p, len, endings[i]))
			return len - n;
	}
	return 0;
}

/* Spell organise as organize, and analyse as analyze. */
static void unite_ize(char *p, size_t len)
{
	const size_t s = find_s(p, len);

	if (s && ((p[s - 1] == 'i' && takes_ize(p, s - 1)) ||
		  (p[s - 1] == 'y' && p[s - 2] == 'l' && s > 3)))
		p[s] = 'z';
}

/* Spell catalogue, catalogued and cataloguing without the u. Return the new length. */
static size_t unite_log(char *p, size_t len)
{
	static const char *const endings[] = {"logue", "logues", "logued",
					      "loguing"};

	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		const size_t after = strlen(endings[i]) - strlen("logu");

		if (!has_ending(p, len, endings[i]))
			continue;
		memmove(p + len - after - 1, p + len - after, after);
		return len - 1;
	}
	return len;
}

/* Spell metre and metres, also of kilometres, as meter. */
static void unite_er(char *p, size_t len)
{
	static const char *const endings[] = {"metre", "litre", "fibre",
					      "theatre", "calibre"};

	len -= p[len - 1] == 's';
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		if (has_ending(p, len, endings[i]))
			memcpy(p + len - 2, "er", 2);
	}
}

/* Replace the first of these that P begins with. Return the new length. */
static size_t unite_beginning(char *p, size_t len)
{
	static const struct {
		char from[16], to[16];
	} rows[] = {{"acknowledgement", "acknowledgment"},
		    {"ageing", "aging"},
		    {"armour", "armor"},
		    {"artefact", "artifact"},
		    {"behaviour", "behavior"},
		    {"centere", "centre"}, /* centred */
		    {"centeri", "centri"},
		    {"center", "centre"},
		    {"colour", "color"},
		    {"defence", "defense"},
		    {"endeavour", "endeavor"},
		    {"favour", "favor"},
		    {"flavour", "flavor"},
		    {"grey", "gray"},
		    {"harbour", "harbor"},
		    {"honour", "honor"},
		    {"humour", "humor"},
		    {"judgement", "judgment"},
		    {"labour", "labor"},
		    {"licence", "license"},
		    {"neighbour", "neighbor"},
		    {"odour", "odor"},
		    {"offence", "offense"},
		    {"practise", "practice"},
		    {"programme", "program"},
		    {"rigour", "rigor"},
		    {"rumour", "rumor"},
		    {"savour", "savor"},
		    {"tumour", "tumor"},
		    {"vapour", "vapor"},
		    {"vigour", "vigor"}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const size_t from = strlen(rows[i].from),
			     to = strlen(rows[i].to);

		if (*p != *rows[i].from || len < from ||
		    memcmp(p, rows[i].from, from) != 0)
			continue;
		memmove(p + to, p + from, len - from);
		memcpy(p, rows[i].to, to);
		return len - from + to;
	}
	return len;
}

size_t spelling_unite(char *p, size_t len)
{
	if (len < 4)
		return len;
	unite_ize(p, len);
	unite_er(p, len);
	return unite_beginning(p, unite_log(p, len));
}
