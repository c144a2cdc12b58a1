/* words.c: ASCII is read in runs, other text by character. */
#include "rank/words.h"

#include "base/ascii.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define STOP_MAX 10    /* the longest: yourselves, themselves */
#define CLASSED_MAX 24 /* bytes of a word in a struct words_class */

bool words_is_ignored(uint32_t c)
{
	return c == 0xAD || (c >= 0x200B && c <= 0x200F) || c == 0x2060 ||
	       c == 0xFEFF || (c >= 0xFE00 && c <= 0xFE0F) ||
	       (c >= 0xE0100 && c <= 0xE01EF);
}

/* Return true if the marks of C's script are not letters of their own: words
 * are then found without them. */
static bool drops_marks(uint32_t c)
{
	return c < 0x900 || (c >= 0x1AB0 && c < 0x2C00) ||
	       (c >= 0xFB00 && c < 0xFF66) || (c >= 0x1D400 && c < 0x1D800);
}

static void add_char(struct buf *out, uint32_t c)
{
	char bytes[4];

	buf_add(out, bytes, utf8_put(c, bytes));
}

/* Append C without its marks, in plain letters. */
static void add_bare(struct buf *out, uint32_t c)
{
	uint32_t bare[UNICODE_BARE_MAX];
	size_t n = unicode_bare(c, bare);

	for (size_t i = 0; i < n; i++) {
		const char *plain = unicode_plain(bare[i]);

		if (*plain)
			buf_adds(out, plain);
		else
			add_char(out, bare[i]);
	}
}

void words_add_composed(struct buf *out, struct buf *room, const char *p,
			size_t len)
{
	size_t size;

	buf_cut(room, 0);
	for (size_t i = 0; i < len; i += size) {
		if (!words_is_ignored(utf8_decode(p + i, len - i, &size)))
			buf_add(room, p + i, size);
	}
	unicode_fold(out, buf_str(room), room->len, true);
}

/* Return the length of the run of ASCII letters and digits at P. */
static size_t ascii_run(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && ascii_is_alnum(p[i]))
		i++;
	return i;
}

static void add_lower(struct buf *out, const char *p, size_t len)
{
	char *to;

	buf_grow(out, len);
	to = out->p + out->len;
	for (size_t i = 0; i < len; i++)
		to[i] = ascii_is_upper(p[i]) ? (char)(p[i] | 0x20) : p[i];
	to[len] = '\0';
	out->len += len;
}

void words_add(struct buf *out, struct buf *room, const char *p, size_t len)
{
	size_t size;

	for (size_t i = 0; i < len; i += size) {
		uint32_t c;

		size = ascii_run(p + i, len - i);
		if (size) {
			add_lower(out, p + i, size);
			continue;
		}
		if (p[i] == '\'') {
			size = 1;
			continue;
		}
		c = utf8_decode(p + i, len - i, &size);
		if (c == 0x2019 || words_is_ignored(c))
			continue;
		if (!drops_marks(c)) {
			words_add_composed(out, room, p + i, len - i);
			return;
		}
		add_bare(out, c);
	}
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Stop words are articles, pronouns, prepositions, conjunctions, auxiliaries,
 * vague quantities and question words, with contractions as folded. Words that
 * may be the topic (up, down, may, need) are none. */
bool words_is_stop(const char *word, size_t len)
{
	/* Sorted: every word of every text is looked up. */
	static const char stops[][STOP_MAX + 1] = {
		"about",     "after",	"again",    "all",	 "also",
		"although",  "am",	"an",	    "and",	 "any",
		"are",	     "arent",	"as",	    "at",	 "be",
		"because",   "been",	"before",   "being",	 "both",
		"but",	     "by",	"can",	    "cannot",	 "cant",
		"could",     "couldnt", "did",	    "didnt",	 "do",
		"does",	     "doesnt",	"doing",    "dont",	 "during",
		"each",	     "either",	"every",    "few",	 "for",
		"from",	     "further", "had",	    "hadnt",	 "has",
		"hasnt",     "have",	"havent",   "having",	 "he",
		"her",	     "here",	"hers",	    "herself",	 "him",
		"himself",   "his",	"how",	    "if",	 "in",
		"into",	     "is",	"isnt",	    "it",	 "its",
		"itself",    "just",	"many",	    "me",	 "might",
		"more",	     "most",	"much",	    "must",	 "my",
		"myself",    "neither", "no",	    "nor",	 "not",
		"of",	     "off",	"on",	    "once",	 "only",
		"or",	     "other",	"ought",    "our",	 "ours",
		"ourselves", "out",	"own",	    "please",	 "same",
		"several",   "shall",	"she",	    "should",	 "since",
		"so",	     "some",	"such",	    "than",	 "that",
		"the",	     "their",	"theirs",   "them",	 "themselves",
		"then",	     "there",	"these",    "they",	 "this",
		"those",     "though",	"through",  "to",	 "too",
		"unless",    "until",	"us",	    "very",	 "was",
		"wasnt",     "we",	"were",	    "werent",	 "what",
		"when",	     "where",	"whether",  "which",	 "while",
		"who",	     "whom",	"whose",    "why",	 "will",
		"with",	     "wont",	"would",    "wouldnt",	 "you",
		"your",	     "yours",	"yourself", "yourselves"};
	char key[STOP_MAX + 1] = "";

	if (len == 1 && !(*word & 0x80))
		return *word < '0' || *word > '9';
	if (len > STOP_MAX)
		return false;
	memcpy(key, word, len);
	return bsearch(key, stops, ARRAY_LEN(stops), sizeof(*stops),
		       compare_words);
}

/* Return true if LIST has WORD between blanks. */
static bool is_listed(const char *list, const char *word, size_t len)
{
	char key[STOP_MAX + 3];

	if (len > STOP_MAX)
		return false;
	snprintf(key, sizeof(key), " %.*s ", (int)len, word);
	return strstr(list, key) != NULL;
}

/* Return true if STEM is small talk: thanks, assent, a usual order to an agent,
 * or its usual object. */
bool words_is_talk(const char *stem, size_t len)
{
	static const char list[] =
		" ok okay yes yep yeah hmm sorri thank pleas perfect wrong "
		"continu wait tri add bug build chang check class clean "
		"cleaner "
		"cleanup code comment commit compil debug delet detail diff "
		"doc error explain fail file fix format function implement "
		"line lint linter look merg method output pass project push "
		"readm rebas refactor remov renam repo rerun revert review "
		"rewrit run script shorter ship simpler simplifi split step "
		"test tidi typo undo updat variabl write ";

	return is_listed(list, stem, len);
}

unsigned words_classes(const struct words_class *table, size_t n,
		       const char *word, size_t len)
{
	char key[CLASSED_MAX + 3];
	unsigned class = 0;

	if (len > CLASSED_MAX)
		return 0;
	snprintf(key, sizeof(key), " %.*s ", (int)len, word);
	for (size_t i = 0; i < n; i++) {
		if (strstr(table[i].words, key))
			class |= table[i].class;
	}
	return class;
}

bool words_is_weekday(const char *word, size_t len)
{
	return is_listed(" monday tuesday wednesday thursday friday saturday "
			 "sunday ",
			 word, len);
}
