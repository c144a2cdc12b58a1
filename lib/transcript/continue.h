/* continue.h: the records of Continue's cn and its editors' extensions.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_CONTINUE_H
#define CO_TRANSCRIPT_CONTINUE_H

#include "transcript/reading.h"

int continue_read(struct reading *rd);

#endif
