/* co-index-update: update the index from the files. */
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "search/recall.h"
#include "search/semantic.h"

static bool rebuild, vectors, global, json;
static size_t parent;

static const struct opt opts[] = {
	FLAG(0, "rebuild", &rebuild, "rebuild the index"),
	FLAG(0, "vectors", &vectors,
	     "make the vectors that documents lack, too"),
	{OPT_COUNT, 0, "with-parent", &parent, "PID", NULL,
	 "end early once PID is not its parent"},
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print one JSON object"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-index-update",
	.summary = "update the search index",
	.opts = opts,
};

static void print_news(const struct index_news *news)
{
	const char *plural = news->documents == 1 ? "" : "s";
	struct buf out = {0};

	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_size(&out, "documents", news->documents);
		json_write_size(&out, "added", news->added);
		json_write_size(&out, "dead", news->dead);
		json_write_bool(&out, "made", news->made);
		buf_adds(&out, "}\n");
		out_buf(&out);
	} else if (news->made)
		cli_outf("made of %zu document%s\n", news->documents, plural);
	else
		cli_outf("%zu added, %zu document%s\n", news->added,
			 news->documents, plural);
}

/* Compute the missing vectors of the documents of IX. Without --vectors, a helper
 * program is not asked. */
static void make_vectors(struct index *ix, const char *argv0)
{
	struct semantic meaning;
	size_t made, missing;
	struct err e;
	const int opened =
		semantic_open(&meaning, "hybrid", argv0, cli_report());

	meaning.parent = (pid_t)parent;
	if (opened < 1) {
		err_set(&e, ERR_HELPER, "no vectors: %s", meaning.without);
		if (vectors || opened < 0)
			cli_complain(&e);
	} else if (vectors || embed_is_local(meaning.encoder)) {
		missing = semantic_update(&meaning, ix, &made);
		if (vectors && !json)
			cli_outf("%zu vectors made\n", made);
		if (missing) {
			err_set(&e, ERR_HELPER, "%zu documents have none: %s",
				missing, meaning.without);
			cli_complain(&e);
		}
	}
	semantic_close(&meaning);
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
	cli_open_store(&store, global);
	if (index_open(&index, &store, rebuild ? INDEX_REBUILD : 0, &e) < 0)
		cli_die(&e);
	recall_explain_damage(&damage, &index, 1);
	out_notes(&damage);
	news = index.news;
	make_vectors(&index, argv[0]);
	index_close(&index);
	store_close(&store);
	if (*news.without) {
		err_set(&e, ERR_SYSTEM, "the index was not written: %s",
			news.without);
		cli_complain(&e);
	} else {
		print_news(&news);
	}
	return cli_finish(0);
}
