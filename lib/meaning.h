/* meaning.h: how near the documents of stores are to a question in meaning, for
 * whoever ranks them.
 *
 * Nothing here fails: an encoder that is down, missing or wrong leaves ranking
 * to the words, and `without` says why, in one line for standard error.
 */
#ifndef CO_MEANING_H
#define CO_MEANING_H

#include "embed.h"
#include "question.h"
#include "rank.h"
#include "vectors.h"

struct meaning {
	struct embed *encoder;	 /* NULL: none */
	enum rank_fusion fusion; /* as the user wants it */
	char without[512];	 /* "": all is there */
};

/* The documents of one store, as they are ranked. */
struct meaning_part {
	struct store *store;
	struct cache *cache; /* NULL: there is no store */
	const uint32_t *numbers;
	size_t n;
	float *cosines; /* room for N; see vectors.h */
};

/* Get ready what the user's settings S want, which outlive M; ARGV0 is what the
 * program was called as.  Release with meaning_close(). */
void meaning_open(struct meaning *m, const struct settings *s,
		  const char *argv0);
void meaning_close(struct meaning *m);

/* Fill the cosines of the N parts for Q, asked as LEN bytes of TEXT, and make
 * the vectors that are missing, if they are not too many to wait for.  False
 * where there is nothing to rank by. */
bool meaning_compare(struct meaning *m, const struct meaning_part *parts,
		     size_t n, const struct question *q, const char *text,
		     size_t len);

/* Make and keep all vectors that the documents of C, the view of S, lack:
 * how many are missing then.  Waits for the lock at most WAIT_MS. */
size_t meaning_update(struct meaning *m, struct store *s, struct cache *c,
		      int wait_ms);

#endif
