/* co-cite: record the sources of a memory. */
#include "base/instant.h"
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/saving.h"
#include "cli/stores.h"
#include "repair/repair.h"
#include "store/save.h"
#include "sys/io.h"

#include <unistd.h>

#define COMMIT_MIN 4 /* digits of a commit, which may look like an id */

static bool refresh, dry, global, yes;

static const struct opt opts[] = {
	FLAG(0, "refresh", &refresh,
	     "cite the current text of its sources, and note the time"),
	OPT_GLOBAL(&global),
	OPT_DRY_RUN(&dry),
	FLAG('y', "yes", &yes,
	     "with --refresh, cite lines that changed without asking"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-cite",
	.summary = "record the sources of a memory",
	.synopsis = "[--global] [-n] [-q] ID|PATH|WORD PLACE...\n"
		    "--refresh [--global] [-n] [-q] [-y] ID|PATH|WORD...",
	.operands = "ID|PATH|WORD [PLACE...]",
	.opts = opts,
	.hint = "'co list' shows the memories, 'co edit ID' opens what one "
		"cites",
};

/* The memory to change. */
struct edited {
	const char *path;
	struct buf text;
	struct frontmatter fm;
	struct value list; /* of `cites`, with space for the new places */
};

static struct store store;
static struct evidence *evidence;
static char **places;
static int nplaces;

/* Read the memory M and its citations. */
static int read_memory(struct edited *m, struct err *e)
{
	if (save_read(m->path, &m->text, e) < 0 ||
	    save_check(&store, m->path, buf_str(&m->text), m->text.len, 0, e) <
		    0 ||
	    frontmatter_parse(&m->fm, buf_str(&m->text), m->text.len, m->path,
			      &cli_arena, e) < 0)
		return -1;
	return cites_copy(&m->list, value_get(&m->fm.data, "cites"),
			  (size_t)nplaces, m->path, &cli_arena, e);
}

static void print_citation(const struct citation *c)
{
	struct buf text = {0};

	citation_add(&text, c);
	cli_outf("%s\n", text.p);
	buf_release(&text);
}

static int add_places(struct edited *m, struct err *e)
{
	struct citation c;

	for (int i = 0; i < nplaces; i++) {
		if (citation_place(&c, places[i], &cli_arena, e) < 0 ||
		    evidence_cite(evidence, &c, e) < 0)
			return cli_suggest_place(&store, places[i], e);
		cites_put(&m->list, &c, &cli_arena);
		print_citation(&c);
	}
	return 0;
}

/* Show the lines of C. Ask on a terminal; elsewhere refuse if nobody knows
 * whether they are the cited ones. */
static int accept_change(const struct repair_change *c, struct err *e)
{
	const bool asks = cli_on_terminal() && !yes && !dry;
	struct buf text = {0};

	repair_show_change(&text, c);
	if (!cli_quiet || asks)
		io_write(STDERR_FILENO, text.p, text.len);
	buf_release(&text);
	if (asks &&
	    !cli_ask(c->diff.len ? "Cite them? [y/N]" : "Cite it there? [y/N]"))
		return err_set(e, ERR_NO, "nothing is refreshed");
	return asks || c->followed || yes
		       ? 0
		       : err_set(e, ERR_NO,
				 "git cannot tell where the cited lines are "
				 "now: -y cites the new ones");
}

/* Append the text of M with its new citations and, after a refresh, the time of
 * verification. */
static int compose_memory(struct buf *out, const struct edited *m,
			  struct err *e)
{
	char now[INSTANT_TEXT];
	const struct value at = value_str(instant_format(instant_now(), now));
	struct frontmatter fm;
	struct buf edited = {0};
	int r = frontmatter_set(&edited, &m->fm, "cites", &m->list, e);

	if (r == 0)
		r = frontmatter_parse(&fm, buf_str(&edited), edited.len,
				      m->path, &cli_arena, e);
	if (r == 0 && refresh)
		r = frontmatter_set(out, &fm, "verified", &at, e);
	else
		buf_add(out, buf_str(&edited), edited.len);
	buf_release(&edited);
	return r;
}

/* Change the memory at PATH. A refresh may ask, so it does not hold the lock:
 * save_edit() refuses if the file changed meanwhile. */
static int cite_memory(const char *path, struct err *e)
{
	struct edited m = {.path = path};
	struct buf text = {0};
	struct save_edit edit = {.path = path, .was = &m.text, .text = &text};
	const struct repair_cites renew = {&store,	   evidence,
					   &cli_arena,	   accept_change,
					   print_citation, cli_complaints()};
	const bool locks = !refresh && !dry;
	int r;

	if (locks && store_lock(&store, e) < 0)
		return -1;
	r = read_memory(&m, e);
	if (r == 0)
		r = refresh ? repair_citations(&renew, &m.list, path, e)
			    : add_places(&m, e);
	if (r == 0)
		r = compose_memory(&text, &m, e);
	if (r == 0 && !dry)
		r = save_edit(&store, &edit, NULL, NULL, e);
	if (locks)
		store_unlock(&store);
	buf_release(&m.text);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

static int cite_one(void *ctx, const char *operand, struct err *e)
{
	const char *path;
	int r;

	(void)ctx;
	arena_reset(&cli_arena);
	r = store_locate(&store, AREA_ANY, operand, &cli_arena, &path, e);
	if (r == 0)
		return store_absent(&store, operand, e);
	return r < 0 ? -1 : cite_memory(path, e);
}

int main(int argc, char **argv)
{
	int64_t id;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!n)
		cli_want_operand(CHOOSE_MEMORIES);
	if (!refresh && n < 2)
		cli_usage("say what it cites: PATH:10-20, PATH or a URL");
	if (n == 2 && !refresh && !store_is_id(operands[0], &id) &&
	    store_is_id(operands[1], &id) && strlen(operands[1]) < COMMIT_MIN &&
	    access(operands[1], F_OK) < 0)
		cli_usage("did you mean 'co cite %s %s'?", operands[1],
			  operands[0]);
	cli_choose(operands, 1, global, CHOOSE_MEMORIES);
	cli_open_store(&store, global || cli_is_global(operands[0]));
	evidence = evidence_new(&store.repo, (struct evidence_limits){0});
	places = operands + 1;
	nplaces = refresh ? 0 : n - 1;
	cli_each(refresh ? operands : (char *[]){operands[0], NULL}, false,
		 cite_one, NULL);
	evidence_free(evidence);
	store_close(&store);
	return cli_finish(0);
}
