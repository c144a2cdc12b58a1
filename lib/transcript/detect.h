/* detect.h: whose record a file is. */
#ifndef CO_TRANSCRIPT_DETECT_H
#define CO_TRANSCRIPT_DETECT_H

#include "transcript/reading.h"

/* The name of the format of RD's record; "text" for any other text.  NULL with
 * E filled where it cannot be read. */
const char *detect_format(struct reading *rd);

#endif
