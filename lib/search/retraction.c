/* retraction.c: the words come first, since they take microseconds and a text takes
 * the encoder milliseconds.
 *
 * Known limits: the words that report a change are English. A change that is only
 * stated (the default is 5) is not seen, nor one of a thing that has another name.
 */
#include "search/retraction.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "rank/terms.h"

#define WORDS_MAX 64  /* of a text; a longer one is not compared */
#define CLAIMS_MAX 8  /* of a text */
#define ENCODED_MAX 8 /* earlier texts that are encoded, the most alike ones */
#define COSINE_LEAST .55f

enum class {
	CLASS_GONE = 1,	      /* done to a thing that ceased to be */
	CLASS_REPLACED = 2,   /* likewise, with a new value after it */
	CLASS_ENDED = 4,      /* done by it */
	CLASS_RAISED = 8,     /* a number follows */
	CLASS_MOVED = 16,     /* a value follows */
	CLASS_LONGER = 32,    /* after a negation: it was true before */
	CLASS_INSTEAD = 64,   /* after one more word, the old value follows */
	CLASS_NOT = 128,      /* a negation */
	CLASS_IS = 256,	      /* what happens often, or may happen, follows */
	CLASS_WAS = 512,      /* what happened follows */
	CLASS_FROM = 1024,    /* the old value or place follows */
	CLASS_TO = 2048,      /* the new value follows */
	CLASS_IN = 4096,      /* where or when it is true follows */
	CLASS_LIMIT = 8192,   /* what only is meant follows */
	CLASS_LIES = 16384,   /* before CLASS_IN: where a thing is follows */
	CLASS_THE = 32768,    /* a noun follows, with what was done to it */
	CLASS_CLAUSE = 65536, /* begins a clause */
	CLASS_IF = 1 << 17,   /* its clause may be untrue, or was not meant */
	CLASS_KIND = 1 << 18, /* is often left out when a thing is named */
	CLASS_STOP = 1 << 19, /* see words.h */
	CLASS_NUMBER = 1 << 20,
	CLASS_CHANGE = CLASS_GONE | CLASS_REPLACED | CLASS_ENDED |
		       CLASS_RAISED | CLASS_MOVED | CLASS_LONGER |
		       CLASS_INSTEAD,
	CLASS_EMPTY = CLASS_KIND | CLASS_STOP | CLASS_NUMBER | CLASS_CHANGE,
};

static const struct words_class classes[] = {
	{CLASS_GONE, " removed dropped deleted renamed retired discontinued "
		     "abandoned scrapped "},
	{CLASS_REPLACED, " replaced superseded "},
	{CLASS_ENDED, " gone ended obsolete "},
	{CLASS_RAISED, " raised lowered increased decreased reduced bumped "},
	{CLASS_MOVED, " moved switched migrated changed "},
	{CLASS_LONGER, " longer anymore more now "},
	{CLASS_INSTEAD, " instead rather "},
	{CLASS_NOT, " no not never isnt arent wasnt werent doesnt dont cant "
		    "cannot wont without "},
	{CLASS_IS | CLASS_LIES, " is are "},
	{CLASS_IS,
	 " be being get gets will would should must may might could "},
	{CLASS_WAS, " was were been got "},
	{CLASS_FROM | CLASS_LIMIT, " from "},
	{CLASS_TO, " to with by "},
	{CLASS_IN | CLASS_LIMIT, " on for "},
	{CLASS_IN, " in under below inside "},
	{CLASS_LIES, " lives live lies lie kept stored hosted located runs "},
	{CLASS_THE, " the a an of all any each every our its their your my "
		    "these those some "},
	{CLASS_CLAUSE | CLASS_IF, " if when unless until once before "},
	{CLASS_IF, " mistake accident accidentally "},
	{CLASS_CLAUSE, " and but so because since while as which that where "
		       "although though after "},
	{CLASS_KIND,
	 " support option command flag function method setting "
	 "parameter package file directory folder branch module "
	 "service server script tool library dependency endpoint "
	 "table column field version default exists exist needed "
	 "use uses used works available new old hours days seconds "},
};

struct word {
	uint32_t hash; /* of its stem */
	unsigned class;
	size_t clause;
};

/* A change that the later text reports. It takes back an earlier text that has `given`
 * and all full words from `from` up to `to`, and lacks `value`. A word is full unless it
 * is of CLASS_EMPTY. */
struct claim {
	size_t from, to;
	size_t given, value; /* WORDS_MAX: none */
	bool number;	     /* the earlier text has a number */
	bool place;	     /* the earlier text says where something is */
};

struct reading {
	struct word words[WORDS_MAX];
	size_t n;
	bool places;	  /* it says where something is */
	unsigned classes; /* of all words */
	struct claim claims[CLAIMS_MAX];
	size_t nclaims;
	const char *p;
	size_t end; /* of the last word */
};

