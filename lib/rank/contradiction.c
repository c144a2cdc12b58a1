/* contradiction.c: align the words of both texts by their longest common
 * subsequence. A place is a run of words that are not aligned: there the texts
 * differ. A word that is elsewhere in the other text has only moved.
 *
 * Known limits: lists tell the classes of words, and most of them are English. An
 * opposite that is in no list is found only if it is the one value that differs.
 * Texts that say a thing in quite other words are not alike.
 */
#include "rank/alike.h"

#include "base/ascii.h"
#include "base/hash.h"

#define WORDS_MAX 160 /* of a text; a longer one contradicts nothing */
#define WORD_MAX 24   /* bytes of a word that the lists may have */
#define ADDED_MAX 4   /* words that only one of two texts about one thing has */
#define VALUE_MAX 4   /* words of a value */
#define LETTERED_MAX 2 /* words before a letter that is a name: data centre A */
#define NUMBERED_HEADING_MAX 4 /* words */

/* The most words that one of two texts has and the other has not: in each a value
 * and added words, and as many fillers. */
#define UNSHARED_MAX (2 * (2 * VALUE_MAX + ADDED_MAX))

/* Classes of words. The lists have them folded. */
enum class {
	CLASS_NEGATION = 1,
	CLASS_TIME = 2,		/* two of them differ as numbers do */
	CLASS_FILLER = 4,	/* says nothing about the topic */
	CLASS_TAKES_VALUE = 8,	/* exactly one value follows it: port 80 */
	CLASS_PREPOSITION = 16, /* where, when, for what */
	CLASS_CHOICE = 32,  /* takes a value if a common word follows that */
	CLASS_CHANGE = 64,  /* a common word next to it is no longer true */
	CLASS_BE = 128,	    /* one of several values may follow it */
	CLASS_LABEL = 256,  /* a number after it is a name: issue 12 */
	CLASS_STOP = 512,   /* a stop word, see words.h */
	CLASS_KNOWN = 1024, /* it was looked up */
	CLASS_USE = 2048,   /* another thing may be used elsewhere */
	CLASS_ORDER = 4096, /* as CLASS_USE if it begins a sentence */
	CLASS_WHERE = 8192, /* a preposition: a place of use follows it */
	CLASS_CODE = 16384, /* a language of source files */
	CLASS_WHEN = 32768, /* a condition follows it */
};

static const struct words_class classes[] = {
	{CLASS_NEGATION,
	 " not no never none dont doesnt didnt isnt arent wasnt werent cant "
	 "cannot couldnt wont wouldnt shouldnt mustnt neednt without instead "
	 "nicht kein keine keinen keinem keiner nie niemals ohne ne pas jamais "
	 "sans nunca jamas sin non mai senza nao niet geen nooit inte aldrig "
	 "не нет никогда без "},
	{CLASS_TIME, " monday tuesday wednesday thursday friday saturday "
		     "sunday mondays tuesdays wednesdays thursdays fridays "
		     "saturdays sundays january february march april may june "
		     "july august september october november december montag "
		     "dienstag mittwoch donnerstag freitag samstag sonntag "
		     "lundi mardi mercredi jeudi vendredi samedi dimanche "
		     "lunes martes miercoles jueves viernes sabado domingo "
		     "second minute hour night day week month year "},
	{CLASS_FILLER, " now longer since anymore der die das den dem le la "
		       "les el los las un une una ein eine de du des del il lo "
		       "o os "},
	{CLASS_TAKES_VALUE,
	 " called named name uses use used using returns return "
	 "usa utilise verwendet nutzt heisst port "},
	{CLASS_TAKES_VALUE | CLASS_BE,
	 " is are was were be ist sind est sont es son "},
	{CLASS_TAKES_VALUE | CLASS_PREPOSITION,
	 " at on in from by with to through via until into under as bei auf im "
	 "mit von durch avec dans sur par en con por "},
	{CLASS_WHERE, " in on under by at within auf im bei dans sur en "},
	{CLASS_USE, " use uses used using usa utilise verwendet nutzt avoid "},
	{CLASS_ORDER, " run format prefer wrap indent check lint test "},
	{CLASS_CODE, " c c++ c# go rust python java javascript typescript "
		     "kotlin swift scala ruby perl php lua haskell elixir sql "
		     "yaml json toml xml html css bash shell markdown dart zig "
		     "julia makefile makefiles "},
	{CLASS_PREPOSITION,
	 " for of before after when while during fur pour para "},
	{CLASS_WHEN, " when while if once unless wenn quand cuando "},
	{CLASS_CHOICE, " prefers prefer wants want "},
	{CLASS_CHANGE, " dropped removed moved switched migrated replaced "
		       "deprecated obsolete abandoned longer "},
	{CLASS_LABEL, " issue ticket bug sprint chapter step error room "
		      "release pr pull commit case phase day week line status "
		      "part table number job task shard worker customer "
		      "migration rfc adr batch rack patch revision milestone "
		      "quarter option plan variant team group tenant floor "
		      "host machine server page figure rule "},
};

