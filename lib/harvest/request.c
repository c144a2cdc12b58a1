#include "harvest/request.h"

#include "base/utf8.h"
#include "repo/root.h"
#include "sys/dirs.h"
#include "sys/execpath.h"
#include "sys/file.h"
#include "text/injected.h"
#include "text/sanitize.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROMPT_MAX ((size_t)64 * 1024)
#define TAG REQUEST_MARK_TAG

static const char *const names[REQUEST_KINDS] = {"harvest-conversation.md",
						 "summarize-conversation.md",
						 "merge-memories.md"};
static const char *const folders[] = {"knowledge", "prompts"};

/* Read a prompt from PATH, a file of the user or the installation. Returns 1,
 * 0 if it is absent, or -1. */
static int read_prompt(const char *path, struct buf *text, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	return file_read_path(path, PROMPT_MAX, text, e) < 0 ? -1 : 1;
}

/* Read the prompt NAME of the project ROOT without following links. Returns 1,
 * 0 if it is absent, or -1. PATH is set to the last path tried. */
static int read_project_prompt(const struct root *root, const char *name,
			       struct buf *path, struct buf *text,
			       struct err *e)
{
	int r = 0;

	for (int deep = 1; deep >= 0 && !r; deep--) {
		int dir = -1, in = -1;

		buf_cut(path, 0);
		buf_addf(path, "%s/%s%sprompts/%s", root->path,
			 deep ? folders[0] : "", deep ? "/" : "", name);
		r = deep ? file_open_dir(root->fd, folders[0], path->p, &dir, e)
			 : 1;
		if (r == 1)
			r = file_open_dir(deep ? dir : root->fd, folders[1],
					  path->p, &in, e);
		if (r == 1)
			r = file_read(in, name, path->p, PROMPT_MAX, text, e);
		file_close(in);
		file_close(dir);
	}
	return r;
}

/* Read the prompt NAME from the user's directories. Returns as
 * read_project_prompt(). */
static int read_user_prompt(const char *name, struct buf *path,
			    struct buf *text, struct err *e)
{
	char *config;
	int r = 0;

	if (!dirs_known() || dirs_config(&config, NULL) < 0)
		return 0;
	for (int deep = 1; deep >= 0 && !r; deep--) {
		buf_cut(path, 0);
		buf_addf(path, "%s/%sprompts/%s", config,
			 deep ? "knowledge/" : "", name);
		r = read_prompt(path->p, text, e);
	}
	free(config);
	return r;
}

/* Load the prompt of KIND into P. */
static int find_prompt(struct request_prompts *p, enum request_kind kind,
		       const struct root *root, bool allowed, const char *argv0,
		       struct err *e)
{
	const char *name = names[kind];
	struct buf path = {0};
	int r = 0;

	if (root && root->fd >= 0)
		r = read_project_prompt(root, name, &path, &p->text[kind], e);
	if (r && !allowed) {
		free(p->unused);
		p->unused = buf_take(&path);
		buf_cut(&p->text[kind], 0);
		r = 0;
	}
	if (!r)
		r = read_user_prompt(name, &path, &p->text[kind], e);
	p->edited = p->edited || r > 0;
	if (!r) {
		buf_cut(&path, 0);
		r = execpath_shared(&path, "prompts/", argv0);
		buf_adds(&path, name);
		if (r)
			r = read_prompt(path.p, &p->text[kind], e);
		if (!r)
			r = err_set(e, ERR_SYSTEM, "no prompt '%s' is there",
				    name);
	}
	p->path[kind] = buf_take(&path);
	return r < 0 ? -1 : 0;
}

int request_find(struct request_prompts *p, const struct settings *s,
		 const char *argv0, struct err *e)
{
	const bool allowed =
		!strcmp(settings_str(s, "harvest.project_prompt"), "on");
	struct root root;
	const bool any = root_find(&root, SCOPE_PROJECT, NULL) == 0;
	int r = 0;

	*p = (struct request_prompts){0};
	for (enum request_kind k = 0; k < REQUEST_KINDS && !r; k++)
		r = find_prompt(p, k, any ? &root : NULL, allowed, argv0, e);
	if (any)
		root_release(&root);
	return r;
}

void request_release(struct request_prompts *p)
{
	for (enum request_kind k = 0; k < REQUEST_KINDS; k++) {
		buf_release(&p->text[k]);
		free(p->path[k]);
	}
	free(p->unused);
}

void request_compose(struct buf *out, const struct request_prompts *p,
		     enum request_kind kind, const char *name, const char *text,
		     size_t len, bool retry)
{
	const char *prompt = buf_str(&p->text[kind]);
	size_t n = p->text[kind].len;

	utf8_strip(&prompt, &n);
	sanitize_prompt(out, prompt, n);
	buf_adds(out, "\n\n" REQUEST_MARK_NAME);
	sanitize_line(out, name, strlen(name));
	buf_adds(out, "\n\n<" TAG ">\n");
	sanitize_tagged(out, text, len, TAG);
	buf_adds(out, "\n</" TAG ">\n");
	if (retry)
		buf_adds(out,
			 "\nYour previous reply was not valid JSON. Return "
			 "only the JSON object.\n");
}
