/* recall.h: search several stores, as the question needs: grep over all
 * memories, or ranking by an index, which also finds items and sections of
 * articles.
 */
#ifndef CO_SEARCH_RECALL_H
#define CO_SEARCH_RECALL_H

#include "search/semantic.h"
#include "store/display.h"
#include "store/results.h"

enum recall_mode { RECALL_AUTO, RECALL_GREP, RECALL_FTS, RECALL_HYBRID };

struct recall_ask {
	enum recall_mode mode;
	bool words; /* mode auto uses words, and of all encoders only that of
		     * sentences: it waits for no program */
	const char *query;
	size_t max;
	unsigned kinds;	 /* ANSWER_KIND() of each; 0: memories */
	unsigned lifted; /* marks that hide nothing, see repo/marks.h */
	bool superseded; /* search replaced memories, by grep */
	const struct instant
		*as_of; /* search memories valid then, by grep; or NULL */
	bool cited;	/* check citations; memories whose sources changed rank
		      * lower */
	bool prompt;	/* the query is a prompt: return only memories that are
		      * surely about it, see rank/weights.h */
	bool explained; /* recall_explain() will be called */
	size_t whole;	/* bytes: longer memories get a snippet; SIZE_MAX: none
			 * does */
	size_t most;	/* entries: in a larger store, use the index as last
			 * left, without a look at the files; 0: never */
	/* Called with CTX once the indexes are open; nothing is written later.
	 * Or NULL. */
	void (*opened)(void *ctx);
	void *ctx;
	struct recall_kept *kept; /* keeps the indexes for the next recall; or
				   * NULL */
	const char *at;	   /* the current file or directory, below the project's
			 * top: memories whose paths do not match it rank lower,
			 * see recall_compare_paths(); or NULL */
	const char *argv0; /* argv[0] of the program */
	const struct report *report; /* gets faults in the encoder settings */
};

/* Indexes kept open between recalls, for the first stores, which must be the
 * same each time. A zeroed one is empty. */
#define RECALL_KEPT 2
struct recall_kept {
	struct index indexes[RECALL_KEPT];
	size_t n;
};

/* Close all indexes of K. */
void recall_forget(struct recall_kept *k);

/* One result: item I of the memories, or hit I of the answer of its kind. */
struct recall_found {
	enum record_kind kind;
	bool literal, partial;
	size_t i;
	double score;
	const char *evidence; /* as in a record */
	bool drifted;
	struct record_refs contradicts, contradicted_by, like; /* as in a
								* record */
	double lost; /* penalty, as a share of the score */
};

struct recall {
	struct recall_found *found; /* best first, in A; see recall_get() */
	size_t n;
	struct results memories; /* the results, and more that did not fit */
	enum recall_mode mode;	 /* the mode used */
	struct display_total totals[RECORD_KINDS];
	bool known;	      /* an index was used as last left: check the
			       * results before showing them */
	const char *degraded; /* what the answer lacks, as a sentence; or
			       * NULL */

	size_t whole; /* see recall_ask */
	struct recall_kept *kept;

	/* The rest is used with an index only. Hits are in the order of
	 * ranking. */
	struct index *indexes; /* in A */
	size_t nindexes;
	struct query query;
	struct semantic meaning;
	struct answer answers[RECORD_KINDS];
	const char *instead[RECORD_KINDS]; /* see answer_instead() */
};

/* Return the name of MODE: "auto", "grep", "fts", "hybrid"; or the mode of
 * NAME, RECALL_AUTO for any other. */
const char *recall_mode_name(enum recall_mode mode);
enum recall_mode recall_mode_of(const char *name);

/* Return true if ANSWER suggests that the question is about these stores: a hit has
 * enough of its words, or rare ones, or is nearer in MEANING than chance. The answer was
 * ranked with `telling`. */
bool recall_has_evidence(const struct answer *answer,
			 const struct semantic *meaning);

/* Search the N STORES, and fill OUT. Return 0 or -1. Release OUT with
 * recall_release() before the stores are closed; this also moves the indexes to
 * ask->kept.
 *
 * By grep, results are those of grep_recall(): memories only.
 *
 * By an index, results come best first, those with the whole query as one
 * literal before all others. If the query has one or two words, and fewer
 * memories than MAX have all of them, memories that have the query inside
 * longer words come before the partial ones. In a small store, all memories
 * with the literal come first, newest first; not in mode fts. If one has all
 * words, a result without words must be nearer in meaning than chance. Mode auto
 * gives the results of mode hybrid, or none if no ranked one has enough of the
 * question, or rare words of it, or is nearer in meaning than chance. Then only
 * memories with the literal are left.
 *
 * Each kind is ranked by itself, so that other kinds do not affect it. Then
 * they are merged by their scores, which say how much of the query each has. At
 * equal scores, or with the literal, memories come before items. At most half
 * are articles, unless there is nothing else. Of memories that say nearly the same
 * (see similar.h) only the best is a result; it has the others as `like`. */
int recall(struct store *const *stores, size_t n, const struct recall_ask *ask,
	   struct arena *a, struct recall *out, struct err *e);
void recall_release(struct recall *r);

/* Set OUT to result I, in A or borrowed. A long one that was ranked gets a
 * snippet. */
void recall_get(const struct recall *r, size_t i, struct arena *a,
		struct record *out);

/* The output of --explain follows: how a search came to its answer.
 *
 * Append one line for each of the N indexes ALL that was rebuilt because it was
 * damaged. This must always be reported. */
void recall_explain_damage(struct buf *out, const struct index *all, size_t n);

/* Append MODE, the state of each index, and each term with its weight and the
 * number of documents that have it. */
void recall_explain_search(struct buf *out, const char *mode,
			   const struct index *all, size_t n,
			   const struct answer *answer);

/* Append a line for hit I: score, signals and path. */
void recall_explain_hit(struct buf *out, const struct answer *answer, size_t i);

/* Like recall_explain_search() and recall_explain_hit() for all of
 * RECALLED, which may also have memories found only by the literal query. SAY gets the
 * text in pieces and empties it each time. */
void recall_explain(const struct recall *recalled,
		    void (*say)(struct buf *text));

/* Append how R was found by grep in the N STORES. MODE is the requested
 * mode. */
void recall_explain_grep(struct buf *notes, const struct recall *r,
			 const char *mode, const struct store *stores,
			 size_t n);

/* The files that a memory is about: `paths: [src, **.sql]`, relative to the directory
 * that has `.co-cli`.
 *
 * `*` and `?` match within a name, and the name `**` matches any number of
 * directories. A path of a directory means everything below it. A person in a
 * directory is at all files below it.
 *
 * Return 1 if one of the paths of the memory with the keys K matches PATH, a
 * file or directory relative to the top; -1 if none does; 0 if the memory has
 * no paths. */
int recall_compare_paths(const struct record_keys *k, const char *path);

/* Return true if GLOB, one of a memory's `paths`, matches PATH, a file or
 * directory relative to the top; a directory above it; or files that may be below
 * it. */
bool recall_path_matches(const char *glob, const char *path);

#endif
