/* qwen.h: read the records of Qwen Code.
 *
 * qwen_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_QWEN_H
#define CO_READER_QWEN_H

#include "turns/reading.h"

int qwen_read(struct reading *rd);

#endif
