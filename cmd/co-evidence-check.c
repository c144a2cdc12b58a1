/* co-evidence-check: check the citations of memories. */
#include "cli/out.h"
#include "cli/stores.h"
#include "search/cited.h"

static bool global, json, zero;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print citations as JSON, one a line"},
	OPT_Z(&zero),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-evidence-check",
	.summary = "check whether cited sources have changed",
	.operands = "[ID|PATH...]",
	.input = "ids or paths, one a line, where the operand is -",
	.opts = opts,
};

/* project, user */
static struct store stores[2];
static struct evidence *evidence[2];
static struct arena arena;
static bool drifted; /* a cited place has changed or is gone */

static struct store *open_store_of(bool user)
{
	if (!evidence[user]) {
		cli_open_store(&stores[user], user);
		evidence[user] = evidence_new(&stores[user].repo,
					      (struct evidence_limits){0});
	}
	return &stores[user];
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
	struct store *s = open_store_of(global);
	struct record r;
	int64_t id;
	int found;

	(void)ctx;
	arena_reset(&arena);
	if (store_is_global_id(item, &id))
		s = open_store_of(true);
	found = store_find(s, AREA_ANY, item, &arena, &r, e);
	if (found == 0)
		return store_absent(s, item, e);
	return found < 0
		       ? -1
		       : cited_each(s, evidence[s == &stores[true]], &r,
				    print_citation, NULL, cli_complaints(), e);
}

static void check_all(void)
{
	struct store *s = open_store_of(global);
	struct err e;

	if (cited_all(s, evidence[global], print_citation, NULL,
		      cli_complaints(), &e) < 0)
		cli_die(&e);
}

int main(int argc, char **argv)
{
	char **operands;
	int n;

	operands = cli_start(&cmd, argc, argv, &n);
	if (n)
		cli_each(operands, zero, check_one, NULL);
	else
		check_all();
	for (int user = 0; user < 2; user++) {
		if (!evidence[user])
			continue;
		evidence_free(evidence[user]);
		store_close(&stores[user]);
	}
	arena_release(&arena);
	return cli_finish(drifted ? ERR_NO : ERR_NONE);
}
