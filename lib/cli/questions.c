/* questions.c: read one line at a time and flush each answer, so that a program
 * can use the command interactively.
 */
#include "cli/questions.h"

#include "cli/cli.h"
#include "format/json-read.h"
#include "repo/record.h"
#include "sys/lines.h"

#include <unistd.h>

#define LINE_MOST ((size_t)1024 * 1024)

bool questions_is_blank(const char *query)
{
	return !query || !query[strspn(query, " \t\n")];
}

/* Read Q from V. Return 0, or -1 with ERR_DATA for a malformed question and
 * ERR_USAGE for a blank query. */
static int read_question(struct question *q, const struct value *v,
			 struct err *e)
{
	const struct value *n = value_get(v, "max"), *k = value_get(v, "kind");
	const struct value *any = value_get(v, "any_scope");

	*q = (struct question){.query = value_text(v, "query"),
			       .path = value_text(v, "path")};
	if (!q->query || (n && (n->kind != VALUE_INT || n->u.i < 1)) ||
	    (k && !value_is(k, "memory") && !value_is(k, "item") &&
	     !value_is(k, "article") && !value_is(k, "conversation")) ||
	    (value_get(v, "path") && !q->path) ||
	    (any && any->kind != VALUE_BOOL))
		return err_set(e, ERR_DATA,
			       "no question: a line is as {\"query\":\"what\","
			       "\"max\":5,\"kind\":\"memory\","
			       "\"path\":\"a.c\",\"any_scope\":true}");
	if (questions_is_blank(q->query))
		return err_set(e, ERR_USAGE, QUESTIONS_NOTHING);
	q->max = n ? (size_t)n->u.i : 0;
	q->kind = k ? k->u.s.p : NULL;
	q->any_scope = any && any->u.b;
	return 0;
}

static int answer_line(const char *line, size_t len, question_fn *fn, void *ctx,
		       struct arena *a, struct err *e)
{
	struct question q;
	struct value v;

	if (json_parse(line, len, a, &v, NULL) < 0 || v.kind != VALUE_MAP)
		v = (struct value){.kind = VALUE_MAP};
	if (read_question(&q, &v, e) < 0)
		return -1;
	return fn(ctx, &q, a);
}

void questions_answer(question_fn *fn, void *ctx)
{
	struct lines lines = {
		.fd = STDIN_FILENO, .path = "-", .max = LINE_MOST};
	struct arena a = {0};
	const char *p;
	struct err e;
	size_t len;
	int r;

	while ((r = lines_next(&lines, &p, &len, &e)) != 0) {
		if (r > 0)
			r = answer_line(p, len, fn, ctx, &a, &e);
		else if (e.code != ERR_DATA)
			cli_die(&e);
		if (r < 0)
			cli_complain(&e);
		cli_outf("%d\n", cli_next(r == 1 ? ERR_NONE : ERR_NO));
		cli_flush();
		arena_reset(&a);
	}
	lines_release(&lines);
	arena_release(&a);
}
