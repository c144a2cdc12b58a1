/* secret-gate.h: keep secrets out of a store (see text/secrets.h).
 *
 * Every change that adds text checks it here first. store_allow_secret() turns the
 * check off. A refusal is ERR_DATA; its message names the rule and the place, and never
 * contains the secret. If the command called store_allow_secret(), it names the option
 * too.
 */
#ifndef CO_STORE_SECRET_GATE_H
#define CO_STORE_SECRET_GATE_H

#include "format/value.h"
#include "store/handle.h"

/* Return 0 if the LEN bytes of P may be written to S, else -1. A secret that the
 * WAS_LEN bytes of WAS contain already may stay; WAS may be NULL. WHERE names the
 * place in the message; NULL: the message gives the line. */
int secret_gate_text(struct store *s, const char *p, size_t len,
		     const char *was, size_t was_len, const char *where,
		     struct err *e);

/* Return 0 if all keys and values of MAP, the frontmatter of a file, may be written
 * to S, else -1. */
int secret_gate_map(struct store *s, const struct value *map, struct err *e);

/* Return true if the LEN bytes of P contain a secret that S allows only because of
 * store_allow_secret(). */
bool secret_gate_overruled(struct store *s, const char *p, size_t len);

#endif
