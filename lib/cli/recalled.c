/* recalled.c: text goes through the pager; other formats are printed by
 * out_record(). The hint at conversations costs about a millisecond, and nothing
 * without an index: see conversation_mentions().
 */
#include "cli/recalled.h"

#include "base/date.h"
#include "cli/counter.h"
#include "cli/last.h"
#include "cli/stores.h"
#include "conversation/conversation-search.h"
#include "rank/snippet.h"
#include "repo/settings.h"
#include "search/explain.h"
#include "text/render.h"

#include <unistd.h>

#define FEW 3 /* with fewer answers, conversations are mentioned */

static void find_query_spans(void *ctx, struct spans *spans, const char *p,
			     size_t len)
{
	snippet_spans(spans, p, len, ctx);
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
	render_markdown(out, c, buf_str(&text), text.len);
	buf_release(&text);
}

static void print_text(const struct recall *r, const char *query,
		       const char *kind, const char *color)
{
	struct query question = {0};
	const struct coloring coloring = {find_query_spans, &question},
			      *c = cli_colors(color) ? &coloring : NULL;
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
		if (isatty(STDOUT_FILENO))
			add_rendered(&text, &one, c);
		else
			display_memory(&text, &one, c);
		out_page(&text, false);
	}
	out_page(&text, true);
	if (!r->n && isatty(STDERR_FILENO))
		cli_hint("'co list' shows the memories, 'co learn TEXT' adds "
			 "one");
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
	last_note_answers(ids, n);
	arena_release(&a);
}

/* Say how many conversations mention QUERY. */
static void hint_conversations(const char *query)
{
	const size_t n = conversation_mentions(query);

	if (n)
		cli_hint("%zu%s conversation%s mention%s it: "
			 "--kind=conversation",
			 n, n == CONVERSATION_MENTIONS_MAX ? " or more" : "",
			 n == 1 ? "" : "s", n == 1 ? "s" : "");
}

void recalled_print(const struct recall *r, const char *query,
		    const struct out *out, const char *kind, const char *color,
		    bool unread)
{
	struct arena a = {0};
	struct record one;

	out_doubles(&r->memories);
	if (isatty(STDERR_FILENO))
		note_answers(r);
	if (out_plain(out) && !r->n && (unread || cli_failed())) {
		cli_note("what could be read holds no answer");
	} else if (out_plain(out)) {
		print_text(r, query, kind, color);
		if (!kind && r->n < FEW)
			hint_conversations(query);
	} else {
		for (size_t i = 0; i < r->n; i++) {
			arena_reset(&a);
			recall_get(r, i, &a, &one);
			out_record(out, &one);
		}
	}
	arena_release(&a);
}

void recalled_notes(const struct recall *r, const struct question *q,
		    struct store stores[2], const char *mode, bool explain)
{
	struct buf notes = {0};

	explain_damage(&notes, r->indexes, r->nindexes);
	if (r->degraded)
		buf_addf(&notes, "%s\n", r->degraded);
	out_notes(&notes);
	if (explain && r->mode != RECALL_GREP)
		explain_recall(r, out_notes);
	else if (explain)
		explain_grep(&notes, r, mode, stores, 2);
	if (explain)
		buf_addf(&notes, "%zu shown, at most %zu\n", r->n, q->max);
	out_notes(&notes);
	for (size_t i = 0; !r->n && i < 2; i++)
		cli_hint_broken(&stores[i], q->query);
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
			    const struct question *q)
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
		cli_usage("of the other options, --kind=conversation goes only "
			  "with -n, --since, --until, --all, --json and "
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
	arena_release(&a);
	conversation_index_close(&ix);
	return any;
}
