/* claude.h: the records of Claude Code.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_CLAUDE_H
#define CO_TRANSCRIPT_CLAUDE_H

#include "transcript/reading.h"

int claude_read(struct reading *rd);

#endif
