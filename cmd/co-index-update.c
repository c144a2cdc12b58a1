/* co-index-update: bring the index up to date with the files. */
#include "explain.h"
#include "out.h"

static bool rebuild, global, json;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "rebuild", &rebuild, NULL, NULL,
	 "make the index anew, whatever there is"},
	OPT_GLOBAL(&global),
	{OPT_FLAG, 0, "json", &json, NULL, NULL, "print one JSON object"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--rebuild] [--global] [--json]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-index-update",
	.summary = "bring the index up to date with the files",
	.synopsis = synopsis,
	.opts = opts,
};

static void print(const struct index_news *news)
{
	if (json)
		cli_outf("{\"documents\":%zu,\"added\":%zu,\"dead\":%zu,"
			 "\"made\":%s}\n",
			 news->documents, news->added, news->dead,
			 news->made ? "true" : "false");
	else if (news->made)
		cli_outf("made of %zu documents\n", news->documents);
	else
		cli_outf("%zu added, %zu documents\n", news->added,
			 news->documents);
}

int main(int argc, char **argv)
{
	struct index_news news;
	struct store store;
	struct index index;
	struct buf damage = {0};
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	out_store(&store, global);
	if (index_open(&index, &store, rebuild ? INDEX_REBUILD : 0, &e) < 0)
		cli_die(&e);
	explain_damage(&damage, &index, 1);
	out_notes(&damage);
	news = index.news;
	index_close(&index);
	store_close(&store);
	if (*news.without) {
		err_set(&e, ERR_SYSTEM, "the index was not written: %s",
			news.without);
		cli_complain(&e);
	} else {
		print(&news);
	}
	return cli_finish(0);
}
