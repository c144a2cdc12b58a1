/* co-transcript-read: print conversations in a common format. */
#include "cli/cli.h"
#include "format/json-write.h"
#include "transcript/transcript.h"

static const char *format = "auto";

static const struct opt opts[] = {
	{OPT_WORD, 0, "format", &format, "FORMAT", "auto|%|text",
	 "set the format; default: auto, by the contents"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-transcript-read",
	.summary = "print conversations in one format",
	.operands = "[FILE...]",
	.input = "a conversation, where no FILE is given",
	.opts = opts,
	.names = transcript_agents,
};

/* Print T as a line with one JSON object, with null for missing values. */
static int print_turn(void *out, const struct turn *t, struct err *e)
{
	struct buf *line = out;

	(void)e; /* write errors are reported at the end */
	buf_cut(line, 0);
	json_write_open(line, NULL, '{');
	json_write_text(line, "role", t->role);
	if (t->text)
		json_write_bytes(line, "text", t->text, t->len);
	else
		json_write_text(line, "text", NULL);
	json_write_text(line, "time", t->time);
	json_write_text(line, "tool", t->tool);
	json_write_end(line);
	cli_out(line->p, line->len);
	return 0;
}

static int print_file(const char *file, struct err *e)
{
	struct transcript t;
	struct buf line = {0};
	struct err why;
	int r;

	if (transcript_open_operand(&t, file, e) < 0)
		return -1;
	r = transcript_format_find(format, &t.format)
		    ? 0
		    : transcript_detect(&t, e);
	if (!r)
		r = transcript_each(&t, print_turn, &line, e);
	if (!r && transcript_is_overlong(&t, &why))
		cli_note("%s", why.text);
	if (!r && t.skipped)
		cli_note("'%s': %zu line%s could not be read", t.path,
			 t.skipped, t.skipped == 1 ? "" : "s");
	buf_release(&line);
	transcript_close(&t);
	return r;
}

int main(int argc, char **argv)
{
	char **files, *input[] = {"-", NULL};
	struct err e;
	int n;

	files = cli_start(&cmd, argc, argv, &n);
	for (char **file = n ? files : input; *file; file++) {
		if (print_file(*file, &e) < 0)
			cli_complain(&e);
	}
	return cli_finish(0);
}