static unsigned look_up(const char *word, size_t len)
{
	return words_classes(classes, ARRAY_LEN(classes), word, len) |
	       (words_is_stop(word, len) ? CLASS_STOP : 0) |
	       (ascii_is_digit(*word) ? CLASS_NUMBER : 0);
}

/* Return true if a clause ends in the LEN bytes of P, which are between two words. */
static bool ends_clause(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr(";()\n", p[i]) ||
		    (strchr(".,:!?-", p[i]) && i + 1 < len &&
		     strchr(" \n", p[i + 1])))
			return true;
	}
	return false;
}

static int read_word(void *ctx, const struct term *t)
{
	struct reading *r = ctx;
	struct word *w = &r->words[r->n];

	if (t->colocated)
		return 0;
	if (r->n == WORDS_MAX)
		return 1;
	w->hash = (uint32_t)hash_bytes(t->p, t->len, 0);
	w->class = look_up(t->word, t->word_len);
	w->clause = 0;
	if (r->n)
		w->clause = w[-1].clause +
			    (w->class & CLASS_CLAUSE ||
			     (r->end < t->start &&
			      ends_clause(r->p + r->end, t->start - r->end)));
	if (r->n > 1)
		r->places |= w[-2].class & CLASS_LIES &&
			     w[-1].class & CLASS_IN &&
			     !(w->class & CLASS_NUMBER);
	r->end = t->end;
	r->classes |= w->class;
	r->n++;
	return 0;
}

/* Return the first word from FROM up to TO that has one of the CLASSES, or TO. */
static size_t find_class(const struct reading *r, size_t from, size_t to,
			 unsigned class)
{
	while (from < to && !(r->words[from].class & class))
		from++;
	return from;
}

/* Return the first full word from FROM up to TO, or WORDS_MAX. */
static size_t find_full(const struct reading *r, size_t from, size_t to)
{
	while (from < to && r->words[from].class & CLASS_EMPTY)
		from++;
	return from < to ? from : WORDS_MAX;
}

/* Set C to the claim that `instead of` or `rather than` makes at AT. The new value is
 * before it. */
static bool claim_instead(const struct reading *r, size_t at, struct claim *c)
{
	size_t value = at;

	while (value > c->from && r->words[value - 1].class & CLASS_EMPTY)
		value--;
	c->value = value > c->from ? value - 1 : WORDS_MAX;
	c->given = at + 2;
	c->from = c->to = at;
	return true;
}

/* Set C to the claim about what was done to a thing at AT. The thing is before that
 * word, or after it if the clause says who did it. Return false if it makes none. */
static bool claim_done(const struct reading *r, size_t at, struct claim *c)
{
	const unsigned class = r->words[at].class;
	const size_t end = c->to;
	const size_t next =
		find_class(r, at + 1, end, CLASS_FROM | CLASS_TO | CLASS_IN);
	const size_t to = find_class(r, next, end, CLASS_TO);
	const bool passive = find_class(r, c->from, at, CLASS_WAS) < at ||
			     find_full(r, at + 1, next) == WORDS_MAX;

	if (!passive && at > c->from && r->words[at - 1].class & CLASS_THE)
		return false;
	c->value = find_full(r, to, end);
	if (class & CLASS_RAISED) {
		c->value = find_class(r, to, end, CLASS_NUMBER);
		c->value = c->value < end ? c->value : WORDS_MAX;
		c->number = true;
	} else if (class & CLASS_MOVED) {
		c->given =
			find_full(r, find_class(r, next, end, CLASS_FROM), end);
		c->place = c->given == WORDS_MAX;
	}
	if (class & (CLASS_RAISED | CLASS_MOVED | CLASS_REPLACED) &&
	    c->value == WORDS_MAX)
		return false;
	if (!passive)
		c->from = at + 1;
	if (!(class & CLASS_GONE && next < end &&
	      r->words[next].class & CLASS_LIMIT))
		c->to = passive ? at : next;
	return true;
}

/* Set C, which has a whole clause, to what word AT says there. Return false if it says
 * nothing, or not that it happened. */
static bool make_claim(const struct reading *r, size_t at, struct claim *c)
{
	const unsigned class = r->words[at].class;
	const bool denied = find_class(r, c->from, at, CLASS_NOT) < at;

	if (find_class(r, c->from, c->to, CLASS_IF) < c->to)
		return false;
	if (class & CLASS_LONGER)
		return denied;
	if (class & CLASS_INSTEAD)
		return at + 2 < c->to && claim_instead(r, at, c);
	if (denied)
		return false;
	if (class & CLASS_ENDED) {
		if (at + 1 < c->to && r->words[at + 1].class & CLASS_TO)
			return false;
		if (find_class(r, at, c->to, CLASS_LIMIT) == c->to)
			c->to = at;
		return true;
	}
	return find_class(r, c->from, at, CLASS_IS) == at &&
	       claim_done(r, at, c);
}

