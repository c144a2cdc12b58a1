/* dirs.h: the user's folders, by HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME and
 * XDG_STATE_HOME: the only variables of the environment that move a path.
 *
 * A value that is not an absolute path counts as unset.
 */
#ifndef CO_SYS_DIRS_H
#define CO_SYS_DIRS_H

#include "base/err.h"

/* $HOME, NULL where it is unset; borrowed from the environment. */
const char *dirs_home(void);

/* The suite's folder for settings and global knowledge, the one for what is
 * derived, and the one for logs: $XDG_CONFIG_HOME/co-cli or ~/.config/co-cli,
 * $XDG_CACHE_HOME/co-cli or ~/.cache/co-cli, $XDG_STATE_HOME/co-cli or
 * ~/.local/state/co-cli.  *PATH is yours, release with
 * free().  ERR_SYSTEM where nothing says where they are. */
int dirs_config(char **path, struct err *e);
int dirs_cache(char **path, struct err *e);
int dirs_state(char **path, struct err *e);

/* True if dirs_config() knows a folder. */
bool dirs_known(void);

/* None of them is known any more, for who cannot reach them. */
void dirs_forget(void);

#endif