/* Stems. One with several opposites has an entry for each. */
static const char *const opposites[][2] = {
	{"alwai", "never"},   {"on", "off"},	      {"enabl", "disabl"},
	{"befor", "after"},   {"allow", "forbid"},    {"allow", "deni"},
	{"includ", "exclud"}, {"accept", "reject"},   {"like", "dislik"},
	{"us", "avoid"},      {"up", "down"},	      {"short", "long"},
	{"dark", "light"},    {"strict", "lenient"},  {"ascend", "descend"},
	{"in", "out"},	      {"public", "privat"},   {"manual", "automat"},
	{"sync", "async"},    {"true", "fals"},	      {"yes", "no"},
	{"start", "stop"},    {"open", "close"},      {"fast", "slow"},
	{"small", "larg"},    {"minimum", "maximum"}, {"requir", "option"},
	{"vor", "nach"},      {"immer", "nie"},	      {"avant", "apre"},
	{"toujour", "jamai"}, {"siempr", "nunca"},
};

struct word {
	const char *stem, *text; /* cut to WORD_MAX - 1 bytes */
	uint32_t stem_hash;
	uint32_t hash; /* of its number if it is one, else `stem_hash` */
	unsigned class;
	uint16_t start, end; /* in the text */
	uint16_t from;	     /* see terms.h */
	uint16_t sentence;
	uint16_t partner; /* index in the other text, if `same` or `moved` */
	bool number : 1;
	bool letter : 1;  /* one capital, as in team A: a name */
	bool same : 1;	  /* it is aligned with the same word */
	bool moved : 1;	  /* the other text has it elsewhere */
	bool opposed : 1; /* the other text has its opposite in this place */
};

/* First letters, and one for words without; rounded up, so that the compiler
 * compares 16 counts at once. */
#define FIRSTS 32

/* What alike_text_is_near() reads for each pair comes first. */
struct alike_text {
	uint8_t firsts[FIRSTS]; /* words by first letter; the last: none */
	bool cut;		/* the text is too long */
	const char *p;
	size_t len;
	struct terms *terms;
	struct word *words; /* NULL: not read, only counted */
	size_t n;
	struct arena *a;
	uint8_t tally[256]; /* words by hash */
	struct alike alike; /* see get_alike() */
};

_Static_assert(WORDS_MAX <= UINT8_MAX, "counts of one word fit a byte");
_Static_assert(ALIKE_TEXT_MAX <= UINT16_MAX, "offsets in a text fit 16 bits");

/* Words from `from` up to `to` of the earlier text (0) and the later one (1). */
struct place {
	size_t from[2], to[2];
};

struct difference {
	struct alike_text texts[2];
	size_t both;	    /* places where both have content words */
	struct place place; /* the last of these */
	size_t added;	    /* content words in places where only one has any */
	bool added_first;   /* some of them before all other differences */
	size_t reversals;   /* negations and opposites */
};

static unsigned look_up(const char *word, size_t len)
{
	/* Terms of two characters: a negation that begins one negates the second. */
	static const char *const chinese[] = {"不", "没", "别"};
	unsigned class = CLASS_KNOWN;

	if (len >= WORD_MAX - 1)
		return class;
	class |= words_is_stop(word, len) ? CLASS_STOP : 0;
	class |= words_classes(classes, ARRAY_LEN(classes), word, len);
	for (size_t i = 0; i < ARRAY_LEN(chinese); i++) {
		const size_t n = strlen(chinese[i]);
		const char *no = memmem(word, len, chinese[i], n);

		if (no && len > n)
			class |= no == word ? CLASS_NEGATION : CLASS_FILLER;
	}
	return class;
}

/* Return the classes of W. They are looked up on first use, since most words are in
 * both texts and need none. */
static unsigned class_of(const struct word *w)
{
	struct word *known = (struct word *)(uintptr_t)w;

	if (!w->class)
		known->class = look_up(w->text, strlen(w->text));
	return w->class;
}

/* Return the digits of the number that the word P of *LEN bytes is, or begins with:
 * 12, 12ms, twelve. Set *LEN to their number. Return "" if it is none. */
