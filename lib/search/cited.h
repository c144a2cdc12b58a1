/* cited.h: check whether the citations of memories are still true.
 *
 * A memory without citations costs nothing: the keys in the cache show that.
 */
#ifndef CO_SEARCH_CITED_H
#define CO_SEARCH_CITED_H

#include "evidence/cites.h"
#include "store/results.h"

/* Limits for callers that show a few memories. */
#define CITED_FILES 16
#define CITED_HASHED ((size_t)2 * 1024 * 1024)

/* Limits for callers that show all memories of a store, and must answer at once. */
#define CITED_ALL_FILES 256
#define CITED_ALL_HASHED ((size_t)4 * 1024 * 1024)

/* One citation of R. If its lines have moved, AT is their new place. */
struct cited {
	const struct record *r;
	const struct citation *c;
	enum evidence_state state;
	const struct citation *at;
};
typedef void cited_fn(void *ctx, const struct cited *one);

/* Call FN for each citation of R, a memory of S. Malformed citations go to BAD.
 * Return 0, or -1 if R cannot be read. */
int cited_each(struct store *s, struct evidence *ev, const struct record *r,
	       cited_fn *fn, void *ctx, const struct report *bad,
	       struct err *e);

/* Call cited_each() for every memory of S, in the order of ids. A memory that
 * cannot be checked is reported to BAD. Return 0 or -1. */
int cited_all(struct store *s, struct evidence *ev, cited_fn *fn, void *ctx,
	      const struct report *bad, struct err *e);

/* Append ONE as JSON: {"cite","state","at"}. */
void cited_json(struct buf *out, const struct cited *one);

/* Set R->evidence and R->drifted, allocated in A, from the citations of R, a
 * memory of S. R stays unchanged if it has none or cannot be read. */
void cited_note(struct store *s, struct evidence *ev, struct record *r,
		struct arena *a);

/* The checkers for the stores of FOUND, made when they are needed. */
struct cited_found {
	const struct results *found;
	struct evidence **ev;
};
void cited_found_begin(struct cited_found *c, const struct results *found);
void cited_found_release(struct cited_found *c);

/* Call cited_note() for R, the record of HIT. */
void cited_found_note(struct cited_found *c, const struct result *hit,
		      struct record *r, struct arena *a);

/* Remove from FOUND what does not cite OF: the page or the commit, or the file or a file
 * in the directory of that name, with a line in common if OF has lines. Only memories of
 * PROJECT cite its files. A memory that cannot be read is removed. */
void cited_keep(struct results *found, const struct store *project,
		const struct citation *of);

/* Return true if the list V, as in a record's JSON, has a citation that has
 * changed or is gone. */
bool cited_has_drifted(const struct value *v);

#endif
