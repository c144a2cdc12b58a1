/* decide.c: select drafts by options or by name, and print what was done with
 * each.
 */
#include "review/decide.h"

#include "article/article.h"
#include "base/date.h"
#include "cli/saving.h"
#include "harvest/items.h"
#include "repo/marks.h"
#include "review/review.h"
#include "search/projects.h"
#include "store/display.h"
#include "store/drafts.h"
#include "text/sanitize.h"

#include <unistd.h>

/* Print an accepted draft R as a record, the paths it replaced, and the error
 * E. R, REPLACED and E may be NULL, as in review_fn(). */
static void print_accepted(const struct record *r, const char *replaced,
			   const struct err *e, bool json)
{
	if (r)
		out_saved(r,
			  item_drafts_is(r)	 ? "✓ Accepted item"
			  : article_drafts_is(r) ? "✓ Accepted article"
						 : "✓ Accepted memory",
			  json);
	for (size_t len; replaced && *replaced;
	     replaced += len + !!replaced[len]) {
		len = strcspn(replaced, "\n");
		cli_note("'%.*s' is replaced", (int)len, replaced);
	}
	if (e)
		cli_note("%s", e->text);
}

/* Collect the selected drafts or memories into FOUND, by id. Leave out
 * sensitive ones unless SENSITIVE. Return the number left out. */
static size_t collect_selected(const struct decide *d, bool sensitive,
			       struct results *found)
{
	const struct grep_query q = {
		.narrow = {.tags = d->tags.items,
			   .ntags = d->tags.n,
			   .lifted = MARK_SENSITIVE | MARK_OTHER_LANGUAGE |
				     (d->due ? 0 : marks_past()),
			   .marks = d->due ? MARK_DUE : 0}};
	const enum area area = d->due ? AREA_MEMORIES : AREA_DRAFTS;
	struct arena a = {0};
	struct record r;
	size_t n = 0, hidden = 0;
	struct err e;

	*found = (struct results){.order = RESULTS_BY_ID, .whole = d->json};
	if (grep_collect(d->s, area, &q, found, &e) < 0)
		cli_die(&e);
	results_sort(found);
	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&a);
		results_get(found, &found->items[i], &a, &r);
		if (d->source &&
		    (!r.source || strcmp(r.source, d->source) != 0))
			continue;
		if (!sensitive && record_marks(&r) & MARK_SENSITIVE)
			hidden++;
		else
			found->items[n++] = found->items[i];
	}
	found->n = n;
	arena_release(&a);
	return hidden;
}

void decide_choose(const struct decide *d, struct strings *names,
		   struct arena *a)
{
	struct results found;
	struct record r;

	collect_selected(d, true, &found);
	for (size_t i = 0; i < found.n; i++) {
		results_get(&found, &found.items[i], a, &r);
		strings_add(names, arena_strdup(a, r.path));
	}
	results_release(&found);
}

/* Append what the writer of R had read from outside. */
static void add_read(struct buf *line, const struct record *r)
{
	struct arena a = {0};
	struct value read;
	const struct value *item;
	const bool has = record_find_key(r, "read", &a, &read) == 1;

	for (size_t i = 0; has && (item = value_item(&read, i)); i++) {
		buf_adds(line, i ? ", " : ", which read ");
		if (item->kind == VALUE_STR)
			sanitize_line(line, item->u.s.p, item->u.s.len);
	}
	arena_release(&a);
}

/* Print a line for each of the drafts FOUND, with its source unless that is the
 * user. */
static void list_drafts(const struct results *found)
{
	struct arena a = {0};
	struct record r;

	for (size_t i = 0; i < found->n; i++) {
		struct buf line = {0};

		arena_reset(&a);
		results_get(found, &found->items[i], &a, &r);
		out_add_line(&line, &r, NULL);
		if (r.id && r.source && strcmp(r.source, ADD_FROM) != 0) {
			buf_cut(&line, line.len - 1);
			buf_adds(&line, " (from ");
			sanitize_line(&line, r.source, strlen(r.source));
			add_read(&line, &r);
			buf_adds(&line, ")\n");
		}
		out_buf(&line);
	}
	arena_release(&a);
}

void decide_list(const struct decide *d)
{
	const struct out out = {.json = d->json};
	struct results found;
	const size_t hidden = collect_selected(d, d->sensitive, &found);

	if (hidden)
		cli_note("not listed, being sensitive: %zu; --sensitive lists "
			 "them",
			 hidden);
	out_doubles(&found, false);
	if (d->json)
		out_found(&out, &found, false, SIZE_MAX);
	else if (d->due)
		out_lines(&found, true);
	else
		list_drafts(&found);
	results_release(&found);
}

