/* recalled.c: text goes through the pager; other formats are printed by
 * out_record(). The hint at conversations costs about a millisecond: see
 * conversation_mentions(). Without an index it costs nothing, except to a person for
 * whom nothing was found: then the conversations are listed.
 */
#include "cli/recalled.h"

#include "base/date.h"
#include "cache/cache.h"
#include "cli/choose.h"
#include "cli/cli.h"
#include "cli/stores.h"
#include "conversation/conversation-index.h"
#include "format/json-read.h"
#include "rank/rank.h"
#include "repo/record.h"
#include "repo/settings.h"
#include "search/recall.h"
#include "sys/io.h"
#include "text/color.h"
#include "transcript/listing.h"

#include <unistd.h>

#define LINE_MOST ((size_t)1024 * 1024)
#define FEW 3 /* with fewer answers, conversations are mentioned */

static void find_query_spans(void *ctx, struct spans *spans, const char *p,
			     size_t len)
{
	rank_snippet_spans(spans, p, len, ctx);
}

/* Append R for a person: its day is local, and Markdown is rendered. */
static void add_rendered(struct buf *out, struct record *r,
			 const struct coloring *c)
{
	struct buf text = {0};
	char day[DATE_DAY_TEXT];

	if (r->created && *r->created)
		r->created = date_day(r->at, day);
	display_memory(&text, r, c);
	color_markdown(out, c, buf_str(&text), text.len);
	buf_release(&text);
}

/* Append ONE for people or, if no terminal reads it, for programs. */
static void add_one(struct buf *out, struct record *one,
		    const struct coloring *c)
{
	if (isatty(STDOUT_FILENO))
		add_rendered(out, one, c);
	else
		display_memory(out, one, c);
	out_page(out, false);
}

/* Append the records of the remote index. */
static void add_remote(struct buf *out, const struct recalled *r,
		       const struct coloring *c)
{
	const size_t n = r->remote->answer.n;
	struct arena a = {0};

	if (n)
		buf_addf(out, "Found %zu%s in the remote index:\n\n", n,
			 r->local->n ? " more" : "");
	for (size_t i = 0; i < n; i++) {
		struct record one =
			remote_part_record(r->remote, i, r->whole, &a);

		add_one(out, &one, c);
	}
	arena_release(&a);
}

static void print_text(const struct recalled *shown)
{
	const struct recall *r = shown->local;
	const char *query = shown->question->query,
		   *kind = shown->question->kind;
	struct query question = {0};
	const struct coloring coloring = {find_query_spans, &question},
			      *c = cli_colors(shown->color) ? &coloring : NULL;
	struct arena a = {0}, words = {0};
	struct buf text = {0};
	struct record one;
	size_t named = 0;

	if (c)
		query_parse(&question, query, strlen(query), &words);
	for (size_t i = 0; i < r->n; i++)
		named += r->found[i].like.n;
	display_found(&text, r->totals, r->n, named,
		      kind ? record_kind_of(kind) : RECORD_MEMORY, query);
	for (size_t i = 0; i < r->n; i++) {
		arena_reset(&a);
		recall_get(r, i, &a, &one);
		add_one(&text, &one, c);
	}
	add_remote(&text, shown, c);
	out_page(&text, true);
	if (!r->n && !shown->remote->answer.n && isatty(STDERR_FILENO))
		cli_hint("%s, 'co learn TEXT' adds one",
			 shown->absent ? "there are no memories yet: 'co init' "
					 "makes a store here"
				       : "'co list' shows the memories");
	arena_release(&a);
	arena_release(&words);
}

/* Note the answers of R for later commands. */
static void note_answers(const struct recall *r)
{
	const char *ids[LAST_ANSWERS];
	struct arena a = {0};
	struct record one;
	size_t n = 0;

	for (; n < r->n && n < LAST_ANSWERS; n++) {
		recall_get(r, n, &a, &one);
		ids[n] = NULL;
		if (one.kind == RECORD_MEMORY && one.id &&
		    (one.prefix || !one.elsewhere))
			ids[n] = arena_printf(&a, "%s%lld", record_prefix(&one),
					      (long long)one.id);
	}
	cli_note_answers(ids, n);
	arena_release(&a);
}

/* Say how many conversations mention QUERY; or, to a person for whom nothing was FOUND,
 * how many there are that were never indexed. */
