/* words.h: words as they are compared: without case, and without the marks that
 * people leave out when they search; and the stop words, which say nothing about
 * what is asked for.
 */
#ifndef CO_RANK_WORDS_H
#define CO_RANK_WORDS_H

#include "base/buf.h"

/* Append the LEN bytes of P, of one word, folded: without case, apostrophes and
 * what words_is_ignored(); where marks are no letters of their own (Latin,
 * Greek, Cyrillic, Hebrew, Arabic) without them, in plain letters (ø as o).
 * ROOM is overwritten. */
void words_add(struct buf *out, struct buf *room, const char *p, size_t len);

/* The same for a word whose marks are letters. */
void words_add_composed(struct buf *out, struct buf *room, const char *p,
			size_t len);

/* True for soft hyphen, joiners and selectors: they may stand inside a word, and
 * are none of it. */
bool words_is_ignored(uint32_t c);

/* True if the folded WORD of LEN bytes is a stop word: an English function
 * word, or a single letter of ASCII. */
bool words_is_stop(const char *word, size_t len);

/* True if the stemmed word STEM is what people say to agents whatever they work
 * on: fix, run, tests, thanks. */
bool words_is_talk(const char *stem, size_t len);

/* True for monday to sunday. */
bool words_is_weekday(const char *word, size_t len);

#endif
