/* format-number.h: the format of a store's files: the key "format" of its
 * settings.json.
 *
 * A file without the key, or no file, means 1. With `"team": true` the format is 2:
 * ids are drawn, memories are in numbered directories, and a rule is a file.
 */
#ifndef CO_REPO_FORMAT_NUMBER_H
#define CO_REPO_FORMAT_NUMBER_H

#include "base/err.h"
#include "format/value.h"

#define FORMAT_OURS 2
#define FORMAT_NEW 1 /* that of a new store */
#define FORMAT_KEY "format"
#define FORMAT_TEAM "team"

/* Return true if V, the value of the key, is a format, and set *FORMAT to it. */
bool format_of(const struct value *v, int64_t *format);

/* Check that this version may write to the root DIR at PATH. OWN: it is the user's
 * root, where links are followed, and which is never a team's. Set *TEAM, unless
 * TEAM is NULL, to whether it is a team's. Return 0, or -1: ERR_SYSTEM for a higher
 * format than ours, or if the settings cannot be read; ERR_DATA if the format is not
 * a number. */
int format_check(int dir, const char *path, bool own, bool *team,
		 struct err *e);

#endif
