/* co-frontmatter-parse: read the frontmatter of Markdown files. */
#include "cli.h"
#include "file.h"
#include "jsonw.h"
#include "schema.h"
#include "utf8.h"
#include "yamlw.h"

#include <sys/stat.h>

#define FILE_MAX ((size_t)1024 * 1024)

static bool json, body, check;
static const char *field, *type;

static const struct opt opts[] = {
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print path, frontmatter and body as JSON, the default"},
	{OPT_STR, 0, "field", &field, "K", NULL,
	 "print the values of the field K, one a line"},
	{OPT_FLAG, 0, "body", &body, NULL, NULL,
	 "print the body, stripped of blanks at both ends"},
	{OPT_FLAG, 0, "check", &check, NULL, NULL,
	 "print nothing but complaints"},
	{OPT_WORD, 0, "type", &type, "TYPE", "memory|context|article",
	 "also ask for the fields that such a file must have"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[--json|--field=K|--body|--check] "
	"[--type=memory|context|article] [FILE...]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-frontmatter-parse",
	.summary = "read the frontmatter of Markdown files",
	.synopsis = synopsis,
	.operands = "[FILE...]",
	.input = "a Markdown document, where no FILE is given",
	.opts = opts,
};

static bool missed; /* some file lacks the field */

static enum schema schema_of(const char *word)
{
	if (!word)
		return SCHEMA_NONE;
	return *word == 'm'   ? SCHEMA_MEMORY
	       : *word == 'c' ? SCHEMA_CONTEXT
			      : SCHEMA_ARTICLE;
}

/* A fault of the file PATH at OFFSET of its text. */
static int fault(const struct frontmatter *fm, size_t offset, const char *path,
		 const char *what, struct err *e)
{
	int line, col;

	frontmatter_place(fm, offset, &line, &col);
	return err_set(e, ERR_DATA, "'%s':%d:%d: %s", path, line, col, what);
}

/* Append V as JSON, or name the place in the file of what JSON cannot hold. */
static int add_json(struct buf *out, const struct value *v,
		    const struct frontmatter *fm, const char *path,
		    struct err *e)
{
	const struct value *bad = jsonw_unfit(v);
	struct err why;

	if (jsonw_value(out, v, &why) == 0)
		return 0;
	return fault(fm, bad->start, path, why.text, e);
}

static int print_json(const struct frontmatter *fm, const char *path,
		      struct err *e)
{
	const char *text = fm->text + fm->body;
	size_t len = fm->len - fm->body, bad = utf8_check(text, len);
	struct buf out = {0};

	if (bad < len)
		return fault(fm, fm->body + bad, path,
			     "JSON cannot hold text that is no UTF-8", e);
	if (utf8_check(path, strlen(path)) < strlen(path))
		return err_set(e, ERR_DATA,
			       "'%s': JSON cannot hold a path that is no UTF-8",
			       path);
	buf_adds(&out, "{\"path\":");
	jsonw_str(&out, path, strlen(path));
	buf_adds(&out, ",\"frontmatter\":");
	if (add_json(&out, &fm->data, fm, path, e)) {
		buf_release(&out);
		return -1;
	}
	buf_adds(&out, ",\"body\":");
	jsonw_str(&out, text, len);
	buf_adds(&out, "}\n");
	cli_out(out.p, out.len);
	buf_release(&out);
	return 0;
}

/* Append one value and the end of line. */
static int add_item(struct buf *out, const struct value *v,
		    const struct frontmatter *fm, const char *path,
		    struct err *e)
{
	if (v->kind == VALUE_STR)
		buf_add(out, v->u.s.p, v->u.s.len);
	else if (v->kind < VALUE_LIST)
		yamlw_inline(out, v);
	else if (add_json(out, v, fm, path, e))
		return -1;
	buf_addc(out, '\n');
	return 0;
}

static int print_field(const struct frontmatter *fm, const char *path,
		       struct err *e)
{
	const struct value *v = value_get(&fm->data, field), *item = v;
	struct buf out = {0};
	size_t n = 1;
	int r = 0;

	if (!v) {
		missed = true;
		return 0;
	}
	if (v->kind == VALUE_LIST) {
		item = v->u.list.items;
		n = v->u.list.n;
	}
	for (size_t i = 0; r == 0 && i < n; i++)
		r = add_item(&out, &item[i], fm, path, e);
	if (r == 0)
		cli_out_text(out.p, out.len);
	buf_release(&out);
	return r;
}

static int print_body(const struct frontmatter *fm)
{
	const char *p;
	size_t len;

	frontmatter_content(fm, &p, &len);
	cli_out_text(p, len);
	if (len)
		cli_outs("\n");
	return 0;
}

/* Read the file PATH.  A glob in a stranger's folder may name a FIFO, which
 * would never end, or a device: they are read as standard input alone. */
static int read_file(const char *path, struct buf *text, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA,
			       "refusing '%s': it is not a regular file", path);
	return file_read_path(path, FILE_MAX, text, e) < 0 ? -1 : 0;
}

/* Read, check and print the file PATH. */
static int parse_file(const char *path, struct buf *text, struct arena *a,
		      struct err *e)
{
	struct frontmatter fm;

	if (read_file(path, text, e))
		return -1;
	if (frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) ||
	    schema_check(schema_of(type), &fm, path, e))
		return -1;
	if (check)
		return 0;
	if (field)
		return print_field(&fm, path, e);
	return body ? print_body(&fm) : print_json(&fm, path, e);
}

int main(int argc, char **argv)
{
	static char *input[] = {"-", NULL};
	struct buf text = {0};
	struct arena arena = {0};
	struct err e;
	char **files;
	int n;

	files = cli_start(&cmd, argc, argv, &n);
	if (json + body + check + (field != NULL) > 1)
		cli_usage("--json, --field, --body and --check exclude "
			  "one another");
	for (files = n ? files : input; *files; files++) {
		if (parse_file(*files, &text, &arena, &e))
			cli_complain(&e);
		arena_reset(&arena);
	}
	arena_release(&arena);
	buf_release(&text);
	return cli_finish(missed ? ERR_NO : ERR_NONE);
}
