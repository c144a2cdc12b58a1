/* co-item-remove: move an item to the trash. */
#include "cli/out.h"
#include "cli/stores.h"
#include "harvest/items.h"

static const char *category;
static bool global;

static const struct opt opts[] = {
	{OPT_WORD, 0, "category", &category, "CATEGORY", CATEGORY_WORDS,
	 "set its category, such as facts or tasks"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-item-remove",
	.summary = "move an item to the trash",
	.synopsis = "--category=CATEGORY [--global] TEXT",
	.operands = "TEXT",
	.opts = opts,
};

static void print_path(void *ctx, const char *path)
{
	(void)ctx;
	out_path(path, false);
}

int main(int argc, char **argv)
{
	struct store store;
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!category)
		cli_usage("missing --category of the item");
	cli_open_store(&store, global);
	n = item_trash_remove(&store, category_of_name(category), operands[0],
			      print_path, NULL, &e);
	if (n < 0)
		cli_die(&e);
	store_close(&store);
	if (!n) {
		cli_note("no item of %s is '%s'", category, operands[0]);
		cli_hint("'co-item-list --category=%s%s' lists them", category,
			 global ? " --global" : "");
	}
	return cli_finish(n ? ERR_NONE : ERR_NO);
}
