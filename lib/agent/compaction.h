/* compaction.h: whether a session lost what was put into it.
 *
 * When a session grows too long its agent lets a model write down what matters
 * of it, and goes on with that in its place.  Claude tells its hooks when that
 * is done.  Gemini tells them before it looks whether it must, at each prompt,
 * and never that it did; but what the model wrote stands in its record.
 */
#ifndef CO_AGENT_COMPACTION_H
#define CO_AGENT_COMPACTION_H

#include "base/base.h"

#define COMPACTION_LOOK ((size_t)64 * 1024 * 1024) /* bytes of the record */

/* True if gemini's record at PATH has such a snapshot, and the context, as a
 * session begins with it, does not stand behind.  False where that cannot be
 * told. */
bool compaction_is_last(const char *path);

#endif
