/* claude.h: read the records of Claude Code.
 *
 * claude_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_CLAUDE_H
#define CO_READER_CLAUDE_H

#include "turns/reading.h"

int claude_read(struct reading *rd);

#endif
