/* http-protocol.h: the requests and answers of POST /v1/embeddings, made and
 * parsed; the network is left to the caller.
 */
#ifndef CO_EMBED_HTTP_PROTOCOL_H
#define CO_EMBED_HTTP_PROTOCOL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"
#include "sys/lines.h"

/* Append the address that the user's URL stands for: one without a path gets
 * /v1/embeddings, another that does not end in it /embeddings.  *LOOPBACK
 * tells whether it is this machine.  ERR_USAGE: it is not http or https, or
 * holds a password. */
int http_url(struct buf *out, const char *url, bool *loopback, struct err *e);

/* Texts that one request asks for at most. */
#define HTTP_BATCH 32

/* Read the next lines of IN, each a JSON object with a string `text`: 1 and *N
 * of those in TEXTS, HTTP_BATCH at most, which live in A; 0 at the end;
 * -1: ERR_DATA, ERR_SYSTEM. */
int http_read(struct lines *in, struct value *texts, size_t *n, struct arena *a,
	      struct err *e);

/* Post BODY within LEFT milliseconds, and put what comes back behind the empty
 * ANSWER: the HTTP status, and in *PAUSE the milliseconds that the server asks
 * to wait, 0 for none; or -1 (ERR_HELPER) where there is no answer. */
typedef long http_post_fn(void *ctx, const struct buf *body, int64_t left,
			  struct buf *answer, int64_t *pause, struct err *e);

struct http {
	const char *model;
	size_t dimension; /* 0: the model's own */
	const char *key;  /* "" for none: never repeated */
	http_post_fn *post;
	void *ctx;
	int64_t until; /* by instant_ticks() */

	/* Begin as zeros. */
	bool accepted; /* some text was */
	size_t refused;
};

/* Ask for the vectors of N <= HTTP_BATCH strings and append a line for
 * each to OUT, {"vector": [...]}, or {"vector": null} for one that the server
 * does not take, as too long.  ERR_HELPER, and nothing appended: it takes none,
 * or does not answer as it should. */
int http_ask(struct http *s, const struct value *texts, size_t n,
	     struct buf *out, struct err *e);

#endif