static const char *find_digits(const char *p, size_t *len)
{
	static const struct {
		char name[7], digits[3];
	} numbers[] = {{"one", "1"},   {"two", "2"},	 {"three", "3"},
		       {"four", "4"},  {"five", "5"},	 {"six", "6"},
		       {"seven", "7"}, {"eight", "8"},	 {"nine", "9"},
		       {"ten", "10"},  {"eleven", "11"}, {"twelve", "12"}};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		if (numbers[i].name[0] != *p ||
		    strncmp(numbers[i].name, p, *len) != 0 ||
		    numbers[i].name[*len])
			continue;
		*len = strlen(numbers[i].digits);
		return numbers[i].digits;
	}
	if (!ascii_is_digit(*p)) {
		*len = 0;
		return "";
	}
	while (n < *len && ascii_is_digit(p[n]))
		n++;
	/* A unit may follow. A word with more letters or digits is a name. */
	for (size_t i = n; i < *len; i++) {
		if (ascii_is_digit(p[i]) || *len - n > 2)
			n = 0;
	}
	*len = n;
	return n ? p : "";
}

static bool ends_sentence(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (p[i]) {
		case '\n':
		case ';':
		case '\0':
			return true;
		case '.':
		case '!':
		case '?':
			if (i + 1 < len && strchr(" \r\n", p[i + 1]))
				return true;
		}
	}
	return false;
}

/* Return true if T is one capital, and no article or pronoun. INNER: it is not the
 * first word of its sentence. */
static bool is_single_capital(const struct alike_text *text,
			      const struct term *t, bool inner)
{
	const char c = text->p[t->start];

	return t->end == t->start + 1 && ascii_is_upper(c) && c != 'I' &&
	       (c != 'A' || inner);
}

/* Return a copy of the LEN bytes of P, cut to WORD_MAX - 1, in the arena of TEXT. */
static const char *copy_word(struct alike_text *text, const char *p, size_t len)
{
	return arena_copy(text->a, p, len < WORD_MAX ? len : WORD_MAX - 1);
}

static int add_word(void *ctx, const struct term *t)
{
	struct alike_text *text = ctx;
	const struct word *last = text->n ? &text->words[text->n - 1] : NULL;
	struct word *w = &text->words[text->n];
	size_t len = t->word_len;
	const char *number;

	if (t->colocated)
		return 0;
	if (text->n == WORDS_MAX) {
		text->cut = true;
		return 1;
	}
	number = find_digits(t->word, &len);
	w->number = *number;
	w->start = (uint16_t)t->start;
	w->end = (uint16_t)t->end;
	w->from = (uint16_t)t->from;
	w->stem_hash = (uint32_t)hash_bytes(t->p, t->len, 0);
	w->hash = *number ? (uint32_t)hash_bytes(number, len, 0) : w->stem_hash;
	text->tally[w->hash % ARRAY_LEN(text->tally)]++;
	w->text = copy_word(text, t->word, t->word_len);
	w->stem = t->len == t->word_len && !memcmp(t->p, t->word, t->len)
			  ? w->text
			  : copy_word(text, t->p, t->len);
	w->sentence = last ? last->sentence : 0;
	if (last && last->end < t->start &&
	    ends_sentence(text->p + last->end, t->start - last->end))
		w->sentence++;
	w->letter = is_single_capital(text, t,
				      last && last->sentence == w->sentence);
	if (w->letter)
		w->class = look_up(t->word, 1) & (CLASS_KNOWN | CLASS_CODE);
	text->n++;
	return 0;
}

static void set_partners(struct alike_text *a, size_t i, struct alike_text *b,
			 size_t k)
{
	a->words[i].partner = (uint16_t)k;
	b->words[k].partner = (uint16_t)i;
}

static void pair_up(struct alike_text *a, size_t i, struct alike_text *b,
		    size_t k)
{
	a->words[i].same = b->words[k].same = true;
	set_partners(a, i, b, k);
}

/* Return true if no word of A from FROM up to TO is in B at FROM or later. */
static bool share_no_word(const struct alike_text *a, size_t from, size_t to,
			  const struct alike_text *b)
{
	for (size_t i = from; i < to; i++) {
		for (size_t k = from; k < b->n; k++) {
			if (a->words[i].hash == b->words[k].hash)
				return false;
		}
	}
	return true;
}

/* Pair the words of the longest common subsequence. The common beginning is always
 * in it. The common end is paired at once if no word between is in both texts;
 * otherwise there is a choice, and all is compared with all. */
