/* co-memory-show: print memories as they stand, or as records. */
#include "cli/out.h"
#include "cli/stores.h"
#include "store/ids.h"
#include "store/loose.h"

static struct out out;
static bool global;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--global] [--json|--format=TEMPLATE] [-z] [ID|PATH...]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-memory-show",
	.summary = "print memories",
	.synopsis = synopsis,
	.operands = "[ID|PATH...]",
	.input = "ids or paths, one a line, when there are no operands",
	.opts = opts,
};

struct show {
	struct store stores[2]; /* the project's, the user's */
	bool open[2];		/* paths need none */
	struct loose loose;
	struct arena arena, templates;
};

static int show_path(struct show *show, const char *path, struct err *e)
{
	struct record r;
	int found = loose_read(&show->loose, path, &show->arena, &r, e);

	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_NO, "no such file: '%s'", path);
	if (out_plain(&out))
		cli_out_text(show->loose.text.p, show->loose.text.len);
	else
		out_record(&out, &r);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* The paths, in their order, of the files that bear ID. */
static void list_paths(struct strings *paths, const struct ids *ids, int64_t id)
{
	const struct id_entry *entry = NULL;

	while ((entry = ids_find(ids, id, entry)))
		strings_add(paths, entry->path);
	if (paths->n)
		qsort(paths->items, paths->n, sizeof(*paths->items), by_path);
}

/* The user's store or the project's, open. */
static struct store *store_of(struct show *show, bool user)
{
	if (!show->open[user])
		cli_open_store(&show->stores[user], user);
	show->open[user] = true;
	return &show->stores[user];
}

/* Show each file of S that bears ID.  Where a name alone says so, the file is
 * broken, or a link, and reading it by the store says how. */
static int show_id(struct show *show, struct store *s, int64_t id,
		   const char *operand, struct err *e)
{
	struct strings paths = {0};
	const struct ids *ids;
	struct record r;

	show->loose.report = NULL; /* the store reports instead */
	ids = ids_load(s, AREA_MEMORIES, e);
	if (!ids)
		return -1;
	list_paths(&paths, ids, id);
	if (!paths.n)
		return store_absent(s, operand, e);
	for (size_t i = 0; i < paths.n; i++) {
		const char *path = paths.items[i];

		if (store_read(s, path, &show->arena, &r, e) < 0 ||
		    show_path(show, path, e) < 0)
			cli_complain(e);
		if (i)
			cli_note("id %lld stands twice: '%s' and '%s'",
				 (long long)id, paths.items[i - 1], path);
	}
	free(paths.items);
	return 0;
}

static int show_one(void *ctx, const char *operand, struct err *e)
{
	struct show *show = ctx;
	const char *path;
	int64_t id;

	arena_reset(&show->arena);
	if (store_is_id(operand, &id))
		return show_id(show, store_of(show, global), id, operand, e);
	if (store_is_global_id(operand, &id) &&
	    store_locate(store_of(show, true), AREA_MEMORIES, operand,
			 &show->arena, &path, NULL) != 0)
		return show_id(show, store_of(show, true), id, operand, e);
	/* What is printed as it stands says so itself. */
	show->loose.report = out_plain(&out) ? NULL : cli_report();
	return show_path(show, operand, e);
}

int main(int argc, char **argv)
{
	struct show show = {0};
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	out_open(&out, &show.templates);
	cli_each(operands, out.zero, show_one, &show);
	for (int user = 0; user < 2; user++) {
		if (show.open[user])
			store_close(&show.stores[user]);
	}
	loose_release(&show.loose);
	arena_release(&show.arena);
	arena_release(&show.templates);
	return cli_finish(0);
}
