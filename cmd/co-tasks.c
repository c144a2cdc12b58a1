/* co-tasks: list the open tasks, add one, and mark one as done. */
#include "base/date.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "harvest/items.h"
#include "text/sanitize.h"

static size_t done;
static bool as_json, global;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "done", &done, "N", NULL,
	 "move the task N to those that are done, as 'done N' does"},
	FLAG(0, "json", &as_json, "print the open tasks as JSON, one a line"),
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-tasks",
	.summary = "list open tasks, add one, or mark one as done",
	.synopsis = "[--global] [--json]\n"
		    "add [--global] TEXT...\n"
		    "done [--global] N\n"
		    "--done=N [--global]",
	.operands = "[add|done] [TEXT...|N]",
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
	l->n++;
	if (as_json) {
		item_lines_write(&l->text, entry);
		buf_addc(&l->text, '\n');
		return 0;
	}
	buf_addf(&l->text, "%zu. ", l->n);
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
	if (!l.n && !cli_failed()) {
		cli_note("no task is open");
		cli_hint("'co tasks add%s TEXT' adds one",
			 global ? " --global" : "");
	}
	out_buf(&l.text);
	return ERR_NONE;
}

/* Refresh the digest; otherwise the next session would see the tasks as they were. */
static void refresh_digest(struct store *s)
{
	struct err e;

	if (items_refresh_digest(s, &e) < 0)
		cli_complain(&e);
}

/* Add the task whose words are WORDS. */
static int add_new(struct store *s, char **words)
{
	struct buf text = {0}, json = {0}, line = {0};
	char date[DATE_DAY_TEXT];
	struct reply reply;
	struct items_added added;
	struct err e;

	cli_join(&text, words);
	if (!text.len || strspn(text.p, " \t\n") == text.len)
		cli_usage("say which task: co tasks add TEXT");
	json_write_open(&json, NULL, '{');
	json_write_open(&json, reply_key_name(REPLY_TASKS_OPEN), '[');
	json_write_text(&json, NULL, buf_str(&text));
	json_write_close(&json, ']');
	json_write_close(&json, '}');
	s->report = cli_complaints();
	if (reply_parse(&reply, json.p, json.len, &cli_arena, &e) < 0 ||
	    items_add(s, &reply, NULL, date_day(instant_now(), date), &added,
		      &e) < 0)
		cli_die(&e);
	if (added.added[REPLY_TASKS_OPEN]) {
		cli_make_store(s);
		buf_adds(&line, "✓ Added: ");
		sanitize_line(&line, reply.items[0].text, reply.items[0].len);
		buf_addc(&line, '\n');
		refresh_digest(s);
	} else if (added.known[REPLY_TASKS_OPEN]) {
		cli_note("this is a task already");
	}
	out_buf(&line);
	buf_release(&text);
	buf_release(&json);
	return ERR_NONE;
}

static int finish_task(struct store *s)
{
	struct buf text = {0};
	struct item it;
	struct err e;
	const int r = items_finish(s, done, &cli_arena, &it, &e);

	if (r < 0)
		cli_die(&e);
	if (r == 0) {
		cli_note("there is no open task %zu", done);
		cli_hint("'co tasks%s' lists them", global ? " --global" : "");
	} else {
		buf_adds(&text, "✓ Done: ");
		sanitize_line(&text, it.text, it.len);
		buf_addc(&text, '\n');
		refresh_digest(s);
	}
	out_buf(&text);
	return r ? ERR_NONE : ERR_NO;
}

/* Set `done` from the N OPERANDS "done N". */
static void read_done(char **operands, int n)
{
	int64_t number;

	if (n != 2 || !store_is_id(operands[1], &number))
		cli_usage("say which task, by its number in 'co tasks': "
			  "co tasks done N");
	done = (size_t)number;
}

int main(int argc, char **argv)
{
	struct store store;
	char **operands;
	int n, status;

	done = SIZE_MAX;
	operands = cli_start(&cmd, argc, argv, &n);
	if (n && done != SIZE_MAX)
		cli_usage("--done cannot be used with '%s'", operands[0]);
	if (as_json && (n || done != SIZE_MAX))
		cli_usage("--json cannot be used with %s",
			  n ? operands[0] : "--done");
	if (n && !strcmp(operands[0], "done")) {
		read_done(operands, n);
		n = 0;
	}
	if (n && strcmp(operands[0], "add") != 0)
		cli_usage("unexpected operand '%s': 'co tasks add TEXT' adds a "
			  "task",
			  operands[0]);
	cli_open_store(&store, global);
	status = n		    ? add_new(&store, operands + 1)
		 : done == SIZE_MAX ? list_open(&store)
				    : finish_task(&store);
	store_close(&store);
	return cli_finish(status);
}
