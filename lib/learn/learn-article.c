/* learn-article.c: show the beginning of the article and ask before saving it.
 */
#include "learn/learn.h"

#include "article/article.h"
#include "base/utf8.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "sys/dirs.h"
#include "text/markdown.h"

#include <unistd.h>

#define FIRST_LINES 5
#define FIRST_BYTES 600

static bool is_file(const char *p)
{
	struct stat st;

	return (*p == '/' || !strncmp(p, "./", 2) || !strncmp(p, "../", 3)) &&
	       stat(p, &st) == 0 && S_ISREG(st.st_mode);
}

bool learn_article_is_meant(char **operands)
{
	bool some = false;

	for (char **p = operands; *p; p++) {
		if (!source_is_url(*p) && !is_file(*p))
			return false;
		some = true;
	}
	return some;
}

void learn_article_refuse(char **operands, int n)
{
	const bool file = n == 1 && access(*operands, F_OK) == 0;

	cli_usage("-n, -y and --allow-private require a URL or a ./FILE that "
		  "exists%s%s%s",
		  file ? ": did you mean './" : "", file ? *operands : "",
		  file ? "'?" : "");
}

bool learn_article_agreed(const char *question, bool yes)
{
	if (yes)
		return true;
	if (!cli_on_terminal()) {
		cli_hint("not a terminal: add -y to say yes");
		return false;
	}
	return cli_ask(question);
}

static size_t count_sections(const struct article_new *n)
{
	struct markdown m;
	struct block b;
	size_t sections = 0;

	markdown_start(&m, n->markdown, n->len);
	while (markdown_next(&m, &b))
		sections += b.kind == BLOCK_HEADING && !b.depth;
	return sections ? sections : 1;
}

/* Print the properties and the first lines of the article B. It would be saved
 * in PARTS parts and replace WAS (NULL: none). */
static void show_article(const struct source *b, size_t parts,
			 const struct record *was)
{
	const struct article_new *n = &b->article;
	const size_t sections = count_sections(n);
	struct buf out = {0};
	const char *p = n->markdown, *end = p + n->len;
	size_t len = n->len;

	buf_addf(&out, "%s\n", n->title ? n->title : n->source);
	buf_addf(&out, "from %s: %s, %zu bytes", n->source,
		 b->type ? b->type : "text", b->bytes);
	if (n->len != b->bytes)
		buf_addf(&out, ", %zu bytes of text", n->len);
	buf_addf(&out, ", %zu %s\n", sections,
		 sections == 1 ? "section" : "sections");
	if (parts > 1)
		buf_addf(&out, "too large for one article: in %zu parts\n",
			 parts);
	if (was)
		buf_addf(&out, "in the place of %s, fetched %s\n", was->path,
			 was->created);
	buf_addc(&out, '\n');
	utf8_strip(&p, &len);
	len = utf8_cut(p, len, FIRST_BYTES);
	end = p + len;
	for (int i = 0; i < FIRST_LINES && p < end; i++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		const size_t line = (size_t)((eol ? eol : end) - p);

		buf_adds(&out, "    ");
		buf_add(&out, p, line);
		buf_addc(&out, '\n');
		p += line + (eol != NULL);
	}
	buf_adds(&out, "\n");
	cli_out_text(out.p, out.len);
	buf_release(&out);
}

static void print_saved(const struct learn_article *l, const char *path,
			size_t parts, enum article_done done)
{
	static const char *const words[] = {"✓ Saved article",
					    "✓ Replaced article",
					    "✓ Nothing new in article"};
	const char *slash = strrchr(path, '/');
	struct buf text = {0}, line = {0};

	buf_addf(&text, "%s: %s", words[done], slash ? slash + 1 : path);
	if (parts > 1)
		buf_addf(&text, ", the first of %zu parts", parts);
	buf_addf(&text, "\nLocation: %s",
		 l->json ? path : dirs_shown_path(path));
	if (l->json) {
		json_write_open(&line, NULL, '{');
		json_write_bytes(&line, "display", text.p, text.len);
		json_write_text(&line, "path", path);
		json_write_close(&line, '}');
	} else {
		buf_add(&line, text.p, text.len);
	}
	buf_addc(&line, '\n');
	cli_out_text(line.p, line.len);
	buf_release(&text);
	buf_release(&line);
}

/* Show the article B, ask, and save it. */
static int confirm_and_save(const struct learn_article *l, struct source *b,
			    struct arena *a, struct err *e)
{
	enum article_done done;
	struct record was;
	const char *path, *question = "Keep it? [y/N]";
	size_t parts = 1;
	int found = article_find(l->store, b->article.source, a, &was, e);

	if (found < 0)
		return -1;
	b->article.tags = l->tags->items;
	b->article.ntags = l->tags->n;
	b->article.typed = true;
	b->article.split = true;
	if (b->article.len > ARTICLE_PART_MAX &&
	    article_count_parts(l->store, &b->article, &parts, e) < 0)
		return -1;
	if (parts > 1)
		question =
			arena_printf(a, "Keep it in %zu parts? [y/N]", parts);
	if (!l->json)
		show_article(b, parts, found ? &was : NULL);
	cli_flush();
	if (l->dry)
		return 0;
	if (!learn_article_agreed(question, l->yes))
		return err_set(e, ERR_NO, "nothing was saved");
	if (article_save(l->store, &b->article, a, &path, &done, e) < 0)
		return -1;
	cli_make_store(l->store);
	print_saved(l, path, parts, done);
	return 0;
}

static int learn_one(const struct learn_article *l, const char *operand,
		     struct err *e)
{
	struct source b = {.allow_private = l->allow_private};
	struct arena a = {0};
	const char *source;
	int r;

	if (source_is_url(operand)) {
		r = source_fetch(&b, operand, &a, e);
	} else {
		source = source_name_of(l->store, operand, &a, e);
		r = source ? source_read(&b, operand, source, &a, e) : -1;
	}
	if (!r)
		r = confirm_and_save(l, &b, &a, e);
	source_release(&b);
	arena_release(&a);
	return r;
}

int learn_article_each(const struct learn_article *l, char **operands)
{
	struct err e;

	for (char **p = operands; *p; p++) {
		if (learn_one(l, *p, &e) < 0)
			cli_complain(&e);
	}
	return ERR_NONE;
}
