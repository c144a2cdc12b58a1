/* secrets.h: finding keys, tokens and passwords, which must not be saved.
 *
 * They are found by the rules of secret-rules.h.  A finding names its rule and
 * place and never what was found: errors end up in logs.
 *
 * A struct secrets keeps the patterns that it has compiled, so that many texts
 * cost little; one without any keyword costs about a nanosecond a byte.
 */
#ifndef CO_TEXT_SECRETS_H
#define CO_TEXT_SECRETS_H

#include "base/buf.h"
#include "base/err.h"
#include "text/secret-rules.h"

struct secrets;

/* A finding: the bytes [start, end) of the text. */
struct secret {
	const char *rule;
	size_t start, end;
};

/* Yours, release with secrets_free().  Cannot fail. */
struct secrets *secrets_new(void);
void secrets_free(struct secrets *s);

/* The first secret in the LEN bytes of P that begins at FROM or behind it:
 * 1 (*FOUND is filled), 0, or -1: ERR_SYSTEM, a limit struck. */
int secrets_find(struct secrets *s, const char *p, size_t len, size_t from,
		 struct secret *found, struct err *e);

/* Refuse the LEN bytes of P if they hold a secret that WAS does not hold:
 * ERR_DATA, a sentence that names the rule and the place: WHERE, or the line
 * where that is NULL. */
int secrets_refuse(struct secrets *s, const char *p, size_t len,
		   const char *was, size_t was_len, const char *where,
		   struct err *e);

/* Append the LEN bytes of P, each secret replaced by [REDACTED RULE]; how many
 * there were, or -1 as secrets_find(): then nobody may have OUT. */
int secrets_redact(struct buf *out, struct secrets *s, const char *p,
		   size_t len, struct err *e);

/* The rule with the index N, NULL behind the last. */
const struct secret_rule *secrets_rule(size_t n);

#endif