static void align_texts(struct alike_text *a, struct alike_text *b)
{
	size_t from = 0, end = 0, row;
	uint8_t *most;

	while (from < a->n && from < b->n &&
	       a->words[from].hash == b->words[from].hash) {
		pair_up(a, from, b, from);
		from++;
	}
	while (from + end < a->n && from + end < b->n &&
	       a->words[a->n - end - 1].hash == b->words[b->n - end - 1].hash)
		end++;
	if (share_no_word(a, from, a->n - end, b) &&
	    share_no_word(b, from, b->n - end, a)) {
		for (; end; end--)
			pair_up(a, a->n - end, b, b->n - end);
		return;
	}
	row = b->n - from + 1;
	most = mem_alloc((a->n - from + 1) * row);
	for (size_t i = a->n; i-- > from;) {
		uint8_t *here = most + (i - from) * row;
		const uint8_t *next = here + row;

		for (size_t k = b->n - from; k-- > 0;)
			here[k] = a->words[i].hash == b->words[from + k].hash
					  ? next[k + 1] + 1
				  : next[k] > here[k + 1] ? next[k]
							  : here[k + 1];
	}
	for (size_t i = from, k = from; i < a->n && k < b->n;) {
		const uint8_t *here = most + (i - from) * row + (k - from);

		if (a->words[i].hash == b->words[k].hash)
			pair_up(a, i++, b, k++);
		else if (here[row] >= here[1])
			i++;
		else
			k++;
	}
	free(most);
}

/* Return true if the other text does not have W. */
static bool is_unshared(const struct word *w)
{
	return !w->same && !w->moved;
}

/* Unpair a word if the next one, joined to it as in db1.internal, has no pair, or
 * the other way round; if NUMBERS, only if both are numbers, as in 3.10. Return true
 * if any was unpaired. */
static bool unpair_parts(struct alike_text *a, struct alike_text *b,
			 bool numbers)
{
	bool any = false;

	for (size_t i = 0; i + 1 < a->n; i++) {
		struct word *x = &a->words[i], *y = x + 1;
		struct word *paired = is_unshared(x) ? y : x, *other;

		if (x->from != y->from || is_unshared(x) == is_unshared(y) ||
		    (numbers && !(x->number && y->number)))
			continue;
		other = &b->words[paired->partner];
		paired->same = other->same = false;
		paired->moved = other->moved = false;
		any = true;
	}
	return any;
}

static void unpair_all_parts(struct alike_text *a, struct alike_text *b,
			     bool numbers)
{
	while (unpair_parts(a, b, numbers) || unpair_parts(b, a, numbers))
		;
}

/* Mark the unpaired words that both texts have. */
static void find_moved(struct alike_text *a, struct alike_text *b)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n && !a->words[i].same; k++) {
			if (b->words[k].same || b->words[k].moved ||
			    a->words[i].hash != b->words[k].hash)
				continue;
			a->words[i].moved = b->words[k].moved = true;
			set_partners(a, i, b, k);
			break;
		}
	}
}

static bool is_opposite(const struct word *x, const struct word *y)
{
	static const char *const prefixes[] = {"un",  "in", "dis",
					       "non", "im", "ir"};

	for (size_t i = 0; i < ARRAY_LEN(opposites); i++) {
		const char *one = opposites[i][0], *two = opposites[i][1];

		if ((!strcmp(x->stem, one) && !strcmp(y->stem, two)) ||
		    (!strcmp(x->stem, two) && !strcmp(y->stem, one)))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		const size_t n = strlen(prefixes[i]);

		if ((!strncmp(x->stem, prefixes[i], n) &&
		     !strcmp(x->stem + n, y->stem)) ||
		    (!strncmp(y->stem, prefixes[i], n) &&
		     !strcmp(y->stem + n, x->stem)))
			return true;
	}
	return false;
}

/* Return true if W is a content word that the other text does not have. */
static bool is_content(const struct word *w)
{
	return is_unshared(w) && !(class_of(w) & CLASS_STOP) && !w->opposed &&
	       !(class_of(w) & (CLASS_FILLER | CLASS_NEGATION |
				CLASS_PREPOSITION | CLASS_CHANGE));
}

/* Mark and count the opposites in the place P. */
static void find_opposites(struct difference *d, const struct place *p)
{
	for (size_t i = p->from[0]; i < p->to[0]; i++) {
		struct word *x = &d->texts[0].words[i];

		for (size_t k = p->from[1]; k < p->to[1]; k++) {
			struct word *y = &d->texts[1].words[k];

			if (!is_unshared(x) || !is_unshared(y) || x->opposed ||
			    y->opposed || !is_opposite(x, y))
				continue;
			x->opposed = y->opposed = true;
			d->reversals++;
		}
	}
}

