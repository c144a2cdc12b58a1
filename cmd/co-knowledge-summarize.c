/* co-knowledge-summarize: propose one memory in place of several similar ones.
 */
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "review/decide.h"

static bool global, json, dry;
static size_t max = 20;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "max", &max, "N", NULL,
	 "propose for at most N groups; 20 without it"},
	FLAG('n', "dry-run", &dry,
	     "print the groups, ask no model and save nothing"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print an object for each group"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-knowledge-summarize",
	.summary = "propose one memory for several similar ones",
	.opts = opts,
};

static void add_ids(struct buf *out, const struct similar_group *g)
{
	for (size_t i = 0; i < g->n; i++)
		buf_addf(out, "%s%s%lld",
			 !i		 ? ""
			 : i + 1 == g->n ? " and "
					 : ", ",
			 record_prefix(g->members[i]),
			 (long long)g->members[i]->id);
}

static void print_json(struct buf *out, const struct similar_group *g,
		       const struct record *draft)
{
	json_write_open(out, NULL, '{');
	json_write_open(out, "memories", '[');
	for (size_t i = 0; i < g->n; i++)
		json_write_int(out, NULL, g->members[i]->id);
	json_write_close(out, ']');
	json_write_int(out, "percent", g->percent);
	if (draft)
		json_write_int(out, "draft", draft->id);
	else
		json_write_text(out, "draft", NULL);
	json_write_text(out, "path", draft ? draft->path : NULL);
	json_write_end(out);
}

static void print_group(void *ctx, const struct similar_group *g,
			const struct record *draft)
{
	struct buf out = {0};

	(void)ctx;
	if (json) {
		print_json(&out, g, draft);
	} else {
		if (draft)
			buf_addf(&out, "✓ Draft %lld merges memories ",
				 (long long)draft->id);
		else
			buf_adds(&out, "alike: memories ");
		add_ids(&out, g);
		buf_addf(&out, " (%d %%)\n", g->percent);
	}
	out_buf(&out);
}

static void note_left_out(void *ctx, const struct similar_group *g)
{
	struct buf ids = {0};

	(void)ctx;
	add_ids(&ids, g);
	if (!cli_quiet)
		cli_note("memories %s contradict each other: not merged",
			 ids.p);
	buf_release(&ids);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	struct merging m = {.max = max,
			    .tell = print_group,
			    .tell_left_out = note_left_out};
	struct store store;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	m.max = max;
	m.dry = dry;
	cli_open_store(&store, global);
	if (decide_propose_merges(&m, &store, argv0, cli_report(), &e) < 0)
		cli_complain(&e);
	if (m.proposed && !dry && !json && !cli_quiet)
		out_hint_drafts(global);
	if (m.more && !json && !cli_quiet)
		cli_note("%zu more groups are alike: run it again", m.more);
	if (m.left_out) {
		cli_hint("'co list --contradicted%s' shows them",
			 global ? " --global" : "");
		cli_hint("'co forget ID' removes the wrong one");
	}
	store_close(&store);
	return cli_finish(m.refused    ? ERR_DATA
			  : m.proposed ? ERR_NONE
				       : ERR_NO);
}
