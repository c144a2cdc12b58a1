/* fetch.h: getting one page from the network, wherever a stranger says it is.
 *
 * http and https alone; of addresses those of the public network alone, judged
 * when a socket is opened, so that neither a redirect nor a name that is looked
 * up again gets round it.  Redirects, bytes (unpacked), headers and seconds are
 * counted.  Nothing of the user's goes along: no cookies, no passwords, no proxy
 * of the environment.  Certificates are always checked.
 */
#ifndef CO_FETCH_FETCH_H
#define CO_FETCH_FETCH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/sha256.h"

#define FETCH_BYTES ((size_t)8 * 1024 * 1024) /* unless told otherwise */
#define FETCH_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define FETCH_SECONDS 30
#define FETCH_SECONDS_MAX 600
#define FETCH_REDIRECTS 5

struct fetch {
	/* What is wanted. */
	const char *url;
	const char *etag, *modified; /* only if it is another by now; or NULL */
	const char *proxy;	     /* a URL; or NULL */
	size_t bytes, seconds;	     /* at most */
	bool robots;		     /* if the site lets programs read it */
	bool allow_private;	     /* from any address */

	/* What came; texts are the server's, NULL where it did not say. */
	long status;	   /* of HTTP; 0: there was no answer */
	const char *final; /* where it was, behind redirects */
	const char *redirects[FETCH_REDIRECTS]; /* where those led to */
	size_t nredirects;
	const char *type; /* without what follows a semicolon, in lower case */
	const char *charset;
	const char *now_etag, *now_modified;
	struct buf body;
	char sha256[SHA256_HEX]; /* of the body */
	struct arena arena;	 /* holds the texts */
};

/* Get it.  ERR_NO: it is not modified, or not there; ERR_USAGE: F is no URL;
 * ERR_DATA: a rule forbids it, which is named; ERR_SYSTEM: too large, too slow,
 * not to be trusted; ERR_HELPER: all else that goes wrong out there.  Release F
 * either way. */
int fetch_get(struct fetch *f, struct err *e);
void fetch_release(struct fetch *f);

/* Append what came but for the body, as an object and a line; see co-json(5). */
void fetch_add_json(struct buf *out, const struct fetch *f);

#endif
