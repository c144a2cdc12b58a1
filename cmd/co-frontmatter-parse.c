/* co-frontmatter-parse: print the frontmatter of Markdown files. */
#include "base/utf8.h"
#include "cli/cli.h"
#include "format/frontmatter.h"
#include "format/json-write.h"
#include "repo/record.h"
#include "sys/file.h"

#include <sys/stat.h>

#define FILE_MAX ((size_t)1024 * 1024)

static bool json, body, check;
static const char *field, *type;

static const struct opt opts[] = {
	FLAG(0, "json", &json,
	     "print path, frontmatter and body as JSON, the default"),
	{OPT_STR, 0, "field", &field, "FIELD", NULL,
	 "print the values of FIELD, one a line"},
	FLAG(0, "body", &body,
	     "print the body, stripped of blanks at both ends"),
	FLAG(0, "check", &check, "print nothing but complaints"),
	{OPT_WORD, 0, "type", &type, "TYPE", "memory|context|article",
	 "also require the fields of such a file"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-frontmatter-parse",
	.summary = "read the frontmatter of Markdown files",
	.synopsis = "[--json|--field=FIELD|--body|--check] "
		    "[--type=memory|context|article] [FILE...]",
	.operands = "[FILE...]",
	.input = "a Markdown document, where no FILE is given",
	.opts = opts,
};

static bool missed; /* a file lacks the field */

static enum schema schema_of(const char *word)
{
	if (!word)
		return SCHEMA_NONE;
	return *word == 'm'   ? SCHEMA_MEMORY
	       : *word == 'c' ? SCHEMA_CONTEXT
			      : SCHEMA_ARTICLE;
}

/* Append V as JSON. Return -1 with the position in the file if V contains
 * something that JSON cannot represent. */
static int add_json(struct buf *out, const struct value *v,
		    const struct frontmatter *fm, const char *path,
		    struct err *e)
{
	const struct value *bad = json_write_unfit(v);
	struct err why;

	if (json_write_value(out, v, &why) == 0)
		return 0;
	return frontmatter_fault(fm, bad->start, path, e, "%s", why.text);
}

static int add_object(struct buf *out, const struct frontmatter *fm,
		      const char *path, struct arena *a, struct err *e)
{
	const char *text = fm->text + fm->body;
	const char *whole = file_absolute(path, a, e);
	size_t len = fm->len - fm->body, bad = utf8_check(text, len);

	if (!whole)
		return -1;
	if (bad < len)
		return frontmatter_fault(
			fm, fm->body + bad, path, e,
			"JSON cannot hold text that is not UTF-8");
	if (utf8_check(whole, strlen(whole)) < strlen(whole))
		return err_set(
			e, ERR_DATA,
			"'%s': JSON cannot hold a path that is not UTF-8",
			path);
	json_write_open(out, NULL, '{');
	json_write_text(out, "path", whole);
	json_write_key(out, "frontmatter");
	if (add_json(out, &fm->data, fm, path, e))
		return -1;
	json_write_bytes(out, "body", text, len);
	buf_adds(out, "}\n");
	return 0;
}

/* Append one value and a newline. */
static int add_item(struct buf *out, const struct value *v,
		    const struct frontmatter *fm, const char *path,
		    struct err *e)
{
	if (v->kind == VALUE_STR)
		buf_add(out, v->u.s.p, v->u.s.len);
	else if (v->kind < VALUE_LIST)
		frontmatter_write_value(out, v, false);
	else if (add_json(out, v, fm, path, e))
		return -1;
	buf_addc(out, '\n');
	return 0;
}

static int add_field(struct buf *out, const struct frontmatter *fm,
		     const char *path, struct err *e)
{
	const struct value *v = value_get(&fm->data, field);

	if (!v)
		missed = true;
	if (!v || v->kind != VALUE_LIST)
		return v ? add_item(out, v, fm, path, e) : 0;
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (add_item(out, &v->u.list.items[i], fm, path, e))
			return -1;
	}
	return 0;
}

static int add_body(struct buf *out, const struct frontmatter *fm)
{
	const char *p;
	size_t len;

	frontmatter_content(fm, &p, &len);
	buf_add(out, p, len);
	if (len)
		buf_addc(out, '\n');
	return 0;
}

/* Read the file PATH. A FIFO or a device is refused, since a glob in an
 * untrusted directory may match one, and reading a FIFO may never end. /dev/fd/
 * is allowed for process substitution, <(...). */
static int read_file(const char *path, struct buf *text, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") && strncmp(path, "/dev/fd/", 8) &&
	    stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA,
			       "refusing '%s': it is not a regular file", path);
	return file_read_path(path, FILE_MAX, text, e) < 0 ? -1 : 0;
}

/* Read and check the file PATH, and append the requested part to OUT. */
static int parse_file(const char *path, struct buf *text, struct buf *out,
		      struct arena *a, struct err *e)
{
	struct frontmatter fm;

	if (read_file(path, text, e) ||
	    frontmatter_parse(&fm, buf_str(text), text->len, path, a, e) ||
	    schema_check(schema_of(type), &fm, path, e))
		return -1;
	if (check)
		return 0;
	if (field)
		return add_field(out, &fm, path, e);
	return body ? add_body(out, &fm) : add_object(out, &fm, path, a, e);
}

int main(int argc, char **argv)
{
	static char *input[] = {"-", NULL};
	struct buf text = {0}, out = {0};
	struct err e;
	int n;
	char **files = cli_start(&cmd, argc, argv, &n);

	if (json + body + check + (field != NULL) > 1)
		cli_usage("--json, --field, --body and --check exclude "
			  "one another");
	for (files = n ? files : input; *files; files++) {
		if (parse_file(*files, &text, &out, &cli_arena, &e))
			cli_complain(&e);
		else
			cli_out_text(buf_str(&out), out.len);
		buf_cut(&out, 0);
		arena_reset(&cli_arena);
	}
	buf_release(&text);
	buf_release(&out);
	return cli_finish(missed ? ERR_NO : ERR_NONE);
}
