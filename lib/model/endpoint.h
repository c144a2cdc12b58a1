/* endpoint.h: a server elsewhere that answers POST with JSON, and is not trusted.
 *
 * The network itself is left to the caller, who alone is linked with libcurl.
 */
#ifndef CO_MODEL_ENDPOINT_H
#define CO_MODEL_ENDPOINT_H

#include "base/buf.h"
#include "base/err.h"

#define ENDPOINT_ANSWER_MAX ((size_t)16 * 1024 * 1024)

/* What the user says of a server. */
struct endpoint_address {
	const char *url;
	const char *path;     /* behind the version: "/embeddings" */
	const char *key_env;  /* the variable that holds the key, or "" */
	const char *key_file; /* the file that does, or "" */
	bool anthropic;	      /* it wants Anthropic's headers */
};

/* Post BODY, or where that is empty get, within LEFT milliseconds, and put what
 * comes back behind the empty ANSWER: the HTTP status, and in *PAUSE the
 * milliseconds that the server asks to wait, 0 for none; or -1 (ERR_HELPER)
 * where there is no answer. */
typedef long endpoint_post_fn(void *ctx, const struct buf *body, int64_t left,
			      struct buf *answer, int64_t *pause,
			      struct err *e);

struct endpoint {
	endpoint_post_fn *post;
	void *ctx;
	int64_t until; /* by instant_monotonic_ms() */

	/* Set by endpoint_open(). */
	struct buf address;
	struct buf key;	  /* never repeated */
	char *headers[4]; /* NULL-terminated */
};

/* Fill S in.  An address without a path gets /v1 and the path of P, another
 * that does not end in that gets it as well.  ERR_USAGE: the address is not http
 * or https, or holds a password; there is no key where one is named, it has
 * several lines, others may read its file, or it would go to another machine by
 * http.  ERR_SYSTEM. */
int endpoint_open(struct endpoint *s, const struct endpoint_address *p,
		  struct err *e);
void endpoint_close(struct endpoint *s);

/* True if the server is this machine. */
bool endpoint_is_here(const struct endpoint *s);

/* Append what would be sent, without the key. */
void endpoint_show(struct buf *out, const struct endpoint *s,
		   const struct buf *body);

/* Post BODY, again and again until the server is neither busy nor broken, or
 * time is up, or it asks to wait for longer: the status, or -1. */
long endpoint_ask(const struct endpoint *s, const struct buf *body,
		  struct buf *answer, struct err *e);

/* ERR_HELPER: WHAT is wrong with the connection, and TEXT of it.  Always -1. */
enum endpoint_trouble {
	ENDPOINT_UNREACHED,
	ENDPOINT_UNTRUSTED,
	ENDPOINT_LATE,
	ENDPOINT_FLOODS, /* ENDPOINT_ANSWER_MAX */
	ENDPOINT_CUT_OFF
};
int endpoint_trouble(const struct endpoint *s, enum endpoint_trouble what,
		     const char *text, struct err *e);

/* ERR_HELPER: the server answered with STATUS, and what the ANSWER says of it in
 * one short line, without the key.  Always -1. */
int endpoint_fail(const struct endpoint *s, long status,
		  const struct buf *answer, struct err *e);

/* See whether S answers, and takes the key; whatever else it says.  ERR_HELPER. */
int endpoint_check(const struct endpoint *s, struct err *e);

#endif
