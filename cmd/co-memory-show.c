/* co-memory-show: print memories as they stand, or as records. */
#include "ids.h"
#include "named.h"
#include "out.h"

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
	struct store store;
	bool open; /* the store is; paths need none */
	struct named named;
	struct arena arena, templates;
};

static int show_path(struct show *show, const char *path, struct err *e)
{
	struct record r;
	int found = named_read(&show->named, path, &show->arena, &r, e);

	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_NO, "no such file: '%s'", path);
	if (out_plain(&out))
		cli_out_text(show->named.text.p, show->named.text.len);
	else
		out_record(&out, &r);
	return 0;
}

/* The path behind AFTER, in their order, of a file that bears ID; or NULL. */
static const char *next_path(const struct ids *ids, int64_t id,
			     const char *after)
{
	const struct id_entry *entry = NULL;
	const char *next = NULL;

	while ((entry = ids_find(ids, id, entry))) {
		const char *path = entry->path;

		if (strcmp(path, after) > 0 &&
		    (!next || strcmp(path, next) < 0))
			next = path;
	}
	return next;
}

/* Show each file that bears ID.  Where a name alone says so, the file is
 * broken, or a link, and reading it by the store says how. */
static int show_id(struct show *show, int64_t id, const char *operand,
		   struct err *e)
{
	const char *path, *last = NULL;
	const struct ids *ids;
	struct record r;

	if (!show->open)
		out_store(&show->store, global);
	show->open = true;
	show->named.report = NULL; /* the store's is told */
	ids = ids_load(&show->store, AREA_MEMORIES, e);
	if (!ids)
		return -1;
	path = next_path(ids, id, "");
	if (!path)
		return err_set(e, ERR_NO, "no memory '%s'", operand);
	for (; path; last = path, path = next_path(ids, id, path)) {
		if (store_read(&show->store, path, &show->arena, &r, e) < 0 ||
		    show_path(show, path, e) < 0)
			cli_complain(e);
		if (last)
			cli_note("id %lld stands twice: '%s' and '%s'",
				 (long long)id, last, path);
	}
	return 0;
}

static int show_one(void *ctx, const char *operand, struct err *e)
{
	struct show *show = ctx;
	int64_t id;

	arena_reset(&show->arena);
	if (store_is_id(operand, &id))
		return show_id(show, id, operand, e);
	/* What is printed as it stands says so itself. */
	show->named.report = out_plain(&out) ? NULL : cli_report();
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
	if (show.open)
		store_close(&show.store);
	named_release(&show.named);
	arena_release(&show.arena);
	arena_release(&show.templates);
	return cli_finish(0);
}
