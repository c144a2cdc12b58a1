/* marks.h: what the keys of a memory say of who may be shown it, and how long.
 *
 *	expires: DATE        not from then on; a day counts to its end, UTC
 *	archive: true        not any more
 *	superseded: ID       not any more: memory ID has replaced it
 *	sensitive: true      not to agents, nor to who did not ask for it
 *	trust: external      others wrote it
 *	review-after: DATE   from then on somebody is to look at it again
 *	languages: [NAME]    of the user's: where the project has some of them
 *	paths: [GLOB]        before others where one of them is at hand
 *
 * What is malformed expires nothing and archives nothing; but only `false` makes
 * what is not `true` less than sensitive, and only `user` and `agent` are trusted:
 * what cannot be told makes us more careful.  repo/record-keys.h keeps these keys
 * before others, so that no file is read for them.
 */
#ifndef CO_REPO_MARKS_H
#define CO_REPO_MARKS_H

#include "base/instant.h"
#include "repo/record-keys.h"

/* Return the marks of what is shown only where it is asked for, and those of them
 * that are past. */
unsigned marks_hidden(void);
unsigned marks_past(void);

/* Return whether V, the value of `superseded`, says that a memory was replaced. */
bool marks_is_replaced(const struct value *v);

/* For who asks many: could keys of K set a mark? */
bool marks_maybe(const struct record_keys *k);

/* Those of K at NOW; of the frontmatter MAP. */
unsigned marks_of(const struct record_keys *k, struct instant now);
unsigned marks_of_map(const struct value *map, struct instant now);

/* The same now; few have any, and for others no clock is asked. */
unsigned marks_now(const struct record_keys *k);

/* Append the MARKS as text: " (expired)", and so on; as a JSON list. */
void marks_text(struct buf *out, unsigned marks);
void marks_json(struct buf *out, unsigned marks);

/* The mark that is called NAME in these; 0 for none. */
unsigned marks_named(const char *name);

/* Return what is wrong with KEY, one of record_keys_first, in MAP: what it must be.
 * NULL when nothing is. */
const char *marks_fault(const struct value *map, const char *key);

#endif
