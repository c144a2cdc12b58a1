/* template.h: records printed as a person asks, as git's for-each-ref does.
 *
 * `%(id) %(created:short) %(tags) %(summary)`; %% is a percent sign, %xx (two
 * hexadecimal digits) a byte, \t a tab, \n a newline, \\ a backslash.  The fields are those of repo/record.h;
 * modifiers:
 *
 *	%(id:03)           zero-padded to a width of 1 to 9
 *	%(path:name)       the file's name; :dir its folder
 *	%(created:short)   the date; :utc the time in UTC; :unix seconds
 *	%(tags:SEP)        joined by SEP instead of ", "
 *	%(content:N)       the first N characters; so for summary and source
 */
#ifndef CO_CLI_TEMPLATE_H
#define CO_CLI_TEMPLATE_H

#include "repo/record.h"

struct template;

/* Compile TEXT; the result lives in A.  ERR_USAGE names the offset and what
 * was expected. */
int template_new(struct template **out, const char *text, struct arena *a,
		 struct err *e);

/* Append R printed by T. */
void template_add(struct buf *out, const struct template *t,
		  const struct record *r);

/* True if T prints the content, so that a reader must keep it. */
bool template_uses(const struct template *t, enum record_field f);

#endif
