/* co-article-save: save a document as an article. */
#include "article/article.h"
#include "cli/cli.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/file.h"

#define META_MAX ((size_t)1024 * 1024)
#define EXTRACT_MAX (4 * ARTICLE_TEXT_MAX) /* every byte may be escaped */

static struct strings tags;
static struct article_new given;
static const char *meta, *attach;
static bool global, draft, extracted, allow_secret, json, zero;

static const struct opt opts[] = {
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	{OPT_STR, 0, "attach", &attach, "FILE", NULL,
	 "keep FILE, the original, in attachments/"},
	FLAG(0, "draft", &draft,
	     "make a draft, which co review accepts as an article"),
	FLAG(0, "extracted", &extracted,
	     "read the output of co-text-extract --json"),
	{OPT_STR, 0, "fetched", &given.fetched, "TIME", NULL,
	 "set the time of the fetch; default: now"},
	FLAG(0, "force", &given.even_twice,
	     "save it even if another article has the same bytes"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print path, source and result as JSON"),
	{OPT_STR, 0, "meta", &meta, "FILE", NULL,
	 "take source and times from FILE, as co-fetch --meta wrote it"},
	{OPT_STR, 0, "source", &given.source, "SOURCE", NULL,
	 "set its source: a URL, or the path of a file"},
	FLAG(0, "split", &given.split,
	     "save a text too large for one article in parts"),
	{OPT_LIST, 't', "tag", &tags, "TAG", NULL,
	 "add TAG to the article; may be given again"},
	{OPT_STR, 0, "title", &given.title, "TITLE", NULL,
	 "set its title; default: the title that it has"},
	OPT_Z(&zero),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-article-save",
	.summary = "save a document as an article",
	.input = "the text of the article, Markdown",
	.opts = opts,
};

static struct store store;
static struct buf text, original;

/* Parse the JSON object in the file PATH, of at most MAX bytes, into V. */
static void read_object(struct value *v, const char *path, size_t max)
{
	struct buf bytes = {0};
	struct err e, named;

	if (file_read_operand(path, max, &bytes, &e) < 0)
		cli_die(&e);
	if (json_parse(bytes.p, bytes.len, &cli_arena, v, &e) < 0) {
		err_set(&named, e.code, "'%s':%s", path, e.text);
		cli_die(&named);
	}
	buf_release(&bytes);
}

static void read_input(void)
{
	struct value v;
	struct err e;

	if (meta) {
		read_object(&v, meta, META_MAX);
		article_take_meta(&given, &v);
	}
	if (extracted) {
		read_object(&v, "-", EXTRACT_MAX);
		article_take_extract(&given, &v);
	} else if (file_read_path("-", ARTICLE_TEXT_MAX, &text, &e) < 0) {
		cli_die(&e);
	} else {
		given.markdown = buf_str(&text);
		given.len = text.len;
	}
	if (!attach)
		return;
	if (file_read_operand(attach, ARTICLE_ATTACHMENT_MAX, &original, &e) <
	    0)
		cli_die(&e);
	given.attachment = &original;
	given.attachment_name = attach;
}

static void check_usage(void)
{
	if (draft && (attach || given.split))
		cli_usage("a draft has no attachment and no parts: --draft, or "
			  "--attach and --split");
	if (!given.source)
		cli_usage("--source or --meta is needed");
}

static void print_article(const char *path, const char *done)
{
	struct buf line = {0};

	if (!json) {
		out_path(path, zero);
		return;
	}
	json_write_open(&line, NULL, '{');
	json_write_text(&line, "path", path);
	json_write_text(&line, "source", given.source);
	json_write_text(&line, "done", done);
	out_json(&line);
}

/* Print PATH, or the paths of all parts if the article has several. */
static int print_parts(const char *path, const char *done, struct err *e)
{
	struct strings paths = {0};
	int r = draft ? 0
		      : article_parts(&store, given.source, &cli_arena, &paths,
				      e);

	if (!paths.n)
		strings_add(&paths, path);
	for (size_t i = 0; i < paths.n; i++)
		print_article(paths.items[i], done);
	free(paths.items);
	return r;
}

static int save_given(const char **path, const char **what, struct err *e)
{
	static const char *const words[] = {"new", "replaced", "same"};
	enum article_done done = ARTICLE_NEW;
	int r = draft ? article_drafts_save(&store, &given, &cli_arena, path, e)
		      : article_save(&store, &given, &cli_arena, path, &done,
				     e);

	*what = draft ? "draft" : words[done];
	return r;
}

/* Report why nothing was saved. PATH is the article that exists already, or
 * NULL. */
static void report_failure(const struct err *e, const char *path)
{
	if (e->code == ERR_NO && path)
		out_path(path, zero);
	cli_complain(e);
	if (e->code == ERR_DATA && given.len > STORE_FILE_MAX && !given.split &&
	    !draft)
		cli_hint("--split saves it in parts");
}

int main(int argc, char **argv)
{
	const char *path = NULL, *done;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	given.tags = tags.items;
	given.ntags = tags.n;
	given.typed = true;
	read_input();
	check_usage();
	cli_open_store(&store, global);
	store_allow_secret(&store, allow_secret);
	if (save_given(&path, &done, &e) == 0) {
		cli_make_store(&store);
		if (print_parts(path, done, &e) < 0)
			cli_complain(&e);
	} else {
		report_failure(&e, path);
	}
	store_close(&store);
	buf_release(&text);
	buf_release(&original);
	return cli_finish(0);
}