static void hint_conversations(const char *query, bool found)
{
	bool indexed;
	size_t n = conversation_mentions(query, &indexed);

	if (n) {
		cli_hint("%zu%s conversation%s mention%s it: "
			 "--kind=conversation",
			 n, n == CONVERSATION_MENTIONS_MAX ? " or more" : "",
			 n == 1 ? "" : "s", n == 1 ? "s" : "");
	} else if (!indexed && !found && isatty(STDERR_FILENO)) {
		n = listing_count();
		if (n)
			cli_hint("--kind=conversation searches %zu "
				 "conversation%s with agents",
				 n, n == 1 ? "" : "s");
	}
}

/* Remove from the remote records those that R shows, too. */
static void drop_local(const struct recalled *r)
{
	struct arena a = {0};
	struct record one;

	for (size_t i = 0; r->remote->answer.n && i < r->local->n; i++) {
		arena_reset(&a);
		recall_get(r->local, i, &a, &one);
		remote_part_drop(r->remote, &one);
	}
	remote_part_finish(r->remote);
	arena_release(&a);
}

/* Print the records of R as JSON or by a template. */
static void print_records(const struct recalled *r, const struct out *out)
{
	struct arena a = {0};
	struct record one;

	for (size_t i = 0; i < r->local->n; i++) {
		arena_reset(&a);
		recall_get(r->local, i, &a, &one);
		out_record(out, &one);
	}
	for (size_t i = 0; i < r->remote->answer.n; i++) {
		arena_reset(&a);
		one = remote_part_record(r->remote, i, r->whole, &a);
		out_record(out, &one);
	}
	arena_release(&a);
}

bool recalled_print(const struct recalled *r, const struct out *out)
{
	const struct recalled_question *q = r->question;
	bool found;

	drop_local(r);
	found = r->local->n || r->remote->answer.n;
	out_doubles(&r->local->memories, false);
	if (isatty(STDERR_FILENO))
		note_answers(r->local);
	if (out_plain(out) && !found && (r->unread || cli_failed())) {
		cli_note("the files that could be read have no answer");
	} else if (out_plain(out)) {
		print_text(r);
		if (!q->kind && r->local->n < FEW)
			hint_conversations(q->query, found);
	} else {
		print_records(r, out);
	}
	return found;
}

void recalled_open(struct recalled_stores *s)
{
	s->unread = false;
	for (size_t i = 0; i < ARRAY_LEN(s->items); i++) {
		struct store *one = &s->items[i];

		s->unread |= !cli_open_store_if(one, i);
		if (one->cache)
			store_put_cache(one, s->caches[i]);
		else
			cache_close(s->caches[i]);
	}
	if (s->kept && (!s->items[0].cache || !s->items[1].cache))
		recall_forget(s->kept);
}

void recalled_close(struct recalled_stores *s, bool keep)
{
	for (size_t i = 0; i < ARRAY_LEN(s->items); i++) {
		s->caches[i] = keep ? store_take_cache(&s->items[i]) : NULL;
		if (!keep)
			store_close(&s->items[i]);
	}
}

void recalled_forget(struct recalled_stores *s)
{
	if (s->kept)
		recall_forget(s->kept);
	for (size_t i = 0; i < ARRAY_LEN(s->caches); i++)
		cache_close(s->caches[i]);
}

void recalled_notes(const struct recall *r, const struct recalled_question *q,
		    struct store stores[2], const char *mode, bool explain)
{
	struct buf notes = {0};

	recall_explain_damage(&notes, r->indexes, r->nindexes);
	if (r->degraded)
		buf_addf(&notes, "%s\n", r->degraded);
	out_notes(&notes);
	if (explain && r->mode != RECALL_GREP)
		recall_explain(r, out_notes);
	else if (explain)
		recall_explain_grep(&notes, r, mode, stores, 2);
	if (explain)
		buf_addf(&notes, "%zu shown, at most %zu\n", r->n, q->max);
	out_notes(&notes);
	for (size_t i = 0; !r->n && i < 2; i++)
		cli_hint_broken(&stores[i], q->query);
	if (!r->n && r->meaning.used && cli_on_terminal())
		cli_hint(
			"'co recall --mode=hybrid %s' shows what is nearest in "
			"meaning",
			q->query);
}

