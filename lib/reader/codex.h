/* codex.h: read the records of Codex.
 *
 * codex_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_CODEX_H
#define CO_READER_CODEX_H

#include "turns/reading.h"

int codex_read(struct reading *rd);

#endif
