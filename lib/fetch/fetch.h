/* fetch.h: fetch one page from the network, from an untrusted URL.
 *
 * Only http and https, and only public addresses. The address is checked when a
 * socket is opened, so neither a redirect nor a second name lookup evades the
 * check. Redirects, bytes (uncompressed), headers and seconds are limited.
 * Nothing of the user is sent: no cookies, no passwords, no proxy of the
 * environment. Certificates are always verified.
 */
#ifndef CO_FETCH_FETCH_H
#define CO_FETCH_FETCH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/sha256.h"

#define FETCH_BYTES ((size_t)8 * 1024 * 1024) /* default limit */
#define FETCH_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define FETCH_SECONDS 30
#define FETCH_SECONDS_MAX 600
#define FETCH_REDIRECTS 5

struct fetch {
	/* Set by the caller. */
	const char *url;
	const char *etag, *modified; /* fetch only if changed; or NULL */
	const char *proxy;	     /* a URL, or NULL */
	size_t bytes, seconds;	     /* limits */
	bool robots;		     /* obey robots.txt */
	bool allow_private;	     /* accept any address */

	/* The answer. Strings come from the server; NULL if it did not send
	 * them. */
	long status;				/* of HTTP; 0: no answer */
	const char *final;			/* URL after redirects */
	const char *redirects[FETCH_REDIRECTS]; /* their targets */
	size_t nredirects;
	const char *type; /* lower case, without parameters */
	const char *charset;
	const char *now_etag, *now_modified;
	struct buf body;
	char sha256[SHA256_HEX]; /* of the body */
	struct arena arena;	 /* owns the strings */
};

/* Fetch F. Returns 0, or -1: ERR_NO, not modified or not found; ERR_USAGE, not
 * a URL; ERR_DATA, forbidden by a rule, which the message names; ERR_SYSTEM,
 * too large, too slow or not trusted; ERR_HELPER, any other failure of the
 * network or server. The caller releases F in either case. */
int fetch_get(struct fetch *f, struct err *e);
void fetch_release(struct fetch *f);

/* Append the answer without its body as a JSON object on one line; see
 * co-json(5). */
void fetch_add_json(struct buf *out, const struct fetch *f);

#endif
