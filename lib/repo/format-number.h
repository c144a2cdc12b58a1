/* format-number.h: the format of a store's files, as its settings.json has it:
 * `"format": 1`.  A file without it, or none, means 1; with `"team": true` it is
 * 2: ids are drawn, memories stand in folders by number, a rule is a file.
 */
#ifndef CO_REPO_FORMAT_NUMBER_H
#define CO_REPO_FORMAT_NUMBER_H

#include "base/err.h"
#include "format/value.h"

#define FORMAT_OURS 2
#define FORMAT_NEW 1 /* that of a new store */
#define FORMAT_KEY "format"
#define FORMAT_TEAM "team"

/* True if V, the value of the key, is a format; *FORMAT is it then. */
bool format_of(const struct value *v, int64_t *format);

/* May what stands below the root DIR, called PATH, be written by us?  0, or -1:
 * ERR_SYSTEM for a higher format than ours, or where that cannot be told;
 * ERR_DATA for one that is no number.  OWN: it is the user's, and links are
 * followed; it is no team's.  *TEAM, unless TEAM is NULL, tells whether this
 * is. */
int format_check(int dir, const char *path, bool own, bool *team,
		 struct err *e);

#endif
