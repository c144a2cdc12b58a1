/* copilot.h: the records of Copilot CLI.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_COPILOT_H
#define CO_TRANSCRIPT_COPILOT_H

#include "transcript/reading.h"

int copilot_read(struct reading *rd);

#endif
