/* co-knowledge-check: name every fault of a store and its remedy */
#include "out.h"
#include "repair.h"

static bool fix, global, json;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "fix", &fix, NULL, NULL,
	 "repair double ids and missing frontmatter first"},
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print faults as JSON, one a line"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {"[--fix] [--global] [--json]", NULL};

static const struct cmd cmd = {
	.name = "co-knowledge-check",
	.summary = "name every fault of a store and its remedy",
	.synopsis = synopsis,
	.opts = opts,
};

static void tell_repair(void *ctx, const char *what)
{
	(void)ctx;
	if (!json)
		cli_outf("repaired %s\n", what);
}

static void print_fault(const struct fault *f)
{
	const char *const fields[] = {f->kind, f->path, f->text, f->remedy};
	static const char *const names[] = {
		"{\"fault\":", ",\"path\":", ",\"text\":", ",\"remedy\":"};
	struct buf line = {0};

	if (!json)
		buf_addf(&line, "%s\n    remedy: %s\n", f->text, f->remedy);
	for (size_t i = 0; json && i < ARRAY_LEN(fields); i++) {
		buf_adds(&line, names[i]);
		jsonw_str(&line, fields[i], strlen(fields[i]));
	}
	buf_adds(&line, json ? "}\n" : "");
	out_buf(&line);
}

static int check(struct store *s, struct arena *a)
{
	struct faults faults = {0};
	struct err e;
	size_t n;

	if ((fix && repair_store(s, tell_repair, NULL, &e) < 0) ||
	    check_store(s, a, &faults, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < faults.n; i++)
		print_fault(&faults.items[i]);
	n = faults.n;
	free(faults.items);
	if (!json)
		cli_outf(n ? "%zu %s found\n" : "no faults found\n", n,
			 n == 1 ? "fault" : "faults");
	return n ? ERR_DATA : ERR_NONE;
}

int main(int argc, char **argv)
{
	struct store s;
	struct arena a = {0};
	int n, status;

	cli_start(&cmd, argc, argv, &n);
	out_store(&s, global);
	status = check(&s, &a);
	store_close(&s);
	arena_release(&a);
	return cli_finish(status);
}
