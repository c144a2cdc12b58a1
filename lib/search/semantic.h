/* semantic.h: the similarity of documents to a question in meaning, for
 * answer.h.
 *
 * Nothing here fails. Without a working encoder, ranking uses words only, and
 * `without` says why, in one line for standard error.
 */
#ifndef CO_SEARCH_SEMANTIC_H
#define CO_SEARCH_SEMANTIC_H

#include "embed/embed.h"
#include "search/answer.h"

struct semantic {
	struct answer_semantic how; /* for answer_find() */
	const char *text;	    /* the question as asked */
	bool alone;		    /* rank by meaning only */

	const char *argv0;
	struct embed *encoder;	    /* NULL: none */
	struct word_vectors *words; /* word frequencies */
	bool sought;		    /* opening them was tried */
	struct buf asked, vector;   /* the last question and its vector */
	size_t dimension;
	enum rank_fusion fusion; /* from the user's settings */
	bool used;		 /* meaning was used in the answer */
	float chance;	   /* the cosine that the nearest document would have by
		       * chance; 0: none was compared */
	char without[512]; /* "": nothing is missing */
	struct arena arena;
};

/* Prepare M for MODE (fts|vector|hybrid): open the encoder of the user's
 * settings (never a project's), or none for fts. ARGV0 is that of the program;
 * R gets faults of the settings. M stays at its address until semantic_close().
 * Return 1; 0 if MODE or the settings want no encoder; -1 if it cannot be
 * opened. `without` says so, unless MODE is fts. */
int semantic_open(struct semantic *m, const char *mode, const char *argv0,
		  const struct report *r);
void semantic_close(struct semantic *m);

/* Make and store all missing vectors of IX. Set *MADE to their number. Return
 * how many are still missing. */
size_t semantic_update(struct semantic *m, struct index *ix, size_t *made);

#endif