/* With `same`, read the expected text from standard input into SHOWN, take the
 * lock, and return SHOWN. Otherwise return NULL. End the process if that
 * fails. */
static const struct buf *begin_comparison(const struct decide *d,
					  struct buf *shown)
{
	struct err e;

	if (!d->same)
		return NULL;
	if (file_read_path("-", STORE_FILE_MAX, shown, &e) < 0 ||
	    store_lock(d->s, &e) < 0)
		cli_die(&e);
	return shown;
}

static void end_comparison(const struct decide *d, struct buf *shown)
{
	if (d->same)
		store_unlock(d->s);
	buf_release(shown);
}

/* Accept the draft NAME if its text is SHOWN (NULL: any). Set R to the draft,
 * then to the memory saved. */
static int accept_named(const struct decide *d, const char *name,
			const struct buf *shown, struct arena *a,
			struct record *r, const char **replaced, struct err *e)
{
	*replaced = NULL;
	if (drafts_find_same(d->s, name, shown, a, r, e) < 0)
		return -1;
	return review_accept_draft(d->s, r->path, NULL, a, r, replaced, e);
}

void decide_accept(const struct decide *d, const struct strings *names)
{
	struct buf text = {0};
	const struct buf *shown = begin_comparison(d, &text);
	struct arena a = {0};
	const char *replaced;
	struct record r;
	struct err e;

	store_batch(d->s);
	for (size_t i = 0; i < names->n; i++) {
		arena_reset(&a);
		if (accept_named(d, names->items[i], shown, &a, &r, &replaced,
				 &e) < 0)
			cli_complain(&e);
		else {
			if (names->n == 1 && !item_drafts_is(&r) &&
			    !article_drafts_is(&r))
				cli_confirm_saved(d->s, &r, &a);
			print_accepted(&r, replaced, NULL, d->json);
		}
	}
	arena_release(&a);
	end_comparison(d, &text);
}

/* All drafts are rejected in one operation, so that one undo restores them. */
void decide_reject(const struct decide *d, const struct strings *names)
{
	struct buf text = {0};
	const struct buf *shown = begin_comparison(d, &text);
	struct arena a = {0};
	const size_t n = names->n;
	const char **paths = arena_alloc(&a, n * sizeof(*paths));
	const char **moved = arena_alloc(&a, n * sizeof(*moved));
	struct record *drafts = arena_alloc(&a, n * sizeof(*drafts));
	size_t found = 0;
	struct err e;

	for (size_t i = 0; i < n; i++) {
		if (drafts_find_same(d->s, names->items[i], shown, &a,
				     &drafts[found], &e) < 0) {
			cli_complain(&e);
			continue;
		}
		paths[found] = drafts[found].path;
		found++;
	}
	if (drafts_reject(d->s, paths, found, &a, moved, &e) < 0)
		cli_complain(&e);
	for (size_t i = 0; i < found; i++) {
		drafts[i].path = moved[i];
		if (moved[i])
			out_saved(&drafts[i], "✓ Rejected draft", d->json);
	}
	if (found && moved[0] && cli_on_terminal())
		cli_hint("'co undo%s' brings %s back",
			 d->s->repo.root.scope == SCOPE_GLOBAL ? " --global"
							       : "",
			 found == 1 ? "it" : "them");
	arena_release(&a);
	end_comparison(d, &text);
}

/* Print that R is kept until DATE, or without a limit if DATE is NULL. */
static void print_kept(const struct record *r, const char *date, bool json)
{
	struct buf text = {0};

	buf_addf(&text, "✓ Kept %s%s%s", strrchr(r->path, '/') + 1,
		 date ? " until " : "", date ? date : "");
	out_done(r, &text, "review_after", date, json);
	buf_release(&text);
}

void decide_keep(const struct decide *d, const struct strings *names,
		 const char *when)
{
	const bool never = !strcmp(when, "never");
	char date[INSTANT_TEXT] = "";
	struct value value;
	struct arena a = {0};
	struct record kept;
	const char *path;
	struct err e;

	if (!never && date_ahead(when, date, &e) < 0)
		cli_usage("--keep: %s", e.text);
	value = value_str(date);
	for (size_t i = 0; i < names->n; i++) {
		const char *name = names->items[i];
		int r = store_locate(d->s, AREA_MEMORIES, name, &a, &path, &e);

		if (!r)
			r = store_absent(d->s, name, &e);
		if (r > 0)
			r = save_edit(d->s,
				      &(struct save_edit){
					      .path = path,
					      .keys = "review-after",
					      .value = never ? NULL : &value},
				      NULL, NULL, &e);
		if (r >= 0)
			r = store_read(d->s, path, &a, &kept, &e);
		if (r < 0)
			cli_complain(&e);
		else if (r > 0)
			print_kept(&kept, never ? NULL : date, d->json);
	}
	arena_release(&a);
}

