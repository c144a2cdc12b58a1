/* co-evidence-check: check the citations of memories. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/cited.h"

static bool global, json, zero;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print citations as JSON, one a line"),
	OPT_Z(&zero),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-evidence-check",
	.summary = "check whether cited sources have changed",
	.operands = "[ID|PATH...]",
	.items = "an operand is -",
	.opts = opts,
};

static struct evidence *evidence[2]; /* project, user */
static bool drifted;		     /* a cited place has changed or is gone */

static struct evidence *evidence_of(bool user)
{
	if (!evidence[user])
		evidence[user] = evidence_new(&cli_store(user)->repo,
					      (struct evidence_limits){0});
	return evidence[user];
}

static void print_citation(void *ctx, const struct cited *one)
{
	const struct record *r = one->r;
	struct buf line = {0}, cite = {0}, at = {0};

	(void)ctx;
	drifted |=
		one->state == EVIDENCE_CHANGED || one->state == EVIDENCE_GONE;
	citation_add(&cite, one->c);
	if (one->state == EVIDENCE_MOVED)
		citation_add_place(&at, one->at);
	if (json) {
		json_write_open(&line, NULL, '{');
		json_write_int(&line, "id", r->id);
		json_write_text(&line, "path", r->path);
		cited_json(&line, one);
		json_write_close(&line, '}');
	} else {
		buf_addf(&line, "%s\t%s%lld\t%s", evidence_name(one->state),
			 record_prefix(r), (long long)r->id, cite.p);
		if (at.len)
			buf_addf(&line, "\t%s", at.p);
	}
	buf_addc(&line, zero ? '\0' : '\n');
	cli_out(line.p, line.len);
	buf_release(&line);
	buf_release(&cite);
	buf_release(&at);
}

static int check_one(void *ctx, const char *item, struct err *e)
{
	struct store *s = cli_store(global);
	bool user = global;
	struct record r;
	int64_t id;
	int found;

	(void)ctx;
	arena_reset(&cli_arena);
	if (store_is_global_id(item, &id))
		s = cli_store(user = true);
	found = store_find(s, AREA_ANY, item, &cli_arena, &r, e);
	if (found == 0)
		return store_absent(s, item, e);
	return found < 0 ? -1
			 : cited_each(s, evidence_of(user), &r, print_citation,
				      NULL, cli_complaints(), e);
}

static void check_all(void)
{
	struct err e;

	if (cited_all(cli_store(global), evidence_of(global), print_citation,
		      NULL, cli_complaints(), &e) < 0)
		cli_die(&e);
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n)
		cli_each(operands, zero, check_one, NULL);
	else
		check_all();
	evidence_free(evidence[false]);
	evidence_free(evidence[true]);
	cli_close_stores();
	return cli_finish(drifted ? ERR_NO : ERR_NONE);
}
