/* cited.h: check whether the citations of memories are still true.
 *
 * A memory without citations costs nothing: the keys in the cache show that.
 */
#ifndef CO_SEARCH_CITED_H
#define CO_SEARCH_CITED_H

#include "evidence/cites.h"
#include "store/store.h"

/* Limits for callers that show a few memories. */
#define CITED_FILES 16
#define CITED_HASHED ((size_t)2 * 1024 * 1024)

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

/* Append ONE as JSON: {"cite","state","at"}. */
void cited_json(struct buf *out, const struct cited *one);

/* Set R->evidence and R->drifted, allocated in A, from the citations of R, a
 * memory of S. R stays unchanged if it has none or cannot be read. */
void cited_note(struct store *s, struct evidence *ev, struct record *r,
		struct arena *a);

/* Return true if the list V, as in a record's JSON, has a citation that has
 * changed or is gone. */
bool cited_has_drifted(const struct value *v);

#endif
