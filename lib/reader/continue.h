/* continue.h: read the records of Continue's cn and its editor extensions.
 *
 * continue_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_CONTINUE_H
#define CO_READER_CONTINUE_H

#include "turns/reading.h"

int continue_read(struct reading *rd);

#endif
