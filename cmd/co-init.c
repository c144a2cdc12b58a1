/* co-init: make .co-cli in this directory */
#include "agent/context.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "repo/git-attributes.h"
#include "repo/known-projects.h"
#include "setup/settings-write.h"
#include "store/operation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool private, global;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "private", &private, NULL, NULL,
	 "hide it from git, by .git/info/exclude"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "make the user's own, for every project"},
	OPT_QUIET,
	{.kind = OPT_END},
};

static const char *const synopsis[] = {"[--private] [-q]", "--global [-q]",
				       NULL};

static const struct cmd cmd = {
	.name = "co-init",
	.summary = "create a store",
	.synopsis = synopsis,
	.opts = opts,
};

/* What a root begins with. */
static const struct part {
	const char *name, *what;
} parts[] = {
	{".gitignore", "what git leaves alone"},
	{GIT_ATTRIBUTES, "how git merges it"},
	{"settings.json", "the format, and what you set"},
	{"knowledge/context.md", "what every session knows"},
	{"knowledge/memories", "what is recalled when asked for"},
};

#define PART_SETTINGS (1u << 2)

/* True if git merges what stands in R. */
static bool merges(const struct root *r)
{
	return !private && !global && root_seen_by_git(r);
}

/* Which of the parts are there, or not wanted, as bits. */
static unsigned look(const struct root *r)
{
	unsigned there = 0;
	struct stat st;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if ((r->fd >= 0 && !fstatat(r->fd, parts[i].name, &st,
					    AT_SYMLINK_NOFOLLOW)) ||
		    (!strcmp(parts[i].name, GIT_ATTRIBUTES) && !merges(r)))
			there |= 1u << i;
	}
	return there;
}

/* Find where the root R is to be, or is. */
static void find(struct root *r)
{
	struct root outer;
	struct err e;

	if (private && root_find(r, SCOPE_PROJECT, &e) == 0) {
		/* Of a linked work tree it stands in the main one. */
		if (r->worktree)
			return;
		root_release(r);
	}
	if ((global ? root_find(r, SCOPE_GLOBAL, &e) : root_here(r, &e)) < 0)
		cli_die(&e);
	if (global || r->fd >= 0 || root_find(&outer, SCOPE_PROJECT, &e) < 0)
		return;
	if (outer.fd >= 0)
		cli_note("from here on it takes the place of '%s'", outer.path);
	root_release(&outer);
}

/* Give the project of S an id, as one that was made before there were any may
 * want; true if it had none. */
static bool name_project(struct store *s)
{
	char id[PROJECT_ID_LENGTH + 1];
	const struct value v = value_str(project_id_draw(id));
	struct err e;
	int r = global ? 0 : settings_write_new(s, PROJECT_ID, &v, &e);

	if (r < 0)
		cli_complain(&e);
	else
		known_projects_note(&s->repo.root);
	return r > 0;
}

/* Make what is missing of R; *MADE tells whether all of it was.  True if the
 * project got an id. */
static bool make(struct root *r, bool *made)
{
	struct store s;
	struct buf text = {0};
	struct err e;
	bool root_made, named;
	int fd, found;

	/* Hidden first, so that git never gets to see it. */
	if ((private && root_exclude(r, &e) < 0) || root_make(r, made, &e) < 0)
		cli_die(&e);
	cli_open_store(&s, global);
	operation_skip(&s);
	if (store_make(&s, &root_made, &e) < 0 ||
	    layout_make(&s.repo, "memories", &fd, &e) < 0)
		cli_die(&e);
	close(fd);
	found = context_read(&s, &text, &e);
	if (found < 0 || (!found && context_save(&s, NULL, &text, &e) < 0))
		cli_die(&e);
	if (merges(r) && git_attributes_write(r, true, &e) < 0)
		cli_die(&e);
	named = name_project(&s);
	buf_release(&text);
	store_close(&s);
	return named;
}

/* Say which parts were not THERE before. */
static void say_made(const struct root *r, bool made, unsigned there)
{
	const unsigned all = (1u << ARRAY_LEN(parts)) - 1;

	if (there == all) {
		cli_outf("Already there: %s\n", r->path);
		return;
	}
	cli_outf("%s %s\n", made ? "Made" : "Added to", r->path);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!(there >> i & 1))
			cli_outf("    %-22s%s\n", parts[i].name, parts[i].what);
	}
	cli_outf("Try next:\n"
		 "    co learn%s 'what you want remembered'\n"
		 "    co context --edit%s\n",
		 global ? " --global" : "", global ? " --global" : "");
}

static void say_git(const struct root *r, bool made)
{
	if (private)
		cli_outf("git does not see it: .git/info/exclude lists it; "
			 "'git clean -fdx' would remove it\n");
	if (private && !made)
		cli_hint("what git tracks already stays tracked until "
			 "'git rm -r --cached .co-cli'");
	if (!private && made && root_seen_by_git(r))
		cli_hint("git will see it; 'co init --private' hides it, 'co "
			 "setup git' lets git merge memories field by field");
}

int main(int argc, char **argv)
{
	struct root r;
	unsigned there;
	bool made;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (private && global)
		cli_usage(
			"--private is for projects: git does not see --global");
	find(&r);
	there = look(&r);
	if (make(&r, &made))
		there &= ~PART_SETTINGS;
	say_made(&r, made, there);
	say_git(&r, made);
	root_release(&r);
	return cli_finish(0);
}
