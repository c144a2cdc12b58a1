/* secret-plausible.h: telling secrets from what merely has their shape.
 *
 * Examples, placeholders, names of variables and digests of nothing are no
 * secrets.  Where a token carries its issuer's mark, it is enough that it
 * varies; where only the words around it speak, it must look random.
 */
#ifndef CO_LOOKALIKE_H
#define CO_LOOKALIKE_H

#include "base/base.h"

enum lookalike {
	LOOKALIKE_MARKED,   /* a mark stood before it */
	LOOKALIKE_ANY,	    /* its form alone is proof */
	LOOKALIKE_KEY,	    /* called a key or token: must look random */
	LOOKALIKE_PASSWORD, /* called a password: must have digits */
	LOOKALIKE_SAID,	    /* the same in a sentence, so more of them */
	LOOKALIKE_URL,	    /* user:password of a URL: no mere word */
	LOOKALIKE_BASIC	    /* base64 of user:password */
};

/* True if the LEN bytes of P, which KIND tells how to judge, are a secret. */
bool lookalike_is_secret(const char *p, size_t len, enum lookalike kind);

#endif
