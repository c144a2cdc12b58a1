/* secret-tokens.h: the rules for tokens that carry their issuer's mark, as ghp_
 * of GitHub. */
#ifndef CO_TEXT_SECRET_TOKENS_H
#define CO_TEXT_SECRET_TOKENS_H

#include "text/secret-rules.h"

extern const struct secret_rule secret_tokens[];
extern const size_t secret_tokens_count;

#endif
