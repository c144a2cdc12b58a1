/* secret-plausible.h: tell a secret from a string that only looks like one.
 *
 * Examples, placeholders, names of variables and digests are not secrets. A
 * string with an issuer's prefix only needs enough distinct characters; one
 * that is called a secret by the words around it must look random.
 */
#ifndef CO_TEXT_SECRET_PLAUSIBLE_H
#define CO_TEXT_SECRET_PLAUSIBLE_H

#include "base/base.h"

enum secret_plausible {
	SECRET_PLAUSIBLE_MARKED,   /* follows an issuer's prefix */
	SECRET_PLAUSIBLE_ANY,	   /* its form is sufficient */
	SECRET_PLAUSIBLE_KEY,	   /* called a key or token: must look random */
	SECRET_PLAUSIBLE_PASSWORD, /* called a password: must have digits */
	SECRET_PLAUSIBLE_SAID,	   /* in a sentence: needs more digits */
	SECRET_PLAUSIBLE_URL,	   /* user:password in a URL: not a word */
	SECRET_PLAUSIBLE_BASIC	   /* base64 of user:password */
};

/* Return true if the LEN bytes of P, judged as KIND, are likely a secret. */
bool secret_is_plausible(const char *p, size_t len, enum secret_plausible kind);

#endif
