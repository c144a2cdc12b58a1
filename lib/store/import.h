/* import.h: a memory to be saved, from JSON.
 *
 * {"content","tags","source","created"} and free keys, which go into the
 * frontmatter as they are, and so do those that a record (see co-json(5)) has
 * in its "frontmatter".  What it has beside that (id, path, scope, summary,
 * ...) is left out, so that records of one store can be saved in another.
 * Exact ones are saved as they are, with their id.
 */
#ifndef CO_STORE_IMPORT_H
#define CO_STORE_IMPORT_H

#include "store/save.h"

/* Fill N from the JSON object in the LEN bytes of P; what it does not say is
 * left as it is in N, and its tags come before those.  All lives in A.
 * ERR_DATA: a sentence, behind "1:7: " where the JSON is malformed. */
int import_parse(struct store_new *n, const char *p, size_t len,
		 struct arena *a, struct err *e);

/* The same for one that is to be exact: its content and its frontmatter, which
 * must be there. */
int import_parse_exact(struct store_new *n, const char *p, size_t len,
		       struct arena *a, struct err *e);

/* Take out of N the keys whose ids are those of the store that N came from: here they
 * would name other memories.  The rest lives in A. */
void import_drop_references(struct store_new *n, struct arena *a);

#endif
