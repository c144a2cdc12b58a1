/* co-tasks: list the open tasks, and mark one as done. */
#include "cli/out.h"
#include "cli/stores.h"
#include "harvest/digest.h"
#include "harvest/items.h"
#include "text/sanitize.h"

static size_t done;
static bool global;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "done", &done, "N", NULL,
	 "move the task N to those that are done"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-tasks",
	.summary = "list open tasks, or mark one as done",
	.opts = opts,
};

struct task_list {
	size_t n;
	struct buf text;
};

static int add_task(void *ctx, const struct items_entry *entry)
{
	const struct item *it = &entry->item;
	struct task_list *l = ctx;

	if (entry->done)
		return 0;
	buf_addf(&l->text, "%zu. ", ++l->n);
	sanitize_line(&l->text, it->text, it->len);
	if (it->from) {
		buf_adds(&l->text, " [from: ");
		sanitize_line(&l->text, it->from, strlen(it->from));
		buf_addf(&l->text, ", %s]", it->date);
	}
	buf_addc(&l->text, '\n');
	return 0;
}

static int list_open(struct store *s)
{
	struct task_list l = {0};
	struct err e;

	if (items_each(s, 1u << CATEGORY_TASKS, add_task, &l, &e) < 0)
		cli_die(&e);
	if (!l.n && !cli_failed())
		cli_note("no task is open");
	out_buf(&l.text);
	return l.n ? ERR_NONE : ERR_NO;
}

static int finish_task(struct store *s)
{
	struct arena a = {0};
	struct buf text = {0};
	struct item it;
	struct err e;
	const int r = items_finish(s, done, &a, &it, &e);

	if (r < 0)
		cli_die(&e);
	if (r == 0) {
		cli_note("there is no open task %zu", done);
		cli_hint("'co tasks%s' lists them", global ? " --global" : "");
	} else {
		buf_adds(&text, "✓ Done: ");
		sanitize_line(&text, it.text, it.len);
		buf_addc(&text, '\n');
		/* Otherwise the next session would still see it as open. */
		if (digest_refresh(s, &e) < 0)
			cli_complain(&e);
	}
	out_buf(&text);
	arena_release(&a);
	return r ? ERR_NONE : ERR_NO;
}

int main(int argc, char **argv)
{
	struct store store;
	int n, status;

	done = SIZE_MAX;
	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&store, global);
	status = done == SIZE_MAX ? list_open(&store) : finish_task(&store);
	store_close(&store);
	return cli_finish(status);
}
