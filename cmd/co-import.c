/* co-import: import the memories of another program. */
#include "cli/out.h"
#include "cli/stores.h"
#include "exchange/exchange.h"
#include "format/json-read.h"
#include "harvest/items.h"
#include "store/drafts.h"
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
	.opts = opts,
};

static struct store store;
static struct item_lines items = {.store = &store};
static size_t found, saved, known, waiting;
static size_t unloaded; /* marked `always`, but imported without that */

/* Save N unless it is known, and return as save_memory(), or 2 if it is a draft that
 * already waits. With --accept, that draft is accepted. */
static int save_unless_known(struct store_new *n, struct err *e)
{
	const char *replaced;
	enum area where;
	struct record r;
	int result;

	n->when = SAVE_UNLESS_KNOWN;
	n->where = &where;
	result = save_memory(&store, n, &cli_arena, &r, e);
	if (result <= 0 || where != AREA_DRAFTS)
		return result;
	if (accept)
		return drafts_accept(&store, r.path, NULL, &cli_arena, &r,
				     &replaced, e);
	waiting++;
	return 2;
}

/* Save the memory LINE, parsed as V, as save_unless_known(). A record with
 * complete frontmatter keeps its id if that is free and no draft has its text. */
static int save_memory_line(const char *line, size_t len, const struct value *v,
			    struct err *e)
{
	struct store_new n = {.draft = !accept};
	int result;

	if (accept && value_get(value_get(v, "frontmatter"), "id") &&
	    save_parse_exact(&n, line, len, &cli_arena, e) == 0) {
		result = save_unless_known(&n, e);
		if (result >= 0 || e->code != ERR_DATA)
			return result;
		n = (struct store_new){.draft = false};
	}
	if (save_parse(&n, line, len, &cli_arena, e) < 0)
		return -1;
	save_drop_references(&n, &cli_arena);
	n.trust = "external";
	result = save_unless_known(&n, e);
	unloaded += !result && value_is_true(value_get(n.extra, "always"));
	return result;
}

static int save_line(const char *line, size_t len, struct err *e)
{
	struct value v;
	int r;

	arena_reset(&cli_arena);
	if (json_parse(line, len, &cli_arena, &v, e) < 0)
		return -1;
	if (item_lines_is(&v))
		return item_lines_add(&items, &v, e);
	r = save_memory_line(line, len, &v, e);
	saved += !r;
	known += r == 1;
	return r;
}

/* Report E and continue if it concerns one memory only; else end the
 * process. */
static void report_refused(const struct err *e)
{
	if (e->code != ERR_DATA)
		cli_die(e);
	cli_complain(e);
}

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
	if (!dry && save_line(line, len, e) < 0)
		report_refused(e);
	return 0;
}

static void finish_import(void)
{
	struct err e;

	if (item_lines_flush(&items, &e) < 0)
		report_refused(&e);
	saved += items.added;
	known += items.known;
	if (save_sync(&store, &e) < 0)
		cli_die(&e);
	if (saved)
		cli_make_store(&store);
	store_close(&store);
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
	const size_t refused = dry ? 0 : found - saved - known - waiting;

	if (unloaded)
		cli_note("not always loaded, since their text is external: "
			 "%zu; if you trust it, remove 'trust: external' "
			 "with 'co edit'",
			 unloaded);
	if (json)
		cli_outf("{\"found\":%zu,\"saved\":%zu,\"known\":%zu,"
			 "\"waiting\":%zu,\"refused\":%zu}\n",
			 found, saved, known, waiting, refused);
	else if (!found && !cli_failed())
		explain_nothing(format, paths);
	else if (dry)
		cli_outf("%zu %s found; nothing was saved\n", found,
			 noun_of(found));
	else if (found)
		cli_outf("✓ Imported %zu %s; %zu known already, %zu refused\n",
			 saved, noun_of(saved), known, refused);
	if (!json && waiting)
		cli_note("%zu wait already: --accept accepts them", waiting);
	if (!json && !cli_quiet && saved && !accept)
		out_hint_drafts(global);
}

int main(int argc, char **argv)
{
	const char *const *paths;
	const char *format;
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
	items.drafts = !accept;
	if (exchange_read(format, paths, import_line, NULL, cli_complaints(),
			  &e) < 0)
		(e.code == ERR_USAGE ? cli_die : cli_complain)(&e);
	finish_import();
	sum_up(format, paths);
	return cli_finish(items.refused ? ERR_DATA : ERR_NONE);
}
