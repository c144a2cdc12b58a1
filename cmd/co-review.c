/* co-review: accept or reject the drafts that wait for a person's yes */
#include "display.h"
#include "drafts.h"
#include "out.h"
#include "search.h"

static bool list, accept, reject, json, global, allow_secret;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "list", &list, NULL, NULL, "list the drafts, by id"},
	{OPT_FLAG, 0, "accept", &accept, NULL, NULL,
	 "accept the drafts named, without a question"},
	{OPT_FLAG, 0, "reject", &reject, NULL, NULL,
	 "move the drafts named to the trash, without a question"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print records, or what was done, as JSON, one a line"},
	{OPT_FLAG, 0, "allow-secret", &allow_secret, NULL, NULL,
	 "accept even what looks like a secret"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"--list [--json] [--global]",
	"--accept [--allow-secret] [--json] [--global] ID|PATH...",
	"--reject [--json] [--global] ID|PATH...",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-review",
	.summary = "accept or reject what waits for a person's yes",
	.synopsis = synopsis,
	.operands = "[ID|PATH...]",
	.opts = opts,
};

static struct store store;
static struct arena arena;

/* The drafts, by id. */
static struct records waiting(void)
{
	const struct query all = {0};
	struct records found;
	struct err e;

	if (search_collect(&store, AREA_DRAFTS, &all, &arena, &found, &e) < 0)
		cli_die(&e);
	if (found.n)
		qsort(found.items, found.n, sizeof(*found.items), record_by_id);
	return found;
}

static void print_list(void)
{
	const struct out out = {.json = json};
	const struct records found = waiting();
	struct buf text = {0};

	if (json) {
		out_found(&out, &store, &found, SIZE_MAX);
		return;
	}
	for (size_t i = 0; i < found.n; i++)
		display_line(&text, &found.items[i]);
	out_doubles(found.items, found.n);
	out_buf(&text);
}

static int locate(const char *operand, const char **path, struct err *e)
{
	const int r =
		store_locate(&store, AREA_DRAFTS, operand, &arena, path, e);

	return r ? r : err_set(e, ERR_NO, "no draft '%s'", operand);
}

static int accept_one(const char *operand, struct err *e)
{
	const char *path, *replaced;
	struct record r;

	if (locate(operand, &path, e) < 0 ||
	    drafts_accept(&store, path, NULL, &arena, &r, &replaced, e) < 0)
		return -1;
	out_saved(&r, "✓ Accepted memory", json);
	if (replaced)
		cli_note("'%s' went to the trash", replaced);
	return 0;
}

static void accept_named(char **operands)
{
	struct err e;

	store.allow_secret = allow_secret;
	store_batch(&store);
	for (; *operands; operands++) {
		if (accept_one(*operands, &e) < 0)
			cli_complain(&e);
	}
}

/* All in one step, so that one undo takes it back. */
static void reject_named(char **operands, size_t n)
{
	const char **paths = arena_alloc(&arena, n * sizeof(*paths));
	const char **moved = arena_alloc(&arena, n * sizeof(*moved));
	size_t found = 0;
	struct err e;

	for (size_t i = 0; i < n; i++) {
		if (locate(operands[i], &paths[found], &e) < 0)
			cli_complain(&e);
		else
			found++;
	}
	if (drafts_reject(&store, paths, found, &arena, moved, &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found; i++) {
		struct record r;

		if (!moved[i])
			continue;
		if (store_read(&store, moved[i], &arena, &r, &e) != 1)
			r = (struct record){.path = moved[i]};
		out_saved(&r, "✓ Rejected draft", json);
	}
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (list + accept + reject != 1)
		cli_usage("one of --list, --accept and --reject is wanted");
	if (list && n)
		cli_usage("--list takes no operands");
	if (!list && !n)
		cli_usage("which drafts? 'co review --list' names them");
	out_store(&store, global);
	if (list)
		print_list();
	else if (accept)
		accept_named(operands);
	else
		reject_named(operands, (size_t)n);
	store_close(&store);
	arena_release(&arena);
	return cli_finish(0);
}
