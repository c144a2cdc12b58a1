/* copilot.h: read the records of Copilot CLI.
 *
 * copilot_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_COPILOT_H
#define CO_READER_COPILOT_H

#include "turns/reading.h"

int copilot_read(struct reading *rd);

#endif
