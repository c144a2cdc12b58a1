/* co-knowledge-diff: show what changed in memories between two commits. */
#include "agent/context.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "history/report.h"

static bool global, json, markdown;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print JSON, one object a line"),
	FLAG(0, "markdown", &markdown, "print a list that a forge shows"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-knowledge-diff",
	.summary = "show the changes of a store between two commits",
	.synopsis = "[--global] [--json|--markdown] [A|A..B|A...B]",
	.operands = "[A..B]",
	.opts = opts,
};

static struct store store;
static struct hidden hidden;

/* The versions to compare. */
struct range {
	const char *a, *b; /* B is NULL for the work tree */
	bool base;	   /* compare with the merge base of A and B */
};

static struct range parse_range(const char *text, struct arena *arena)
{
	struct range r = {"HEAD", NULL, false};
	const char *dots = text ? strstr(text, "..") : NULL;

	if (text)
		r.a = dots ? arena_copy(arena, text, (size_t)(dots - text))
			   : text;
	if (dots) {
		r.base = dots[2] == '.';
		r.b = dots + 2 + r.base;
		r.b = *r.b ? r.b : "HEAD";
	}
	r.a = *r.a ? r.a : "HEAD";
	return r;
}

/* Add the bytes of V to the size_t at CTX if V is always loaded. */
static void add_loaded(void *ctx, const struct version *v)
{
	size_t *bytes = ctx;

	if (!strcmp(v->path, "knowledge/context.md"))
		*bytes += v->len;
	else if (v->id && v->always && !version_is_archived(v->path))
		*bytes += strlen("- \n") + v->content_len;
}

/* Return the size of the context at REV, in bytes. */
static size_t context_bytes(const char *rev)
{
	struct history h = {0};
	struct err e;
	size_t bytes = 0;

	if (history_each_in(&h, &store, rev, add_loaded, &bytes, &e) < 0)
		cli_die(&e);
	history_release(&h);
	return bytes;
}

/* Append TEXT as a list item in a Markdown code span. */
static void add_code(struct buf *out, const struct buf *text)
{
	size_t longest = 0;

	for (size_t i = 0, n = 0; i < text->len; i++) {
		n = text->p[i] == '`' ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	buf_adds(out, "- ");
	for (size_t i = 0; i <= longest; i++)
		buf_addc(out, '`');
	buf_addf(out, "%s%s%s", longest ? " " : "", text->p,
		 longest ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		buf_addc(out, '`');
}

static void print_change(void *ctx, const struct history_step *s,
			 const struct history_change *c)
{
	struct buf text = {0}, line = {0};

	(void)ctx;
	if (json) {
		report_json(&line, s, c, &hidden, false);
	} else {
		report_subject(&text, c);
		buf_addc(&text, ' ');
		report_what(&text, c);
		buf_adds(&text, " (");
		report_summary(&text, c, &hidden);
		buf_addc(&text, ')');
		if (markdown)
			add_code(&line, &text);
		else
			buf_add(&line, text.p, text.len);
	}
	buf_addc(&line, '\n');
	out_buf(&line);
	buf_release(&text);
}

static void print_changes(struct history *h)
{
	const struct history_walk all = {.max = SIZE_MAX, .fn = print_change};
	struct err e;

	if (history_each_change(h, &all, &e) < 0)
		cli_die(&e);
	cli_note_partial(h, "some changes are not shown");
}

static void print_context(const struct history *h, const struct range *r)
{
	const size_t budget = context_budget(store.repo.root.scope);
	const size_t now = context_bytes(r->b);
	const size_t was = context_bytes(h->from);
	const long long more = (long long)now - (long long)was;
	struct buf text = {0};

	if (json) {
		json_write_open(&text, NULL, '{');
		json_write_text(&text, "what", "context");
		json_write_size(&text, "bytes", now);
		json_write_size(&text, "bytes_before", was);
		json_write_size(&text, "budget", budget);
		json_write_close(&text, '}');
	} else {
		buf_addf(&text, "%scontext: %zu of %zu bytes (%+lld)%s",
			 markdown ? "\n" : "", now, budget, more,
			 now > budget ? ": over its budget" : "");
	}
	buf_addc(&text, '\n');
	out_buf(&text);
}

int main(int argc, char **argv)
{
	struct history h = {0};
	struct range r;
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);
	bool changed;

	if (json && markdown)
		cli_usage("--json and --markdown exclude each other");
	r = parse_range(*operands, &cli_arena);
	cli_open_store(&store, global);
	if (history_compare(&h, &store, r.a, r.b, r.base, &e) < 0)
		cli_die(&e);
	if (hidden_load(&hidden, &store, &e) < 0)
		cli_die(&e);
	hidden_scan(&hidden, &h);
	changed = h.steps->n;
	print_changes(&h);
	if (changed)
		print_context(&h, &r);
	history_release(&h);
	hidden_release(&hidden);
	store_close(&store);
	return cli_finish(changed ? ERR_NONE : ERR_NO);
}