/* Return true if word I of T, a negation, negates a word that both texts have. */
static bool negates_common(const struct alike_text *t, size_t i)
{
	for (size_t k = i + 1; k < t->n && k <= i + 3; k++) {
		const struct word *w = &t->words[k];

		if (class_of(w) & (CLASS_NEGATION | CLASS_TAKES_VALUE) ||
		    w->sentence != t->words[i].sentence)
			continue;
		if (is_content(w))
			return false;
		if (!(class_of(w) & CLASS_STOP) || w->opposed)
			return true;
	}
	return false;
}

static size_t count_content(const struct alike_text *t, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += is_content(&t->words[i]);
	return n;
}

/* Set *P to the next place after it. Return false if there is none. */
static bool next_place(const struct difference *d, struct place *p)
{
	const struct alike_text *a = &d->texts[0], *b = &d->texts[1];
	size_t i = p->to[0], k = p->to[1];

	while (i < a->n && k < b->n && a->words[i].same && b->words[k].same) {
		i++;
		k++;
	}
	*p = (struct place){{i, k}, {i, k}};
	while (p->to[0] < a->n && !a->words[p->to[0]].same)
		p->to[0]++;
	while (p->to[1] < b->n && !b->words[p->to[1]].same)
		p->to[1]++;
	return p->to[0] > i || p->to[1] > k;
}

/* Count in D what differs. */
static void count_differences(struct difference *d)
{
	struct place p = {0};

	while (next_place(d, &p))
		find_opposites(d, &p);
	for (size_t s = 0; s < 2; s++) {
		const struct alike_text *t = &d->texts[s];

		for (size_t i = 0; i < t->n; i++)
			d->reversals +=
				is_unshared(&t->words[i]) &&
				!t->words[i].opposed &&
				class_of(&t->words[i]) & CLASS_NEGATION &&
				negates_common(t, i);
	}
	p = (struct place){0};
	while (next_place(d, &p)) {
		const size_t x = count_content(&d->texts[0], p.from[0],
					       p.to[0]),
			     y = count_content(&d->texts[1], p.from[1],
					       p.to[1]);

		if (x && y) {
			d->both++;
			d->place = p;
		} else if (x || y) {
			d->added += x + y;
			d->added_first |= !d->both && !d->reversals;
		}
	}
}

/* Return true if the later text says, right after something that both have, that it
 * is no longer true: was dropped, moved. */
static bool says_changed(const struct difference *d)
{
	const struct alike_text *t = &d->texts[1];

	for (size_t i = 0; i < t->n; i++) {
		const struct word *w = &t->words[i];

		if (!is_unshared(w) || !(class_of(w) & CLASS_CHANGE))
			continue;
		for (size_t k = i; k-- > 0 && i - k <= 2;) {
			if (!(class_of(&t->words[k]) & CLASS_STOP) &&
			    !is_content(&t->words[k]))
				return t->words[k].sentence == w->sentence;
		}
	}
	return false;
}

/* Return true if each text says in its own words that something was dropped or
 * moved: was removed, is no longer. */
static bool both_say_changed(const struct difference *d)
{
	bool says[2] = {false, false};

	for (size_t s = 0; s < 2; s++) {
		const struct alike_text *t = &d->texts[s];

		for (size_t i = 0; i < t->n; i++)
			says[s] |= is_unshared(&t->words[i]) &&
				   class_of(&t->words[i]) & CLASS_CHANGE;
	}
	return says[0] && says[1];
}

/* Return true if the other text lacks one of the words of T from FROM up to TO that
 * is a number if NUMBER, else a time. */
static bool has_unshared(const struct alike_text *t, size_t from, size_t to,
			 bool number)
{
	for (size_t i = from; i < to; i++) {
		if (is_unshared(&t->words[i]) &&
		    (number ? t->words[i].number
			    : (class_of(&t->words[i]) & CLASS_TIME) != 0))
			return true;
	}
	return false;
}

/* Return true if both texts have a number of their own in the one place where they
 * differ; without NUMBER, a time. */
static bool differs_by(const struct difference *d, bool number)
{
	const struct place *p = &d->place;

	return has_unshared(&d->texts[0], p->from[0], p->to[0], number) &&
	       has_unshared(&d->texts[1], p->from[1], p->to[1], number);
}

/* Return true if at most one sign, and no blank, is between word I of T and the next,
 * as in a date, a time or a path. */
static bool is_joined(const struct alike_text *t, size_t i)
{
	const struct word *w = &t->words[i];

	return i + 1 < t->n && w[1].start <= w->end + 1 &&
	       !strchr(" \t\r\n", t->p[w->end]);
}

/* Return true if the only content word of T from FROM up to TO is a letter. */
static bool is_lettered(const struct alike_text *t, size_t from, size_t to)
{
	bool lettered = false;

	for (size_t i = from; i < to; i++) {
		if (is_content(&t->words[i]) && !t->words[i].letter)
			return false;
		lettered |= t->words[i].letter;
	}
	return lettered;
}

