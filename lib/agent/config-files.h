/* config-files.h: the files that an agent's configuration is in, or would be.
 *
 * The agents' own variables move their folders, and so do they here.
 */
#ifndef CO_AGENT_CONFIG_FILES_H
#define CO_AGENT_CONFIG_FILES_H

#include "agent/agent.h"
#include "base/err.h"

struct agent_file {
	char *path;	/* absolute, as the agent calls it */
	size_t base;	/* what of it, slash included, is no folder of the
			 * agent's own: the home, what a variable names */
	unsigned holds; /* as in agent.h */
};

struct config_files {
	const struct agent *agent;
	char *top; /* the project's folder, links resolved; NULL for the user's
		    */
	struct agent_file items[CONFIG_FILES_MAX];
	size_t n;
};

/* Find those of AGENT, for the user or for the PROJECT; none is opened.
 * Release with config_files_release(), whatever it returns.  ERR_DATA;
 * ERR_SYSTEM. */
int config_files_find(struct config_files *p, const struct agent *agent,
		      bool project, struct err *e);
void config_files_release(struct config_files *p);

/* Return the path of the file in which AGENT keeps memories of its own, NULL if there
 * is none. The caller frees it. */
char *config_files_memory(const struct agent *agent);

/* Return true if AGENT seems to be on this machine: its program is in PATH, or a file
 * or directory of its own is in the user's home. */
bool config_files_found(const struct agent *agent);

#endif
