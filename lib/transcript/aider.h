/* aider.h: the histories of Aider.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_AIDER_H
#define CO_TRANSCRIPT_AIDER_H

#include "transcript/reading.h"

int aider_read(struct reading *rd);

#endif
