/* rules.h: the memories that every session loads, those with `always: true`.
 *
 * A memory that is replaced, archived, expired, sensitive, external or about
 * another programming language is not a rule. Drafts are not either.
 *
 * No session waits until a whole store is read. If the directories are
 * unchanged since the cache was written, the cache tells which memories are
 * rules, and only those are read. Otherwise the cache is updated or made.
 * Without a cache, as in a sandbox, up to RULES_READ memories are read; for a
 * larger store, the context says that its rules could not be loaded.
 */
#ifndef CO_AGENT_RULES_H
#define CO_AGENT_RULES_H

#include "store/store.h"

#define RULES_KEY "always"
#define RULES_READ 2000

struct rules {
	struct record *items; /* ordered by `created`, then id */
	size_t n;
	struct arena arena; /* of the items */
};

/* Find the rules of S. Unresolved merges are reported to the report of S.
 * Return 0; or -1 with ERR_SYSTEM if S has too many memories and no cache, or a file or
 * directory cannot be read: RULES has the others. Release RULES with rules_release(). */
int rules_find(struct rules *rules, struct store *s, struct err *e);
void rules_release(struct rules *rules);

/* Return true if R, as read from its file, is a rule. Its languages are not
 * checked. */
bool rules_has(const struct record *r);

/* Append RULES as a section, without the last newline; nothing if there are
 * none. */
void rules_text(struct buf *out, const struct rules *rules);

/* Append the LEN bytes of P as a bullet, in lines that end in NL. Lines after
 * the first are indented, so that they belong to the bullet. */
void rules_bullet(struct buf *out, const char *p, size_t len, const char *nl);

#endif
