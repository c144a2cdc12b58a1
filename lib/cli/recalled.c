/* recalled.c: text goes through the pager; other formats are printed by
 * out_record().
 */
#include "cli/recalled.h"

#include "base/date.h"
#include "cli/last.h"
#include "rank/snippet.h"
#include "repo/settings.h"
#include "search/explain.h"
#include "text/render.h"

#include <unistd.h>

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

	if (c)
		query_parse(&question, query, strlen(query), &words);
	display_found(&text, r->totals, r->n,
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
	} else {
		for (size_t i = 0; i < r->n; i++) {
			arena_reset(&a);
			recall_get(r, i, &a, &one);
			out_record(out, &one);
		}
	}
	arena_release(&a);
}

void recalled_notes(const struct recall *r, const struct store stores[2],
		    const char *mode, size_t max, bool explain)
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
		buf_addf(&notes, "%zu shown, at most %zu\n", r->n, max);
	out_notes(&notes);
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
