/* stop.h: words that say nothing about what is asked for. */
#ifndef CO_RANK_STOP_H
#define CO_RANK_STOP_H

#include "base/base.h"

/* True if the folded WORD of LEN bytes is one: English function words, and
 * single letters of ASCII. */
bool stop_word(const char *word, size_t len);

#endif
