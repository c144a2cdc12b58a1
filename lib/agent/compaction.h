/* compaction.h: whether a session lost its context when it was compacted.
 *
 * When a session grows too long, its agent lets a model summarize it, and continues
 * with the summary. Claude tells its hooks when that is done. Gemini tells them
 * before it checks whether it must, at each prompt, and never that it did; but the
 * summary is in its record.
 */
#ifndef CO_AGENT_COMPACTION_H
#define CO_AGENT_COMPACTION_H

#include "base/base.h"

/* Return true if gemini's record at PATH has such a summary, and no context, as a
 * session begins with it, after the summary. Return false if that cannot be told. */
bool compaction_is_last(const char *path);

#endif
