/* usage.c: the wording of a memory is a list of features: each of its words, and each two
 * adjacent ones, without stop words and words of any task. A table finds the feature of
 * each word that is said, and only who says it first counts. Two adjacent words count if
 * the agent was the first to say each of them, too.
 *
 * Known limit: a memory that is used in other words is not found.
 */
#include "overview/usage.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/table.h"
#include "rank/terms.h"

/* A memory counts as used if the agent is the first to say features of this
 * total worth. */
#define ENOUGH 1.2F
#define WORTH_WORD 0.25F
#define WORTH_PAIR 0.5F
#define WORTH_NUMBER 0.75F
#define WORTH_LONG_NUMBER ENOUGH /* from four digits on, as of a port */
#define WORTH_NAME 0.75F	 /* a word with a joint, or with a digit */

/* Something that a memory says, and who said it first in the conversation. */
struct feature {
	uint64_t key;
	float worth;
	size_t memory;	 /* the last that has it, from 1 */
	size_t words[2]; /* features: of a pair, its words; else itself */
	bool said, by_agent;
	struct instant at;
};

/* A memory: its features are those of `uses` from FIRST on. */
struct memory {
	size_t first, n;
};

struct usage {
	struct feature *features;
	size_t nfeatures, features_cap;
	struct table table; /* of features, by key */
	size_t *uses;	    /* features of memories */
	size_t nuses, uses_cap;
	struct memory *memories;
	size_t nmemories, memories_cap;
	struct instant last; /* when the agent said the last */
	bool any;	     /* it said anything */
	struct terms terms;
};

/* One text as it is read. */
struct reading {
	struct usage *u;
	const char *text;
	uint64_t before; /* key of the word before; 0: none */
	size_t end;	 /* where it ended */
	/* Of a turn. */
	bool is_turn, by_agent;
	struct instant at;
};

struct usage *usage_new(void)
{
	return mem_alloc(sizeof(struct usage));
}

void usage_free(struct usage *u)
{
	free(u->features);
	table_release(&u->table);
	free(u->uses);
	free(u->memories);
	terms_release(&u->terms);
	free(u);
}

/* Return the feature with KEY, or NULL. */
static struct feature *find_feature(const struct usage *u, uint64_t key)
{
	struct table_look k = table_look(&u->table, NULL, 0, key);
	size_t i;

	while (table_next(&k, &i)) {
		if (u->features[i].key == key)
			return &u->features[i];
	}
	return NULL;
}

/* Return the index of the feature with KEY, which is known. */
static size_t index_of(const struct usage *u, uint64_t key)
{
	return (size_t)(find_feature(u, key) - u->features);
}

/* Add the feature KEY to the current memory. ONE and OTHER are the keys of its
 * words. */
static void add_feature(struct usage *u, uint64_t key, float worth,
			uint64_t one, uint64_t other)
{
	struct memory *m = &u->memories[u->nmemories - 1];
	const struct feature *f = find_feature(u, key);
	size_t at = f ? (size_t)(f - u->features) : u->nfeatures;

	if (!f) {
		*MEM_ADD(u->features, u->nfeatures, u->features_cap) =
			(struct feature){.key = key, .worth = worth};
		table_put(&u->table, NULL, 0, key, at);
		u->features[at].words[0] = index_of(u, one);
		u->features[at].words[1] = index_of(u, other);
	}
	if (u->features[at].memory == u->nmemories)
		return;
	u->features[at].memory = u->nmemories;
	*MEM_ADD(u->uses, u->nuses, u->uses_cap) = at;
	m->n++;
}

/* Record that the turn says the feature KEY. */
static void mark_said(const struct reading *r, uint64_t key)
{
	struct feature *f = find_feature(r->u, key);

	if (!f || f->said)
		return;
	f->said = true;
	f->by_agent = r->by_agent;
	f->at = r->at;
}

/* Add the feature KEY to the memory, or record that the turn says it. ONE and
 * OTHER are the keys of its words. */
static void add_or_mark(const struct reading *r, uint64_t key, float worth,
			uint64_t one, uint64_t other)
{
	if (r->is_turn)
		mark_said(r, key);
	else
		add_feature(r->u, key, worth, one, other);
}

/* Return what T is worth as evidence; 0 if nothing. */
static float worth_of(const struct term *t)
{
	size_t digits = 0;

	for (size_t i = 0; i < t->word_len; i++)
		digits += ascii_is_digit(t->word[i]);
	if (words_is_stop(t->word, t->word_len) ||
	    words_is_talk(t->p, t->len) ||
	    (digits == t->word_len && digits < 3))
		return 0;
	if (digits == t->word_len)
		return digits > 3 ? WORTH_LONG_NUMBER : WORTH_NUMBER;
	return digits || t->whole ? WORTH_NAME : WORTH_WORD;
}

/* Return true if a sentence ends between the bytes FROM and TO of TEXT. */
static bool ends_sentence(const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (strchr(".!?;\n", text[i]) && text[i])
			return true;
	}
	return false;
}

static int read_term(void *ctx, const struct term *t)
{
	struct reading *r = ctx;
	const uint64_t key = hash_bytes(t->p, t->len, 1);
	const float worth = worth_of(t);

	if (!(worth > 0))
		return 0;
	add_or_mark(r, key, worth, key, key);
	if (t->colocated)
		return 0;
	if (r->before && !ends_sentence(r->text, r->end, t->start))
		add_or_mark(r, r->before * 31 + key, WORTH_PAIR, r->before,
			    key);
	r->before = key;
	r->end = t->end;
	return 0;
}

size_t usage_add_memory(struct usage *u, const char *text, size_t len)
{
	struct reading r = {.u = u, .text = text};

	*MEM_ADD(u->memories, u->nmemories, u->memories_cap) =
		(struct memory){.first = u->nuses};
	terms_each(&u->terms, text, len, read_term, &r);
	return u->nmemories - 1;
}

void usage_add_turn(struct usage *u, bool agent, struct instant at,
		    const char *text, size_t len)
{
	struct reading r = {.u = u,
			    .text = text,
			    .is_turn = true,
			    .by_agent = agent,
			    .at = at};

	if (agent) {
		u->any = true;
		u->last = at;
	}
	terms_each(&u->terms, text, len, read_term, &r);
}

/* Return true if the agent was the first to say F, and not before GIVEN. */
static bool is_said(const struct feature *f, struct instant given)
{
	return f->said && f->by_agent && instant_cmp(f->at, given) >= 0;
}

enum usage_guess usage_of(const struct usage *u, size_t memory,
			  struct instant given)
{
	const struct memory *m = &u->memories[memory];
	float sum = 0;

	if (!u->any || instant_cmp(u->last, given) < 0)
		return USAGE_UNKNOWN;
	for (size_t i = 0; i < m->n; i++) {
		const struct feature *f = &u->features[u->uses[m->first + i]];

		if (is_said(f, given) &&
		    is_said(&u->features[f->words[0]], given) &&
		    is_said(&u->features[f->words[1]], given))
			sum += f->worth;
	}
	return sum >= ENOUGH ? USAGE_USED : USAGE_UNUSED;
}
