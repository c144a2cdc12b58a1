/* languages.h: find the languages of a project by the names of its files, and whether a
 * memory is about other languages.
 *
 *	languages: [python, c]     about these
 *	scope: language            about this one; older memories have this form
 *	language: python
 *
 * A name is that of a language or the ending of its files: `python`, `py`.
 *
 * A large tree is not read completely: at most LANGUAGES_FOLDERS directories, from the
 * top down, and LANGUAGES_ENTRIES entries of each. They are read once, when the first
 * memory names a language. Directories of other
 * people's code (node_modules, vendor), of build results, and those whose name
 * begins with a dot are skipped, and links are not followed.
 */
#ifndef CO_REPO_LANGUAGES_H
#define CO_REPO_LANGUAGES_H

#include "repo/record-keys.h"

#define LANGUAGES_FOLDERS 256
#define LANGUAGES_ENTRIES 1000 /* of a directory */

struct languages;

/* Return the languages of the project that contains the working directory. Nothing
 * is read yet. */
struct languages *languages_new(void);
void languages_free(struct languages *l);

/* Return true if the keys K of a memory name languages, and the project uses none of
 * them. A malformed key names none. Several threads may call this at once. */
bool languages_lack(struct languages *l, const struct record_keys *k);

#endif
