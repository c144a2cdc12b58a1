/* query.h: what a person or an agent types, as what is asked.
 *
 *   words           any of them; the more and the rarer, the better
 *   "two words"     this must stand there, one after the other; in a sentence
 *                   (stop words or three others stand around it, or it ends
 *                   with a question mark) a title is quoted: words
 *   not:word        this must not; also not:"two words"
 *   tag:x source:x  only what has it, compared whole and caseless; quotes may
 *                   hold blanks: tag:"event loop"
 *   not:tag:x not:source:x  only what has it not
 *   since:2026-01 until:yesterday since:2 weeks ago   only what was created
 *                   then; dates are as base/date.h has them
 *
 * Quotes that do not close are none, and so is a not: with nothing behind its
 * colon.  Any other filter without its value, or with a date that is none, is a
 * fault, and a word to those whom faults do not concern.  Of long text, the first
 * QUERY_BYTES_MAX bytes and QUERY_TERMS_MAX distinct terms count.
 * Phrases, too, are compared by terms: "red shoe" finds red shoes.
 */
#ifndef CO_RANK_QUERY_H
#define CO_RANK_QUERY_H

#include "base/arena.h"
#include "rank/terms.h"
#include "rank/time-phrases.h"

#define QUERY_BYTES_MAX ((size_t)64 * 1024)
#define QUERY_TERMS_MAX 256
#define QUERY_PHRASE_MAX 64 /* terms; what is more is not looked at */
#define QUERY_LIST_MAX 64   /* phrases, tags, ...; what is more is words */

struct query_term {
	const char *p; /* as terms_each() gives it; NUL-terminated */
	size_t len;
	const char *word; /* not stemmed */
	size_t word_len;
	size_t times; /* that the question says it */
	size_t of;    /* the word of the question that it belongs to, from 0 */
	bool when;    /* it says when, from today on: see rank/time-phrases.h */
	bool whole; /* it stands for that word, as all others of it together */
};

/* Terms that stand one behind the other. */
struct query_phrase {
	struct query_term *terms;
	size_t n; /* at least 1 */
};

struct query {
	struct query_term *terms; /* distinct, those of phrases too */
	size_t nterms;
	size_t nwords; /* that the terms belong to */
	struct query_phrase *phrases;
	size_t nphrases;
	struct query_phrase *nots; /* often of one term */
	size_t nnots;
	const char **tags; /* all must be there; folded */
	size_t ntags;
	const char **sources; /* one must be it; folded */
	size_t nsources;
	const char **not_tags; /* none may be there */
	size_t nnot_tags;
	const char **not_sources;
	size_t nnot_sources;
	struct time_phrase times[TIME_PHRASES_MAX]; /* a wish, and no filter */
	size_t ntimes;
	bool has_since, has_until;
	struct instant since, until; /* both inclusive */
	const char *fault;	     /* a sentence, or NULL */
};

/* Fill Q from LEN bytes of P; all of it lives in A.  Cannot fail. */
void query_parse(struct query *q, const char *p, size_t len, struct arena *a);

/* True if Q has operators that choose by tag, source or date. */
bool query_narrows(const struct query *q);

/* True if what has these TAGS, this SOURCE (NULL: none) and was created AT is
 * among what Q asks for, its words aside. */
bool query_admits(const struct query *q, const char *const *tags, size_t ntags,
		  const char *source, struct instant at);

/* True if the LEN bytes of P hold, by the terms of T, each of the N PHRASES
 * (with ALL) or any of them. */
bool query_holds(struct terms *t, const struct query_phrase *phrases, size_t n,
		 bool all, const char *p, size_t len);

#endif
