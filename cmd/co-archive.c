/* co-archive: archive memories, which hides them from searches, or restore
 * them.
 */
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "store/save.h"

static bool restore, global;

static const struct opt opts[] = {
	FLAG(0, "restore", &restore, "restore them, also expired ones"),
	OPT_GLOBAL(&global),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-archive",
	.summary = "archive memories",
	.operands = "ID|PATH|WORD|-...",
	.items = "an operand is -",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

static struct store store;
static struct buf ids; /* of what was archived, a blank before each */

static int archive_one(const char *operand, struct err *e)
{
	static const struct value yes = {.kind = VALUE_BOOL, .u.b = true};
	const char *path;
	struct record r;
	int done;

	done = store_locate(&store, AREA_MEMORIES, operand, &cli_arena, &path,
			    e);
	if (done == 1)
		done = store_read(&store, path, &cli_arena, &r, e);
	if (done == 0)
		return store_absent(&store, operand, e);
	if (done < 0)
		return -1;
	done = save_edit(
		&store,
		&(struct save_edit){.path = path,
				    .keys = restore && record_marks(&r) &
								    MARK_EXPIRED
						    ? "archive|expires"
						    : "archive",
				    .value = restore ? NULL : &yes},
		NULL, NULL, e);
	if (done < 0)
		return -1;
	if (!done)
		cli_note("memory %s%lld %s", record_prefix(&r), (long long)r.id,
			 restore ? "is not archived" : "is archived already");
	else
		cli_outf("✓ %s memory %s%lld\n",
			 restore ? "Restored" : "Archived", record_prefix(&r),
			 (long long)r.id);
	if (done && !restore)
		buf_addf(&ids, " %s%lld", record_prefix(&r), (long long)r.id);
	return 0;
}

int main(int argc, char **argv)
{
	struct strings items = {0};
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	cli_choose_several(&operands, n, global, CHOOSE_MEMORIES,
			   restore ? "Restore which?" : "Archive which?");
	cli_list_items(operands, false, &items);
	cli_open_store(&store, global || cli_are_global(items.items, items.n,
							AREA_MEMORIES));
	store_batch(&store);
	for (size_t i = 0; i < items.n; i++) {
		if (archive_one(items.items[i], &e) < 0)
			cli_complain(&e);
	}
	if (ids.len)
		cli_hint("'co archive --restore%s' restores %s", ids.p,
			 strchr(ids.p + 1, ' ') ? "them" : "it");
	buf_release(&ids);
	free(items.items);
	store_close(&store);
	return cli_finish(0);
}
