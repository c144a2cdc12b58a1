/* co-embed: compute vectors of texts with the configured encoder. */
#include "cli/cli.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "search/semantic.h"
#include "sys/io.h"

#define INPUT_MAX ((size_t)4 * 1024 * 1024)

static bool query, json, with_text, check;
static const char *queries, *qrels;

static const struct opt opts[] = {
	FLAG(0, "check", &check, "check that the encoder answers, and rate it"),
	FLAG(0, "json", &json,
	     "read JSON objects with a text, one a line, instead of lines"),
	{OPT_STR, 0, "qrels", &qrels, "FILE", NULL,
	 "with --check, read their answers, as for co-index-eval"},
	{OPT_STR, 0, "queries", &queries, "FILE", NULL,
	 "with --check, read questions about this store from FILE"},
	FLAG('q', "query", &query,
	     "take the texts as questions, not as documents"),
	FLAG('t', "text", &with_text, "print each text with its vector"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-embed",
	.summary = "compute the vectors of texts",
	.synopsis = "[--query] [--text] [--json] [TEXT...]\n"
		    "--check [--queries=FILE --qrels=FILE]",
	.operands = "[TEXT...]",
	.input = "a text a line, where no TEXT is given",
	.opts = opts,
	.plumbing = true,
};

/* The texts of one call of the encoder, allocated in ARENA. */
struct batch {
	struct embed *encoder;
	struct embed_text texts[EMBED_BATCH];
	size_t n;
	struct arena arena;
	struct buf vectors, line;
};

static void print_vector(struct batch *b, const struct embed_text *t,
			 const float *v, size_t dimension)
{
	char number[VALUE_FLOAT_TEXT];

	buf_cut(&b->line, 0);
	json_write_open(&b->line, NULL, '{');
	if (with_text)
		json_write_bytes(&b->line, "text", t->p, t->len);
	json_write_text(&b->line, "model", embed_name(b->encoder));
	json_write_size(&b->line, "dim", dimension);
	json_write_open(&b->line, "vector", '[');
	for (size_t i = 0; i < dimension; i++) {
		snprintf(number, sizeof(number), "%.6g", (double)v[i]);
		json_write_raw(&b->line, NULL, number);
	}
	buf_adds(&b->line, "]}\n");
	cli_out(b->line.p, b->line.len);
}

/* Print the vectors of the batch and empty it. Failure ends the process. */
static void flush_batch(struct batch *b)
{
	const size_t n = b->n;
	size_t dimension;
	struct err e;

	b->n = 0;
	if (!n)
		return;
	if (embed_texts(b->encoder, query ? EMBED_QUERY : EMBED_DOCUMENT,
			b->texts, n, &b->vectors, &dimension, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < n; i++)
		print_vector(b, &b->texts[i],
			     (const float *)(const void *)b->vectors.p +
				     i * dimension,
			     dimension);
	cli_flush();
	arena_reset(&b->arena);
}

static void add_text(struct batch *b, const char *p, size_t len)
{
	b->texts[b->n++] =
		(struct embed_text){arena_copy(&b->arena, p, len), len};
	if (b->n == EMBED_BATCH)
		flush_batch(b);
}

/* Add the string "text" of the JSON object P. */
static int add_json(struct batch *b, const char *p, size_t len, size_t number,
		    struct err *e)
{
	const struct value *text;
	struct arena a = {0};
	struct value v;
	struct err why;
	int r = json_parse(p, len, &a, &v, &why);

	text = r < 0 ? NULL : value_get(&v, "text");
	if (text && text->kind == VALUE_STR) {
		add_text(b, text->u.s.p, text->u.s.len);
	} else {
		/* The JSON parser numbers lines from 1, and P is one line. */
		const bool placed = r < 0 && !strncmp(why.text, "1:", 2);

		r = err_set(e, ERR_DATA, "'-':%zu:%s%s", number,
			    placed ? "" : " ",
			    placed  ? why.text + 2
			    : r < 0 ? why.text
				    : "no string 'text'");
	}
	arena_release(&a);
	return r;
}

static void add_input(struct batch *b)
{
	struct lines in = {.fd = 0, .path = "-", .max = INPUT_MAX};
	struct err e;
	const char *p;
	size_t len;
	int r;

	while ((r = io_lines_next(&in, &p, &len, &e))) {
		if (r > 0 && json)
			r = add_json(b, p, len, in.number, &e);
		else if (r > 0)
			add_text(b, p, len);
		if (r < 0)
			cli_complain(&e);
		if (r < 0 && e.code == ERR_SYSTEM)
			break;
	}
	io_lines_release(&in);
}

/* Open the encoder of the user's settings. The project's are ignored. */
static struct embed *open_encoder(const char *argv0, struct arena *a)
{
	const struct settings *s;
	struct embed *encoder;
	struct err e;
	int r = settings_user(&s, a, cli_report(), &e);

	if (r >= 0 && !(r = embed_open(s, argv0, &encoder, &e)))
		r = err_set(&e, ERR_NO, "the settings want no encoder");
	if (r < 0)
		cli_die(&e);
	return encoder;
}

static void check_encoder(struct embed *encoder, const char *argv0)
{
	struct buf out = {0};
	struct err e;

	if (semantic_check(encoder, argv0, queries, qrels, &out, &e) < 0)
		cli_die(&e);
	cli_out(out.p, out.len);
	buf_release(&out);
}

int main(int argc, char **argv)
{
	static struct batch batch;
	int n;
	char **texts = cli_start(&cmd, argc, argv, &n);

	if (!queries != !qrels ||
	    (check ? n || json || query || with_text : queries != NULL))
		cli_usage("--check can be used with --queries and --qrels, and "
			  "no other option");
	batch.encoder = open_encoder(argv[0], &cli_arena);
	if (check)
		check_encoder(batch.encoder, argv[0]);
	for (; *texts; texts++)
		add_text(&batch, *texts, strlen(*texts));
	if (!n && !check)
		add_input(&batch);
	flush_batch(&batch);
	embed_close(batch.encoder);
	buf_release(&batch.vectors);
	buf_release(&batch.line);
	arena_release(&batch.arena);
	return cli_finish(0);
}
