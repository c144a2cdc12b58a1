/* conditional.h: text that is meant for one provider of models alone.
 *
 *	[IF gemini]
 *	Call one tool at a time.
 *	[ENDIF]
 *
 * A marker may stand anywhere in a line, and pairs may nest.  A line that
 * holds nothing but markers goes as a whole, and so do the blank lines that
 * would be left over where a part was taken out.  `[IF` is a marker unless a
 * letter or digit follows it, and so is `[ENDIF`.
 */
#ifndef CO_AGENT_CONDITIONAL_H
#define CO_AGENT_CONDITIONAL_H

#include "base/buf.h"
#include "base/err.h"

/* True if NAME can stand in a marker: 1 to 64 of A-Z a-z 0-9 . _ - that begin
 * with a letter or digit; so it is never a path of its own. */
#define CONDITIONAL_NAME_MAX 64
bool conditional_name(const char *name, size_t len);

/* Append the LEN bytes of P, without the markers and without what is meant for
 * another than PROVIDER (NULL: for any).  FILE is what sentences call it.
 * ERR_DATA, with the place, and nothing appended: a marker that is malformed,
 * closes nothing, or is never closed. */
int conditional_resolve(struct buf *out, const char *p, size_t len,
			const char *provider, const char *file, struct err *e);

/* Append the LEN bytes of P, the `[` of whatever reads as a marker as &#91;.
 * Cannot fail. */
void conditional_disarm(struct buf *out, const char *p, size_t len);

#endif
