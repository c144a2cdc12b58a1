/* owner.h: whose files are trusted.
 *
 * As in git, a directory of another user is refused unless the user's settings.json
 * lists it under `safe.directory`.
 */
#ifndef CO_REPO_OWNER_H
#define CO_REPO_OWNER_H

#include "base/base.h"

#include <sys/types.h>

/* Return true if the contents of the directory FOLDER, which belongs to OWNER, can
 * be trusted. OWNER is this user, root or, under sudo, the caller; or FOLDER is
 * listed. A listed path is FOLDER itself, "*", or "DIR" with a slash and a star for
 * all directories below DIR. */
bool owner_is_trusted(uid_t owner, const char *folder);

#endif
