/* conditional.h: text that is meant for only one provider of models.
 *
 *	[IF gemini]
 *	Call one tool at a time.
 *	[ENDIF]
 *
 * A marker may be anywhere in a line, and pairs may nest. A line that has only
 * markers is removed, and so are the blank lines that a removed part would
 * leave. `[IF` and `[ENDIF` are markers unless a letter or digit follows.
 */
#ifndef CO_AGENT_CONDITIONAL_H
#define CO_AGENT_CONDITIONAL_H

#include "base/buf.h"
#include "base/err.h"

#define CONDITIONAL_NAME_MAX 64
/* Return true if NAME is valid in a marker: 1 to 64 of A-Z a-z 0-9 . _ - that
 * begin with a letter or digit. Such a name is never a path. */
bool conditional_name(const char *name, size_t len);

/* Set OUT, which must be empty, to the LEN bytes of P without the markers and
 * without text for a provider other than PROVIDER. With PROVIDER NULL, all text
 * in conditionals is removed. FILE is the file name in messages. Return 0, or
 * -1 and OUT must not be used: ERR_DATA with the position of a marker that is
 * malformed, closes nothing, or is never closed. */
int conditional_resolve(struct buf *out, const char *p, size_t len,
			const char *provider, const char *file, struct err *e);

/* Append the LEN bytes of P with the `[` of each marker replaced by `&#91;`. */
void conditional_disarm(struct buf *out, const char *p, size_t len);

#endif
