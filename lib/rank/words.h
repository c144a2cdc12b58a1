/* words.h: fold words for comparing: without case, and without the marks that
 * people leave out when they search. Also, stop words, which say nothing about
 * a topic.
 */
#ifndef CO_RANK_WORDS_H
#define CO_RANK_WORDS_H

#include "base/buf.h"

/* Append the LEN bytes of P, one word, folded: without case, apostrophes and
 * words_is_ignored() characters. Marks that are not letters of their own
 * (Latin, Greek, Cyrillic, Hebrew, Arabic) are dropped, with plain letters for
 * special ones (ø becomes o). ROOM is overwritten. */
void words_add(struct buf *out, struct buf *room, const char *p, size_t len);

/* Like words_add(), for a word whose marks are letters. */
void words_add_composed(struct buf *out, struct buf *room, const char *p,
			size_t len);

/* Return true for soft hyphens, joiners and selectors, which are ignored inside
 * words. */
bool words_is_ignored(uint32_t c);

/* Return true if the folded WORD of LEN bytes is a stop word: an English
 * function word, or a single ASCII letter. */
bool words_is_stop(const char *word, size_t len);

/* Return true if the stemmed word STEM is one that people use with agents for
 * any task: fix, run, tests, thanks. */
bool words_is_talk(const char *stem, size_t len);

/* Words that have something in common, which CLASS says. */
struct words_class {
	unsigned class;
	const char *words; /* folded, with a blank before and after each */
};

/* Return the classes of the N in TABLE that have the folded WORD of LEN bytes. */
unsigned words_classes(const struct words_class *table, size_t n,
		       const char *word, size_t len);

/* Return true for monday to sunday. */
bool words_is_weekday(const char *word, size_t len);

#endif