/* Return true if word I of T is a directory of a path that continues after it. */
static bool is_directory(const struct alike_text *t, size_t i)
{
	return is_joined(t, i) && t->p[t->words[i].end] == '/';
}

/* Return the word of the earlier text before the place. Articles, directories of a
 * path and, if the place is a letter, the words that it names (in room A) are
 * skipped. Return NULL if the place begins a sentence. */
static const struct word *word_before(const struct difference *d)
{
	const struct alike_text *t = &d->texts[0];
	const struct place *p = &d->place;
	size_t i = p->from[0], skip = 0;
	const size_t sentence = t->words[i].sentence;

	if (is_lettered(t, i, p->to[0]) &&
	    is_lettered(&d->texts[1], p->from[1], p->to[1]))
		skip = LETTERED_MAX;
	while (i-- > 0 && t->words[i].sentence == sentence) {
		const unsigned class = class_of(&t->words[i]);

		if (class & CLASS_TAKES_VALUE)
			return &t->words[i];
		if (class & CLASS_STOP || is_directory(t, i))
			continue;
		if (!skip)
			return &t->words[i];
		skip--;
	}
	return NULL;
}

/* Return true if SLOT, the word before the place, is followed by where something
 * is true, and not by a value: it may be true in both places. */
static bool is_where(const struct difference *d, const struct word *slot)
{
	const struct alike_text *t = &d->texts[0];
	const struct place *p = &d->place;
	bool used = false, valued = false, code = true, first = true;

	if (!(class_of(slot) & CLASS_WHERE))
		return false;
	for (const struct word *w = t->words; w < slot; w++) {
		if (w->sentence != slot->sentence)
			continue;
		used |= class_of(w) & CLASS_USE ||
			(first && class_of(w) & CLASS_ORDER);
		valued |= w->number || class_of(w) & CLASS_CHOICE;
		first = false;
	}
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = p->from[s]; i < p->to[s]; i++) {
			const struct word *w = &d->texts[s].words[i];

			code &= !is_content(w) || class_of(w) & CLASS_CODE;
		}
	}
	return used || (valued && code);
}

/* Return the word after the place in its sentence, or NULL. */
static const struct word *word_after(const struct difference *d)
{
	const struct alike_text *t = &d->texts[0];
	const size_t i = d->place.to[0];

	return i < t->n && t->words[i].sentence == t->words[i - 1].sentence
		       ? &t->words[i]
		       : NULL;
}

/* Return true if a negation that both texts have is before the place in its
 * sentence: several things may be untrue. */
static bool is_denied(const struct difference *d)
{
	const struct word *words = d->texts[0].words;
	const size_t at = d->place.from[0];

	for (size_t i = 0; i < at; i++) {
		if (class_of(&words[i]) & CLASS_NEGATION &&
		    words[i].sentence == words[at].sentence)
			return true;
	}
	return false;
}

/* Return true if the words of T from FROM up to TO are a name or path, and not a
 * property. A thing may have several properties: red, fast, made of tin. */
static bool is_name(const struct alike_text *t, size_t from, size_t to)
{
	bool named = false;

	for (size_t i = from; i < to; i++) {
		const struct word *w = &t->words[i];

		if (class_of(w) & CLASS_PREPOSITION)
			return false;
		for (size_t k = w->start ? w->start - 1U : 0; k < w->end; k++)
			named |= (t->p[k] && strchr("/.~_`\"", t->p[k])) ||
				 ascii_is_digit(t->p[k]) ||
				 ascii_is_upper(t->p[k]);
	}
	return named;
}

/* Return true if each text has, in the one place, another value of one thing. */
static bool differs_by_value(const struct difference *d)
{
	const struct word *slot = word_before(d), *tail = word_after(d);
	const struct place *p = &d->place;

	if (!slot || is_denied(d) || is_where(d, slot))
		return false;
	for (size_t s = 0; s < 2; s++) {
		const struct word *words = d->texts[s].words;

		if (count_content(&d->texts[s], p->from[s], p->to[s]) >
		    VALUE_MAX)
			return false;
		/* What was done to a thing is no value. */
		for (size_t i = p->from[s]; i < p->to[s]; i++) {
			const size_t n = strlen(words[i].text);

			if (!(class_of(slot) & CLASS_PREPOSITION) && n > 3 &&
			    !strcmp(words[i].text + n - 2, "ed"))
				return false;
		}
	}
	if (tail && !(class_of(tail) & CLASS_PREPOSITION))
		return false;
	if (class_of(slot) & CLASS_BE && !tail &&
	    (!is_name(&d->texts[0], p->from[0], p->to[0]) ||
	     !is_name(&d->texts[1], p->from[1], p->to[1])))
		return false;
	return class_of(slot) & CLASS_TAKES_VALUE ||
	       (class_of(slot) & CLASS_CHOICE && tail);
}

