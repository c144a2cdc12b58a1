/* own-file.h: files of an agent's that are the suite's alone.
 *
 * opencode runs no commands at the events of a session, but modules of
 * JavaScript: one of ours tells `co hook` of them.  Cursor and Continue read
 * rules, a file each: one of ours tells what to run instead.  Such a file is
 * known by its first lines, and is replaced and taken out whole.
 */
#ifndef CO_AGENT_OWN_FILE_H
#define CO_AGENT_OWN_FILE_H

#include "agent/agent.h"
#include "base/buf.h"
#include "base/err.h"

/* Five lines, marks included, that tell a model of co. */
extern const char own_file_block[];

/* Make TEXT the file of AGENT that holds HOLDS, a plugin or a rule.  It calls PROGRAM
 * as config.h has it.  ERR_DATA: TEXT is a file of somebody else. */
int own_file_put(struct buf *text, const struct agent *agent, unsigned holds,
		 const char *program, struct err *e);

/* Empty TEXT, if it is ours. */
void own_file_drop(struct buf *text);

#endif
