/* co-memory-remove: move memories to the trash. */
#include "out.h"
#include "trash.h"

static bool purge, global, zero;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "purge", &purge, NULL, NULL,
	 "delete for good, from the trash too"},
	OPT_GLOBAL(&global),
	OPT_Z(&zero),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--purge] [--global] [-z] [ID|PATH...]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-memory-remove",
	.summary = "move memories to the trash",
	.synopsis = synopsis,
	.operands = "[ID|PATH...]",
	.input = "ids or paths, one a line, where there are no operands",
	.opts = opts,
};

static struct store store;
static struct arena arena;
static struct strings found;

/* Ids are looked for where things can be removed from. */
static int locate(const char *item, const char **path, struct err *e)
{
	int64_t id;
	int r;

	if (!store_is_id(item, &id))
		return store_locate(&store, AREA_ANY, item, &arena, path, e);
	r = store_locate(&store, AREA_MEMORIES, item, &arena, path, e);
	if (!r)
		r = store_locate(&store, AREA_DRAFTS, item, &arena, path, e);
	if (!r && purge)
		r = store_locate(&store, AREA_TRASH, item, &arena, path, e);
	return r;
}

static int add(void *ctx, const char *item, struct err *e)
{
	const char *path;
	const int r = locate(item, &path, e);

	(void)ctx;
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_NO, "no memory '%s'", item);
	strings_add(&found, path);
	return 0;
}

/* One removal, so that it is taken back as one. */
static void remove_found(void)
{
	const char **moved = arena_alloc(&arena, found.n * sizeof(*moved));
	struct err e;

	if (store_remove(&store, found.items, found.n, purge, &arena, moved,
			 &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found.n; i++) {
		if (moved[i])
			out_path(moved[i], zero);
	}
}

int main(int argc, char **argv)
{
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	out_store(&store, global);
	cli_each(operands, zero, add, NULL);
	remove_found();
	store_close(&store);
	free(found.items);
	arena_release(&arena);
	return cli_finish(0);
}
