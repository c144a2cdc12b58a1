/* pi.h: read the sessions of pi.
 *
 * pi_read() passes each turn to RD's callback. It returns 0, 1 if the callback
 * stopped it, or -1; ERR_DATA if the record has an unknown version. */
#ifndef CO_READER_PI_H
#define CO_READER_PI_H

#include "turns/reading.h"

int pi_read(struct reading *rd);

#endif
