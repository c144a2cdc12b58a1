/* gemini.h: read the records of Gemini CLI. */
#ifndef CO_READER_GEMINI_H
#define CO_READER_GEMINI_H

#include "turns/reading.h"

/* Marks the model's summary of a compressed session, which the record
 * attributes to the user. */
#define GEMINI_SNAPSHOT "<state_snapshot>"

#define GEMINI_MAX ((size_t)64 * 1024 * 1024) /* bytes of all words */

/* Pass each turn to RD's callback. Return 0, 1 if the callback stopped it, or
 * -1; ERR_DATA if the record is one malformed object, as older records are. */
int gemini_read(struct reading *rd);

#endif
