/* co-knowledge-stats: count what a store holds */
#include "cli/out.h"
#include "cli/stores.h"
#include "porcelain/stats.h"
#include "search/index.h"

static bool global, json;

static const struct opt opts[] = {
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL, "print one JSON object"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {"[--global] [--json]", NULL};

static const struct cmd cmd = {
	.name = "co-knowledge-stats",
	.summary = "count what a store holds",
	.synopsis = synopsis,
	.opts = opts,
};

static void add_tallies(struct buf *out, const char *name,
			const struct tallies *t)
{
	if (json)
		json_write_open(out, name, '{');
	else
		buf_addf(out, "%s:", name);
	for (size_t i = 0; i < t->n; i++) {
		const struct tally *one = &t->items[i];

		if (json)
			json_write_size(out, one->name, one->n);
		else
			buf_addf(out, "%s %s %zu", i ? "," : "", one->name,
				 one->n);
	}
	buf_adds(out, json ? "}" : t->n ? "\n" : " none\n");
}

static void print(const struct stats *s, const struct index_status *index)
{
	struct buf out = {0};

	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_size(&out, "memories", s->memories);
		json_write_size(&out, "bytes", s->bytes);
		json_write_size(&out, "drafts", s->drafts);
		json_write_size(&out, "trash", s->trash);
	} else {
		buf_addf(&out,
			 "memories: %zu (%zu bytes)\ndrafts: %zu\ntrash: %zu\n",
			 s->memories, s->bytes, s->drafts, s->trash);
	}
	add_tallies(&out, "tags", &s->tags);
	add_tallies(&out, "sources", &s->sources);
	add_tallies(&out, "months", &s->months);
	if (json) {
		index_status_json(&out, "index", index);
		buf_addc(&out, '}');
	} else {
		buf_adds(&out, "index: ");
		index_status_text(&out, index);
	}
	buf_addc(&out, '\n');
	out_buf(&out);
}

int main(int argc, char **argv)
{
	struct store s;
	struct stats stats;
	struct index_status index;
	struct arena a = {0};
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	cli_open_store(&s, global);
	if (stats_count(&s, &a, &stats, &e) < 0)
		cli_die(&e);
	index_status(&index, &s);
	print(&stats, &index);
	stats_release(&stats);
	store_close(&s);
	arena_release(&a);
	return cli_finish(0);
}
