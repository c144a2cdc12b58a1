/* secret-tokens.h: the shapes of tokens that carry their issuer's mark. */
#ifndef CO_TOKENS_H
#define CO_TOKENS_H

#include "text/secret-rules.h"

extern const struct shape tokens[];
extern const size_t tokens_count;

#endif