size_t recalled_preset(const struct store stores[2], struct arena *a)
{
	const struct root *project = &stores[0].repo.root,
			  *user = &stores[1].repo.root;
	const struct settings *s = settings_load(
		user->fd, user->path ? user->path : "", project->fd,
		project->path ? project->path : "", a, cli_report());

	return (size_t)settings_int(s, "recall.max_results");
}

static void print_turns(const struct conversation_answer *found,
			const char *query, const char *color)
{
	struct query question = {0};
	const struct coloring coloring = {find_query_spans, &question},
			      *c = cli_colors(color) ? &coloring : NULL;
	struct display_total totals[RECORD_KINDS] = {{0}};
	struct arena words = {0};
	struct buf text = {0};

	if (c)
		query_parse(&question, query, strlen(query), &words);
	totals[RECORD_CONVERSATION] =
		(struct display_total){found->whole, found->partial};
	display_found(&text, totals, found->n, 0, RECORD_CONVERSATION, query);
	for (size_t i = 0; i < found->n; i++)
		conversation_hit_text(&text, &found->hits[i], c);
	out_page(&text, true);
	arena_release(&words);
}

bool recalled_conversations(const struct recalled_conversations *how,
			    const struct recalled_question *q)
{
	const struct conversation_index_ask open = {
		.all = how->all, .progress = counter(), .report = cli_report()};
	struct conversation_index ix;
	struct conversation_answer found;
	struct arena a = {0};
	struct buf text = {0};
	bool any;
	struct err e;

	if (how->other)
		cli_usage("with --kind=conversation, the only other options "
			  "are -n, --since, --until, --all, --json and "
			  "--color");
	if (conversation_index_open(&ix, &open, &e) < 0)
		cli_die(&e);
	counter_clear();
	if (conversation_search(&ix, q->query, q->max, &a, &found, &e) < 0)
		cli_die(&e);
	if (how->out->json) {
		for (size_t i = 0; i < found.n; i++)
			conversation_hit_json(&text, &found.hits[i]);
		out_buf(&text);
	} else {
		print_turns(&found, q->query, *how->color);
	}
	if (ix.in_memory)
		cli_note(
			"the cache directory cannot be used: all conversations "
			"were read");
	if (ix.behind) {
		err_set(&e, ERR_BUSY,
			"another process updates the index of conversations: "
			"the answer may lack the latest");
		cli_complain(&e);
	}
	any = found.n > 0;
	if (!any && !how->all)
		cli_hint("--all searches the conversations of all projects");
	arena_release(&a);
	conversation_index_close(&ix);
	return any;
}

bool recalled_is_blank(const char *query)
{
	return !query || !query[strspn(query, " \t\n")];
}

/* Read Q from V. Return 0, or -1 with ERR_DATA for a malformed question and
 * ERR_USAGE for a blank query. */
static int read_question(struct recalled_question *q, const struct value *v,
			 struct err *e)
{
	const struct value *n = value_get(v, "max"), *k = value_get(v, "kind");
	const struct value *any = value_get(v, "any_scope");

	*q = (struct recalled_question){.query = value_text(v, "query"),
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
	if (recalled_is_blank(q->query))
		return err_set(e, ERR_USAGE, RECALLED_NOTHING);
	q->max = n ? (size_t)n->u.i : 0;
	q->kind = k ? k->u.s.p : NULL;
	q->any_scope = any && any->u.b;
	return 0;
}

static int answer_line(const char *line, size_t len, recalled_question_fn *fn,
		       void *ctx, struct arena *a, struct err *e)
{
	struct recalled_question q;
	struct value v;

	if (json_parse(line, len, a, &v, NULL) < 0 || v.kind != VALUE_MAP)
		v = (struct value){.kind = VALUE_MAP};
	if (read_question(&q, &v, e) < 0)
		return -1;
	return fn(ctx, &q, a);
}

/* Each line is read by itself and each answer flushed, so that a program can use the
 * command interactively. */
void recalled_answer(recalled_question_fn *fn, void *ctx)
{
	struct lines lines = {
		.fd = STDIN_FILENO, .path = "-", .max = LINE_MOST};
	struct arena a = {0};
	const char *p;
	struct err e;
	size_t len;
	int r;

	while ((r = io_lines_next(&lines, &p, &len, &e)) != 0) {
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
	io_lines_release(&lines);
	arena_release(&a);
}
