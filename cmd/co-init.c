/* co-init: make .co-cli in this directory */
#include "agent/context.h"
#include "cli/out.h"
#include "cli/stores.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool private, global;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "private", &private, NULL, NULL,
	 "hide it from git, by .git/info/exclude"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "make the user's own, for every project"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {"[--private]", "--global", NULL};

static const struct cmd cmd = {
	.name = "co-init",
	.summary = "make .co-cli in this directory",
	.synopsis = synopsis,
	.opts = opts,
};

/* What a root begins with. */
static const struct part {
	const char *name, *what;
} parts[] = {
	{".gitignore", "what git leaves alone"},
	{"settings.json", "the format, and what you set"},
	{"knowledge/context.md", "what every session knows"},
	{"knowledge/memories", "what is recalled when asked for"},
};

/* Which of the parts are there, as bits. */
static unsigned look(const struct root *r)
{
	unsigned there = 0;
	struct stat st;

	for (size_t i = 0; i < ARRAY_LEN(parts) && r->fd >= 0; i++) {
		if (!fstatat(r->fd, parts[i].name, &st, AT_SYMLINK_NOFOLLOW))
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

/* Make what is missing of R; *MADE tells whether all of it was. */
static void make(struct root *r, bool *made)
{
	struct store s;
	struct buf text = {0};
	struct err e;
	bool root_made;
	int fd, found;

	/* Hidden first, so that git never gets to see it. */
	if ((private && root_exclude(r, &e) < 0) || root_make(r, made, &e) < 0)
		cli_die(&e);
	cli_open_store(&s, global);
	if (store_make(&s, &root_made, &e) < 0 ||
	    layout_make(&s.repo, "memories", &fd, &e) < 0)
		cli_die(&e);
	close(fd);
	found = context_read(&s, &text, &e);
	if (found < 0 || (!found && context_save(&s, NULL, &text, &e) < 0))
		cli_die(&e);
	buf_release(&text);
	store_close(&s);
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
		cli_hint("git will see it; 'co init --private' hides it");
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
	make(&r, &made);
	say_made(&r, made, there);
	say_git(&r, made);
	root_release(&r);
	return cli_finish(0);
}