/* Read TEXT. Return false if it is too long. */
static bool read_text(struct reading *r, struct terms *t,
		      const struct embed_text *text)
{
	*r = (struct reading){.p = text->p};
	if (text->len > RETRACTION_TEXT_MAX ||
	    terms_each(t, text->p, text->len, read_word, r))
		return false;
	for (size_t i = 0; i < r->n && r->nclaims < CLAIMS_MAX; i++) {
		struct claim c = {i, i, WORDS_MAX, WORDS_MAX, false, false};

		if (!(r->words[i].class & CLASS_CHANGE))
			continue;
		while (c.from &&
		       r->words[c.from - 1].clause == r->words[i].clause)
			c.from--;
		while (c.to < r->n &&
		       r->words[c.to].clause == r->words[i].clause)
			c.to++;
		if (make_claim(r, i, &c))
			r->claims[r->nclaims++] = c;
	}
	return true;
}

static bool has_word(const struct alike *words, uint32_t hash)
{
	size_t low = 0, high = words->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (words->items[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low < words->n && words->items[low] == hash;
}

/* Return true if the claim C of R may be about an earlier text that has WORDS: `given`
 * says too little without another word of its clause. */
static bool fits_words(const struct reading *r, const struct claim *c,
		       const struct alike *words)
{
	const struct word *w = r->words;
	bool any = false;

	if ((c->given < WORDS_MAX && !has_word(words, w[c->given].hash)) ||
	    (c->value < WORDS_MAX && has_word(words, w[c->value].hash)))
		return false;
	for (size_t i = 0; i < r->n; i++) {
		const bool needed = c->from <= i && i < c->to;

		if (w[i].class & CLASS_EMPTY || i == c->given ||
		    !(needed || (c->given < WORDS_MAX &&
				 w[i].clause == w[c->given].clause)))
			continue;
		if (has_word(words, w[i].hash))
			any = true;
		else if (needed)
			return false;
	}
	return any;
}

/* Return true if a claim of LATER may be about TEXT. */
static bool is_claimed(struct terms *t, const struct reading *later,
		       const struct retraction_text *text)
{
	struct reading earlier;
	size_t i = 0;

	while (i < later->nclaims &&
	       !fits_words(later, &later->claims[i], text->words))
		i++;
	if (i == later->nclaims || !read_text(&earlier, t, &text->text) ||
	    earlier.nclaims || earlier.classes & CLASS_NOT ||
	    !embed_reads(text->text.p, text->text.len))
		return false;
	for (; i < later->nclaims; i++) {
		const struct claim *c = &later->claims[i];

		if (fits_words(later, c, text->words) &&
		    (!c->number || earlier.classes & CLASS_NUMBER) &&
		    (!c->place || earlier.places))
			return true;
	}
	return false;
}

/* Insert TEXT into the N of BEST, the most alike first. Return their number. */
static size_t keep_best(struct retraction_text **best, size_t n,
			struct retraction_text *text)
{
	size_t at = n;

	for (; at && best[at - 1]->percent < text->percent; at--) {
		if (at < ENCODED_MAX)
			best[at] = best[at - 1];
	}
	if (at < ENCODED_MAX)
		best[at] = text;
	return n + (n < ENCODED_MAX);
}

/* Set `found` in those of the N TEXTS whose meaning is close to LATER. */
static void compare(struct embed *m, const struct embed_text *later,
		    struct retraction_text **texts, size_t n)
{
	struct embed_text all[ENCODED_MAX + 1] = {*later};
	struct buf vectors = {0};
	size_t dimension;
	struct err e; /* not reported: nothing is found */

	for (size_t i = 0; i < n; i++)
		all[i + 1] = texts[i]->text;
	if (embed_texts(m, EMBED_DOCUMENT, all, n + 1, &vectors, &dimension,
			&e) == 0) {
		const float *x = (const float *)(const void *)vectors.p;

		for (size_t i = 0; i < n; i++) {
			const float *y = x + (i + 1) * dimension;
			float cosine = 0;

			for (size_t k = 0; k < dimension; k++)
				cosine += x[k] * y[k];
			texts[i]->found = cosine >= COSINE_LEAST;
		}
	}
	buf_release(&vectors);
}

void retraction_find(struct terms *t, const struct embed_text *later,
		     struct retraction_text *texts, size_t n)
{
	struct retraction_text *best[ENCODED_MAX];
	struct embed *m = NULL;
	struct arena a = {0};
	const struct settings *s;
	struct reading r;
	size_t nbest = 0;
	struct err e;

	if (!read_text(&r, t, later) || !r.nclaims ||
	    !embed_reads(later->p, later->len))
		return;
	for (size_t i = 0; i < n; i++) {
		if (texts[i].words && is_claimed(t, &r, &texts[i]))
			nbest = keep_best(best, nbest, &texts[i]);
	}
	if (nbest) {
		settings_user(&s, &a, NULL, &e);
		if (embed_open(s, NULL, &m, &e) == 1 && embed_is_sentences(m))
			compare(m, later, best, nbest);
		embed_close(m);
		arena_release(&a);
	}
}
