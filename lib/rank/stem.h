/* stem.h: stem English words with Porter's algorithm.
 *
 * M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with
 * those of his later changes that unite words: -bli, -logi, -ies, -ied, -y.
 * Irregular forms (went, mice) get the stem of their base form, and British and American
 * spelling the same one. The result is a key for comparing, not a word.
 */
#ifndef CO_RANK_STEM_H
#define CO_RANK_STEM_H

#include "base/base.h"

/* Size of a buffer for a stem: some irregular stems are longer than the word. */
#define STEM_ROOM 80

/* Return the first byte of the stem of the LEN > 0 bytes of WORD, without
 * stemming it. */
char stem_first(const char *word, size_t len);

/* FIRST[b] is true if stems that begin with byte b are wanted. Also set it for
 * the first bytes of words with such a stem. */
void stem_widen(bool first[256]);

/* A cache of stems. Most words of a text repeat; a cached one takes a tenth of
 * the time. A zeroed one is valid. */
struct stem_cache {
	struct stem_kept *kept;
	size_t room_for, asked; /* in words */
	char room[STEM_ROOM];
};

/* Return the stem of the LEN < STEM_ROOM bytes of WORD; its length is *N, at least 1
 * if LEN > 0. A word with characters other than a to z, with fewer than 3 letters or
 * more than 63 is its own stem. Borrowed from C until the next call. */
const char *stem_cached(struct stem_cache *c, const char *word, size_t len,
			size_t *n);
void stem_cache_release(struct stem_cache *c);

#endif
