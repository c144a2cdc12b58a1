/* prompt.c: each layer is read, its conditionals are resolved, and it is
 * sanitized; last, what still looks like a marker is disarmed. In this order,
 * no step can produce what an earlier one removed.
 *
 * The user's files are in the directory of the settings, and links there are
 * followed. Links of the project are never followed.
 */
#include "agent/context.h"

#include "agent/conditional.h"
#include "agent/digest-block.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "sys/dirs.h"
#include "sys/execpath.h"

#include <fcntl.h>
#include <unistd.h>

#define PROMPT_FILE_MAX (1024 * 1024)
#define INSTRUCTIONS "instructions.md"
#define HEADING "# Project Instructions"

const char *context_prompt_part_name(enum prompt_part part)
{
	static const char *const names[PROMPT_PARTS] = {
		[PROMPT_SYSTEM] = "system",
		[PROMPT_PERSONALITY] = "personality",
		[PROMPT_INSTRUCTIONS] = "instructions",
	};

	return names[part];
}

/* Append the LEN bytes of TEXT, which is sanitized, as a layer. HEADING, unless
 * it is NULL, comes first if TEXT does not begin with it. Return the number of
 * bytes. */
static size_t add_layer(struct prompt *p, const char *text, size_t len,
			const char *heading)
{
	size_t start = p->text.len;

	utf8_strip(&text, &len);
	if (!len)
		return 0;
	if (p->text.len)
		buf_adds(&p->text, "\n\n");
	if (heading) {
		size_t n = strlen(heading);

		if (len < n || memcmp(text, heading, n) ||
		    (len > n && text[n] != '\n'))
			buf_addf(&p->text, "%s\n\n", heading);
	}
	conditional_disarm(&p->text, text, len);
	return p->text.len - start;
}

/* Append the template TEXT, from the file of PART. */
static int add_template(struct prompt *p, enum prompt_part part,
			const struct buf *text, const char *provider,
			const char *heading, struct err *e)
{
	const char *begin = buf_str(text);
	size_t len = text->len;
	struct buf resolved = {0}, clean = {0};
	int r;

	if (len >= 3 && !memcmp(begin, "\xEF\xBB\xBF", 3)) {
		begin += 3;
		len -= 3;
	}
	r = conditional_resolve(&resolved, begin, len, provider,
				p->parts[part].path, e);
	if (!r) {
		sanitize_prompt(&clean, buf_str(&resolved), resolved.len);
		p->parts[part].size =
			add_layer(p, buf_str(&clean), clean.len, heading);
	}
	buf_release(&resolved);
	buf_release(&clean);
	return r;
}

/* Append the directory of the user's templates. Return false if there is
 * none. */
static bool user_folder(struct buf *path)
{
	char *config;
	struct err none;

	if (!dirs_known() || dirs_config(&config, &none) < 0)
		return false;
	buf_addf(path, "%s/", config);
	free(config);
	return true;
}

/* Read the file at PATH. Return 1, 0 if there is none, or -1. */
static int read_template(const char *path, struct buf *text, struct err *e)
{
	return file_is_gone(AT_FDCWD, path, false)
		       ? 0
		       : file_read_path(path, PROMPT_FILE_MAX, text, e);
}

/* Read NAME from the user's directory, else from the suite's. Return 1 with its
 * path in *FOUND, which the caller frees; 0; or -1. */
static int find_template(const char *name, const char *argv0, struct buf *text,
			 char **found, struct err *e)
{
	struct buf path = {0};
	int r = 0;

	if (user_folder(&path)) {
		buf_adds(&path, name);
		r = read_template(path.p, text, e);
	}
	if (!r) {
		buf_cut(&path, 0);
		if (execpath_shared(&path, "prompts/", argv0)) {
			buf_adds(&path, name);
			r = read_template(path.p, text, e);
		}
	}
	if (r > 0)
		*found = buf_take(&path);
	buf_release(&path);
	return r;
}

static int add_system(struct prompt *p, const struct prompt_ask *ask,
		      struct err *e)
{
	struct buf text = {0};
	int r = find_template("system.md", ask->argv0, &text,
			      &p->parts[PROMPT_SYSTEM].path, e);

	if (r > 0)
		r = add_template(p, PROMPT_SYSTEM, &text, ask->provider, NULL,
				 e);
	else if (!r)
		r = err_set(e, ERR_SYSTEM,
			    "there is no system.md, neither yours nor the one "
			    "that comes with the suite");
	buf_release(&text);
	return r;
}

struct name_list {
	struct strings list;
	struct arena arena;
};

static int add_name(void *ctx, const char *name, enum file_kind kind)
{
	struct name_list *names = ctx;
	size_t len = strlen(name);

	(void)kind;
	if (len > 3 && !strcmp(name + len - 3, ".md") &&
	    conditional_name(name, len - 3))
		strings_add(&names->list,
			    arena_copy(&names->arena, name, len - 3));
	return 0;
}

