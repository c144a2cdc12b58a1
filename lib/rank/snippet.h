/* snippet.h: the part of a text that answers a query. */
#ifndef CO_RANK_SNIPPET_H
#define CO_RANK_SNIPPET_H

#include "rank/query.h"
#include "text/color.h"

#define SNIPPET_WORDS 32

/* A snippet, in an arena. */
struct snippet {
	const char *text;    /* one line, with ... where text is left out */
	const char *matches; /* as JSON, where the matching words begin and end
			      * in TEXT, in bytes: [[4,9],[12,20]] */
};

/* Return the SNIPPET_WORDS words of P with the most terms of Q, in A. */
struct snippet snippet_of(const char *p, size_t len, const struct query *q,
			  struct arena *a);

/* Add the words of P that match Q as COLOR_MATCH. */
void snippet_spans(struct spans *out, const char *p, size_t len,
		   const struct query *q);

#endif
