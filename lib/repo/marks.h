/* marks.h: derive from the keys of a memory to whom it is shown, and until when.
 *
 *	expires: DATE        hidden from then on; a day counts to its end, UTC
 *	archive: true        hidden
 *	superseded: ID       hidden: memory ID has replaced it
 *	sensitive: true      hidden from agents, and from searches by default
 *	trust: external      written by others
 *	review-after: DATE   due for review from then on
 *	languages: [NAME]    in the user's store: shown if the project has one of them
 *	paths: [GLOB]        shown first if the current file matches one
 *
 * A malformed value neither expires nor archives a memory. But a memory is
 * sensitive unless the value is `false`, and trusted only for `user` and `agent`:
 * an unclear value makes us more careful. repo/record-keys.h keeps these keys
 * before others, so no file must be read for them.
 */
#ifndef CO_REPO_MARKS_H
#define CO_REPO_MARKS_H

#include "base/instant.h"
#include "repo/record-keys.h"

/* Return the marks that hide a memory unless the user asks for it; and those of them
 * that --expired shows. */
unsigned marks_hidden(void);
unsigned marks_past(void);

/* Return whether V, the value of `superseded`, says that a memory was replaced. */
bool marks_is_replaced(const struct value *v);

/* Set *END to the time from which V, the value of `expires`, hides a memory. Return
 * false if V is not a date. */
bool marks_end(const struct value *v, struct instant *end);

/* Return true if keys of K may set a mark: a quick test for callers with many
 * records. */
bool marks_maybe(const struct record_keys *k);

/* Return the marks that K, or the frontmatter MAP, sets at NOW. */
unsigned marks_of(const struct record_keys *k, struct instant now);
unsigned marks_of_map(const struct value *map, struct instant now);

/* Return the marks that K sets now. The clock is read only if K has such keys; few
 * do. */
unsigned marks_now(const struct record_keys *k);

/* Append MARKS as text, " (expired)" and so on, or as a JSON list. */
void marks_text(struct buf *out, unsigned marks);
void marks_json(struct buf *out, unsigned marks);

/* Return the mark with the name NAME in marks_json(), or 0. */
unsigned marks_named(const char *name);

/* Return what the value of KEY, one of record_keys_first, must be ("must be true or
 * false") if MAP has another one, else NULL. */
const char *marks_fault(const struct value *map, const char *key);

/* The languages of a project, found by the names of its files, to tell whether a memory
 * is about other languages.
 *
 *	languages: [python, c]     about these
 *	scope: language            about this one; older memories have this form
 *	language: python
 *
 * A name is that of a language or the ending of its files: `python`, `py`.
 *
 * A large tree is not read completely: at most MARKS_FOLDERS directories, from the top
 * down, and MARKS_ENTRIES entries of each. They are read once, when the first memory
 * names a language. Directories of other people's code (node_modules, vendor), of build
 * results, and those whose name begins with a dot are skipped, and links are not
 * followed. */
#define MARKS_FOLDERS 256
#define MARKS_ENTRIES 1000 /* of a directory */

struct languages;

/* Return the languages of the project that contains the working directory. Nothing
 * is read yet. */
struct languages *marks_languages_new(void);
void marks_languages_free(struct languages *l);

/* Return true if the keys K of a memory name languages, and the project uses none of
 * them. A malformed key names none. Several threads may call this at once. */
bool marks_languages_lack(struct languages *l, const struct record_keys *k);

#endif
