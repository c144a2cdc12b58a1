/* http-protocol.h: write and parse the requests and answers of POST
 * /v1/embeddings; see model/endpoint.h.
 */
#ifndef CO_EMBED_HTTP_PROTOCOL_H
#define CO_EMBED_HTTP_PROTOCOL_H

#include "base/err.h"
#include "model/endpoint.h"

#define HTTP_PATH "/embeddings"

struct http {
	const struct endpoint *server;
	const char *model;
	size_t dimension; /* 0: the model's own */

	/* Zero at first. */
	bool accepted; /* a text was accepted */
	size_t refused;
};

/* Read JSON objects with a string `text` from FD, one per line. Request their
 * vectors, and pass to GIVE a line for each: {"vector": [...]}, or {"vector":
 * null} if the server refuses the text, for being too long, say. Return 0, or
 * -1: ERR_DATA, ERR_SYSTEM, or ERR_HELPER if the server accepts none or answers
 * wrongly. */
int http_ask(struct http *s, int fd, void (*give)(const char *p, size_t len),
	     struct err *e);

#endif
