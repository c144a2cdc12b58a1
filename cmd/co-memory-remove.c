/* co-memory-remove: move memories and articles to the trash. */
#include "cli/out.h"
#include "cli/stores.h"
#include "store/operation.h"
#include "store/trash.h"

static bool purge, global, zero, dry;
static const char *expected;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "purge", &purge, NULL, NULL,
	 "delete for good, from the trash too"},
	OPT_EXPECT(&expected, "the file to remove, and it is one"),
	OPT_GLOBAL(&global),
	OPT_Z(&zero),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--purge] [--global] [-z] [-n] [-q] [ID|PATH...]",
	"--expect=SHA256 [--purge] [--global] [-z] [-n] [-q] ID|PATH",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-memory-remove",
	.summary = "move memories and articles to the trash",
	.synopsis = synopsis,
	.operands = "[ID|PATH...]",
	.input = "ids or paths, one a line, where there are no operands",
	.opts = opts,
};

/* The project's store and the user's, and what of each goes. */
static struct side {
	struct store store;
	bool open;
	struct strings found;
} sides[2];
static struct arena arena;

static struct side *side_of(bool user)
{
	struct side *side = &sides[user];

	if (!side->open)
		cli_open_store(&side->store, user);
	cli_expect(&side->store, expected);
	side->open = true;
	return side;
}

/* Ids are looked for where things can be removed from. */
static int locate_id(struct store *s, const char *item, const char **path,
		     struct err *e)
{
	int r = store_locate(s, AREA_MEMORIES, item, &arena, path, e);

	if (!r)
		r = store_locate(s, AREA_DRAFTS, item, &arena, path, e);
	if (!r)
		r = store_locate(s, AREA_ARCHIVE, item, &arena, path, e);
	if (!r && purge)
		r = store_locate(s, AREA_TRASH, item, &arena, path, e);
	return r;
}

/* Find what ITEM names, and in *SIDE whose it is. */
static int locate(const char *item, struct side **side, const char **path,
		  struct err *e)
{
	int64_t id;
	int r = 0;

	if (store_is_global_id(item, &id)) {
		*side = side_of(true);
		r = locate_id(&(*side)->store, item, path, e);
	}
	if (r)
		return r;
	*side = side_of(global);
	return store_is_id(item, &id)
		       ? locate_id(&(*side)->store, item, path, e)
		       : store_locate(&(*side)->store, AREA_ANY, item, &arena,
				      path, e);
}

static int add(void *ctx, const char *item, struct err *e)
{
	struct side *side;
	const char *path;
	const int r = locate(item, &side, &path, e);

	(void)ctx;
	if (r < 0)
		return -1;
	if (r == 0)
		return store_absent(&side->store, item, e);
	strings_add(&side->found, path);
	return 0;
}

/* Print PATH, which would be removed. */
static void show(struct store *s, const char *path)
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

/* One removal, so that it is taken back as one. */
static void remove_found(struct side *side)
{
	const struct strings *found = &side->found;
	const char **moved = arena_alloc(&arena, found->n * sizeof(*moved));
	struct err e;

	for (size_t i = 0; i < found->n && dry; i++)
		show(&side->store, found->items[i]);
	if (dry)
		return;
	if (trash_remove(&side->store, found->items, found->n, purge, &arena,
			 moved, &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found->n; i++) {
		if (moved[i])
			out_path(moved[i], zero);
	}
}

int main(int argc, char **argv)
{
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (expected && n != 1)
		cli_usage("--expect goes with one memory");
	side_of(global);
	cli_each(operands, zero, add, NULL);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		if (!sides[i].open)
			continue;
		if (sides[i].found.n || i == global)
			remove_found(&sides[i]);
		store_close(&sides[i].store);
		free(sides[i].found.items);
	}
	arena_release(&arena);
	return cli_finish(0);
}
