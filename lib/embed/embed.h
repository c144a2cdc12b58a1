/* embed.h: texts as vectors, by the encoder that the user's settings name.
 *
 * static is words.bin, which comes with the suite: in this process, at once.
 * http and command are helpers: slow, and maybe down.  A project's settings
 * never name any of it.  See co-embed(1).
 *
 * Vectors have the length 1, or are zeros, where an encoder has nothing to say
 * of a text.
 */
#ifndef CO_EMBED_EMBED_H
#define CO_EMBED_EMBED_H

#include "base/buf.h"
#include "embed/word-vectors.h"
#include "repo/settings.h"

/* Texts that one call takes at most. */
#define EMBED_BATCH 256

struct embed;

struct embed_text {
	const char *p;
	size_t len;
};

enum embed_side { EMBED_DOCUMENT, EMBED_QUERY };

/* Get ready what S asks for; ARGV0 is what the program was called as.  1 (*M
 * is yours, release with embed_close(); S outlives it), 0: S wants none, -1:
 * it cannot be had (ERR_DATA, ERR_SYSTEM, ERR_HELPER).  No helper is run
 * yet. */
int embed_open(const struct settings *s, const char *argv0, struct embed **m,
	       struct err *e);
void embed_close(struct embed *m);

/* The encoder's name, for people; borrowed. */
const char *embed_name(const struct embed *m);

/* What vectors depend on, texts aside: those of one identity may be kept
 * together and compared. */
uint64_t embed_identity(const struct embed *m);

/* True if it answers at once, and never waits. */
bool embed_is_static(const struct embed *m);

/* True if WORD, folded and not stemmed, counts in a vector.  Only of static one
 * can tell; others read texts as they are. */
bool embed_knows(struct embed *m, const char *word, size_t len);

/* Make the vectors of the N <= EMBED_BATCH texts T, one behind the other in
 * OUT; *DIMENSION is the length of each.  0 or -1: ERR_HELPER, ERR_DATA; OUT
 * is then of no use. */
int embed_texts(struct embed *m, enum embed_side side,
		const struct embed_text *t, size_t n, struct buf *out,
		size_t *dimension, struct err *e);

#endif
