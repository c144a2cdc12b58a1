/* co-review: accept or reject the drafts that wait for a person's yes */
#include "cli/out.h"
#include "cli/stores.h"
#include "porcelain/review-walk.h"
#include "store/drafts.h"

#include <unistd.h>

static bool list, accept, reject, same, json, global, allow_secret;
static const struct opt opts[] = {
	{OPT_FLAG, 0, "list", &list, NULL, NULL, "list the drafts, by id"},
	{OPT_FLAG, 0, "accept", &accept, NULL, NULL,
	 "accept the drafts named, without a question"},
	{OPT_FLAG, 0, "reject", &reject, NULL, NULL,
	 "move the drafts named to the trash, without a question"},
	{OPT_FLAG, 0, "if-same", &same, NULL, NULL,
	 "only if standard input is the text of the draft named"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print records, or what was done, as JSON, one a line"},
	{OPT_FLAG, 0, "allow-secret", &allow_secret, NULL, NULL,
	 "accept even what looks like a secret"},
	OPT_GLOBAL(&global),
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--allow-secret] [--global]",
	"--list [--json] [--global]",
	"--accept [--if-same] [--allow-secret] [--json] [--global] ID|PATH...",
	"--reject [--if-same] [--json] [--global] ID|PATH...",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-review",
	.summary = "accept or reject what waits for a person's yes",
	.synopsis = synopsis,
	.operands = "[ID|PATH...]",
	.opts = opts,
};

static struct store store;
static struct arena arena;
static struct buf shown; /* what was decided on, with --if-same */

static void tell_accepted(const struct record *r, const char *replaced,
			  const struct err *e)
{
	if (r)
		out_saved(r, "✓ Accepted memory", json);
	if (replaced)
		cli_note("'%s' went to the trash", replaced);
	if (e)
		cli_note("%s", e->text);
}

static void accept_named(char **operands)
{
	const char *replaced;
	struct record r;
	struct err e;

	store_batch(&store);
	for (; *operands; operands++) {
		if (drafts_find_same(&store, *operands, same ? &shown : NULL,
				     &arena, &r, &e) < 0 ||
		    drafts_accept(&store, r.path, NULL, &arena, &r, &replaced,
				  &e) < 0)
			cli_complain(&e);
		else
			tell_accepted(&r, replaced, NULL);
	}
}

/* All in one step, so that one undo takes it back. */
static void reject_named(char **operands, size_t n)
{
	const char **paths = arena_alloc(&arena, n * sizeof(*paths));
	const char **moved = arena_alloc(&arena, n * sizeof(*moved));
	struct record *drafts = arena_alloc(&arena, n * sizeof(*drafts));
	size_t found = 0;
	struct err e;

	for (; *operands; operands++) {
		if (drafts_find_same(&store, *operands, same ? &shown : NULL,
				     &arena, &drafts[found], &e) < 0) {
			cli_complain(&e);
			continue;
		}
		paths[found] = drafts[found].path;
		found++;
	}
	if (drafts_reject(&store, paths, found, &arena, moved, &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found; i++) {
		drafts[i].path = moved[i];
		if (moved[i])
			out_saved(&drafts[i], "✓ Rejected draft", json);
	}
}

/* Decide on those named; what is compared is locked, so that it is what moves. */
static void decide(char **operands, size_t n)
{
	struct err e;

	if (same && (file_read_path("-", STORE_FILE_MAX, &shown, &e) < 0 ||
		     store_lock(&store, &e) < 0))
		cli_die(&e);
	if (accept)
		accept_named(operands);
	else
		reject_named(operands, n);
	if (same)
		store_unlock(&store);
	buf_release(&shown);
}

static void walk_through(void)
{
	static const struct review_walk_ui ui = {cli_ask_line, cli_out,
						 cli_note, tell_accepted};
	struct review v;
	struct err e;

	if (review_begin(&v, &store, &e) < 0 || review_walk(&v, &ui, &e) < 0)
		cli_complain(&e);
	if (v.rejected)
		cli_hint("'co forget --undo%s' brings back what was rejected",
			 global ? " --global" : "");
	review_release(&v);
}

/* Those of the user's store are not walked through here, but told of. */
static void hint_global(void)
{
	struct store other;
	size_t n = 0;

	if (global || store_open(&other, SCOPE_GLOBAL, NULL, NULL) < 0)
		return;
	if (store_count(&other, AREA_DRAFTS, &n, NULL) == 0 && n)
		cli_hint("%zu %s in your own store: 'co review --global'", n,
			 n == 1 ? "waits" : "wait");
	store_close(&other);
}

/* Ask about each; where nobody can be asked, only list them. */
static int review(void)
{
	struct err e;
	size_t n;

	if (store_count(&store, AREA_DRAFTS, &n, &e) < 0)
		cli_die(&e);
	if (n == 0) {
		cli_note("no drafts wait");
		hint_global();
	} else if (cli_on_terminal() && isatty(STDOUT_FILENO)) {
		walk_through();
		hint_global();
	} else {
		out_area(&store, AREA_DRAFTS, json);
		cli_note("nothing was changed");
		cli_hint("nobody can be asked here: give --accept or --reject");
		return ERR_NO;
	}
	return ERR_NONE;
}

int main(int argc, char **argv)
{
	int n, status = ERR_NONE;
	struct err e;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (list + accept + reject > 1 || (!accept && !reject && (n || same)))
		cli_usage("one of --list, --accept ID... and --reject ID...");
	if ((accept || reject) && !n)
		cli_usage("which drafts? 'co review --list' names them");
	if (same && n > 1)
		cli_usage("--if-same goes with one draft");
	if (json && list + accept + reject == 0)
		cli_usage("--json goes with --list, --accept or --reject");
	global = global || cli_are_global((const char *const *)operands,
					  (size_t)n, AREA_DRAFTS);
	cli_open_store(&store, global);
	store_allow_secret(&store, allow_secret);
	if (drafts_settle(&store, &e) < 0)
		cli_complain(&e);
	if (accept || reject)
		decide(operands, (size_t)n);
	else if (list)
		out_area(&store, AREA_DRAFTS, json);
	else
		status = review();
	store_close(&store);
	arena_release(&arena);
	return cli_finish(status);
}
