/* template.h: print records by a template, as git's for-each-ref does.
 *
 * `%(id) %(created:short) %(tags) %(summary)`; %% is a percent sign, %xx (two
 * hexadecimal digits) a byte, \t a tab, \n a newline, \\ a backslash. The
 * fields are those of repo/record.h. Modifiers:
 *
 *   %(id:03)           zero-padded to a width of 1 to 9
 *   %(path:name)       the file name; :dir the directory
 *   %(created:short)   the date; :utc the time in UTC; :unix seconds
 *   %(tags:SEP)        joined by SEP instead of ", "
 *   %(content:N)       the first N characters; also summary, source and snippet
 */
#ifndef CO_CLI_TEMPLATE_H
#define CO_CLI_TEMPLATE_H

#include "repo/record.h"

struct template;

/* Compile TEXT into *OUT, allocated in A. Return 0, or -1 with ERR_USAGE, which
 * names the offset and the expected text. */
int template_new(struct template **out, const char *text, struct arena *a,
		 struct err *e);

/* Append R, formatted by T. */
void template_add(struct buf *out, const struct template *t,
		  const struct record *r);

/* Return true if T prints the field F. */
bool template_uses(const struct template *t, enum record_field f);

#endif
