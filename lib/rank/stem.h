/* stem.h: English words without their endings, by Porter's algorithm.
 *
 * M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with
 * what he changed later where it tells words apart that are one: -bli, -logi,
 * -ies, -ied, -y.  Irregular forms (went, mice) are brought to the stem of their
 * base first.  What comes out is a key to compare by, not a word.
 */
#ifndef CO_RANK_STEM_H
#define CO_RANK_STEM_H

#include "base/base.h"

/* What W must have room for: some irregular stems are longer than the word. */
#define STEM_ROOM 80

/* Stem the LEN < STEM_ROOM bytes of W in place, and return the bytes left, at
 * least 1 of LEN > 0.  A word that has anything but a to z, fewer than 3
 * letters or more than 63 stays as it is. */
size_t stem_english(char w[STEM_ROOM], size_t len);

/* The byte that the stem of the LEN > 0 bytes of WORD begins with, without the rest
 * of it. */
char stem_first(const char *word, size_t len);

/* FIRST tells of each byte whether a stem that begins with it is wanted: set
 * those with which words of such a stem begin. */
void stem_widen(bool first[256]);

/* The stems of the words met last, since most words of a text are few: they
 * take a tenth of the time.  Zero is valid. */
struct stem_cache {
	struct stem_kept *kept;
	size_t room_for, asked; /* words */
	char room[STEM_ROOM];
};

/* The stem of the LEN < STEM_ROOM bytes of WORD, *N bytes; borrowed from C
 * until the next call. */
const char *stem_cached(struct stem_cache *c, const char *word, size_t len,
			size_t *n);
void stem_cache_release(struct stem_cache *c);

#endif
