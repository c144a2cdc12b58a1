/* co-memory-remove: move memories and articles to the trash. */
#include "cli/out.h"
#include "cli/stores.h"
#include "store/journal.h"
#include "store/trash.h"

static bool purge, global, zero, dry;
static const char *expected;

static const struct opt opts[] = {
	FLAG(0, "purge", &purge, "delete for good, from the trash too"),
	OPT_EXPECT(&expected, "the one file to remove"),
	OPT_GLOBAL(&global),
	OPT_Z(&zero),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-remove",
	.summary = "move memories and articles to the trash",
	.synopsis = "[--purge] [--global] [-z] [-n] [-q] [ID|PATH...]\n"
		    "--expect=SHA256 [--purge] [--global] [-z] [-n] [-q] "
		    "ID|PATH",
	.operands = "[ID|PATH...]",
	.items = "there are no operands",
	.opts = opts,
};

/* The files to remove from each store: project, user. */
static struct removal {
	struct store *store; /* NULL: not needed yet */
	struct strings found;
} removals[2];

/* Return the removal of the user's or the project's store, which is opened if needed. */
static struct removal *removal_of(bool user)
{
	struct removal *removal = &removals[user];

	removal->store = cli_store(user);
	cli_expect(removal->store, expected);
	return removal;
}

/* Look up an id in all areas from which files can be removed. */
static int locate_id(struct store *s, const char *item, const char **path,
		     struct err *e)
{
	int r = store_locate(s, AREA_MEMORIES, item, &cli_arena, path, e);

	if (!r)
		r = store_locate(s, AREA_DRAFTS, item, &cli_arena, path, e);
	if (!r)
		r = store_locate(s, AREA_ARCHIVE, item, &cli_arena, path, e);
	if (!r && purge)
		r = store_locate(s, AREA_TRASH, item, &cli_arena, path, e);
	return r;
}

/* Look up ITEM. Set *REMOVAL to its store and *PATH to its file. */
static int locate_memory(const char *item, struct removal **removal,
			 const char **path, struct err *e)
{
	int64_t id;
	int r = 0;

	if (store_is_global_id(item, &id)) {
		*removal = removal_of(true);
		r = locate_id((*removal)->store, item, path, e);
	}
	if (r)
		return r;
	*removal = removal_of(global);
	return store_is_id(item, &id)
		       ? locate_id((*removal)->store, item, path, e)
		       : store_locate((*removal)->store, AREA_ANY, item,
				      &cli_arena, path, e);
}

static int add_item(void *ctx, const char *item, struct err *e)
{
	struct removal *removal;
	const char *path;
	const int r = locate_memory(item, &removal, &path, e);

	(void)ctx;
	if (r < 0)
		return -1;
	if (r == 0)
		return store_absent(removal->store, item, e);
	strings_add(&removal->found, path);
	return 0;
}

/* Print PATH if it could be removed. */
static void print_dry_run(struct store *s, const char *path)
{
	struct err e;
	int r;

	if (expected && store_lock(s, &e) < 0)
		cli_die(&e);
	r = operation_expected(s, path, &e);
	if (expected)
		store_unlock(s);
	if (r < 0)
		cli_complain(&e);
	else
		out_path(path, zero);
}

/* Remove all files in one operation, so that one undo restores them. */
static void remove_found(struct removal *removal)
{
	const struct strings *found = &removal->found;
	const char **moved = arena_alloc(&cli_arena, found->n * sizeof(*moved));
	struct err e;

	for (size_t i = 0; i < found->n && dry; i++)
		print_dry_run(removal->store, found->items[i]);
	if (dry)
		return;
	if (trash_remove(removal->store, found->items, found->n, purge,
			 &cli_arena, moved, &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found->n; i++) {
		if (moved[i])
			out_path(moved[i], zero);
	}
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (expected && n != 1)
		cli_usage("--expect requires one memory");
	removal_of(global);
	cli_each(operands, zero, add_item, NULL);
	for (size_t i = 0; i < ARRAY_LEN(removals); i++) {
		if (!removals[i].store)
			continue;
		if (removals[i].found.n || i == global)
			remove_found(&removals[i]);
		free(removals[i].found.items);
	}
	cli_close_stores();
	return cli_finish(0);
}
