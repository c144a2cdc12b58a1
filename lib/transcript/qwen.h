/* qwen.h: the records of Qwen Code.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_QWEN_H
#define CO_TRANSCRIPT_QWEN_H

#include "transcript/reading.h"

int qwen_read(struct reading *rd);

#endif
