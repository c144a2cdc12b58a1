/* codex.h: the records of Codex.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_CODEX_H
#define CO_TRANSCRIPT_CODEX_H

#include "transcript/reading.h"

int codex_read(struct reading *rd);

#endif
