/* co-memory-save: save memories. */
#include "base/date.h"
#include "cli/out.h"
#include "cli/saving.h"
#include "cli/stores.h"
#include "store/save.h"
#include "sys/io.h"

#include <unistd.h>

static struct strings reads, tags, cites;
static struct store_new given = {.typed = true};
static const char *expected;
static bool dry, global, batch, json, zero, allow_secret, unless_known, exact;

static const struct opt opts[] = {
	{OPT_LIST, 't', "tag", &tags, "TAG", NULL,
	 "add TAG to the memory; may be given again"},
	{OPT_STR, 0, "source", &given.source, "SOURCE", NULL,
	 "set its source; default: user-told"},
	{OPT_STR, 0, "created", &given.created, "TIME", NULL,
	 "set its time or day; default: now"},
	{OPT_STR, 0, "replaces", &given.replaces, "ID", NULL,
	 "replace the memory ID once this one is safe, or accepted"},
	OPT_EXPECT(&expected, "the replaced memory"),
	{OPT_LIST, 0, "read", &reads, "PLACE", NULL,
	 "mark it as external: its writer has read PLACE"},
	OPT_CITE(&cites),
	FLAG(0, "draft", &given.draft, "save a draft, not a memory"),
	FLAG(0, "unless-known", &unless_known,
	     "save nothing that a memory, a draft or the trash has already"),
	OPT_GLOBAL(&global),
	FLAG(0, "batch", &batch,
	     "read JSON objects, one a line, each a memory"),
	FLAG(0, "exact", &exact,
	     "with --batch, save records as they are, ids and all keys"),
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	FLAG(0, "json", &json, "print the display text, path and id as JSON"),
	OPT_Z(&zero),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-save",
	.summary = "save memories",
	.synopsis = "[-t TAG]... [--source=SOURCE] [--created=TIME] "
		    "[--replaces=ID] [--expect=SHA256] [--read=PLACE]... "
		    "[--cite=PLACE]... [--draft] [--unless-known] [--global] "
		    "[--allow-secret] [--json] [-z] [-n] [-q]\n"
		    "--batch [-t TAG]... [--source=SOURCE] [--cite=PLACE]... "
		    "[--draft] [--unless-known] [--global] [--allow-secret] "
		    "[--json] [-z] [-n] [-q]\n"
		    "--batch --exact [--draft] [--global] [--allow-secret] "
		    "[--json] [-z] [-n] [-q]",
	.input = "the text of the memory, or with --batch JSON lines",
	.opts = opts,
};

static struct store store;
static int refused; /* ERR_NO if a memory was known already */

/* Save N and print it at once, since a reader of the output may rely on it. */
static int save_and_print(struct store_new *n, struct err *e)
{
	static unsigned told;
	enum area area = n->draft ? AREA_DRAFTS : AREA_MEMORIES, where;
	struct record r;
	int known;

	if (!exact && cli_cite(&store, &cites, n, &cli_arena, e) < 0)
		return -1;
	if (dry)
		return out_would_save(&store, n, zero, e);
	n->when = unless_known ? SAVE_UNLESS_KNOWN : SAVE_ALWAYS;
	n->where = &where;
	known = save_memory(&store, n, &cli_arena, &r, e);
	if (known < 0)
		return -1;
	if (!known && !told++)
		cli_make_store(&store);
	if (!known && !batch && !n->replaces &&
	    (n->draft || unless_known || json))
		cli_confirm_saved(&store, &r, &cli_arena);
	if (known) {
		refused = exact ? refused : ERR_NO;
		area = where;
	}
	if (json)
		out_saved(&r, out_saved_what(area, known), true);
	else
		out_path(r.path, zero);
	cli_flush();
	return 0;
}

static void save_input(void)
{
	struct buf text = {0};
	struct err e;

	if (file_read_fd(STDIN_FILENO, "-", STORE_FILE_MAX, &text, &e) < 0)
		cli_die(&e);
	given.content = buf_str(&text);
	given.len = text.len;
	if (save_and_print(&given, &e) < 0)
		cli_die(&e);
	buf_release(&text);
}

/* Release the lock while the program waits for input. */
static void release_lock(void *ctx)
{
	store_rest(ctx);
}

/* Report E in line NUMBER; end the process if other lines would fail as well. */
static void report_line_error(const struct err *e, size_t number)
{
	const bool placed = !strncmp(e->text, "1:", 2); /* by the JSON parser */
	struct err line;

	if (e->code != ERR_DATA)
		cli_die(e);
	err_set(&line, ERR_DATA, "'-':%zu:%s%s", number, placed ? "" : " ",
		e->text + (placed ? 2 : 0));
	cli_complain(&line);
}

static void save_batch(void)
{
	struct lines lines = {.fd = STDIN_FILENO,
			      .path = "-",
			      .max = (size_t)16 << 20, /* all escaped */
			      .idle = release_lock,
			      .ctx = &store};
	struct store_new n;
	const char *p;
	struct err e;
	size_t len;
	int r;

	store_batch(&store);
	while ((r = io_lines_next(&lines, &p, &len, &e)) != 0) {
		if (r < 0)
			(e.code == ERR_DATA ? cli_complain : cli_die)(&e);
		progress_step(store.progress, "lines", lines.number, 0);
		if (r < 0 || strspn(p, " \t\r") >= len)
			continue;
		arena_reset(&cli_arena);
		n = given;
		if ((exact ? save_parse_exact
			   : save_parse)(&n, p, len, &cli_arena, &e) < 0 ||
		    save_and_print(&n, &e) < 0)
			report_line_error(&e, lines.number);
	}
	io_lines_release(&lines);
}

int main(int argc, char **argv)
{
	char created[INSTANT_TEXT];
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (batch && (given.created || given.replaces || reads.n))
		cli_usage(
			"--created, --replaces and --read are not for batches");
	if (exact &&
	    (!batch || tags.n || cites.n || given.source || unless_known))
		cli_usage("--exact requires --batch, and cannot be used with "
			  "--tag, --cite, --source or --unless-known");
	if (expected && (!given.replaces || strchr(given.replaces, ',')))
		cli_usage("--expect requires --replaces with one memory");
	given.created = given.created ? date_utc(given.created, created) : NULL;
	given.extra = compose_read_keys(&reads, &cli_arena);
	given.tags = tags.items;
	given.ntags = tags.n;
	cli_open_store(&store, global || cli_is_global(given.replaces));
	store_allow_secret(&store, allow_secret);
	cli_expect(&store, expected);
	(batch ? save_batch : save_input)();
	store_close(&store);
	return cli_finish(refused);
}
