/* co-prompt-assemble: print the system prompt, assembled from its layers. */
#include "agent/context.h"
#include "cli/cli.h"
#include "text/sanitize.h"

static struct prompt_ask ask;
static bool explain;

static const struct opt opts[] = {
	{OPT_STR, 0, "provider", &ask.provider, "PROVIDER", NULL,
	 "keep the parts for models of PROVIDER, such as gemini"},
	{OPT_STR, 0, "personality", &ask.personality, "NAME", NULL,
	 "add the personality NAME"},
	FLAG(0, "explain", &explain,
	     "print the layers, their sizes and files, not the text"),
	{0},
};

static const struct cmd cmd = {
	.name = "co-prompt-assemble",
	.summary = "print a complete system prompt",
	.opts = opts,
};

static void add_row(struct buf *out, const char *layer, const char *state,
		    size_t size, const char *path)
{
	buf_addf(out, "%s\t%s\t%zu\t", layer, state, size);
	sanitize_terminal(out, path ? path : "-", path ? strlen(path) : 1,
			  false);
	buf_addc(out, '\n');
}

static void add_part(struct buf *out, const struct prompt *p,
		     enum prompt_part part)
{
	const char *path = p->parts[part].path;
	const size_t size = p->parts[part].size;

	add_row(out, context_prompt_part_name(part),
		size						 ? "loaded"
		: path						 ? "empty"
		: part == PROMPT_PERSONALITY && !ask.personality ? "unasked"
								 : "absent",
		size, path);
}

/* Print one line per layer, in order: name, state, bytes and file. */
static void print_layers(const struct prompt *p)
{
	struct buf text = {0};

	add_part(&text, p, PROMPT_SYSTEM);
	add_part(&text, p, PROMPT_PERSONALITY);
	for (size_t i = 0; i < ARRAY_LEN(p->context.parts); i++) {
		const struct context_part *part = &p->context.parts[i];

		add_row(&text, record_scope_name(part->scope),
			context_state_name(part->state), part->size,
			part->path);
	}
	if (p->digest)
		add_row(&text, "digest", "loaded", p->digest, NULL);
	add_part(&text, p, PROMPT_INSTRUCTIONS);
	cli_out(buf_str(&text), text.len);
	buf_release(&text);
}

int main(int argc, char **argv)
{
	struct prompt p;
	struct err e;
	int n;

	ask.argv0 = argv[0];
	cli_start(&cmd, argc, argv, &n);
	/* An error in the context never stops a session. */
	if (context_assemble_prompt(&p, &ask, cli_notes(), &e) < 0)
		cli_die(&e);
	context_budgets(&p.context, cli_warnings());
	if (explain)
		print_layers(&p);
	else
		cli_out(buf_str(&p.text), p.text.len);
	context_release_prompt(&p);
	return cli_finish(0);
}
