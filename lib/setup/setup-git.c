/* setup-git.c: a plan is what the two files become, and commands of git; what
 * the hooks become is left to contrib/hooks/install, which can say it as well.
 */
#include "setup/setup-git.h"

#include "format/jsonc.h"
#include "repo/format-number.h"
#include "repo/gitdir.h"
#include "repo/project-id.h"
#include "repo/settings.h"
#include "setup/settings-write.h"
#include "sys/execpath.h"
#include "sys/git.h"
#include "sys/process.h"
#include "text/diff.h"

#include <stdlib.h>
#include <unistd.h>

#define FILE_MAX ((size_t)64 * 1024)
#define HOOKS_MS 30000
#define NOTE "co.setup"

/* Where the program is gone, git would take ours without a mark for the
 * conflict: so it is merged as text then. */
static const char driver[] =
	"command -v co-memory-merge >/dev/null && exec co-memory-merge "
	"--path=%P -- %O %A %B || git merge-file -L ours -L base -L theirs "
	"%A %O %B";

/* What a clone's configuration is to have. */
static const struct option {
	const char *key, *value;
	const char *word; /* as it is noted; NULL: it is always ours */
} options[] = {
	{"merge.co.name", "co: what is known, by what it means", NULL},
	{"merge.co.driver", driver, NULL},
	{"rerere.enabled", "true", "rerere"},
};

/* What the project's settings are to have; the words are noted. */
enum { FORMAT, TEAM, ID, SETTINGS };
static const struct setting {
	const char *key, *word;
} settings[] = {
	[FORMAT] = {FORMAT_KEY, "format"},
	[TEAM] = {"team", "team"},
	[ID] = {PROJECT_ID, "id"},
};

enum { SETTINGS_FILE, ATTRIBUTES_FILE, FILES };
static const char *const names[] = {"settings.json", GIT_ATTRIBUTES};

struct setup_git {
	struct store *store;
	bool removing;
	struct buf install; /* the script that puts hooks in */
	struct buf note;    /* what is noted, or is to be */
	bool notes;	    /* it is to be changed */
	struct buf was[FILES], now[FILES];
	bool sets[ARRAY_LEN(options)]; /* this option changes */
	bool keys[SETTINGS];	       /* this setting does, to the value: */
	struct value values[SETTINGS]; /* with VALUE_NULL it goes */
	bool drawn;		       /* ids are, so that "team" stays */
	struct buf hooks;	       /* what becomes of them */
	struct arena arena;
};

static int git(const struct setup_git *g, struct buf *out, struct err *e,
	       const char *const *words)
{
	return git_run(g->store->repo.root.path, words, "", 0, out, e);
}
#define GIT(g, out, e, ...) \
	git(g, out, e, (const char *const[]){__VA_ARGS__, NULL})

