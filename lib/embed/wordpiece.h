/* wordpiece.h: split a text into the pieces of words that BERT was trained
 * with.
 *
 * A text is cleaned like BERT does it: control characters and accents are
 * removed, letters become lower case, punctuation marks and ideographs are
 * words of their own. Each word is split into the longest known pieces, from
 * its start; a word with an unknown part is one unknown piece.
 *
 * The vocabulary is read in place, in the format of contrib/models/README.md.
 * Its contents need not be valid: no offset in it is used unchecked.
 */
#ifndef CO_EMBED_WORDPIECE_H
#define CO_EMBED_WORDPIECE_H

#include "base/base.h"

/* Numbers of the pieces that every BERT has. */
#define WORDPIECE_UNKNOWN 100
#define WORDPIECE_START 101
#define WORDPIECE_END 102

struct wordpiece {
	const unsigned char *table, *starts;
	const char *text;
	size_t pieces, bytes;
};

/* Return the size of the section with PIECES pieces, whose texts have BYTES
 * bytes. */
size_t wordpiece_size(size_t pieces, size_t bytes);

/* Set W to the vocabulary at P, of wordpiece_size() bytes, which must outlive
 * it. */
void wordpiece_init(struct wordpiece *w, const unsigned char *p, size_t pieces,
		    size_t bytes);

/* Write the numbers of the first MAX pieces of the LEN bytes of TEXT to OUT.
 * Return how many there are. Each is below W->pieces or WORDPIECE_UNKNOWN. */
size_t wordpiece_split(const struct wordpiece *w, const char *text, size_t len,
		       uint16_t *out, size_t max);

#endif
