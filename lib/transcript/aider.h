/* aider.h: the histories of Aider.
 *
 * Give each turn of the record; as turn_fn. */
#ifndef CO_TRANSCRIPT_AIDER_H
#define CO_TRANSCRIPT_AIDER_H

#include "transcript/reading.h"

int aider_read(struct reading *rd);

/* Count the sessions in the history FD, which sentences call PATH, from its start,
 * 2 for two or more.  -1: ERR_SYSTEM. */
int aider_count(int fd, const char *path, struct err *e);

#endif
