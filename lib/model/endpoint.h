/* endpoint.h: an HTTP server that answers POST requests with JSON and is not
 * trusted.
 *
 * The caller supplies the function that sends a request, since only its program
 * is linked with libcurl.
 */
#ifndef CO_MODEL_ENDPOINT_H
#define CO_MODEL_ENDPOINT_H

#include "base/buf.h"
#include "base/err.h"

#define ENDPOINT_ANSWER_MAX ((size_t)16 * 1024 * 1024)

/* The user's settings for a server. */
struct endpoint_address {
	const char *url;
	const char *path;     /* after the version: "/embeddings" */
	const char *key_env;  /* environment variable with the key, or "" */
	const char *key_file; /* file with the key, or "" */
	bool anthropic;	      /* send Anthropic's headers */
};

/* Send BODY by POST, or a GET if it is empty, within LEFT milliseconds, and
 * append the answer to the empty ANSWER. Returns the HTTP status, with *PAUSE
 * the milliseconds that the server asks to wait (0: none), or -1 with
 * ERR_HELPER if there is no answer. */
typedef long endpoint_post_fn(void *ctx, const struct buf *body, int64_t left,
			      struct buf *answer, int64_t *pause,
			      struct err *e);

struct endpoint {
	endpoint_post_fn *post;
	void *ctx;
	int64_t until; /* deadline, by instant_monotonic_ms() */

	/* Set by endpoint_open(). */
	struct buf address;
	struct buf key;	  /* secret: never print it */
	char *headers[4]; /* NULL-terminated */
};

/* Set address, key and headers of S from P. An address without a path gets /v1
 * and the path of P; one with another path gets the path of P. Returns 0, or
 * -1: ERR_USAGE if the address is not http or https or contains a password, or
 * if the key is missing, has several lines, is in a file that others may read,
 * or would go to another machine by http; ERR_SYSTEM. endpoint_close() frees
 * what S holds, also after a failure. */
int endpoint_open(struct endpoint *s, const struct endpoint_address *p,
		  struct err *e);
void endpoint_close(struct endpoint *s);

/* Return true if the server is on this machine. */
bool endpoint_is_here(const struct endpoint *s);

/* Append the request that would be sent, with the key masked. */
void endpoint_show(struct buf *out, const struct endpoint *s,
		   const struct buf *body);

/* Send BODY, retrying while the server is busy or fails, until the deadline, or
 * until the server asks for a pause beyond it. Returns the last status, or
 * -1. */
long endpoint_ask(const struct endpoint *s, const struct buf *body,
		  struct buf *answer, struct err *e);

/* Set E to ERR_HELPER: the connection failed with WHAT; TEXT has the details.
 * Returns -1. */
enum endpoint_trouble {
	ENDPOINT_UNREACHED,
	ENDPOINT_UNTRUSTED,
	ENDPOINT_LATE,
	ENDPOINT_FLOODS, /* over ENDPOINT_ANSWER_MAX */
	ENDPOINT_CUT_OFF
};
int endpoint_trouble(const struct endpoint *s, enum endpoint_trouble what,
		     const char *text, struct err *e);

/* Set E to ERR_HELPER: the server answered with STATUS. The message of ANSWER
 * is added on one short line, with the key masked. Returns -1. */
int endpoint_fail(const struct endpoint *s, long status,
		  const struct buf *answer, struct err *e);

/* Check that S answers and accepts the key. Returns 0, or -1 with
 * ERR_HELPER. */
int endpoint_check(const struct endpoint *s, struct err *e);

#define ENDPOINT_VECTORS "/embeddings" /* the path of the address */

struct endpoint_vectors {
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
int endpoint_vectors(struct endpoint_vectors *s, int fd,
		     void (*give)(const char *p, size_t len), struct err *e);

#endif
