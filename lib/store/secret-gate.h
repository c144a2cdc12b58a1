/* secret-gate.h: what keeps secrets out of a store, see text/secrets.h.
 *
 * Every change that brings text in asks here first, see also
 * store_allow_secret().  Refusals are ERR_DATA, name the
 * rule and the place, and never what was found.
 */
#ifndef CO_STORE_SECRET_GATE_H
#define CO_STORE_SECRET_GATE_H

#include "format/value.h"
#include "store/handle.h"

/* 0 if the LEN bytes of P may go into S, else -1.  What WAS (or NULL) holds
 * already may stay.  WHERE names the place, NULL stands for the line. */
int secret_gate_text(struct store *s, const char *p, size_t len,
		     const char *was, size_t was_len, const char *where,
		     struct err *e);

/* The same for the keys and values of MAP. */
int secret_gate_map(struct store *s, const struct value *map, const char *where,
		    struct err *e);

/* True if the LEN bytes of P may go into S only because it lets all through. */
bool secret_gate_overruled(struct store *s, const char *p, size_t len);

#endif
