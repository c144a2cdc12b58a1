/* owner.h: whose files are believed, and whose the ones are that root makes.
 *
 * A folder of another user's is refused, as git does, unless the user's own
 * settings.json lists it under `safe.directory`.
 */
#ifndef CO_REPO_OWNER_H
#define CO_REPO_OWNER_H

#include "base/base.h"

#include <sys/types.h>

/* May we believe what stands in FOLDER, a path, and belongs to OWNER: us, root,
 * or under sudo the caller; or FOLDER is listed: itself, "*", or "DIR" and a
 * slash and a star for all below DIR? */
bool owner_is_trusted(uid_t owner, const char *folder);

#endif
