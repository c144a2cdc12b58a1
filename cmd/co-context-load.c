/* co-context-load: print the always-loaded context for a prompt. */
#include "agent/agent.h"
#include "agent/budget.h"
#include "cli/cli.h"
#include "harvest/items.h"
#include "text/sanitize.h"

static bool global, project, wrap, strict, explain, check;
static const char *reader;

static const struct opt opts[] = {
	FLAG(0, "global", &global, "load only the user's context"),
	FLAG(0, "project", &project, "load only the project's context"),
	FLAG(0, "wrap", &wrap, "put <system-reminder> lines around the text"),
	{OPT_STR, 0, "for", &reader, "%|mcp|BYTES", NULL,
	 "fit it into the limit of that agent, of mcp, or of BYTES"},
	FLAG(0, "strict", &strict,
	     "end with 3 if a file has a fault or the text is cut"),
	FLAG(0, "explain", &explain,
	     "print the parts, loaded or left out, with their sizes"),
	FLAG(0, "check", &check,
	     "print nothing, and exit with 1 where a budget is exceeded"),
	{0},
};

static const struct cmd cmd = {
	.name = "co-context-load",
	.summary = "print the always-loaded context for a prompt",
	.synopsis = "[--global|--project] [--for=AGENT|BYTES] [--wrap] "
		    "[--strict]\n"
		    "[--global|--project] [--for=AGENT|BYTES] [--wrap] "
		    "[--strict] --explain\n"
		    "[--global|--project] [--for=AGENT|BYTES] [--wrap] --check",
	.opts = opts,
	.names = agent_names_with_hooks,
};

/* The final newline is omitted if it would exceed the limit. */
static void print_text(const struct context *c)
{
	if (!c->text.len)
		return;
	if (wrap)
		cli_outs(CONTEXT_BEGIN);
	cli_out(c->text.p, c->text.len);
	if (wrap || c->text.len < CONTEXT_LIMIT)
		cli_outs("\n");
	if (wrap)
		cli_outs(CONTEXT_END);
}

/* Append one line per file: scope, state, bytes, budget, path. The last line is
 * for the text. */
static void add_parts(struct buf *text, const struct context *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		const struct context_part *p = &c->parts[i];
		const char *path = p->path ? p->path : "-";

		buf_addf(text, "%s\t%s\t%zu\t%zu\t",
			 record_scope_name(p->scope),
			 context_state_name(p->state), p->size, p->budget);
		sanitize_terminal(text, path, strlen(path), false);
		buf_addc(text, '\n');
		context_explain_rules(text, p);
	}
	if (c->knowledge.len)
		buf_addf(text, "digest\tloaded\t%zu\t%d\t-\n", c->knowledge.len,
			 DIGEST_MAX);
	buf_addf(text, "text\t%s\t%zu\t%d\t-\n",
		 c->size > CONTEXT_LIMIT && !reader ? "cut"
		 : c->size			    ? "whole"
						    : "none",
		 c->size, CONTEXT_TARGET);
}

/* Print C, or with --explain its parts, reduced to the budget B. Return true if
 * all of it fits. */
static bool print_fitted(const struct context *c, const struct budget *b)
{
	const size_t drafts = budget_drafts(c, cli_notes());
	struct buf text = {0};
	struct fitted f;
	bool whole;

	budget_fit(&f, c, b, wrap, drafts);
	whole = !f.left && (f.text.len || !(c->size + drafts));
	if (explain) {
		add_parts(&text, c);
		buf_addf(&text, "for\t%s\t%zu\t%zu\t%s\n",
			 whole ? "whole" : "cut", f.text.len, b->bytes,
			 b->name);
		budget_explain(&text, &f);
	} else if (!check) {
		buf_add(&text, buf_str(&f.text), f.text.len);
	}
	if (!whole && !f.left)
		cli_note("nothing fits into %zu bytes", b->bytes);
	if (f.left)
		cli_note("%zu of %zu entries do not fit into %zu bytes%s",
			 f.left, f.entries, b->bytes,
			 explain ? "" : "; --explain names them");
	cli_out(buf_str(&text), text.len);
	buf_release(&text);
	budget_release(&f);
	return whole;
}

/* Print C, or with --explain its parts, without a budget. Return true if it is
 * within CONTEXT_LIMIT. */
static bool print_whole(const struct context *c)
{
	struct buf text = {0};

	if (explain) {
		add_parts(&text, c);
		cli_out(text.p, text.len);
	} else if (!check) {
		print_text(c);
	}
	buf_release(&text);
	return c->size <= CONTEXT_LIMIT;
}

static bool exceeds_budget(const struct context *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		if (c->parts[i].size > c->parts[i].budget)
			return true;
	}
	return c->size > CONTEXT_TARGET;
}

/* Print the parts that WANT names, reduced to the budget B unless it is NULL. Return
 * the exit status. An error in them changes it only with --strict or --check. */
static int print_context(unsigned want, const struct budget *b)
{
	struct context c;
	bool whole, fault, over;

	if (b) {
		context_load_whole(&c, want, cli_notes());
		context_file_budgets(&c, cli_warnings());
	} else {
		context_load(&c, want, cli_notes());
		context_budgets(&c, cli_warnings());
	}
	whole = b ? print_fitted(&c, b) : print_whole(&c);
	over = b ? !whole : exceeds_budget(&c);
	fault = c.invalid || (strict && !whole);
	context_release(&c);
	if (fault && (strict || check))
		return ERR_DATA;
	return check && over ? ERR_NO : ERR_NONE;
}

int main(int argc, char **argv)
{
	struct budget budget;
	unsigned want = 0;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (check && (explain || strict))
		cli_usage("--check cannot be used with --explain or --strict");
	if (reader && budget_parse(&budget, reader, &e) < 0)
		cli_die(&e);
	if (global)
		want |= CONTEXT_WANT(SCOPE_GLOBAL);
	if (project)
		want |= CONTEXT_WANT(SCOPE_PROJECT);
	if (!want)
		want = CONTEXT_BOTH;
	want |= CONTEXT_DIGEST_AS_SET;
	return cli_finish(print_context(want, reader ? &budget : NULL));
}
