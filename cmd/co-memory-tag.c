/* co-memory-tag: change the tags of memories. */
#include "article/article.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "repo/marks.h"
#include "search/grep.h"
#include "store/save.h"

static struct compose_tags change;
static bool all, dry, global, zero, show;

static const struct opt opts[] = {
	{OPT_LIST, 'a', "add", &change.add, "TAG", NULL,
	 "add TAG; may be given again"},
	{OPT_LIST, 'd', "remove", &change.drop, "TAG", NULL,
	 "take TAG from them; may be given again"},
	{OPT_LIST, 0, "rename", &change.rename, "OLD=NEW", NULL,
	 "replace OLD by NEW; may be given again"},
	FLAG(0, "all", &all, "change all memories of the store"),
	FLAG(0, "show", &show, "print ids and tags, changed or not"),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	OPT_GLOBAL(&global),
	OPT_Z(&zero),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-tag",
	.summary = "change the tags of memories",
	.synopsis = "[-a TAG]... [-d TAG]... [--rename=OLD=NEW]... [--show] "
		    "[-n] [-q] [--global] [-z] [ID|PATH...]\n"
		    "[-a TAG]... [-d TAG]... [--rename=OLD=NEW]... --all "
		    "[--show] [-n] [-q] [--global] [-z]",
	.operands = "[ID|PATH...]",
	.items = "there are no operands",
	.opts = opts,
	.hint = "'co list' shows the memories",
};

static struct store *changed[2]; /* the project's, the user's */
static struct buf lines;	 /* the output; each ends in NUL */

static struct store *open_store_of(bool user)
{
	struct store *s = changed[user] = cli_store(user);

	save_unsynced(s);
	return s;
}

/* Print the lines once the changes are durable. */
static void print_lines(void)
{
	struct err e;

	for (int user = 0; user < 2; user++) {
		if (changed[user] && save_sync(changed[user], &e) < 0)
			cli_die(&e);
	}
	for (size_t i = 0; i < lines.len; i += strlen(lines.p + i) + 1)
		out_path(lines.p + i, zero);
	buf_release(&lines);
}

/* Look up ITEM. Set *S to its store and *PATH to its file. */
static int locate_memory(const char *item, struct store **s, const char **path,
			 struct err *e)
{
	int64_t id;
	int r;

	*s = open_store_of(global);
	if (store_is_id(item, &id))
		return store_locate(*s, AREA_MEMORIES, item, &cli_arena, path,
				    e);
	if (store_is_global_id(item, &id)) {
		*s = open_store_of(true);
		r = store_locate(*s, AREA_MEMORIES, item, &cli_arena, path, e);
		if (r)
			return r;
		*s = open_store_of(global);
	}
	r = store_locate(*s, AREA_ANY, item, &cli_arena, path, e);
	if (r >= 0 || global || e->code != ERR_USAGE ||
	    store_locate(open_store_of(true), AREA_ANY, item, &cli_arena, path,
			 NULL) != 1)
		return r;
	*s = open_store_of(true);
	return 1;
}

/* Change the tags of the memory at PATH of S. The caller holds the lock, except
 * in a dry run. */
static int tag_path(struct store *s, const char *path, struct err *e)
{
	struct buf was = {0}, text = {0}, line = {0};
	int r = save_read(path, &was, e);

	if (r >= 0)
		r = compose_tags_change(&text, path, &was, &change, &cli_arena,
					e);
	if (r > 0 && !dry &&
	    save_edit(s,
		      &(struct save_edit){
			      .path = path, .was = &was, .text = &text},
		      NULL, NULL, e) < 0)
		r = -1;
	if (r >= 0 && show) {
		buf_adds(&line, record_scope_prefix(s->repo.root.scope));
		r = compose_tags_text(&line, path, r > 0 ? &text : &was,
				      &cli_arena, e);
	}
	if (r > 0 && !line.len)
		buf_adds(&line, path);
	if (r >= 0 && line.len)
		buf_add(&lines, line.p, line.len + 1);
	buf_release(&line);
	buf_release(&was);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Call tag_path() under the lock, for each part if PATH is an article with parts. */
static int tag_locked(struct store *s, const char *path, struct err *e)
{
	struct strings parts = {0};
	int r = article_parts_at(s, path, &cli_arena, &parts, e);

	if (r < 0 || (!dry && store_lock(s, e) < 0)) {
		free(parts.items);
		return -1;
	}
	for (size_t i = 0; i < parts.n && !r; i++)
		r = tag_path(s, parts.items[i], e);
	if (!dry)
		store_unlock(s);
	free(parts.items);
	return r;
}

static int tag_one(void *ctx, const char *item, struct err *e)
{
	struct store *s;
	const char *path;
	int r;

	(void)ctx;
	arena_reset(&cli_arena);
	r = locate_memory(item, &s, &path, e);
	return r < 0 ? -1
	       : r   ? tag_locked(s, path, e)
		     : store_absent(s, item, e);
}

static void tag_all(void)
{
	const struct grep_query everything = {
		.narrow = {.lifted = marks_hidden()}};
	struct results found = {.order = RESULTS_BY_ID};
	struct store *s = open_store_of(global);
	struct record r;
	struct err e;

	if (grep_collect(s, AREA_MEMORIES, &everything, &found, &e) < 0)
		cli_die(&e);
	results_sort(&found);
	for (size_t i = 0; i < found.n; i++) {
		arena_reset(&cli_arena);
		results_get(&found, &found.items[i], &cli_arena, &r);
		if (tag_locked(s, r.path, &e) < 0)
			cli_complain(&e);
	}
	results_release(&found);
}

int main(int argc, char **argv)
{
	struct err e;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (!change.add.n && !change.drop.n && !change.rename.n && !show)
		cli_usage("say what to change: --add, --remove or --rename");
	if (all && n)
		cli_usage("--all takes no operand");
	if (compose_tags_check(open_store_of(global), &change, &e) < 0) {
		cli_complain(&e);
		if (e.code == ERR_USAGE)
			cli_hint("'co tag +one +two ID' adds two tags");
		cli_end((int)e.code);
	}
	if (all)
		tag_all();
	else
		cli_each(operands, zero, tag_one, NULL);
	print_lines();
	cli_close_stores();
	return cli_finish(0);
}