static void print_walk_accepted(const struct record *r, const char *replaced,
				const struct err *e)
{
	print_accepted(r, replaced, e, false);
}

/* Append the path of NAME, a draft or with `due` the path of a memory, to PATHS. Report
 * a name that there is no draft for. */
static void add_draft_path(const struct decide *d, const char *name,
			   struct strings *paths)
{
	struct record r;
	struct err e;

	if (d->due)
		strings_add(paths, name);
	else if (drafts_find_same(d->s, name, NULL, &cli_arena, &r, &e) == 0)
		strings_add(paths, r.path);
	else
		cli_complain(&e);
}

void decide_walk(const struct decide *d, const struct strings *names)
{
	static const struct coloring coloring;
	const bool global = d->s->repo.root.scope == SCOPE_GLOBAL;
	struct strings paths = {0};
	struct review v;
	struct err e;
	int r;

	for (size_t i = 0; names && i < names->n; i++)
		add_draft_path(d, names->items[i], &paths);
	strings_add(&paths, NULL);
	r = review_begin(&v, d->s, names ? paths.items : NULL, paths.n - 1, &e);
	v.due = d->due;
	if (!r && (!names || paths.n > 1))
		r = review_walk(&v, cli_colors(d->color) ? &coloring : NULL,
				print_walk_accepted, &e);
	if (r < 0)
		cli_complain(&e);
	if (v.counts[REVIEW_REJECTED])
		cli_hint("'co forget --undo%s'%s brings back what %s",
			 global ? " --global" : "",
			 d->s->elsewhere ? " in that project" : "",
			 d->due ? "was forgotten" : "was rejected");
	review_release(&v);
	free(paths.items);
}

/* The state of a pass over several projects. */
struct all_projects {
	struct decide *d;
	bool ask; /* ask about each draft; false: list them */
	size_t n; /* drafts found */
};

static void decide_in(void *ctx, struct store *s)
{
	struct all_projects *v = ctx;
	struct decide *d = v->d;
	const bool chosen = d->tags.n || d->source;
	struct strings names = {0};
	struct arena a = {0};
	struct err e;
	size_t n = 0;

	d->s = s;
	if (store_count(s, AREA_DRAFTS, &n, &e) < 0)
		cli_complain(&e);
	if (n && chosen) {
		decide_choose(d, &names, &a);
		n = names.n;
	}
	if (n && v->ask && drafts_settle(s, &e) < 0)
		cli_complain(&e);
	if (n && v->ask && s->elsewhere)
		cli_note("in '%s':", s->elsewhere);
	if (n && v->ask)
		decide_walk(d, chosen ? &names : NULL);
	else if (n)
		decide_list(d);
	v->n += n;
	free(names.items);
	arena_release(&a);
}

int decide_everywhere(struct decide *d, bool list)
{
	struct store *own = d->s;
	struct all_projects v = {.d = d};

	v.ask = !list && cli_on_terminal() && isatty(STDOUT_FILENO);
	projects_each(own, decide_in, &v);
	d->s = own;
	if (v.n && !v.ask && !list) {
		cli_note("nothing was changed");
		cli_hint("not a terminal: 'co -C DIR review --accept ID' or "
			 "'--reject ID' decides");
		return ERR_NO;
	}
	if (!v.n && !list)
		cli_note("no drafts wait");
	return ERR_NONE;
}

void decide_hint_global(bool due)
{
	const struct grep_query q = {
		.narrow = {.lifted = MARK_SENSITIVE | MARK_OTHER_LANGUAGE,
			   .marks = due ? MARK_DUE : 0}};
	const enum area area = due ? AREA_MEMORIES : AREA_DRAFTS;
	struct store other;
	size_t n = 0;

	if (store_open(&other, SCOPE_GLOBAL, NULL, NULL) < 0)
		return;
	if ((due ? grep_count(&other, area, &q, &n, NULL)
		 : store_count(&other, area, &n, NULL)) == 0 &&
	    n)
		cli_hint("%zu %s in your own store: 'co review %s--global'", n,
			 due	  ? n == 1 ? "is due" : "are due"
			 : n == 1 ? "waits"
				  : "wait",
			 due ? "--due " : "");
	store_close(&other);
}
