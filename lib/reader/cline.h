/* cline.h: read the tasks of Cline and of Roo Code, which began as a copy of it.
 *
 * cline_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1; ERR_DATA if the record is malformed or has an
 * unknown version. */
#ifndef CO_READER_CLINE_H
#define CO_READER_CLINE_H

#include "turns/reading.h"

int cline_read(struct reading *rd);

#endif
