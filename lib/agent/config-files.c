/* config-files.c: see config-files.h. */
#include "agent/config-files.h"

#include "base/mem.h"
#include "repo/root.h"
#include "sys/dirs.h"
#include "sys/file.h"

#include <fcntl.h>

/* Add the file AT of the table, below the folder FOLDER and HOME, to P. */
static void add_file(struct config_files *p, const char *folder,
		     const char *home, const struct agent_place *at)
{
	struct buf path = {0};
	size_t base;

	buf_addf(&path, "%s/", folder);
	base = path.len;
	buf_addf(&path, "%s%s", home, at->rather ? at->rather : at->name);
	if (at->rather && file_is_gone(AT_FDCWD, path.p, true)) {
		buf_cut(&path, base);
		buf_addf(&path, "%s%s", home, at->name);
	}
	p->items[p->n++] =
		(struct agent_file){buf_take(&path), base, at->holds};
}

static int add_user_files(struct config_files *p, struct err *e)
{
	const struct agent *agent = p->agent;
	const char *set = agent->variable ? getenv(agent->variable) : NULL;
	const bool moved = set && *set == '/';

	if (!moved && !dirs_home())
		return err_set(e, ERR_SYSTEM,
			       "cannot find your folders: HOME is not set");
	for (size_t i = 0; i < CONFIG_FILES_MAX && agent->user[i].name; i++)
		add_file(p, moved ? set : dirs_home(),
			 moved ? "" : agent->user[i].home, &agent->user[i]);
	return 0;
}

/* The project's folder is the one that holds, or would hold, .co-cli. */
static int add_project_files(struct config_files *p, struct err *e)
{
	const struct agent *agent = p->agent;
	struct root root;
	char *top;

	if (root_find(&root, SCOPE_PROJECT, e) < 0)
		return -1;
	top = mem_strdup(root.path);
	*strrchr(top, '/') = '\0';
	for (size_t i = 0; i < CONFIG_FILES_MAX && agent->project[i].name; i++)
		add_file(p, top, "", &agent->project[i]);
	p->top = realpath(*top ? top : "/", NULL);
	free(top);
	root_release(&root);
	return 0;
}

int config_files_find(struct config_files *p, const struct agent *agent,
		      bool project, struct err *e)
{
	*p = (struct config_files){.agent = agent};
	return project ? add_project_files(p, e) : add_user_files(p, e);
}

void config_files_release(struct config_files *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->items[i].path);
	free(p->top);
}
