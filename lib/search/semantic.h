/* semantic.h: how near documents are to a question in meaning, for answer.h.
 *
 * Nothing here fails: an encoder that is down, missing or wrong leaves ranking
 * to the words, and `without` says why, in one line for standard error.
 */
#ifndef CO_SEARCH_SEMANTIC_H
#define CO_SEARCH_SEMANTIC_H

#include "embed/embed.h"
#include "search/answer.h"

struct semantic {
	struct answer_semantic how; /* for answer_find() */
	const char *text;	    /* the question, as it was asked */
	bool alone;		    /* rank by meaning and nothing else */

	const char *argv0;
	struct embed *encoder;	    /* NULL: none */
	struct word_vectors *words; /* and how frequent they are */
	bool sought;		    /* it was tried to open them */
	struct buf asked, vector;   /* the last question, and where it lies */
	size_t dimension;
	enum rank_fusion fusion; /* as the user wants it */
	bool used;		 /* it had a say in the answer */
	float chance; /* the cosine that the nearest of so many documents would
		       * have by chance; 0: none was compared */
	char without[512]; /* "": the answer lacks nothing */
	struct arena arena;
};

/* Get ready what MODE (fts|vector|hybrid) needs: the encoder that the user's
 * settings name, whatever a project's say, or nothing for fts.  ARGV0 is what
 * the program was called as, R gets faults of the settings.  M stays where it
 * is until semantic_close().  1, 0: none is wanted, by MODE or the settings,
 * -1: it cannot be had; `without` says so, unless MODE is fts. */
int semantic_open(struct semantic *m, const char *mode, const char *argv0,
		  const struct report *r);
void semantic_close(struct semantic *m);

/* Make and keep all vectors that the documents of IX lack: how many are missing
 * then.  *MADE gets how many were made. */
size_t semantic_update(struct semantic *m, struct index *ix, size_t *made);

#endif
