/* recall.h: what several stores have that answers a query, by whatever fits:
 * reading all memories, or ranking by an index, which finds items and sections
 * of articles as well.
 */
#ifndef CO_SEARCH_RECALL_H
#define CO_SEARCH_RECALL_H

#include "search/semantic.h"
#include "store/display.h"
#include "store/results.h"

enum recall_mode { RECALL_AUTO, RECALL_GREP, RECALL_FTS, RECALL_HYBRID };

struct recall_ask {
	enum recall_mode mode;
	bool words; /* that RECALL_AUTO finds by words, and waits for no encoder */
	const char *query;
	size_t max;
	unsigned kinds;	 /* ANSWER_KIND() of each; 0: memories */
	unsigned lifted; /* marks that hide nothing, see repo/marks.h */
	bool superseded; /* among what was replaced, by grep */
	const struct instant
		*as_of; /* among what held then, by grep; or NULL */
	bool cited;  /* what the memories found cite is checked: those of which
		     * some has changed rank lower */
	bool prompt; /* nobody asked: only what the query is surely about, see
		      * rank/weights.h */
	bool explained; /* explain_recall() is called */
	size_t whole;	/* bytes: what is no longer needs no snippet;
			    * SIZE_MAX: nothing does */
	size_t most;	/* files: of a store of more, the index is taken as it
		       * was last left; 0: each file is looked at */
	/* Called with CTX once the indexes are open: nothing is written after that.
	 * Or NULL. */
	void (*opened)(void *ctx);
	void *ctx;
	struct recall_kept *kept; /* takes the indexes in the end, and has those
				   * of the last question; or NULL */
	const char *at; /* the file or folder at hand, below the project's top:
			 * what has paths of which none matches ranks lower,
			 * see repo/paths.h; or NULL */
	const char *argv0;	     /* as the program was called */
	const struct report *report; /* of the settings that name an encoder */
};

/* Indexes that stay open from one question to the next, of the first stores, which
 * are the same each time; a zeroed one is empty. */
#define RECALL_KEPT 2
struct recall_kept {
	struct index indexes[RECALL_KEPT];
	size_t n;
};

/* Release what K has.  Cannot fail. */
void recall_forget(struct recall_kept *k);

/* One of those that were found: item I of the memories, or hit I of the answer
 * of its kind. */
struct recall_found {
	enum record_kind kind;
	bool literal, partial;
	size_t i;
	double score;
	const char *evidence; /* as in a record */
	bool drifted;
	const int64_t *otherwise; /* as in a record */
	size_t notherwise;
	double lost; /* share of its score that speaks against it */
};

struct recall {
	struct recall_found *found; /* best first, see recall_get(); in A */
	size_t n;
	struct results memories; /* that were found, or would be next */
	enum recall_mode mode;	 /* that was used */
	struct display_total totals[RECORD_KINDS];
	bool known;	      /* an index was taken as it was left: look at what
			       * was found before it is shown */
	const char *degraded; /* what the answer lacks, a sentence; or NULL */

	size_t whole; /* as asked */
	struct recall_kept *kept;

	/* For RECALL_FTS and above; hits as they were ranked. */
	struct index *indexes; /* in A */
	size_t nindexes;
	struct query query;
	struct semantic meaning;
	struct answer answers[RECORD_KINDS];
	const char *instead[RECORD_KINDS]; /* see answer_instead() */
};

/* "auto", "grep", "fts", "hybrid"; and back, RECALL_AUTO for any other. */
const char *recall_mode_name(enum recall_mode mode);
enum recall_mode recall_mode_of(const char *name);

/* Fill OUT with what the N STORES hold.  By grep, as
 * grep_recall(), which knows memories alone.  By an index, best first; what
 * holds the whole query as one literal goes before what does not; when fewer
 * memories than MAX hold all its words, and these are one or two, those that
 * hold it within a word come before the partial ones; in a small store all
 * memories that hold it come first, the newest before others.  By RECALL_AUTO,
 * what is found by meaning alone must be nearer than chance would have it.
 *
 * Each kind is ranked by itself, so that what there is of another does not move
 * it; then they are put together by their scores, which say how much of the
 * query each has.  Memories go first, then items, where scores tie or both hold
 * the literal; at most half are articles, unless there is nothing else.
 * Release with recall_release(), before the stores are closed. */
int recall(struct store *const *stores, size_t n, const struct recall_ask *ask,
	   struct arena *a, struct recall *out, struct err *e);
void recall_release(struct recall *r);

/* The I-th of what was found, in A or borrowed; a long one that was ranked has
 * a snippet. */
void recall_get(const struct recall *r, size_t i, struct arena *a,
		struct record *out);

#endif
