/* co-operation-list: list the operations on a store. */
#include "cli/out.h"
#include "cli/stores.h"
#include "history/undo.h"

static bool global, json;
static size_t most;

static const struct opt opts[] = {
	{OPT_COUNT, 'n', "max", &most, "N", NULL, "print only the newest N"},
	FLAG(0, "json", &json, "print operations as JSON, one a line"),
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-operation-list",
	.summary = "list the operations on a store",
	.opts = opts,
};

int main(int argc, char **argv)
{
	struct buf text = {0};
	struct store s;
	struct err e;
	int n, status = ERR_NO;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&s, global);
	if (undo_list(&s, most ? most : SIZE_MAX,
		      json ? OPERATION_JSON : OPERATION_LINES, false, &text,
		      &e) < 0)
		cli_complain(&e);
	if (text.len)
		status = ERR_NONE;
	cli_out(buf_str(&text), text.len);
	buf_release(&text);
	store_close(&s);
	return cli_finish(status);
}
