/* secret-plausible.h: telling secrets from what merely looks like one.
 *
 * Examples, placeholders, names of variables and digests of nothing are no
 * secrets.  Where a token carries its issuer's mark, it is enough that it
 * varies; where only the words around it speak, it must look random.
 */
#ifndef CO_TEXT_SECRET_PLAUSIBLE_H
#define CO_TEXT_SECRET_PLAUSIBLE_H

#include "base/base.h"

enum secret_plausible {
	SECRET_PLAUSIBLE_MARKED,   /* a mark stood before it */
	SECRET_PLAUSIBLE_ANY,	   /* its form alone is proof */
	SECRET_PLAUSIBLE_KEY,	   /* called a key or token: must look random */
	SECRET_PLAUSIBLE_PASSWORD, /* called a password: must have digits */
	SECRET_PLAUSIBLE_SAID,	   /* the same in a sentence, so more of them */
	SECRET_PLAUSIBLE_URL,	   /* user:password of a URL: no mere word */
	SECRET_PLAUSIBLE_BASIC	   /* base64 of user:password */
};

/* True if the LEN bytes of P, which KIND tells how to judge, are a secret. */
bool secret_is_plausible(const char *p, size_t len, enum secret_plausible kind);

#endif
