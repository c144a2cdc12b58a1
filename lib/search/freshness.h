/* freshness.h: what the index of a store is worth, without making it so. */
#ifndef CO_SEARCH_FRESHNESS_H
#define CO_SEARCH_FRESHNESS_H

#include "search/index.h"

enum freshness_state {
	FRESHNESS_NONE,	  /* there is no index */
	FRESHNESS_FRESH,  /* it has all documents */
	FRESHNESS_BEHIND, /* some are missing, which the next search adds */
	FRESHNESS_DAMAGED /* or foreign: the next search makes it anew */
};

struct freshness {
	enum freshness_state state;
	size_t documents; /* that the files hold */
	size_t missing;	  /* of them, in the index */
	size_t dead;	  /* in the index, and no more in the files */
	uint64_t bytes;	  /* of the index */
};

/* Look at the index of S, changing nothing.  What cannot be read counts as
 * none.  Cannot fail. */
void freshness_look(struct freshness *f, struct store *s);

/* Append F in a few words, without a newline; and as a JSON object,
 * under KEY. */
void freshness_text(struct buf *out, const struct freshness *f);
void freshness_json(struct buf *out, const char *key,
		    const struct freshness *f);

#endif
