/* schema.h: which fields a memory, a context and an article must have.
 *
 * Messages are part of the format and begin with the place: 'FILE':LINE:COL:
 * Missing required field: id
 */
#ifndef CO_REPO_SCHEMA_H
#define CO_REPO_SCHEMA_H

#include "base/err.h"
#include "base/instant.h"
#include "format/frontmatter.h"

enum schema { SCHEMA_NONE, SCHEMA_MEMORY, SCHEMA_CONTEXT, SCHEMA_ARTICLE };

#define SCHEMA_ID_MAX 999999999

/* Return true if V, a value of FM, is an id, and set *ID. An id is 1 to
 * SCHEMA_ID_MAX in decimal digits only, since readers understand other forms
 * differently. */
bool schema_id(const struct frontmatter *fm, const struct value *v,
	       int64_t *id);

/* Check FM, read from the file NAME, against S. SCHEMA_NONE requires nothing.
 * Return 0, or -1 with ERR_DATA for the first fault. */
int schema_check(enum schema s, const struct frontmatter *fm, const char *name,
		 struct err *e);

/* The fields of a memory, borrowed from its frontmatter. */
struct schema_memory {
	int64_t id;
	const struct value *created; /* VALUE_STR */
	struct instant at;	     /* CREATED, parsed */
	const struct value *tags;    /* VALUE_LIST of VALUE_STR, or NULL */
	const struct value *source;  /* VALUE_STR, or NULL */
};

/* Check FM as schema_check() does by SCHEMA_MEMORY, and fill M. */
int schema_memory(struct schema_memory *m, const struct frontmatter *fm,
		  const char *name, struct err *e);

#endif
