/* conditional.h: text that is for one provider of models only.
 *
 *	[IF gemini]
 *	Call one tool at a time.
 *	[ENDIF]
 *
 * A marker may be anywhere in a line, and pairs may nest. A line with only markers
 * is removed whole, and so are the blank lines that a removed part would leave.
 * `[IF` is a marker unless a letter or digit follows it, and so is `[ENDIF`.
 */
#ifndef CO_AGENT_CONDITIONAL_H
#define CO_AGENT_CONDITIONAL_H

#include "base/buf.h"
#include "base/err.h"

/* True if NAME can stand in a marker: 1 to 64 of A-Z a-z 0-9 . _ - that begin
 * with a letter or digit; so it is never a path of its own. */
#define CONDITIONAL_NAME_MAX 64
/* Return true if NAME can be the name in a marker: 1 to 64 of A-Z a-z 0-9 . _ -
 * that begin with a letter or digit, so it is never a path. */
bool conditional_name(const char *name, size_t len);

/* Append the LEN bytes of P without the markers and without text for a provider
 * other than PROVIDER (NULL: keep all). FILE is its name in messages. Return 0, or
 * -1 with nothing appended: ERR_DATA with the place of a marker that is malformed,
 * closes nothing, or is never closed. */
int conditional_resolve(struct buf *out, const char *p, size_t len,
			const char *provider, const char *file, struct err *e);

/* Append the LEN bytes of P, with the `[` of each marker as &#91;. */
void conditional_disarm(struct buf *out, const char *p, size_t len);

#endif
