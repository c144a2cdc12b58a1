/* out.c: see out.h. */
#include "out.h"

void out_open(struct out *o, struct arena *a)
{
	struct err e;

	if (o->json && o->format)
		cli_usage("--json and --format exclude each other");
	if (o->format && template_new(&o->template, o->format, a, &e) < 0)
		cli_die(&e);
}

bool out_plain(const struct out *o)
{
	return !o->json && !o->format;
}

void out_record(const struct out *o, const struct record *r)
{
	struct buf line = {0};

	if (o->json)
		record_json(&line, r, !o->no_content);
	else if (o->template)
		template_add(&line, o->template, r);
	else
		buf_adds(&line, r->path);
	if (o->zero && !o->json) {
		buf_addc(&line, '\0');
		cli_out(line.p, line.len);
	} else {
		buf_addc(&line, '\n');
		cli_out_text(line.p, line.len);
	}
	buf_release(&line);
}
