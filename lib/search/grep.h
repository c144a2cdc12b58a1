/* grep.h: finding memories without an index.
 *
 * A memory matches where its stripped body or any single tag does.
 */
#ifndef CO_SEARCH_GREP_H
#define CO_SEARCH_GREP_H

#include "store/results.h"
#include "text/match.h"

/* What narrows a list or a search beside the text. */
struct grep_narrow {
	const char *const *tags; /* all must be there; compared caselessly */
	size_t ntags;
	const char *const *not_tags; /* none may be there */
	size_t nnot_tags;
	bool has_since, has_until;
	struct instant since, until; /* both inclusive */
	unsigned lifted; /* marks that hide no memory, see repo/marks.h */
	unsigned marks;	 /* that it must have */
	const struct instant *at;  /* of memories: those that held then, those
				   * replaced since among them; or NULL */
	const struct as_of *as_of; /* for at, set by grep_collect() */
	const struct store *store; /* the same, of whatever is asked */
};

/* Set the dates of N as a person gives them (see base/date.h), NULL for none:
 * of SINCE the begin and of UNTIL the end.  ERR_USAGE: no such date. */
int grep_narrow_dates(struct grep_narrow *n, const char *since,
		      const char *until, struct err *e);

/* 1 if M matches R's content or one of its tags, 0 or -1 as match_test(). */
int grep_test(struct match *m, const struct record *r, struct err *e);

/* What a list or a search asks. */
struct grep_query {
	struct grep_narrow narrow;
	struct match *match; /* NULL: everything matches */
	bool invert;	     /* what does not match is wanted */
};

/* 1 if R is wanted, 0, -1 as match_test(). */
int grep_query_test(const struct grep_query *q, const struct record *r,
		    struct err *e);

/* Add the memories of AREA, or the articles, that Q wants to OUT, in no order.
 * ERR_SYSTEM: a limit struck, or a folder cannot be read. */
int grep_collect(struct store *s, enum area area, const struct grep_query *q,
		 struct results *out, struct err *e);

/* The same of the articles in the trash, the newest removals first; its pattern
 * does not count. */
int grep_removed_articles(struct store *s, const struct grep_query *q,
			  struct results *out, struct err *e);

/* Count what grep_collect() would add. */
int grep_count(struct store *s, enum area area, const struct grep_query *q,
	       size_t *n, struct err *e);

/* What a recall by grep asks. */
struct grep_recall {
	const char *query;
	size_t max;
	unsigned lifted;	     /* marks that hide no memory */
	bool superseded;	     /* what was replaced is searched */
	const struct instant *as_of; /* what held then is; or NULL */
};

/* Recall by grep: the records of the N STORES that hold the whole query as one
 * literal, caseless, newest first, earlier stores first on ties, at most so many;
 * when none does, those that hold any of its words, stop words aside unless
 * nothing else is left, by the number of distinct words, then newest, each
 * marked partial.  A Latin word is held where a word begins with it.  No query
 * is an error: bytes that are no UTF-8 stand between words.
 * OUT, which is zeroed, gets them whole; release with results_release(). */
int grep_recall(struct store *const *stores, size_t n,
		const struct grep_recall *ask, struct results *out,
		struct err *e);

/* True if the LEN bytes of QUERY may be looked for as one literal: they are
 * UTF-8, as all memories are, and not too many. */
bool grep_may_hold(const char *query, size_t len);

#endif
