/* snippet.h: the piece of a text that answers a question. */
#ifndef CO_RANK_SNIPPET_H
#define CO_RANK_SNIPPET_H

#include "rank/query.h"
#include "text/color.h"

#define SNIPPET_WORDS 32

/* Append the SNIPPET_WORDS words of P in which most terms of Q stand, on one
 * line, and ... where something is left out; to MATCHES as JSON where in OUT,
 * which is empty, the words that are asked for begin and end, in bytes:
 * [[4,9],[12,20]].  Cannot fail. */
void snippet_add(struct buf *out, struct buf *matches, const char *p,
		 size_t len, const struct query *q);

/* Add, as COLOR_MATCH, the words of P that are asked for. */
void snippet_spans(struct spans *out, const char *p, size_t len,
		   const struct query *q);

#endif
