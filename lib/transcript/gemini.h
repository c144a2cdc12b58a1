/* gemini.h: the records of Gemini CLI. */
#ifndef CO_TRANSCRIPT_GEMINI_H
#define CO_TRANSCRIPT_GEMINI_H

#include "transcript/reading.h"

/* In what the model writes of a session that was compressed, and which then
 * stands there as if a person had said it. */
#define GEMINI_SNAPSHOT "<state_snapshot>"

#define GEMINI_MAX ((size_t)64 * 1024 * 1024) /* bytes of all words */

/* Give each turn of the record; as turn_fn.  Where it is one object, as older
 * ones are, ERR_DATA as well. */
int gemini_read(struct reading *rd);

#endif
