#include "agent/config-files.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "repo/root.h"
#include "sys/dirs.h"
#include "sys/execpath.h"
#include "sys/file.h"

#include <fcntl.h>
#include <unistd.h>

/* Add the file AT of the table to P: in HOME below FOLDER. */
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

/* Return the directory in the environment variable of AGENT, or NULL if it is
 * unset or relative. */
static const char *moved_to(const struct agent *agent)
{
	const char *set = agent->variable ? getenv(agent->variable) : NULL;

	return set && *set == '/' ? set : NULL;
}

static int add_user_files(struct config_files *p, struct err *e)
{
	const struct agent *agent = p->agent;
	const char *moved = moved_to(agent);

	if (!moved && !dirs_home())
		return err_set(e, ERR_SYSTEM,
			       "cannot find your directories: HOME is not set");
	for (size_t i = 0; i < CONFIG_FILES_MAX && agent->user[i].name; i++)
		add_file(p, moved ? moved : dirs_home(),
			 moved ? "" : agent->user[i].home, &agent->user[i]);
	return 0;
}

/* Add the files below the directory that has, or would have, .co-cli. */
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

char *config_files_memory(const struct agent *agent, const char *project)
{
	const struct agent_place *at =
		project ? &agent->project_memory : &agent->memory;
	const char *moved = moved_to(agent);
	struct buf path = {0};

	if (!at->name || (!moved && !dirs_home()))
		return NULL;
	buf_addf(&path, "%s/%s", moved ? moved : dirs_home(),
		 moved ? "" : at->home);
	for (const char *p = at->name; *p; p++) {
		if (*p != '%')
			buf_addc(&path, *p);
		for (const char *c = *p == '%' ? project : ""; *c; c++)
			buf_addc(&path, ascii_is_alnum(*c) ? *c : '-');
	}
	return buf_take(&path);
}

/* Return true if the topmost directory of the agent above F, or F itself,
 * exists. */
static bool has_place(const struct agent_file *f)
{
	static const char shared[] = ".config/"; /* used by all programs */
	char *path = mem_strdup(f->path), *own = path + f->base, *slash;
	bool found;

	if (!strncmp(own, shared, strlen(shared)))
		own += strlen(shared);
	slash = strchr(own, '/');
	if (slash)
		*slash = '\0';
	found = access(path, F_OK) == 0;
	free(path);
	return found;
}

bool config_files_found(const struct agent *agent)
{
	struct config_files files;
	struct err none;
	bool found = execpath_in_path(agent->name);

	if (config_files_find(&files, agent, false, &none) < 0)
		files.n = 0;
	for (size_t i = 0; i < files.n && !found; i++)
		found = has_place(&files.items[i]);
	config_files_release(&files);
	return found;
}
