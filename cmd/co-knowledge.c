/* co-knowledge: list, show, check and count what is remembered */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/grep.h"
#include "store/display.h"
#include "sys/execpath.h"

#include <unistd.h>

static bool list, check, fix, stats, reindex, global, json;
static const char *shown;
static bool unread; /* a store, so that nobody knows what is in it */

static const struct opt opts[] = {
	{OPT_FLAG, 0, "list", &list, NULL, NULL,
	 "list all memories of both stores, by id"},
	{OPT_STR, 0, "show", &shown, "ID", NULL, "print the memory ID"},
	{OPT_FLAG, 0, "check", &check, NULL, NULL,
	 "read everything and name each fault and its remedy"},
	{OPT_FLAG, 0, "fix", &fix, NULL, NULL,
	 "with --check, repair double ids and missing frontmatter"},
	{OPT_FLAG, 0, "stats", &stats, NULL, NULL,
	 "count memories by tag, source and month"},
	{OPT_FLAG, 0, "reindex", &reindex, NULL, NULL,
	 "make the index of the memories anew"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "work on the user's store alone"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print JSON, one object a line"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"--list [--global] [--json]",	       "--show=ID [--global] [--json]",
	"--check [--fix] [--global] [--json]", "--stats [--global] [--json]",
	"--reindex [--global] [--json]",       NULL,
};

static const struct cmd cmd = {
	.name = "co-knowledge",
	.summary = "list, show, check and count what is remembered",
	.synopsis = synopsis,
	.opts = opts,
};

/* Add the memories of one store, S, to ALL.  True if it has a folder for
 * them. */
static bool collect(struct store *s, bool user, struct results *all)
{
	const struct grep_query everything = {0};
	struct err e;
	int fd, found;

	unread |= !cli_open_store_if(s, user);
	found = layout_open(&s->repo, "memories", &fd, &e);
	if (found == 1)
		close(fd);
	if (found < 0 ||
	    grep_collect(s, AREA_MEMORIES, &everything, all, &e) < 0) {
		cli_complain(&e);
		unread = true;
	}
	return found == 1;
}

static void print_lines(const struct results *all, bool exists)
{
	struct arena a = {0};
	struct buf text = {0};
	struct record r;

	display_total(&text, all->n, exists);
	for (size_t i = 0; i < all->n; i++) {
		arena_reset(&a);
		results_get(all, &all->items[i], &a, &r);
		display_line(&text, &r, NULL);
		out_page(&text, false);
	}
	out_page(&text, true);
	arena_release(&a);
}

static void list_all(void)
{
	const struct out out = {.json = true, .no_content = true};
	struct results all = {.order = RESULTS_BY_ID};
	struct store s[2];
	bool exists = !global && collect(&s[0], false, &all);

	exists |= collect(&s[1], true, &all);
	results_sort(&all);
	out_doubles(&all);
	if (json)
		out_found(&out, &all, false, SIZE_MAX);
	else if (all.n || !unread)
		print_lines(&all, exists);
	results_release(&all);
	if (!global)
		store_close(&s[0]);
	store_close(&s[1]);
}

/* Become PROGRAM, with the options that it shares with this one. */
static void NORETURN become(const char *program, const char *argv0)
{
	const char *args[6] = {program};
	struct buf path = {0};
	struct err e;
	size_t n = 1;

	if (fix)
		args[n++] = "--fix";
	if (reindex)
		args[n++] = "--rebuild";
	if (global)
		args[n++] = "--global";
	if (json)
		args[n++] = "--json";
	if (shown)
		args[n++] = shown;
	if (execpath_find(&path, program, argv0))
		execv(path.p, (char *const *)(uintptr_t)args);
	err_sys(&e, "cannot run '%s'", program);
	cli_die(&e);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	int64_t id;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (list + check + stats + reindex + !!shown != 1)
		cli_usage("say one of --list, --show=ID, --check, --stats and "
			  "--reindex");
	if (fix && !check)
		cli_usage("--fix goes with --check");
	if (shown && !store_is_id(shown, &id) &&
	    !store_is_global_id(shown, &id))
		cli_usage("--show wants the number of a memory, not '%s'",
			  shown);
	if (!list)
		become(check	 ? "co-knowledge-check"
		       : stats	 ? "co-knowledge-stats"
		       : reindex ? "co-index-update"
				 : "co-memory-show",
		       argv0);
	list_all();
	return cli_finish(0);
}
