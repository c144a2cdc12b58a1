/* setup-git.c: a plan holds the new contents of the two files, and which git
 * options to change. contrib/hooks/install sets the hooks; with -n it prints
 * its own plan.
 */
#include "setup/setup-git.h"

#include "agent/setup.h"
#include "base/strings.h"
#include "format/jsonc.h"
#include "repo/gitdir.h"
#include "repo/settings.h"
#include "setup/settings-write.h"
#include "sys/execpath.h"
#include "sys/git.h"
#include "sys/process.h"
#include "text/diff.h"

#include <unistd.h>

#define FILE_MAX ((size_t)64 * 1024)
#define HOOKS_MS 30000
#define NOTE "co.setup"

/* If the program is missing, git would keep our version without conflict
 * markers. So the driver then merges the file as text. */
const char setup_git_name[] = "co: merge memories by meaning";
const char setup_git_driver[] =
	"command -v co-memory-merge >/dev/null && exec co-memory-merge "
	"--path=%P -- %O %A %B || git merge-file -L ours -L base -L theirs "
	"%A %O %B";

/* The options of a clone's configuration. */
enum { NAME, DRIVER, RERERE };
static const struct git_option {
	const char *key, *value;
	const char *word; /* in co.setup; NULL: always removed */
} options[] = {
	[NAME] = {"merge.co.name", setup_git_name, NULL},
	[DRIVER] = {"merge.co.driver", setup_git_driver, NULL},
	[RERERE] = {"rerere.enabled", "true", "rerere"},
};

/* The settings of the project, and their words in co.setup. */
enum { FORMAT, TEAM, ID, SETTINGS };
static const struct shared_setting {
	const char *key, *word;
} settings[] = {
	[FORMAT] = {FORMAT_KEY, "format"},
	[TEAM] = {"team", "team"},
	[ID] = {PROJECT_ID, "id"},
};

enum { SETTINGS_FILE, ATTRIBUTES_FILE, FILES };
static const char *const names[] = {"settings.json", SETUP_GIT_ATTRIBUTES};

struct setup_git {
	struct store *store;
	bool removing;
	struct buf install; /* path of the script that installs hooks */
	struct buf note;    /* the words of co.setup, current or planned */
	bool notes;	    /* co.setup changes */
	struct buf was[FILES], now[FILES];
	bool sets[ARRAY_LEN(options)]; /* this option changes */
	bool keys[SETTINGS];	       /* this setting changes to its value */
	struct value values[SETTINGS]; /* VALUE_NULL: it is removed */
	bool drawn;		       /* the store has random ids: "team"
				        * stays */
	struct buf hooks;	       /* what the hook script will change */
	struct arena arena;
};

static int run_git(const struct setup_git *g, struct buf *out, struct err *e,
		   const char *const *words)
{
	return git_run(g->store->repo.root.path, words, "", 0, out, e);
}
#define GIT(g, out, e, ...) \
	run_git(g, out, e, (const char *const[]){__VA_ARGS__, NULL})

static bool is_noted(const struct setup_git *g, const char *word)
{
	return strings_word_is_in(buf_str(&g->note), word, strlen(word));
}

static void note_word(struct setup_git *g, const char *word)
{
	if (is_noted(g, word))
		return;
	buf_addf(&g->note, "%s%s", g->note.len ? " " : "", word);
	g->notes = true;
}

static int plan_options(struct setup_git *g, struct err *e)
{
	struct buf value = {0};
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(options) && r >= 0; i++) {
		const struct git_option *o = &options[i];
		const bool ours = !o->word || is_noted(g, o->word);

		r = git_option(g->store->repo.root.path,
			       !o->word || g->removing, o->key, &value, e);
		if (r < 0)
			break;
		if (g->removing)
			g->sets[i] = r && ours;
		else
			g->sets[i] = !r || (!o->word &&
					    strcmp(value.p, o->value) != 0);
		if (!g->removing && g->sets[i] && o->word)
			note_word(g, o->word);
	}
	buf_release(&value);
	return r < 0 ? -1 : 0;
}