/* Return true if the words of T from FROM up to TO have two numbers next to each
 * other that count two things: in 2024 12 people. A day with its month, as in 12 May,
 * is one. */
static bool has_several_numbers(const struct alike_text *t, size_t from,
				size_t to)
{
	size_t n = 0;
	bool unjoined = false, counted = false;

	for (size_t i = from ? from - 1 : 0; i < to; i++) {
		const struct word *w = &t->words[i];
		const bool begins = !i || !is_joined(t, i - 1);

		if (class_of(w) & CLASS_TIME)
			return false;
		counted &= !begins;
		if (i < from || !w->number || !is_unshared(w))
			continue;
		n += !counted;
		counted = true;
		unjoined |= begins && !is_joined(t, i);
	}
	return n > 1 && unjoined;
}

/* Return true if the words of T from FROM up to TO begin with a name that the other
 * text lacks, and a number follows it: libssh2 1.9.0. */
static bool has_named_number(const struct alike_text *t, size_t from, size_t to)
{
	while (from < to && !is_content(&t->words[from]))
		from++;
	return from + 1 < to && !t->words[from].number &&
	       !(class_of(&t->words[from]) & CLASS_TIME) &&
	       t->words[from + 1].number;
}

/* Return true if each text has, in the one place, another number or time of one
 * thing. */
static bool differs_by_number(const struct difference *d)
{
	const struct word *label = word_before(d);
	const struct place *p = &d->place;

	if (label && class_of(label) & CLASS_LABEL && word_after(d))
		return false;
	if (has_several_numbers(&d->texts[0], p->from[0], p->to[0]) &&
	    has_several_numbers(&d->texts[1], p->from[1], p->to[1]))
		return false;
	if (has_named_number(&d->texts[0], p->from[0], p->to[0]) &&
	    has_named_number(&d->texts[1], p->from[1], p->to[1]))
		return false;
	return differs_by(d, true) || differs_by(d, false);
}

/* Return true if the words of T from FROM up to TO have a heading, as "checkout:
 * returns stale rows" has. */
static bool has_heading(const struct alike_text *t, size_t from, size_t to)
{
	for (size_t i = from; i + 1 < to; i++) {
		const char *p = t->p + t->words[i].end;
		const size_t len = t->words[i + 1].start - t->words[i].end;
		const char *colon = len < WORD_MAX ? memchr(p, ':', len) : NULL;

		if (colon && colon + 1 < p + len && strchr(" \r\n", colon[1]))
			return true;
	}
	return false;
}

/* Return true if the words of T from FROM up to TO are the number of a heading, as
 * in "Note 12: the webhook is retried". */
static bool ends_heading(const struct alike_text *t, size_t from, size_t to)
{
	const char *p;

	if (from == to || !from || to > NUMBERED_HEADING_MAX || to == t->n)
		return false;
	for (size_t i = 0; i < to; i++) {
		if (class_of(&t->words[i]) & CLASS_BE ||
		    (i >= from && !t->words[i].number))
			return false;
	}
	p = t->p + t->words[to - 1].end;
	return p[0] == ':' && strchr(" \r\n", p[1]);
}

/* Return true if the words of T from FROM up to TO are more than one name or path. */
static bool has_several_names(const struct alike_text *t, size_t from,
			      size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += is_content(&t->words[i]) &&
		     !(i > from && is_joined(t, i - 1));
	return n > 1;
}

/* Return true if the texts have different subjects. The one place where they differ
 * is then
 *
 *	the number of a heading; or
 *	a heading with its text, in both; or
 *	several names between a preposition near the start of the sentence and a
 *	condition, as in "jobs in the worker hang when".
 */
static bool differs_by_subject(const struct difference *d)
{
	const struct alike_text *t = &d->texts[0];
	const struct place *p = &d->place;
	const struct word *slot = word_before(d), *tail = word_after(d);
	size_t n = 0;

	if (ends_heading(t, p->from[0], p->to[0]) &&
	    ends_heading(&d->texts[1], p->from[1], p->to[1]))
		return true;
	if (has_heading(t, p->from[0], p->to[0]) &&
	    has_heading(&d->texts[1], p->from[1], p->to[1]))
		return true;
	if (!slot || !tail || !(class_of(slot) & CLASS_PREPOSITION) ||
	    !(class_of(tail) & CLASS_WHEN))
		return false;
	for (const struct word *w = t->words; w < slot; w++)
		n += w->sentence == slot->sentence &&
		     (class_of(w) & CLASS_BE || !(class_of(w) & CLASS_STOP));
	return n <= 1 && has_several_names(t, p->from[0], p->to[0]) &&
	       has_several_names(&d->texts[1], p->from[1], p->to[1]);
}

