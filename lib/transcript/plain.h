/* plain.h: conversations that are plain text. */
#ifndef CO_TRANSCRIPT_PLAIN_H
#define CO_TRANSCRIPT_PLAIN_H

#include "transcript/reading.h"

#define PLAIN_MAX ((size_t)1024 * 1024) /* bytes of one turn */

/* Give all of the record as one turn of nobody's; where it is longer than
 * PLAIN_MAX, as several, cut at ends of lines.  As turn_fn; ERR_DATA too where
 * it is no UTF-8. */
int plain_read(struct reading *rd);

#endif
