/* cited.h: what memories cite, and whether it still stands there.
 *
 * A memory that cites nothing costs nothing: what is known of its keys tells.
 */
#ifndef CO_SEARCH_CITED_H
#define CO_SEARCH_CITED_H

#include "evidence/cites.h"
#include "store/store.h"

/* What those who show a few memories may do for it. */
#define CITED_FILES 16
#define CITED_HASHED ((size_t)2 * 1024 * 1024)

/* One citation of R; of lines that have moved, AT is where they stand. */
struct cited {
	const struct record *r;
	const struct citation *c;
	enum evidence_state state;
	const struct citation *at;
};
typedef void cited_fn(void *ctx, const struct cited *one);

/* Call FN for each citation of R, a memory of S; what is malformed goes to the
 * report. */
int cited_each(struct store *s, struct evidence *ev, const struct record *r,
	       cited_fn *fn, void *ctx, const struct report *bad,
	       struct err *e);

/* Append ONE as JSON: {"cite","state","at"}. */
void cited_json(struct buf *out, const struct cited *one);

/* Have R, a memory of S, say what of it EV finds changed; what is new in R lives
 * in A.  Nothing where it cites nothing, or cannot be read. */
void cited_note(struct store *s, struct evidence *ev, struct record *r,
		struct arena *a);

/* True if the list V, as records have it in JSON, has one that has changed or is
 * gone. */
bool cited_has_drifted(const struct value *v);

#endif