/* Plan to remove the settings listed in co.setup. */
static void plan_removal(struct setup_git *g)
{
	for (int i = 0; i < SETTINGS && !g->drawn; i++)
		g->keys[i] = is_noted(g, settings[i].word);
	if (is_noted(g, "format=1")) {
		g->keys[FORMAT] = !g->drawn;
		g->values[FORMAT] = value_int(1);
	}
}

/* Plan to add the missing entries to the settings ROOT. */
static void plan_missing_settings(struct setup_git *g, const struct value *root)
{
	char id[PROJECT_ID_LENGTH + 1];
	const struct value *format = value_get(root, FORMAT_KEY);
	const struct value *team = value_get(root, "team");
	int64_t number = 1;

	g->keys[FORMAT] =
		!format || (format_of(format, &number) && number < FORMAT_OURS);
	g->values[FORMAT] = value_int(FORMAT_OURS);
	if (g->keys[FORMAT])
		note_word(g, format ? "format=1" : "format");
	g->keys[TEAM] = !team || team->kind != VALUE_BOOL || !team->u.b;
	g->values[TEAM] = (struct value){.kind = VALUE_BOOL, .u.b = true};
	if (g->keys[TEAM])
		note_word(g, settings[TEAM].word);
	g->keys[ID] = !jsonc_dotted(root, PROJECT_ID);
	g->values[ID] = value_str(arena_strdup(&g->arena, project_id_draw(id)));
	if (g->keys[ID])
		note_word(g, settings[ID].word);
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
		plan_removal(g);
	else if (!r)
		plan_missing_settings(g, &v);
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

	if (setup_git_attributes_read(&g->store->repo.root, now, e) < 0)
		return -1;
	buf_add(&g->was[ATTRIBUTES_FILE], buf_str(now), now->len);
	if (g->removing && !is_noted(g, "attributes"))
		return 0;
	if (setup_git_attributes_edit(now, !g->removing) && !g->removing)
		note_word(g, "attributes");
	return 0;
}