static bool is_noted(const struct setup_git *g, const char *word)
{
	const size_t len = strlen(word);
	const char *p = buf_str(&g->note);

	while (*p) {
		const size_t n = strcspn(p, " ");

		if (n == len && !memcmp(p, word, n))
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

static void note(struct setup_git *g, const char *word)
{
	if (is_noted(g, word))
		return;
	buf_addf(&g->note, "%s%s", g->note.len ? " " : "", word);
	g->notes = true;
}

/* The value of KEY, without the newline: 1, 0 where it has none, -1. */
static int get(const struct setup_git *g, bool local, const char *key,
	       struct buf *value, struct err *e)
{
	const int r =
		local ? GIT(g, value, e, "config", "--local", "--get", key)
		      : GIT(g, value, e, "config", "--get", key);

	if (r > 1)
		return err_set(e, ERR_DATA, "git cannot tell '%s'", key);
	if (value->len)
		buf_cut(value, value->len - 1);
	return r < 0 ? -1 : !r;
}

static int plan_options(struct setup_git *g, struct err *e)
{
	struct buf value = {0};
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(options) && r >= 0; i++) {
		const struct option *o = &options[i];
		const bool ours = !o->word || is_noted(g, o->word);

		r = get(g, !o->word || g->removing, o->key, &value, e);
		if (r < 0)
			break;
		if (g->removing)
			g->sets[i] = r && ours;
		else
			g->sets[i] = !r || (!o->word &&
					    strcmp(value.p, o->value) != 0);
		if (!g->removing && g->sets[i] && o->word)
			note(g, o->word);
	}
	buf_release(&value);
	return r < 0 ? -1 : 0;
}

/* Take out what was noted. */
static void drop_settings(struct setup_git *g)
{
	for (int i = 0; i < SETTINGS && !g->drawn; i++)
		g->keys[i] = is_noted(g, settings[i].word);
	if (is_noted(g, "format=1")) {
		g->keys[FORMAT] = !g->drawn;
		g->values[FORMAT] = value_int(1);
	}
}

/* Set what the settings ROOT have not. */
static void put_settings(struct setup_git *g, const struct value *root)
{
	char id[PROJECT_ID_LENGTH + 1];
	const struct value *format = value_get(root, FORMAT_KEY);
	const struct value *team = value_get(root, "team");
	int64_t number = 1;

	g->keys[FORMAT] =
		!format || (format_of(format, &number) && number < FORMAT_OURS);
	g->values[FORMAT] = value_int(FORMAT_OURS);
	if (g->keys[FORMAT])
		note(g, format ? "format=1" : "format");
	g->keys[TEAM] = !team || team->kind != VALUE_BOOL || !team->u.b;
	g->values[TEAM] = (struct value){.kind = VALUE_BOOL, .u.b = true};
	if (g->keys[TEAM])
		note(g, settings[TEAM].word);
	g->keys[ID] = !jsonc_dotted(root, PROJECT_ID);
	g->values[ID] = value_str(arena_strdup(&g->arena, project_id_draw(id)));
	if (g->keys[ID])
		note(g, settings[ID].word);
}

static int edit_setting(const struct setup_git *g, int i, struct buf *text,
			struct err *e)
{
	const struct value *v = &g->values[i];

	return settings_edit(text, settings[i].key,
			     v->kind == VALUE_NULL ? NULL : v, e);
}

static int plan_settings(struct setup_git *g, struct err *e)
{
	const struct root *root = &g->store->repo.root;
	struct value v = {.kind = VALUE_MAP};
	struct buf path = {0}, *text = &g->now[SETTINGS_FILE];
	struct err why;
	size_t bom;
	int r;

	buf_addf(&path, "%s/%s", root->path, names[SETTINGS_FILE]);
	r = file_read(root->fd, names[SETTINGS_FILE], path.p, FILE_MAX,
		      &g->was[SETTINGS_FILE], e);
	if (r < 0)
		goto out;
	buf_add(text, buf_str(&g->was[SETTINGS_FILE]),
		g->was[SETTINGS_FILE].len);
	r = jsonc_is_blank(buf_str(text), text->len, &bom)
		    ? 0
		    : jsonc_parse(text->p, text->len, &g->arena, &v, &why);
	if (!r && g->removing)
		drop_settings(g);
	else if (!r)
		put_settings(g, &v);
	for (int i = 0; i < SETTINGS && r >= 0; i++) {
		if (g->keys[i])
			r = edit_setting(g, i, text, &why);
	}
	if (r < 0)
		err_set(e, ERR_DATA, "'%s':%s", path.p, why.text);
out:
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

static int plan_attributes(struct setup_git *g, struct err *e)
{
	struct buf *now = &g->now[ATTRIBUTES_FILE];

	if (git_attributes_read(&g->store->repo.root, now, e) < 0)
		return -1;
	buf_add(&g->was[ATTRIBUTES_FILE], buf_str(now), now->len);
	if (g->removing && !is_noted(g, "attributes"))
		return 0;
	if (git_attributes_edit(now, !g->removing) && !g->removing)
		note(g, "attributes");
	return 0;
}

/* Run the script that knows hooks, with OPTION: -n or -y; what it changes is
 * OUT's. */
static int run_install(const struct setup_git *g, const char *option,
		       struct buf *out, struct err *e)
{
	const char *argv[] = {"/bin/sh", g->install.p,
			      "-C",	 g->store->repo.root.path,
			      option,	 g->removing ? "--remove" : NULL,
			      NULL};
	struct process c = {0};
	int r = process_run(&c, argv, NULL, 0, HOOKS_MS, e);

	if (!r && (c.late || c.status))
		r = err_set(e, c.status == 1 ? ERR_SYSTEM : ERR_HELPER,
			    "not all hooks could be set: %.*s",
			    (int)strcspn(buf_str(&c.errors), "\n"),
			    buf_str(&c.errors));
	if (!r)
		buf_add(out, buf_str(&c.output), c.output.len);
	process_release(&c);
	return r;
}

static int take_drawn(void *ctx, const struct record *r)
{
	(void)ctx;
	return r->id >= 100000;
}

static int plan(struct setup_git *g, struct err *e)
{
	int r = get(g, true, NOTE, &g->note, e);

	if (r >= 0 && g->removing) {
		g->notes = r > 0;
		r = store_each(g->store, AREA_MEMORIES, take_drawn, NULL, e);
		g->drawn = r > 0;
	}
	if (r < 0 || plan_options(g, e) < 0 || plan_settings(g, e) < 0 ||
	    plan_attributes(g, e) < 0)
		return -1;
	return run_install(g, "-n", &g->hooks, e);
}

int setup_git_plan(struct setup_git **made, struct store *s, bool removing,
		   const char *argv0, struct err *e)
{
	const struct root *root = &s->repo.root;
	struct setup_git *g = mem_alloc(sizeof(*g));
	struct gitdir dir;
	int r;

	*g = (struct setup_git){.store = s, .removing = removing};
	*made = g;
	if (root->fd < 0)
		return err_set(e, ERR_SYSTEM,
			       "there is no project's store here: 'co init' "
			       "makes one");
	r = gitdir_find(&dir, root->path, e);
	if (r > 0)
		gitdir_release(&dir);
	if (r < 0)
		return -1;
	if (!r)
		return err_set(e, ERR_SYSTEM,
			       "'%s' is in no clone of git: 'git init' makes "
			       "one",
			       root->path);
	if (!execpath_shared(&g->install, "hooks/install", argv0))
		return err_set(e, ERR_SYSTEM, "cannot find the hooks of co");
	return plan(g, e);
}

void setup_git_free(struct setup_git *g)
{
	for (int i = 0; i < FILES; i++) {
		buf_release(&g->was[i]);
		buf_release(&g->now[i]);
	}
	buf_release(&g->install);
	buf_release(&g->note);
	buf_release(&g->hooks);
	arena_release(&g->arena);
	free(g);
}

static bool changes(const struct setup_git *g, int i)
{
	const struct buf *was = &g->was[i], *now = &g->now[i];

	return was->len != now->len ||
	       (was->len && memcmp(was->p, now->p, was->len) != 0);
}

bool setup_git_shares(const struct setup_git *g)
{
	return changes(g, SETTINGS_FILE) || changes(g, ATTRIBUTES_FILE);
}

static void name_side(struct buf *out, const char *mark, const char *path,
		      const char *name, const struct buf *text)
{
	if (text->len)
		buf_addf(out, "%s %s/%s\n", mark, path, name);
	else
		buf_addf(out, "%s /dev/null\n", mark);
}

void setup_git_show(const struct setup_git *g, struct buf *out)
{
	for (int i = 0; i < FILES; i++) {
		const char *path = g->store->repo.root.path;

		if (!changes(g, i))
			continue;
		name_side(out, "---", path, names[i], &g->was[i]);
		name_side(out, "+++", path, names[i], &g->now[i]);
		diff_lines(out, &g->was[i], &g->now[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		if (g->sets[i] && g->removing)
			buf_addf(out, "git config --unset %s\n",
				 options[i].key);
		else if (g->sets[i])
			buf_addf(out, "git config %s '%s'\n", options[i].key,
				 options[i].value);
	}
	buf_add(out, buf_str(&g->hooks), g->hooks.len);
}

static int apply_options(const struct setup_git *g, setup_git_say *say,
			 void *ctx, struct err *e)
{
	struct buf out = {0};
	bool any = false;
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(options) && !r; i++) {
		const struct option *o = &options[i];

		if (!g->sets[i])
			continue;
		any = true;
		r = g->removing ? GIT(g, &out, e, "config", "--local",
				      "--unset-all", o->key)
				: GIT(g, &out, e, "config", "--local",
				      "--replace-all", o->key, o->value);
		if (r > 0)
			r = err_set(e, ERR_HELPER, "git cannot set '%s'",
				    o->key);
	}
	if (!r && any)
		say(ctx, "the configuration of this clone");
	buf_release(&out);
	return r;
}

static int apply_files(const struct setup_git *g, setup_git_say *say, void *ctx,
		       struct err *e)
{
	const struct root *root = &g->store->repo.root;
	struct buf path = {0};
	bool any = false;
	int r = 0;

	/* What is put first is taken out last: "team" asks for its format. */
	for (int n = 0; n < SETTINGS && r >= 0; n++) {
		const int i = g->removing ? SETTINGS - 1 - n : n;
		const struct value *v = &g->values[i];

		if (g->keys[i] && i == ID && !g->removing)
			r = settings_write_new(g->store, PROJECT_ID, v, e);
		else if (g->keys[i])
			r = settings_write(g->store, settings[i].key,
					   v->kind == VALUE_NULL ? NULL : v, e);
		any = any || r > 0;
	}
	buf_addf(&path, "%s/%s", root->path, names[SETTINGS_FILE]);
	if (r >= 0 && any)
		say(ctx, path.p);
	buf_cut(&path, strlen(root->path) + 1);
	buf_adds(&path, names[ATTRIBUTES_FILE]);
	if (r >= 0 && (!g->removing || is_noted(g, "attributes"))) {
		r = git_attributes_write(root, !g->removing, e);
		if (r > 0)
			say(ctx, path.p);
	}
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

int setup_git_apply(const struct setup_git *g, setup_git_say *say, void *ctx,
		    struct err *e)
{
	struct buf out = {0};
	int r = 0;

	/* Noted first, and forgotten last: killed between, all is undone. */
	if (!g->removing && g->notes)
		r = GIT(g, &out, e, "config", "--local", NOTE, g->note.p);
	if (!r && apply_files(g, say, ctx, e) < 0)
		r = -1;
	if (!r)
		r = apply_options(g, say, ctx, e);
	if (!r && g->hooks.len)
		r = run_install(g, "-y", &out, e);
	if (!r && g->hooks.len)
		say(ctx, "the hooks of this clone");
	if (!r && g->removing && g->notes)
		r = GIT(g, &out, e, "config", "--local", "--unset-all", NOTE);
	if (r > 0)
		r = err_set(e, ERR_HELPER, "git cannot note '%s'", NOTE);
	buf_release(&out);
	return r;
}

/* True if TEXT, a configuration of git's, has a driver `co`. */
static bool has_driver(const char *text)
{
	bool inside = false;

	for (const char *p = text; *p; p += strcspn(p, "\n")) {
		p += strspn(p, " \t\n");
		if (*p == '[')
			inside = !strncmp(p, "[merge \"co\"]", 12);
		else if (inside && !strncmp(p, "driver", 6))
			return true;
	}
	return false;
}

enum setup_git_state setup_git_look(const struct root *root)
{
	enum setup_git_state state = SETUP_GIT_NO_CLONE;
	struct buf text = {0}, path = {0};
	struct gitdir dir;

	if (root->fd < 0 || !root_seen_by_git(root) ||
	    gitdir_find(&dir, root->path, NULL) != 1)
		return state;
	state = SETUP_GIT_NONE;
	buf_addf(&path, "%s/config", dir.common);
	if (file_read_path(path.p, FILE_MAX, &text, NULL) == 1 &&
	    has_driver(buf_str(&text)))
		state = SETUP_GIT_DRIVER;
	buf_release(&text);
	buf_release(&path);
	gitdir_release(&dir);
	return state;
}
