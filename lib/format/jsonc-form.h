/* jsonc-form.h: how values are written into a file of settings. */
#ifndef CO_FORMAT_JSONC_FORM_H
#define CO_FORMAT_JSONC_FORM_H

#include "base/buf.h"
#include "format/value.h"

/* A line for each member, or all on one. */
struct jsonc_form {
	const char *newline, *unit;
	bool flat;
};

/* Append a newline, BASE, the indentation of the value itself, and DEPTH units. */
void jsonc_form_break(struct buf *out, const struct jsonc_form *f,
		      const char *base, int depth);

/* Append V, whose line begins with BASE; numbers are VALUE_BIGINT, as jsonc.h
 * reads them. */
void jsonc_form_add(struct buf *out, const struct value *v,
		    const struct jsonc_form *form, const char *base, int depth);

#endif
