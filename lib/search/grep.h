/* grep.h: find memories without an index.
 *
 * A pattern matches a memory if it matches the stripped body or any single tag.
 */
#ifndef CO_SEARCH_GREP_H
#define CO_SEARCH_GREP_H

#include "store/results.h"
#include "text/match.h"

/* Conditions of a list or search other than the text. */
struct grep_narrow {
	const char *const *tags; /* all required; compared without case */
	size_t ntags;
	const char *const *not_tags; /* none allowed */
	size_t nnot_tags;
	bool has_since, has_until;
	struct instant since, until; /* both inclusive */
	unsigned lifted; /* marks that do not hide a memory, see repo/marks.h */
	unsigned marks;	 /* marks that it must have */
	const struct instant *at;  /* of memories: those valid then, even if
				    * replaced since; or NULL */
	const struct as_of *as_of; /* for AT; set by grep_collect() */
	const struct store *store; /* the store of the record; set by
				    * grep_collect() */
};

/* Set the dates of N: the begin of SINCE and the end of UNTIL, as a person
 * writes them (see base/date.h). NULL: none. Return 0, or -1 (ERR_USAGE). */
int grep_narrow_dates(struct grep_narrow *n, const char *since,
		      const char *until, struct err *e);

/* Return 1 if M matches the content or a tag of R, else 0, or -1 as
 * match_test(). */
int grep_test(struct match *m, const struct record *r, struct err *e);

/* A list or search. */
struct grep_query {
	struct grep_narrow narrow;
	struct match *match; /* NULL: all match */
	bool invert;	     /* return what does not match */
};

/* Return 1 if Q wants R, else 0, or -1 as match_test(). */
int grep_query_test(const struct grep_query *q, const struct record *r,
		    struct err *e);

/* Add the memories of AREA, or the articles, that Q wants to OUT, in no order.
 * Return 0, or -1: ERR_SYSTEM if a limit was reached or a directory cannot be
 * read. */
int grep_collect(struct store *s, enum area area, const struct grep_query *q,
		 struct results *out, struct err *e);

/* Like grep_collect() for the articles in the trash, newest removals first. The
 * pattern of Q is ignored. */
int grep_removed_articles(struct store *s, const struct grep_query *q,
			  struct results *out, struct err *e);

/* Set *N to the number of records that grep_collect() would add. */
int grep_count(struct store *s, enum area area, const struct grep_query *q,
	       size_t *n, struct err *e);

/* A recall by grep. */
struct grep_recall {
	const char *query;
	size_t max;
	unsigned lifted;	     /* marks that do not hide a memory */
	bool superseded;	     /* search replaced memories */
	const struct instant *as_of; /* search memories valid then; or NULL */
};

/* Recall by grep in the N STORES.
 *
 * Records that have the whole query as one literal, without case, come newest
 * first; of equal dates, the first store's first; at most ask->max. If there
 * are none, records come that have any word of the query, by the number of
 * distinct words, then newest first, each marked partial. Stop words are
 * ignored unless the query has no others. A Latin word matches the beginning of
 * a word. Any query is valid: bytes that are not UTF-8 separate words.
 *
 * OUT gets whole records; release it with results_release(). Return 0 or -1. */
int grep_recall(struct store *const *stores, size_t n,
		const struct grep_recall *ask, struct results *out,
		struct err *e);

/* Return true if the LEN bytes of QUERY may be searched as one literal: they
 * are UTF-8, as all memories are, and not too long. */
bool grep_may_hold(const char *query, size_t len);

#endif
