/* co-init: create .co-cli in this directory. */
#include "agent/context.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "learn/learn.h"
#include "setup/setup-git.h"
#include "setup/settings-write.h"
#include "store/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool private, global;

static const struct opt opts[] = {
	FLAG(0, "private", &private, "hide it from git, by .git/info/exclude"),
	FLAG(0, "global", &global, "make the user's store, for every project"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-init",
	.summary = "create a store",
	.synopsis = "[--private] [-q]\n"
		    "--global [-q]",
	.opts = opts,
};

/* The initial contents of a root. */
static const struct part {
	const char *name, *what;
} parts[] = {
	{".gitignore", "files that git ignores"},
	{SETUP_GIT_ATTRIBUTES, "how git merges the files"},
	{"settings.json", "the format and your settings"},
	{"knowledge/context.md", "rules that every session loads"},
	{"knowledge/" LAYOUT_MEMORIES, "memories, which searches find"},
};

#define PART_SETTINGS (1u << 2)

/* Return true if git sees R, so that it must be told how to merge. */
static bool is_merged_by_git(const struct root *r)
{
	return !private && !global && root_seen_by_git(r);
}

/* Return a bit for each part that exists or is not wanted. */
static unsigned existing_parts(const struct root *r)
{
	unsigned there = 0;
	struct stat st;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if ((r->fd >= 0 && !fstatat(r->fd, parts[i].name, &st,
					    AT_SYMLINK_NOFOLLOW)) ||
		    (!strcmp(parts[i].name, SETUP_GIT_ATTRIBUTES) &&
		     !is_merged_by_git(r)))
			there |= 1u << i;
	}
	return there;
}

/* Set R to the root that exists or is to be created here. */
static void find_root(struct root *r)
{
	struct root outer;
	struct err e;

	if (private && root_find(r, SCOPE_PROJECT, &e) == 0) {
		/* The root of a linked work tree is in the main one. */
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

/* Give the project of S an id if it has none, as in an older store. Return true
 * if one was set. */
static bool name_project(struct store *s)
{
	char id[PROJECT_ID_LENGTH + 1];
	const struct value v = value_str(project_id_draw(id));
	struct err e;
	int r = global ? 0 : settings_write(s, PROJECT_ID, &v, true, &e);

	if (r < 0)
		cli_complain(&e);
	else
		known_projects_note(&s->repo.root);
	return r > 0;
}

/* Create the missing parts of R. Set *MADE if the root itself was created.
 * Return true if the project got an id. */
static bool make_root(struct root *r, bool *made)
{
	struct store s;
	struct buf text = {0};
	struct err e;
	bool root_made, named;
	int fd, found;

	/* Exclude it first, so that git never sees it. */
	if ((private && root_exclude(r, &e) < 0) || root_make(r, made, &e) < 0)
		cli_die(&e);
	cli_open_store(&s, global);
	operation_skip(&s);
	if (store_make(&s, &root_made, &e) < 0 ||
	    layout_make(&s.repo, LAYOUT_MEMORIES, &fd, &e) < 0)
		cli_die(&e);
	close(fd);
	found = context_read(&s, &text, &e);
	if (found < 0 || (!found && context_save(&s, NULL, &text, &e) < 0))
		cli_die(&e);
	if (is_merged_by_git(r) && setup_git_attributes_write(r, true, &e) < 0)
		cli_die(&e);
	named = name_project(&s);
	buf_release(&text);
	store_close(&s);
	return named;
}

/* Print the parts that were created. THERE has a bit for each part that existed
 * before. */
static void print_made(const struct root *r, bool made, unsigned there)
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
		 "    co learn%s 'a fact to remember'\n"
		 "    co context --edit%s\n",
		 global ? " --global" : "", global ? " --global" : "");
}

static void print_git(const struct root *r, bool made)
{
	if (private)
		cli_outf("git does not see it: .git/info/exclude lists it; "
			 "'git clean -fdx' would remove it\n");
	if (private && !made)
		cli_hint("what git tracks already stays tracked until "
			 "'git rm -r --cached .co-cli'");
	if (!private && made && root_seen_by_git(r))
		cli_hint("git will see it; 'co init --private' hides it, 'co "
			 "setup git' eases merges");
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
	find_root(&r);
	there = existing_parts(&r);
	if (make_root(&r, &made))
		there &= ~PART_SETTINGS;
	print_made(&r, made, there);
	print_git(&r, made);
	if (made && !global && !cli_quiet)
		learn_history_offer(argv[0]);
	root_release(&r);
	return cli_finish(0);
}
