/* amp.h: read the threads of Amp.
 *
 * amp_read() passes each turn to RD's callback. It returns 0, 1 if the callback
 * stopped it, or -1; ERR_DATA if the record is malformed. */
#ifndef CO_READER_AMP_H
#define CO_READER_AMP_H

#include "turns/reading.h"

int amp_read(struct reading *rd);

#endif
