/* rules.h: the memories that every session loads: `always: true`.
 *
 * Not among them, in whatever store: what is superseded, archived, expired,
 * sensitive or of external trust; drafts never are.
 *
 * No session waits for a store to be read.  While its folders are as its cache
 * has them the cache is asked which these are, and those alone are read; else
 * the cache is brought up to date, or made.  Where none can be kept, as in a
 * sandbox, up to RULES_READ memories are read, and of a larger store it is said
 * that its rules are not known.
 */
#ifndef CO_AGENT_RULES_H
#define CO_AGENT_RULES_H

#include "store/store.h"

#define RULES_KEY "always"
#define RULES_READ 2000

struct rules {
	struct record *items; /* by `created`, then id */
	size_t n;
	struct arena arena; /* of them */
};

/* Find those of S; what a merge left in one is reported to S's report.  -1:
 * they are not known.  Release with rules_release(). */
int rules_find(struct rules *rules, struct store *s, struct err *e);
void rules_release(struct rules *rules);

/* Is R, as it was read from its file, one of them? */
bool rules_has(const struct record *r);

/* Append them as a section, from its heading to the end of the last line but for
 * the newline; nothing where there is none. */
void rules_text(struct buf *out, const struct rules *rules);

/* Append the LEN bytes of P as a bullet, in lines that end in NL: further ones are
 * indented, so that they belong. */
void rules_bullet(struct buf *out, const char *p, size_t len, const char *nl);

#endif
