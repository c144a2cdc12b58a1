/* http-protocol.h: the requests and answers of POST /v1/embeddings, made and
 * parsed; see model/endpoint.h.
 */
#ifndef CO_EMBED_HTTP_PROTOCOL_H
#define CO_EMBED_HTTP_PROTOCOL_H

#include "base/buf.h"
#include "base/err.h"
#include "model/endpoint.h"

#define HTTP_PATH "/embeddings"

struct http {
	const struct endpoint *server;
	const char *model;
	size_t dimension; /* 0: the model's own */

	/* Begin as zeros. */
	bool accepted; /* some text was */
	size_t refused;
};

/* Ask for the vectors of the texts that are read from FD, a JSON object with a
 * string `text` a line, and GIVE a line for each: {"vector": [...]}, or
 * {"vector": null} for one that the server does not take, as too long.
 * ERR_DATA, ERR_SYSTEM; ERR_HELPER: it takes none, or does not answer as it
 * should. */
int http_ask(struct http *s, int fd, void (*give)(const char *p, size_t len),
	     struct err *e);

#endif
