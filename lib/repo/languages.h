/* languages.h: which languages the project is written in, by the names of its files;
 * and whether a memory is about others.
 *
 *	languages: [python, c]     about these
 *	scope: language            the same of one, as older memories say it
 *	language: python
 *
 * A name is that of a language, or of what its files end in: `python`, `py`.
 * Nobody waits for a large tree: folders are looked through from the top down, at
 * most LANGUAGES_FOLDERS of them and so many entries of each, once, when the first
 * memory says a language; what stands behind that is not seen.  Folders that hold
 * what others wrote (node_modules, vendor), or what was built, and those with a dot
 * in front are passed over, and no link is followed.
 */
#ifndef CO_REPO_LANGUAGES_H
#define CO_REPO_LANGUAGES_H

#include "repo/record-keys.h"

#define LANGUAGES_FOLDERS 256
#define LANGUAGES_ENTRIES 1000 /* of a folder */

struct languages;

/* Those of the project that the working directory is in; nothing is read yet. */
struct languages *languages_new(void);
void languages_free(struct languages *l);

/* True if a memory with the keys K is about languages, none of which the project
 * has.  What is malformed is about none.  Several threads may ask. */
bool languages_lack(struct languages *l, const struct record_keys *k);

#endif