/* Add the names of the personalities in the directory PATH, which is then
 * emptied. */
static void collect_names(struct name_list *names, struct buf *path)
{
	int fd;

	buf_adds(path, "personalities");
	fd = file_open(AT_FDCWD, path->p, O_RDONLY | O_DIRECTORY, 0);
	if (fd >= 0) {
		file_walk(fd, path->p, add_name, names, NULL);
		close(fd);
	}
	buf_cut(path, 0);
}

static int no_personality(const struct prompt_ask *ask, struct err *e)
{
	struct name_list names = {0};
	struct buf path = {0}, known = {0};

	if (user_folder(&path))
		collect_names(&names, &path);
	if (execpath_shared(&path, "prompts/", ask->argv0))
		collect_names(&names, &path);
	MEM_SORT(names.list.items, names.list.n, strings_compare);
	for (size_t i = 0; i < names.list.n; i++) {
		if (!i || strings_compare(&names.list.items[i - 1],
					  &names.list.items[i]))
			buf_addf(&known, "%s%s", i ? ", " : " are ",
				 names.list.items[i]);
	}
	err_set(e, ERR_NO, "no personality '%s': there%s", ask->personality,
		known.len ? known.p : " is none");
	free(names.list.items);
	arena_release(&names.arena);
	buf_release(&path);
	buf_release(&known);
	return -1;
}

static int add_personality(struct prompt *p, const struct prompt_ask *ask,
			   struct err *e)
{
	struct buf name = {0}, text = {0};
	int r;

	if (!ask->personality)
		return 0;
	buf_addf(&name, "personalities/%s.md", ask->personality);
	r = find_template(name.p, ask->argv0, &text,
			  &p->parts[PROMPT_PERSONALITY].path, e);
	if (r > 0)
		r = add_template(p, PROMPT_PERSONALITY, &text, ask->provider,
				 NULL, e);
	else if (!r)
		r = no_personality(ask, e);
	buf_release(&name);
	buf_release(&text);
	return r;
}

static void add_context(struct prompt *p, const struct report *r)
{
	struct buf wrapped = {0};

	context_load(&p->context, CONTEXT_BOTH, r);
	if (p->context.text.len) {
		buf_adds(&wrapped, CONTEXT_BEGIN);
		buf_add(&wrapped, p->context.text.p, p->context.text.len);
		buf_adds(&wrapped, "\n" CONTEXT_END);
	}
	add_layer(p, buf_str(&wrapped), wrapped.len, NULL);
	buf_release(&wrapped);
}

/* Append the digests of both stores. A store whose user removed the file has none. */
static void add_digest(struct prompt *p, const struct report *r)
{
	struct buf block = {0};

	digest_block_add(&block, CONTEXT_BOTH, r);
	p->digest = add_layer(p, buf_str(&block), block.len, NULL);
	buf_release(&block);
}

static int add_instructions(struct prompt *p, const struct prompt_ask *ask,
			    struct err *e)
{
	struct buf text = {0}, path = {0};
	struct root root;
	int r = 0;

	if (root_find(&root, SCOPE_PROJECT, e) < 0)
		return -1;
	buf_addf(&path, "%s/" INSTRUCTIONS, root.path);
	if (root.fd >= 0)
		r = file_read(root.fd, INSTRUCTIONS, path.p, PROMPT_FILE_MAX,
			      &text, e);
	if (r > 0) {
		p->parts[PROMPT_INSTRUCTIONS].path = buf_take(&path);
		r = add_template(p, PROMPT_INSTRUCTIONS, &text, ask->provider,
				 HEADING, e);
	}
	buf_release(&path);
	buf_release(&text);
	root_release(&root);
	return r;
}

static int check_name(const char *what, const char *name, struct err *e)
{
	if (!name || conditional_name(name, strlen(name)))
		return 0;
	return err_set(e, ERR_USAGE, "'%s' is not the name of a %s", name,
		       what);
}

int context_assemble_prompt(struct prompt *p, const struct prompt_ask *ask,
			    const struct report *r, struct err *e)
{
	memset(p, 0, sizeof(*p));
	if (check_name("provider", ask->provider, e) < 0 ||
	    check_name("personality", ask->personality, e) < 0 ||
	    add_system(p, ask, e) < 0 || add_personality(p, ask, e) < 0)
		return -1;
	add_context(p, r);
	add_digest(p, r);
	if (add_instructions(p, ask, e) < 0)
		return -1;
	if (p->text.len)
		buf_addc(&p->text, '\n');
	return 0;
}

void context_release_prompt(struct prompt *p)
{
	for (size_t i = 0; i < ARRAY_LEN(p->parts); i++)
		free(p->parts[i].path);
	context_release(&p->context);
	buf_release(&p->text);
}
