/* query.h: the query that a person or an agent types.
 *
 *   words           any of them; the more and the rarer, the better
 *   "two words"     required, one after the other; in a sentence (stop words
 *                   or three others around it, or a question mark at the end)
 *                   the quotes mark a title: words
 *   not:word        excluded; also not:"two words"
 *   tag:x source:x  only with this one, compared whole, without case; quotes
 *                   may enclose blanks: tag:"event loop"
 *   not:tag:x not:source:x  only without it
 *   since:2026-01 until:yesterday since:2 weeks ago   only created then;
 *                   dates are those of base/date.h
 *
 * Unclosed quotes are ignored, as is a not: without a word. Any other filter
 * without a value, or with an invalid date, sets `fault`; callers that ignore
 * it get it as words. Of a long text, the first QUERY_BYTES_MAX bytes and
 * QUERY_TERMS_MAX distinct terms count. Phrases, too, are compared by terms:
 * "red shoe" finds red shoes.
 */
#ifndef CO_RANK_QUERY_H
#define CO_RANK_QUERY_H

#include "base/arena.h"
#include "rank/terms.h"
#include "rank/time-phrases.h"

#define QUERY_BYTES_MAX ((size_t)64 * 1024)
#define QUERY_TERMS_MAX 256
#define QUERY_PHRASE_MAX 64 /* terms; more are ignored */
#define QUERY_LIST_MAX 64   /* phrases, tags, ...; more phrases are words */

struct query_term {
	const char *p; /* as from terms_each(); NUL-terminated */
	size_t len;
	const char *word; /* not stemmed */
	size_t word_len;
	size_t times; /* occurrences in the question */
	size_t of;    /* index of its word in the question */
	bool when;    /* part of a time phrase, see rank/time-phrases.h */
	bool whole;   /* the joined word as a whole; its parts are terms too */
};

/* Adjacent terms. */
struct query_phrase {
	struct query_term *terms;
	size_t n; /* at least 1 */
};

struct query {
	struct query_term *terms; /* distinct, with those of phrases */
	size_t nterms;
	size_t nwords; /* words that the terms belong to */
	struct query_phrase *phrases;
	size_t nphrases;
	struct query_phrase *nots; /* often of one term */
	size_t nnots;
	const char **tags; /* all required; folded */
	size_t ntags;
	const char **sources; /* one of them required; folded */
	size_t nsources;
	const char **not_tags; /* none allowed */
	size_t nnot_tags;
	const char **not_sources;
	size_t nnot_sources;
	struct time_phrase times[TIME_PHRASES_MAX]; /* preferred, not
						     * required */
	size_t ntimes;
	unsigned wanted; /* traits of answers, see traits_wanted() */
	bool has_since, has_until;
	struct instant since, until; /* both inclusive */
	const char *fault;	     /* a sentence, or NULL */
};

/* Fill Q, in A, from the LEN bytes of P. */
void query_parse(struct query *q, const char *p, size_t len, struct arena *a);

/* Return true if Q has filters by tag, source or date. */
bool query_narrows(const struct query *q);

/* Return true if a document with these TAGS, this SOURCE (NULL: none) and
 * creation time AT passes the filters of Q. */
bool query_admits(const struct query *q, const char *const *tags, size_t ntags,
		  const char *source, struct instant at);

/* Return true if the LEN bytes of P contain, by the terms of T, all of the N
 * PHRASES (if ALL) or one of them. */
bool query_holds(struct terms *t, const struct query_phrase *phrases, size_t n,
		 bool all, const char *p, size_t len);

#endif
