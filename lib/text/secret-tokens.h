/* secret-tokens.h: rules for tokens with an issuer's prefix, such as ghp_ of
 * GitHub. */
#ifndef CO_TEXT_SECRET_TOKENS_H
#define CO_TEXT_SECRET_TOKENS_H

#include "text/secret-rules.h"

extern const struct secret_rule secret_tokens[];
extern const size_t secret_tokens_count;

#endif
