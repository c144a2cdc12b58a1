/* snippet.h: the piece of a text that answers a question. */
#ifndef CO_SNIPPET_H
#define CO_SNIPPET_H

#include "question.h"

#define SNIPPET_WORDS 32

/* Append the SNIPPET_WORDS words of P in which most terms of Q stand, on one
 * line, each that is asked for as <b>word</b>, and ... where something is left
 * out.  Cannot fail. */
void snippet_add(struct buf *out, const char *p, size_t len,
		 const struct question *q);

#endif
