/* co-tag: list the tags, or change the tags of memories. */
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "overview/stats.h"
#include "sys/execpath.h"

#include <unistd.h>

static struct strings add, drop, rename_by;
static const char *color;
static bool dry, global, json;

static const struct opt opts[] = {
	{OPT_LIST, 0, "add", &add, "TAG", NULL, "add TAG, as +TAG does"},
	{OPT_LIST, 0, "remove", &drop, "TAG", NULL, "remove TAG, as -TAG does"},
	{OPT_LIST, 0, "rename", &rename_by, "OLD=NEW", NULL,
	 "replace OLD by NEW, in the memories named or in all"},
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	FLAG(0, "global", &global, "work only on the user's store"),
	FLAG(0, "json", &json, "list as JSON, one object a line"),
	OPT_COLOR(&color),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-tag",
	.summary = "list tags, or change the tags of memories",
	.synopsis = "[--global] [--json] [--color=WHEN]\n"
		    "[--global] ID|PATH|-...\n"
		    "[+TAG|-TAG]... [--rename=OLD=NEW]... [-n] [-q] "
		    "[--global] ID|PATH|WORD|-...\n"
		    "--rename=OLD=NEW... [-n] [-q] [--global]",
	.operands = "[+TAG|-TAG|ID|PATH|WORD...]",
	.items = "an operand is -",
	.opts = opts,
	.habits = (const char *const[]){"-t|-a", "co tag +TAG ID", "-d|-r",
					"co tag -TAG ID", NULL},
};

/* Replace each operand +TAG and -TAG by an option, since -TAG would be parsed
 * as several letters. */
static void expand_tag_operands(char **argv)
{
	for (; *argv && strcmp(*argv, "--") != 0; argv++) {
		const char *arg = *argv;
		const bool plus = arg[0] == '+' && arg[1],
			   minus = arg[0] == '-' && arg[1] && arg[1] != '-' &&
				   arg[2];

		if (plus || minus)
			*argv = arena_printf(&cli_arena, "--%s=%s",
					     plus ? "add" : "remove", arg + 1);
	}
}

static void list_tags(void)
{
	const struct coloring *c = cli_colors(color) ? &color_plain : NULL;
	struct stats_tags tags = {0};
	struct store s;
	struct err e;
	struct buf text = {0};
	int width;

	for (int user = global; user < 2; user++) {
		if (cli_open_store_if(&s, user) &&
		    stats_tags_add(&tags, &s, out_shows_sensitive(), &cli_arena,
				   &e) < 0)
			cli_complain(&e);
		store_close(&s);
	}
	stats_tags_sort(&tags);
	width = tags.n ? snprintf(NULL, 0, "%zu", tags.items[0].n) : 0;
	for (size_t i = 0; i < tags.n; i++) {
		stats_tags_line(&text, &tags.items[i], width, json, c);
		out_page(&text, false);
	}
	out_page(&text, true);
	if (tags.kept_back)
		cli_note("tags of sensitive memories hidden: %zu",
			 tags.kept_back);
	else if (!tags.n && !cli_failed()) {
		cli_note("no memory has a tag");
		cli_hint("'co learn -t TAG TEXT' gives one, 'co tag +TAG ID' "
			 "another");
	}
	stats_tags_release(&tags);
}

static bool is_name(const char *operand)
{
	int64_t id;

	return store_is_id(operand, &id) || store_is_global_id(operand, &id) ||
	       store_is_named_id(operand, &id) || strpbrk(operand, "/.") ||
	       !strcmp(operand, "-");
}

/* End the process for likely mistakes: a tag without a sign, or no memory. */
static void check_operands(char **operands, int n, bool changes)
{
	const char *word = NULL, *name = NULL;

	for (char **p = operands; *p; p++) {
		if (is_name(*p))
			name = *p;
		else if (!word)
			word = *p;
	}
	if (word && operands[1] && !strcmp(*operands, "add"))
		cli_usage("did you mean 'co tag +%s %s'?", operands[1],
			  operands[2] ? operands[2] : "ID");
	if (word && (*word == '+' || *word == '-'))
		cli_usage("'%s' has no tag: 'co tag +TAG ID' adds one", word);
	if (word && name && !changes)
		cli_usage("'%s' is not an id: did you mean 'co tag +%s %s'?",
			  word, word, name);
	if (word)
		cli_usage("'%s' is not an id: '+%s' adds the tag, '-%s' "
			  "removes it",
			  word, word, word);
	if (json)
		cli_usage("--json is for the list of all tags; 'co show "
			  "--json' prints a memory");
	if (!n && (add.n || drop.n))
		cli_want_operand(CHOOSE_MEMORIES);
}

static void add_options(struct strings *args, const char *option,
			const struct strings *values)
{
	for (size_t i = 0; i < values->n; i++)
		strings_add(args, arena_printf(&cli_arena, "%s=%s", option,
					       values->items[i]));
}

/* Replace the process by co-memory-tag. */
static void NORETURN exec_memory_tag(char **operands, int n, bool changes,
				     const char *argv0)
{
	struct strings args = {0};

	strings_add(&args, "co-memory-tag");
	add_options(&args, "--add", &add);
	add_options(&args, "--remove", &drop);
	add_options(&args, "--rename", &rename_by);
	if (!changes || isatty(STDOUT_FILENO))
		strings_add(&args, "--show");
	if (dry)
		strings_add(&args, "--dry-run");
	if (cli_quiet)
		strings_add(&args, "--quiet");
	if (global)
		strings_add(&args, "--global");
	strings_add(&args, n ? "--" : "--all");
	for (; *operands; operands++)
		strings_add(&args, *operands);
	strings_add(&args, NULL);
	cli_exec(args.items, argv0);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	char **operands;
	bool changes;
	int n;

	if (argc > 1)
		expand_tag_operands(argv + 1);
	operands = cli_start(&cmd, argc, argv, &n);
	changes = add.n || drop.n || rename_by.n;
	if (n || changes) {
		if (n && (add.n || drop.n))
			n = cli_choose_several(&operands, n, global, CHOOSE_ALL,
					       "Tag which?");
		check_operands(operands, n, changes);
		exec_memory_tag(operands, n, changes, argv0);
	}
	list_tags();
	return cli_finish(0);
}
