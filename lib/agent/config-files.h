/* config-files.h: the paths of the files that contain, or would contain, the
 * configuration of an agent.
 *
 * If an environment variable of an agent moves its files, their new paths are
 * used.
 */
#ifndef CO_AGENT_CONFIG_FILES_H
#define CO_AGENT_CONFIG_FILES_H

#include "agent/agent.h"
#include "base/err.h"

struct agent_file {
	char *path;	/* absolute, as the agent calls it */
	size_t base;	/* length of the start of PATH, with the slash, that is
			 * not a directory of the agent: the home, the project,
			 * or what a variable names */
	unsigned holds; /* as in agent.h */
};

struct config_files {
	const struct agent *agent;
	char *top; /* the project's directory without links; NULL for the
		    * user's files */
	struct agent_file items[CONFIG_FILES_MAX];
	size_t n;
};

/* Find the files of AGENT for the user or for the PROJECT. No file is opened.
 * Release P with config_files_release() in any case. Return 0 or -1: ERR_DATA,
 * ERR_SYSTEM. */
int config_files_find(struct config_files *p, const struct agent *agent,
		      bool project, struct err *e);
void config_files_release(struct config_files *p);

/* Return the path of the file in which AGENT keeps its own memories; with PROJECT, the
 * path of a project, that of the directory with those of the project. NULL if AGENT has
 * no such place. The caller frees it. */
char *config_files_memory(const struct agent *agent, const char *project);

/* Return true if AGENT seems to be installed: its program is in PATH, or one of
 * its files or directories is in the user's home. */
bool config_files_found(const struct agent *agent);

#endif
