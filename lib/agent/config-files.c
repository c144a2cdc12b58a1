/* config-files.c: a table in the form of code, as no two agents are alike. */
#include "agent/config-files.h"

#include "agent/config.h"
#include "base/mem.h"
#include "repo/root.h"
#include "sys/dirs.h"
#include "sys/file.h"

#include <fcntl.h>

/* A folder, its path ending in a slash. */
struct folder {
	struct buf path;
	size_t base; /* as in struct agent_file */
};

/* The folder that VARIABLE names, else BELOW the user's home. */
static int user_folder(struct folder *f, const char *variable,
		       const char *below, struct err *e)
{
	const char *set = variable ? getenv(variable) : NULL;

	if (!(set && *set == '/') && !dirs_home())
		return err_set(e, ERR_SYSTEM,
			       "cannot find your folders: HOME is not set");
	buf_addf(&f->path, "%s/", set && *set == '/' ? set : dirs_home());
	f->base = f->path.len;
	if (!(set && *set == '/'))
		buf_adds(&f->path, below);
	return 0;
}

/* The project's folder: the one that holds, or would hold, .co-cli. */
static int project_folder(struct folder *f, struct err *e)
{
	struct root root;

	if (root_find(&root, SCOPE_PROJECT, e) < 0)
		return -1;
	buf_add(&f->path, root.path,
		(size_t)(strrchr(root.path, '/') + 1 - root.path));
	f->base = f->path.len;
	root_release(&root);
	return 0;
}

static void add_file(struct config_files *p, const struct folder *folder,
		     const char *name, unsigned holds)
{
	struct agent_file *at = &p->items[p->n++];
	struct buf path = {0};

	buf_addf(&path, "%s%s", folder->path.p, name);
	*at = (struct agent_file){buf_take(&path), folder->base, holds};
}

/* opencode.jsonc unless it is absent, and the plugin, in the folder
 * PLUGINS below. */
static void add_opencode(struct config_files *p, const struct folder *folder,
			 const char *plugins)
{
	struct buf path = {0};

	buf_addf(&path, "%sopencode.jsonc", folder->path.p);
	add_file(p, folder,
		 file_is_gone(AT_FDCWD, path.p, true) ? "opencode.json"
						      : "opencode.jsonc",
		 CONFIG_SERVER);
	buf_cut(&path, 0);
	buf_addf(&path, "%s/co.js", plugins);
	add_file(p, folder, path.p, CONFIG_OWN);
	buf_release(&path);
}

/* Each file of the one folder brings servers, each of the other is a rule. */
static void add_continue(struct config_files *p, const struct folder *folder)
{
	add_file(p, folder, "mcpServers/co.json", CONFIG_SERVER);
	add_file(p, folder, "rules/co.md", CONFIG_OWN);
}

static int add_user_files(struct config_files *p, struct err *e)
{
	struct folder folder = {0}, home = {0};
	int r = 0;

	switch (p->agent) {
	case AGENT_CLAUDE:
		r = user_folder(&home, "CLAUDE_CONFIG_DIR", "", e);
		if (!r)
			r = user_folder(&folder, "CLAUDE_CONFIG_DIR",
					".claude/", e);
		if (!r) {
			add_file(p, &home, ".claude.json", CONFIG_SERVER);
			add_file(p, &folder, "settings.json", CONFIG_HOOKS);
		}
		break;
	case AGENT_CODEX:
		r = user_folder(&folder, "CODEX_HOME", ".codex/", e);
		if (!r) {
			add_file(p, &folder, "config.toml",
				 CONFIG_SERVER | CONFIG_TOML);
			add_file(p, &folder, "hooks.json", CONFIG_HOOKS);
		}
		break;
	case AGENT_GEMINI:
		r = user_folder(&folder, NULL, ".gemini/", e);
		if (!r)
			add_file(p, &folder, "settings.json",
				 CONFIG_SERVER | CONFIG_HOOKS);
		break;
	case AGENT_OPENCODE:
		r = user_folder(&folder, "XDG_CONFIG_HOME", ".config/", e);
		if (!r) {
			buf_adds(&folder.path, "opencode/");
			add_opencode(p, &folder, "plugins");
		}
		break;
	case AGENT_QWEN:
		r = user_folder(&folder, "QWEN_HOME", ".qwen/", e);
		if (!r)
			add_file(p, &folder, "settings.json",
				 CONFIG_SERVER | CONFIG_HOOKS);
		break;
	case AGENT_COPILOT:
		r = user_folder(&folder, "COPILOT_HOME", ".copilot/", e);
		if (!r) {
			add_file(p, &folder, "mcp-config.json", CONFIG_SERVER);
			add_file(p, &folder, "hooks/co.json", CONFIG_HOOKS);
		}
		break;
	case AGENT_CURSOR:
		r = user_folder(&folder, NULL, ".cursor/", e);
		if (!r)
			add_file(p, &folder, "mcp.json", CONFIG_SERVER);
		break;
	case AGENT_CONTINUE:
		r = user_folder(&folder, "CONTINUE_GLOBAL_DIR", ".continue/",
				e);
		if (!r)
			add_continue(p, &folder);
		break;
	}
	buf_release(&folder.path);
	buf_release(&home.path);
	return r;
}

static int add_project_files(struct config_files *p, struct err *e)
{
	struct folder top = {0};
	int r = project_folder(&top, e);

	if (r < 0)
		goto out;
	switch (p->agent) {
	case AGENT_CLAUDE:
		add_file(p, &top, ".mcp.json", CONFIG_SERVER);
		add_file(p, &top, ".claude/settings.json", CONFIG_HOOKS);
		break;
	case AGENT_CODEX:
		add_file(p, &top, ".codex/config.toml",
			 CONFIG_SERVER | CONFIG_TOML);
		add_file(p, &top, ".codex/hooks.json", CONFIG_HOOKS);
		break;
	case AGENT_GEMINI:
		add_file(p, &top, ".gemini/settings.json",
			 CONFIG_SERVER | CONFIG_HOOKS);
		break;
	case AGENT_OPENCODE:
		add_opencode(p, &top, ".opencode/plugins");
		break;
	case AGENT_QWEN:
		add_file(p, &top, ".qwen/settings.json",
			 CONFIG_SERVER | CONFIG_HOOKS);
		break;
	case AGENT_COPILOT:
		add_file(p, &top, ".github/mcp.json", CONFIG_SERVER);
		add_file(p, &top, ".github/hooks/co.json", CONFIG_HOOKS);
		break;
	case AGENT_CURSOR:
		add_file(p, &top, ".cursor/mcp.json", CONFIG_SERVER);
		add_file(p, &top, ".cursor/rules/co.mdc", CONFIG_OWN);
		break;
	case AGENT_CONTINUE:
		buf_adds(&top.path, ".continue/");
		add_continue(p, &top);
		buf_cut(&top.path, top.base);
		break;
	}
	p->top = realpath(top.path.p, NULL);
out:
	buf_release(&top.path);
	return r;
}

int config_files_find(struct config_files *p, enum agent agent, bool project,
		      struct err *e)
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
