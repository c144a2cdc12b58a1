/* detect.h: detect which agent wrote a record. */
#ifndef CO_TRANSCRIPT_DETECT_H
#define CO_TRANSCRIPT_DETECT_H

#include "turns/reading.h"

/* Return the format's name of RD's record, "text" for any other text. Return
 * NULL with E set if it cannot be read. */
const char *detect_format(struct reading *rd);

#endif
