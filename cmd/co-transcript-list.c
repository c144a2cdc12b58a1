/* co-transcript-list: list the conversations stored by agents. */
#include "base/date.h"
#include "cli/out.h"
#include "transcript/listing.h"

static const char *agent, *since, *project;
static bool all, json, zero;

static const struct opt opts[] = {
	{OPT_WORD, 0, "agent", &agent, "AGENT", "%",
	 "list only those of one agent"},
	{OPT_STR, 0, "since", &since, "DATE", NULL,
	 "list those that continued at DATE or later"},
	{OPT_STR, 0, "project", &project, "DIR", NULL,
	 "list those that began in DIR or below it"},
	{.kind = OPT_OR},
	FLAG(0, "all", &all, "list those of all projects, this one's first"),
	FLAG(0, "json", &json, "print JSON objects, one a line"),
	OPT_Z(&zero),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-transcript-list",
	.summary = "list the conversations that agents keep",
	.opts = opts,
	.names = transcript_agents,
};

static void find_sessions(struct sessions *s)
{
	struct listing l = {.project = project, .all = all, .agent = agent};
	struct date from;
	struct err e;

	if (since && !date_parse(since, strlen(since), &from))
		cli_usage("'%s' is not a date: " DATE_FORMS, since);
	l.since = since ? &from.first : NULL;
	if (listing_find(s, &l, cli_complaints(), &e) < 0)
		cli_die(&e);
}

static void print_json(const struct session *s)
{
	char start[INSTANT_TEXT], end[INSTANT_TEXT];
	struct buf out = {0};

	json_write_open(&out, NULL, '{');
	json_write_text(&out, "path", s->path);
	json_write_text(&out, "agent", transcript_format_name(s->agent));
	json_write_text(&out, "session", s->id);
	json_write_text(&out, "project", s->project);
	json_write_text(&out, "start",
			s->has_start ? instant_format(s->start, start) : NULL);
	json_write_text(&out, "end", instant_format(s->end, end));
	json_write_size(&out, "bytes", (size_t)s->bytes);
	out_json(&out);
}

static void print_sessions(const struct sessions *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (json)
			print_json(&s->items[i]);
		else
			out_path(s->items[i].path, zero);
	}
}

int main(int argc, char **argv)
{
	struct sessions found = {.a = &cli_arena};
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (all && project)
		cli_usage("--all and --project exclude each other");
	find_sessions(&found);
	print_sessions(&found);
	listing_release(&found);
	return cli_finish(0);
}