/* Run the hook script with OPTION, -n or -y, and append its output to OUT. */
static int run_install(const struct setup_git *g, const char *git_option,
		       struct buf *out, struct err *e)
{
	const char *argv[] = {"/bin/sh",  g->install.p,
			      "-C",	  g->store->repo.root.path,
			      git_option, g->removing ? "--remove" : NULL,
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

/* Append to G->hooks what the hook script will change, "hook PATH", with paths as people
 * see them. Its lines are a word, a tab and a path. */
static int plan_hooks(struct setup_git *g, struct err *e)
{
	struct buf text = {0};
	char *next, *line;
	const int r = run_install(g, "-n", &text, e);

	for (line = text.p; line && (next = strchr(line, '\n')); line = next) {
		char *path = strchr(line, '\t');

		*next++ = '\0';
		if (!path || path >= next)
			continue;
		*path++ = '\0';
		buf_adds(&g->hooks, "hook ");
		setup_add_path(&g->hooks, path);
		if (!strcmp(line, "keep"))
			buf_addf(&g->hooks,
				 ", after the existing one: %s.before-co",
				 strrchr(path, '/') + 1);
		else if (!strcmp(line, "remove"))
			buf_adds(&g->hooks, ": removed");
		buf_addc(&g->hooks, '\n');
	}
	buf_release(&text);
	return r;
}

static int is_random_id(void *ctx, const struct record *r)
{
	(void)ctx;
	return r->id >= 100000;
}

static int plan(struct setup_git *g, struct err *e)
{
	int r = git_option(g->store->repo.root.path, true, NOTE, &g->note, e);

	if (r >= 0 && g->removing) {
		g->notes = r > 0;
		r = store_each(g->store, AREA_MEMORIES, is_random_id, NULL, e);
		g->drawn = r > 0;
	}
	if (r < 0 || plan_options(g, e) < 0 || plan_settings(g, e) < 0 ||
	    plan_attributes(g, e) < 0)
		return -1;
	return plan_hooks(g, e);
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
			       "there is no project store here: 'co init' "
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

static bool file_changes(const struct setup_git *g, int i)
{
	return !buf_equal(&g->was[i], &g->now[i]);
}

bool setup_git_shares(const struct setup_git *g)
{
	return file_changes(g, SETTINGS_FILE) ||
	       file_changes(g, ATTRIBUTES_FILE);
}

const char *setup_git_ids(const struct setup_git *g)
{
	if (g->removing && g->drawn && is_noted(g, settings[TEAM].word))
		return "'team' and 'format' stay in settings.json: a memory "
		       "has a random id, and ids that are counted would go on "
		       "from the highest";
	if (g->removing || !g->keys[TEAM])
		return NULL;
	return "from now on each new memory gets a random id of six digits, "
	       "so that two clones never save the same; 'co setup git "
	       "--remove' undoes this until the first such id is saved";
}

static void add_diff_header(struct buf *out, const char *mark, const char *path,
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

		if (!file_changes(g, i))
			continue;
		add_diff_header(out, "---", path, names[i], &g->was[i]);
		add_diff_header(out, "+++", path, names[i], &g->now[i]);
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
	if (g->removing && g->notes)
		buf_adds(out, "git config --unset " NOTE "\n");
}

/* Append what git will do by the attributes, options and hooks that change. */
static void add_abilities(const struct setup_git *g, struct buf *out)
{
	const bool merges = g->sets[DRIVER] || file_changes(g, ATTRIBUTES_FILE);

	if (merges || g->sets[RERERE] || g->hooks.len)
		buf_adds(out, "git will\n");
	if (merges)
		buf_adds(out, "  - merge memories field by field (merge driver "
			      "'co')\n");
	if (g->sets[RERERE])
		buf_adds(out, "  - resolve a conflict again as you resolved it "
			      "(rerere)\n");
	if (g->hooks.len)
		buf_adds(out,
			 "  - check memories at each commit, merge, rebase "
			 "and push (hooks)\n");
	buf_adds(out, "Nothing is sent anywhere.\n");
}

void setup_git_explain(const struct setup_git *g, struct buf *out)
{
	bool first = true;

	if (g->removing)
		buf_adds(out, "git will not use co any more\n");
	else
		add_abilities(g, out);
	for (int i = 0; i < FILES; i++) {
		struct buf path = {0};

		if (!file_changes(g, i))
			continue;
		buf_addf(&path, "%s/%s", g->store->repo.root.path, names[i]);
		setup_add_file(out, first, path.p, &g->was[i],
			       g->now[i].len ? &g->now[i] : NULL);
		buf_release(&path);
		first = false;
	}
	buf_adds(out, first ? "" : "\n");
	first = true;
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		if (!g->sets[i])
			continue;
		buf_addf(out, "%s%s", first ? "Options of this clone: " : ", ",
			 options[i].key);
		first = false;
	}
	buf_adds(out, first ? "" : "\n");
	buf_add(out, buf_str(&g->hooks), g->hooks.len);
}

static int apply_options(const struct setup_git *g, setup_git_say *say,
			 void *ctx, struct err *e)
{
	struct buf out = {0};
	bool any = false;
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(options) && !r; i++) {
		const struct git_option *o = &options[i];

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

	/* "team" requires its format: the format is set first and removed
	 * last. */
	for (int n = 0; n < SETTINGS && r >= 0; n++) {
		const int i = g->removing ? SETTINGS - 1 - n : n;
		const struct value *v = &g->values[i];

		if (g->keys[i])
			r = settings_write(g->store, settings[i].key,
					   v->kind == VALUE_NULL ? NULL : v,
					   i == ID && !g->removing, e);
		any = any || r > 0;
	}
	buf_addf(&path, "%s/%s", root->path, names[SETTINGS_FILE]);
	if (r >= 0 && any)
		say(ctx, path.p);
	buf_cut(&path, strlen(root->path) + 1);
	buf_adds(&path, names[ATTRIBUTES_FILE]);
	if (r >= 0 && (!g->removing || is_noted(g, "attributes"))) {
		r = setup_git_attributes_write(root, !g->removing, e);
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

	/* co.setup is written first and removed last, so that a removal after a
	 * kill is complete. */
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

/* Return true if TEXT, a configuration file of git, defines the driver `co`. */
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
