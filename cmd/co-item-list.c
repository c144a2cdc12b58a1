/* co-item-list: list items from conversations. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "harvest/items.h"

static const char *category;
static bool open_tasks, json, global;

static const struct opt opts[] = {
	{OPT_WORD, 0, "category", &category, "CATEGORY", CATEGORY_WORDS,
	 "list only one category, such as facts or tasks"},
	FLAG(0, "open", &open_tasks, "list only open tasks"),
	FLAG(0, "json", &json, "print items as JSON, one a line"),
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-item-list",
	.summary = "list items of conversations",
	.opts = opts,
};

static void add_field(struct buf *line, const char *p, size_t len, char end)
{
	for (size_t i = 0; i < len; i++)
		buf_addc(line, p[i] == '\t' ? ' ' : p[i]);
	buf_addc(line, end);
}

static int print_entry(void *ctx, const struct items_entry *entry)
{
	const struct item *it = &entry->item;
	struct buf *line = ctx;

	if (open_tasks && entry->done)
		return 0;
	buf_cut(line, 0);
	if (json) {
		item_lines_write(line, entry);
		buf_addc(line, '\n');
	} else {
		buf_addf(line, "%s\t", category_name(entry->category));
		add_field(line, it->text, it->len, '\t');
		add_field(line, it->from ? it->from : "-",
			  it->from ? strlen(it->from) : 1, '\t');
		buf_addf(line, "%s\n", it->date ? it->date : "-");
	}
	cli_out_text(line->p, line->len);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned wanted = ITEMS_ALL;
	struct buf line = {0};
	struct store store;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (open_tasks && category && strcmp(category, "tasks") != 0)
		cli_usage("--open cannot be used with --category=%s", category);
	if (category)
		wanted = 1u << category_of_name(category);
	if (open_tasks)
		wanted = 1u << CATEGORY_TASKS;
	cli_open_store(&store, global);
	if (items_each(&store, wanted, print_entry, &line, &e) < 0)
		cli_die(&e);
	buf_release(&line);
	store_close(&store);
	return cli_finish(0);
}
