/* own-file.h: files of an agent that belong to the suite alone.
 *
 * opencode runs no commands at the events of a session, but modules of JavaScript:
 * one of ours passes them on to `co hook`. Cursor and Continue read rules, each in
 * a file: one of ours says what to run instead. Such a file is recognized by its
 * first lines, and is replaced or removed whole.
 */
#ifndef CO_AGENT_OWN_FILE_H
#define CO_AGENT_OWN_FILE_H

#include "agent/agent.h"
#include "base/buf.h"
#include "base/err.h"

/* Five lines, marks included, that tell a model of co. */
extern const char own_file_block[];

/* Make TEXT the file of AGENT that holds HOLDS, a plugin or a rule. It calls
 * PROGRAM, as in config.h. Return 0, or -1: ERR_DATA if TEXT is somebody else's
 * file. */
int own_file_put(struct buf *text, const struct agent *agent, unsigned holds,
		 const char *program, struct err *e);

/* Empty TEXT if it is our file. */
void own_file_drop(struct buf *text);

#endif