static bool contradicts(const struct difference *d)
{
	if (d->added > ADDED_MAX)
		return false;
	if (!d->both)
		return !both_say_changed(d) &&
		       ((d->reversals % 2 && !d->added_first) ||
			says_changed(d));
	return d->both == 1 && !d->reversals && !d->added_first &&
	       !differs_by_subject(d) &&
	       (differs_by_number(d) || differs_by_value(d));
}

/* Count T by the first letter of its stem. A number has none, since it may be
 * written as a word. */
static int count_word(void *ctx, const struct term *t)
{
	struct alike_text *text = ctx;
	char word[WORD_MAX] = {0};
	size_t len = t->word_len < WORD_MAX ? t->word_len : WORD_MAX - 1, n;
	char first;

	if (t->colocated)
		return 0;
	if (text->n++ == WORDS_MAX) {
		text->cut = true;
		return 1;
	}
	memcpy(word, t->word, len);
	/* No other letter may be a capital: see terms.h. */
	if (ascii_is_upper(*word))
		*word |= 0x20;
	n = len;
	first = *find_digits(word, &n) ? '0' : stem_first(word, len);
	text->firsts[ascii_is_lower(first) ? first - 'a' : FIRSTS - 1]++;
	return 0;
}

struct alike_text *alike_text_read(struct terms *t, const char *p, size_t len,
				   struct arena *a)
{
	static const bool none[256];
	struct alike_text *text = arena_alloc(a, sizeof(*text));
	const bool *first = t->first;
	const bool as_is = t->as_is;

	text->p = p;
	text->len = len;
	text->terms = t;
	text->a = a;
	text->cut = len > ALIKE_TEXT_MAX;
	if (text->cut)
		return text;
	t->first = none;
	t->as_is = true;
	terms_each(t, p, len, count_word, text);
	t->first = first;
	t->as_is = as_is;
	return text;
}

/* Read the words of T, which is not cut. */
static void read_words(struct alike_text *t)
{
	const size_t most = t->len < WORDS_MAX ? t->len : WORDS_MAX;

	if (t->words)
		return;
	t->words = arena_alloc(t->a, (most + 1) * sizeof(*t->words));
	t->n = 0;
	terms_each(t->terms, t->p, t->len, add_word, t);
}

/* Remove the marks of an earlier comparison from T. */
static void clear_marks(struct alike_text *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->words[i].same = t->words[i].moved = t->words[i].opposed =
			false;
}

/* Return the sum of the differences of N counts: at most the number of words that
 * only one of two texts has, or has more often. */
static size_t count_unshared(const uint8_t *a, const uint8_t *b, size_t n)
{
	int sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += abs(a[i] - b[i]);
	return (size_t)sum;
}

/* Return the words of T for alike_compare(). They are made on first use. */
static const struct alike *get_alike(struct alike_text *t)
{
	struct alike *w = &t->alike;

	if (w->items)
		return w;
	w->items = arena_alloc(t->a, (t->n + 1) * sizeof(*w->items));
	for (w->n = 0; w->n < t->n; w->n++)
		w->items[w->n] = t->words[w->n].stem_hash;
	alike_sort(w);
	return w;
}

bool alike_text_is_near(struct alike_text *later, struct alike_text *earlier)
{
	if (later->cut || earlier->cut ||
	    count_unshared(later->firsts, earlier->firsts, FIRSTS) >
		    UNSHARED_MAX)
		return false;
	read_words(later);
	read_words(earlier);
	return !later->cut && !earlier->cut &&
	       count_unshared(later->tally, earlier->tally,
			      ARRAY_LEN(later->tally)) <= UNSHARED_MAX &&
	       alike_compare(get_alike(later), get_alike(earlier)) >=
		       ALIKE_LEAST;
}

bool alike_text_contradicts(struct alike_text *later,
			    struct alike_text *earlier)
{
	struct difference d;

	if (!alike_text_is_near(later, earlier))
		return false;
	d = (struct difference){.texts = {*earlier, *later}};
	clear_marks(earlier);
	clear_marks(later);
	align_texts(earlier, later);
	unpair_all_parts(earlier, later, false);
	find_moved(earlier, later);
	/* A word may have moved out of a name, but no number out of a version. */
	unpair_all_parts(earlier, later, true);
	count_differences(&d);
	return contradicts(&d);
}
