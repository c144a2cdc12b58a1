/* secrets.h: find keys, tokens and passwords, which must not be saved.
 *
 * The rules are in secret-rules.h. A finding names its rule and position, never
 * the secret: error messages end up in logs.
 *
 * A struct secrets caches compiled patterns, so that many texts are cheap; a
 * text without a keyword costs about a nanosecond a byte.
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

/* Return a new cache of patterns. The caller frees it with secrets_free().
 * Cannot fail. */
struct secrets *secrets_new(void);
void secrets_free(struct secrets *s);

/* Find the first secret in LEN bytes of P that begins at FROM or later. Returns
 * 1 and fills *FOUND, 0 if there is none, or -1 with ERR_SYSTEM if a limit was
 * reached. */
int secrets_find(struct secrets *s, const char *p, size_t len, size_t from,
		 struct secret *found, struct err *e);

/* Reject LEN bytes of P if they contain a secret that WAS does not contain.
 * Returns 0, or -1: ERR_DATA with the rule and the place, which is WHERE or, if
 * that is NULL, the line number; or -1 as secrets_find(). */
int secrets_refuse(struct secrets *s, const char *p, size_t len,
		   const char *was, size_t was_len, const char *where,
		   struct err *e);

/* Append LEN bytes of P with each secret replaced by [REDACTED RULE]. Returns
 * the number of secrets, or -1 as secrets_find(): then OUT must not be used. */
int secrets_redact(struct buf *out, struct secrets *s, const char *p,
		   size_t len, struct err *e);

/* Return rule number N, from 0, or NULL after the last. */
const struct secret_rule *secrets_rule(size_t n);

#endif
