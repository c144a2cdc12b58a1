/* co-import: import the memories of another program. */
#include "cli/out.h"
#include "cli/stores.h"
#include "exchange/exchange.h"
#include "store/save.h"

static bool accept, dry, global, json, allow_secret;

static const struct opt opts[] = {
	FLAG(0, "accept", &accept, "save memories, not drafts"),
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print the result as JSON"),
	FLAG('n', "dry-run", &dry, "count the memories without saving them"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-import",
	.summary = "import the memories of another program",
	.operands = "[FORMAT] FILE|DIR...",
	.input = "the file, where FILE is -",
	.opts = opts,
};

static struct store store;
static struct exchange_saving saving = {.items.store = &store};
static size_t found;

static const char *noun_of(size_t n)
{
	if (accept || dry)
		return n == 1 ? "memory" : "memories";
	return n == 1 ? "draft" : "drafts";
}

static int import_line(void *ctx, const char *line, size_t len, struct err *e)
{
	(void)ctx;
	progress_step(store.progress, noun_of(2), ++found, 0);
	arena_reset(&cli_arena);
	if (dry || exchange_save_line(&saving, line, len, &cli_arena, e) == 0)
		return 0;
	if (e->code != ERR_DATA)
		cli_die(e);
	return -1;
}

static enum err_code finish_import(void)
{
	enum err_code failed = ERR_NONE;
	struct err e;

	if (exchange_finish_saving(&saving, &failed, &e) < 0)
		cli_die(&e);
	if (saving.saved)
		cli_make_store(&store);
	store_close(&store);
	return failed;
}

static void explain_nothing(const char *format, const char *const *paths)
{
	const char *other = exchange_other(format, *paths);
	const char *names = arena_printf(&cli_arena, "'%s'", paths[0]);

	for (size_t i = 1; paths[i]; i++)
		names = arena_printf(&cli_arena, "%s, '%s'", names, paths[i]);
	cli_note("nothing was imported: no memory in the format %s is in %s",
		 format, names);
	if (other)
		cli_hint("try 'co import %s %s'", other, paths[0]);
	else
		cli_hint("'co help import' explains the formats");
}

/* Print the totals of reading PATHS as FORMAT. */
static void sum_up(const char *format, const char *const *paths)
{
	const struct exchange_saving *in = &saving;
	const size_t refused =
		dry ? 0 : found - in->saved - in->known - in->waiting;

	if (in->unloaded)
		cli_note("not always loaded, since their text is external: "
			 "%zu; if you trust it, remove 'trust: external' "
			 "with 'co edit'",
			 in->unloaded);
	if (json)
		cli_outf("{\"found\":%zu,\"saved\":%zu,\"known\":%zu,"
			 "\"waiting\":%zu,\"refused\":%zu}\n",
			 found, in->saved, in->known, in->waiting, refused);
	else if (!found && !cli_failed())
		explain_nothing(format, paths);
	else if (dry)
		cli_outf("%zu %s found; nothing was saved\n", found,
			 noun_of(found));
	else if (found)
		cli_outf("✓ Imported %zu %s; %zu known already, %zu refused\n",
			 in->saved, noun_of(in->saved), in->known, refused);
	if (!json && in->waiting)
		cli_note("%zu wait already: --accept accepts them",
			 in->waiting);
	if (!json && !cli_quiet && in->saved && !accept)
		out_hint_drafts(global);
}

int main(int argc, char **argv)
{
	const char *const *paths;
	const char *format;
	enum err_code failed;
	struct err e;
	int n;

	format = exchange_split(
		(const char *const *)cli_start(&cmd, argc, argv, &n), &paths,
		&e);
	if (!format)
		cli_die(&e);
	cli_open_store(&store, global);
	store_allow_secret(&store, allow_secret);
	save_unsynced(&store);
	saving.items.drafts = !accept;
	saving.accept = accept;
	if (exchange_read(format, paths, import_line, NULL, cli_complaints(),
			  &e) < 0)
		(e.code == ERR_USAGE ? cli_die : cli_complain)(&e);
	failed = finish_import();
	sum_up(format, paths);
	return cli_finish((int)failed);
}
