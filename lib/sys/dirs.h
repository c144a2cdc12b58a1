/* dirs.h: the user's directories.
 *
 * Only the environment variables HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME and
 * XDG_STATE_HOME move a path. A value that is not an absolute path counts as
 * unset.
 */
#ifndef CO_SYS_DIRS_H
#define CO_SYS_DIRS_H

#include "base/buf.h"
#include "base/err.h"

/* Return $HOME, or NULL if it is unset. Borrowed from the environment. */
const char *dirs_home(void);

/* Set *PATH to the directory for settings and global knowledge
 * ($XDG_CONFIG_HOME/co-cli or ~/.config/co-cli), for derived data
 * ($XDG_CACHE_HOME/co-cli or ~/.cache/co-cli), or for logs and state
 * ($XDG_STATE_HOME/co-cli or ~/.local/state/co-cli). It need not exist. The
 * caller frees *PATH. Returns 0, or -1 with ERR_SYSTEM if no variable is
 * set. */
int dirs_config(char **path, struct err *e);
int dirs_cache(char **path, struct err *e);
int dirs_state(char **path, struct err *e);

/* Return true if dirs_config() would succeed. */
bool dirs_known(void);

/* Unset all four variables, for a process that cannot reach these
 * directories. */
void dirs_forget(void);

/* Return PATH, which is absolute, as people see it: on a terminal, relative to
 * the directory of the user's shell if it is below that. The result points into PATH. */
const char *dirs_shown_path(const char *path);

/* Append TEXT to OUT. If the descriptor TO is a terminal, a path after a quotation mark
 * is relative to the directory of the user's shell if it is below that. */
void dirs_add_shown(struct buf *out, const char *text, int to);

#endif
