/* aider.h: read the histories of Aider.
 *
 * aider_read() passes each turn to RD's callback. It returns 0, 1 if the
 * callback stopped it, or -1. */
#ifndef CO_READER_AIDER_H
#define CO_READER_AIDER_H

#include "turns/reading.h"

int aider_read(struct reading *rd);

/* Count the sessions in the history FD, called PATH in messages, from its
 * start. Return 0, 1, 2 for two or more, or -1 (ERR_SYSTEM). */
int aider_count(int fd, const char *path, struct err *e);

#endif
