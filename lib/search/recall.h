/* recall.h: the memories of several stores that answer a query, by whatever
 * fits: reading them all, or ranking them by an index.
 */
#ifndef CO_SEARCH_RECALL_H
#define CO_SEARCH_RECALL_H

#include "search/semantic.h"
#include "store/results.h"

enum recall_mode { RECALL_AUTO, RECALL_GREP, RECALL_FTS, RECALL_HYBRID };

struct recall_ask {
	enum recall_mode mode;
	bool words; /* that RECALL_AUTO finds by words, and waits for no encoder */
	const char *query;
	size_t max;
	float least;  /* the coverage of the query that is wanted, 0 to 1 */
	size_t whole; /* bytes: what is no longer needs no snippet;
			    * SIZE_MAX: nothing does */
	const char *argv0;	     /* as the program was called */
	const struct report *report; /* of the settings that name an encoder */
};

struct recall {
	struct results found;  /* whole, see recall_get() */
	enum recall_mode mode; /* that was used */
	size_t whole_total;   /* memories that hold the whole query, shown or */
	size_t partial_total; /* not, and those that hold some words of it */
	const char *instead;  /* see answer_instead() */
	const char *degraded; /* what the answer lacks, a sentence; or NULL */

	size_t whole; /* as asked */

	/* For RECALL_FTS and above; hits as they were ranked. */
	struct index indexes[ANSWER_STORES_MAX];
	size_t nindexes;
	struct query question;
	struct semantic meaning;
	struct answer answer;
};

/* "auto", "grep", "fts", "hybrid"; and back, RECALL_AUTO for any other. */
const char *recall_mode_name(enum recall_mode mode);
enum recall_mode recall_mode_of(const char *name);

/* Fill OUT with what the N <= ANSWER_STORES_MAX STORES hold.  By grep, as
 * grep_recall().  By an index, best first; a memory that holds the whole
 * query as one literal goes before those that do not; when fewer than MAX hold
 * all its words, and these are one or two, those that hold it within a word
 * come before the partial ones; in a small store all that hold it come first,
 * the newest before others.  By RECALL_AUTO, what is found by meaning alone must
 * be nearer than chance would have it.
 * Release with recall_release(), before the stores are closed. */
int recall(struct store *const *stores, size_t n, const struct recall_ask *ask,
	   struct arena *a, struct recall *out, struct err *e);
void recall_release(struct recall *r);

/* Memory I of what was found, in A or borrowed; a long one that was ranked has
 * a snippet. */
void recall_get(const struct recall *r, size_t i, struct arena *a,
		struct record *out);

#endif
