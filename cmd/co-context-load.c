/* co-context-load: print the always-loaded context for a prompt */
#include "clean.h"
#include "cli.h"
#include "context.h"

static bool global, project, wrap, strict, explain;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "load the user's context alone"},
	{OPT_FLAG, 0, "project", &project, NULL, NULL,
	 "load the project's context alone"},
	{OPT_FLAG, 0, "wrap", &wrap, NULL, NULL,
	 "put <system-reminder> lines around the text"},
	{OPT_FLAG, 0, "strict", &strict, NULL, NULL,
	 "exit with 3 when a file has a fault or the text is cut"},
	{OPT_FLAG, 0, "explain", &explain, NULL, NULL,
	 "print what is loaded, and the sizes, not the text"},
	{0},
};

static const char *const synopsis[] = {
	"[--global|--project] [--wrap] [--strict]",
	"[--global|--project] [--strict] --explain",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-context-load",
	.summary = "print the always-loaded context for a prompt",
	.synopsis = synopsis,
	.opts = opts,
};

/* The newline at the end stays within the limit as well. */
static void print_text(const struct context *c)
{
	struct buf text = {0};

	if (wrap)
		context_wrap(&text, c);
	else
		buf_add(&text, buf_str(&c->text), c->text.len);
	if (!wrap && c->text.len && c->text.len < CONTEXT_LIMIT)
		buf_addc(&text, '\n');
	cli_out(buf_str(&text), text.len);
	buf_release(&text);
}

/* One line a file: scope, state, bytes, budget, path; then one for the text. */
static void print_parts(const struct context *c)
{
	struct buf text = {0};

	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		const struct context_part *p = &c->parts[i];
		const char *path = p->path ? p->path : "-";

		buf_addf(&text, "%s\t%s\t%zu\t%zu\t", scope_name(p->scope),
			 context_state_name(p->state), p->size, p->budget);
		clean_terminal(&text, path, strlen(path), false);
		buf_addc(&text, '\n');
	}
	buf_addf(&text, "text\t%s\t%zu\t%d\t-\n",
		 c->size > CONTEXT_LIMIT ? "cut"
		 : c->size		 ? "whole"
					 : "none",
		 c->size, CONTEXT_TARGET);
	cli_out(buf_str(&text), text.len);
	buf_release(&text);
}

/* What is missing never stops a session: the status tells it under --strict
 * alone. */
static void complain(void *ctx, const struct err *e)
{
	(void)ctx;
	cli_note("%s", e->text);
}

int main(int argc, char **argv)
{
	unsigned want = 0;
	const struct report complaints = {complain, NULL};
	struct context c;
	bool fault;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (global)
		want |= CONTEXT_WANT(SCOPE_GLOBAL);
	if (project)
		want |= CONTEXT_WANT(SCOPE_PROJECT);
	context_load(&c, want ? want : CONTEXT_BOTH, &complaints);
	context_budgets(&c, cli_warnings());
	if (explain)
		print_parts(&c);
	else
		print_text(&c);
	fault = c.invalid || c.size > CONTEXT_LIMIT;
	context_release(&c);
	return cli_finish(strict && fault ? ERR_DATA : 0);
}
