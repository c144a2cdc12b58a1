/* co-frontmatter-write: write a Markdown file from its frontmatter and body. */
#include "base/utf8.h"
#include "cli/cli.h"
#include "format/frontmatter.h"
#include "format/json-read.h"
#include "sys/file.h"

/* more than co-frontmatter-parse prints for its largest file */
#define INPUT_MAX ((size_t)8 * 1024 * 1024)

static const struct opt opts[] = {
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-frontmatter-write",
	.summary = "write Markdown from JSON",
	.operands = "[FILE]",
	.input = "a JSON object, as co-frontmatter-parse prints it",
	.opts = opts,
};

/* Set E to WHAT, at the byte OFFSET of INPUT. Returns -1. */
static int input_error(const struct buf *input, size_t offset, const char *path,
		       const char *what, struct err *e)
{
	int line, col;

	utf8_place(buf_str(input), offset, &line, &col);
	return err_set(e, ERR_DATA, "'%s':%d:%d: %s", path, line, col, what);
}

/* Return the reason why V is not a document, or NULL if it is one. */
static const char *document_error(const struct value *v)
{
	const struct value *data = value_get(v, "frontmatter");
	const struct value *body = value_get(v, "body");
	const struct value *path = value_get(v, "path");

	if (v->kind != VALUE_MAP)
		return "expected an object with 'frontmatter' and 'body'";
	for (size_t i = 0; i < v->u.map.n; i++) {
		const struct value *key = &v->u.map.pairs[i].key;

		if (!value_is(key, "frontmatter") && !value_is(key, "body") &&
		    !value_is(key, "path"))
			return "expected no keys but 'path', 'frontmatter' "
			       "and 'body'";
	}
	if (!data || data->kind != VALUE_MAP)
		return "'frontmatter' must be an object";
	if (!body || body->kind != VALUE_STR)
		return "'body' must be a string";
	if (path && path->kind != VALUE_STR)
		return "'path' must be a string";
	return NULL;
}

/* Append the document V as Markdown. */
static int add_document(struct buf *out, const struct value *v, struct err *e)
{
	const struct value *body = value_get(v, "body");

	return frontmatter_join(out, value_get(v, "frontmatter"), body->u.s.p,
				body->u.s.len, e);
}

/* Parse INPUT, read from PATH, and append it to OUT as Markdown. */
static int convert(const struct buf *input, const char *path, struct arena *a,
		   struct buf *out, struct err *e)
{
	size_t at = 0, start = strspn(buf_str(input), " \t\r\n");
	struct value v, other;
	const char *wrong;
	struct err why;
	int r;

	r = json_parse_at(buf_str(input), input->len, &at, a, &v, &why);
	if (r < 0)
		return err_set(e, ERR_DATA, "'%s':%s", path, why.text);
	if (r == 0)
		return input_error(input, start, path, "expected a JSON object",
				   e);
	wrong = document_error(&v);
	if (wrong)
		return input_error(input, start, path, wrong, e);
	start = at + strspn(input->p + at, " \t\r\n");
	r = json_parse_at(input->p, input->len, &at, a, &other, &why);
	if (r < 0)
		return err_set(e, ERR_DATA, "'%s':%s", path, why.text);
	if (r > 0)
		return input_error(input, start, path,
				   "a second object; expected one document", e);
	if (add_document(out, &v, &why) < 0)
		return err_set(e, why.code, "'%s': %s", path, why.text);
	return 0;
}

int main(int argc, char **argv)
{
	struct buf input = {0}, out = {0};
	const char *path = "-";
	struct err e;
	int n;
	char **files = cli_start(&cmd, argc, argv, &n);

	if (n)
		path = files[0];
	if (file_read_operand(path, INPUT_MAX, &input, &e) < 0 ||
	    convert(&input, path, &cli_arena, &out, &e))
		cli_die(&e);
	cli_out_text(out.p, out.len);
	buf_release(&input);
	buf_release(&out);
	return cli_finish(ERR_NONE);
}
