/* embed.h: encode texts as vectors, with the encoder of the user's settings.
 *
 * "sentences" is minilm.bin, and "static" is words.bin, which come with the
 * suite: they run in this process. A text takes milliseconds with the first,
 * and microseconds with the second, which is the default where the first is not
 * installed. "http" and "command" are helper programs: slow, and perhaps
 * unavailable. Settings of a project never choose the encoder. See co-embed(1).
 *
 * Vectors have the length 1, or are zeros if the encoder has none for a text.
 */
#ifndef CO_EMBED_EMBED_H
#define CO_EMBED_EMBED_H

#include "base/buf.h"
#include "embed/word-vectors.h"
#include "repo/settings.h"

/* The most texts per call. */
#define EMBED_BATCH 256

struct embed;

struct embed_text {
	const char *p;
	size_t len;
};

enum embed_side { EMBED_DOCUMENT, EMBED_QUERY };

/* Open the encoder of the settings S; ARGV0 is that of the program. Return 1,
 * with *M to be released by embed_close() before S; 0 if S wants none; -1 if it
 * is unavailable (ERR_DATA, ERR_SYSTEM, ERR_HELPER). No helper is started
 * yet. */
int embed_open(const struct settings *s, const char *argv0, struct embed **m,
	       struct err *e);
void embed_close(struct embed *m);

/* Return the encoder's name, for messages; borrowed. */
const char *embed_name(const struct embed *m);

/* Return a hash of all that vectors depend on except the text. Vectors of one
 * identity may be stored together and compared. */
uint64_t embed_identity(const struct embed *m);

/* Open the static encoder, whatever the settings say. As embed_open(). */
int embed_open_static(const char *argv0, struct embed **m, struct err *e);

/* Return true if the encoder is the static one: it takes no time worth
 * mentioning, and sums up words. */
bool embed_is_static(const struct embed *m);

/* Return true if the encoder is that of sentences. */
bool embed_is_sentences(const struct embed *m);

/* Return true if at least half of the letters of TEXT are Latin. The encoder of
 * sentences was trained on English; on other scripts it is worse than the words. */
bool embed_reads(const char *text, size_t len);

/* Return true if the encoder is in this process, so that no text leaves it. */
bool embed_is_local(const struct embed *m);

/* Append what runs the encoder, as ", kernel avx2, 2 processors"; nothing unless
 * it is that of sentences. */
void embed_describe(const struct embed *m, struct buf *out);

/* Return true if WORD, folded and not stemmed, counts in a vector. Only the
 * static encoder can tell; for others this is always true. */
bool embed_knows(struct embed *m, const char *word, size_t len);

/* Encode the N <= EMBED_BATCH texts T. OUT gets the vectors, one after the
 * other, each of *DIMENSION floats. Return 0, or -1 (ERR_HELPER, ERR_DATA) with
 * OUT undefined. */
int embed_texts(struct embed *m, enum embed_side side,
		const struct embed_text *t, size_t n, struct buf *out,
		size_t *dimension, struct err *e);

#endif
