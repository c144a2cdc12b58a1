/* log.h: a file of lines, for programs whose output is another's business.
 *
 * It lies in the user's folder for state, mode 0600, one line an event.  Beyond LOG_MAX bytes it becomes NAME.old and begins anew, so
 * that both together are bounded.  What cannot be written is lost: nobody waits
 * for a log, and nothing fails for want of one.
 */
#ifndef CO_AGENT_LOG_H
#define CO_AGENT_LOG_H

#include "base/buf.h"

#define LOG_MAX (256 * 1024)

/* Add the time and TEXT, made safe for a terminal, to the log NAME, for people. */
void log_add(const char *name, const char *text);

/* Add LINE, which has no line end, to NAME as it is, for programs. */
void log_add_data(const char *name, const struct buf *line);

#endif
