/* plain.h: read conversations that are plain text. */
#ifndef CO_READER_PLAIN_H
#define CO_READER_PLAIN_H

#include "turns/reading.h"

#define PLAIN_MAX ((size_t)1024 * 1024) /* bytes of one turn */

/* Pass the whole record to RD's callback as one turn without a role, or as
 * several, cut at line ends, if it is longer than PLAIN_MAX. Return 0, 1 if the
 * callback stopped it, or -1; ERR_DATA if it is not UTF-8. */
int plain_read(struct reading *rd);

#endif
