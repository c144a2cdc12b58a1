/* purge-command.c: collect all versions of the text from git, the trash and the
 * drafts, delete it with purge.h, and search for what remains.
 */
#include "forget/forget.h"

#include "cli/out.h"
#include "cli/stores.h"
#include "forget/purge.h"
#include "history/history.h"
#include "text/sanitize.h"

/* The texts to search for, and the results. */
struct purge_state {
	const struct forget_purge *p;
	bool dry; /* for the current call of purge_run() */
	struct arena arena;
	struct history_want want;
	struct purge_memory memory;
	struct purge_article article;
	struct traces traces;
	struct purge_history found;
	size_t gone;
};

static void print_line(const char *what, const char *path)
{
	struct buf line = {0};

	buf_addf(&line, "%s ", what);
	sanitize_line(&line, path, strlen(path));
	buf_addc(&line, '\n');
	out_buf(&line);
}

static void print_gone(void *ctx, const char *path)
{
	struct purge_state *g = ctx;

	g->gone++;
	print_line(g->dry ? "would remove" : "removed", path);
}

static void print_found(void *ctx, const char *where, const char *type)
{
	struct purge_state *g = ctx;

	purge_note(&g->found, where, type);
	print_line("still in", where);
}

static void print_missed(void *ctx, const char *what)
{
	(void)ctx;
	cli_note("%s", what);
}

/* Search for the text and the names of the version V. */
static void add_version(struct purge_state *g, const struct version *v)
{
	struct traces *t = &g->traces;
	const char *name = strrchr(v->path, '/') + 1, *title;

	if (!v->missing)
		traces_add_text(t, v->text->content, v->text->content_len,
				false);
	strings_add(&g->found.names, arena_strdup(&g->arena, v->path));
	if (v->id)
		purge_add_name(t, name);
	if (!g->article.source)
		return;
	traces_add_name(t,
			arena_printf(&g->arena, LAYOUT_ARTICLES "/%s", name));
	title = value_text(&v->text->fm.data, "title");
	if (title)
		traces_add_text(t, title, strlen(title), false);
}

/* Return true if V is a version of the deleted file. */
static bool is_version(struct purge_state *g, const struct version *v)
{
	const struct purge_memory *m = &g->memory;
	const size_t root = strlen(g->p->s->repo.root.path) + 1;

	if (!v)
		return false;
	if (g->article.source)
		return !v->id &&
		       purge_article_has(&g->article, &v->text->fm.data);
	return !v->id || !m->path || v->missing ||
	       !strcmp(v->path, m->path + root) ||
	       purge_memory_has(m, v->text->p, v->text->len);
}

/* Call history_want() for OPERAND. For words, print a hint at what to type instead: they
 * are not taken, since each word of a secret on a command line is kept by the shell. */
static int want_history(struct purge_state *g, const char *operand,
			struct err *e)
{
	const int r = history_want(&g->want, g->p->s, operand, &g->arena, e);

	if (r == 0 || e->code != ERR_USAGE)
		return r;
	cli_complain(e);
	cli_hint("'co list' shows the ids");
	cli_hint("'co forget --purge --text=-' reads the text to delete");
	cli_end(ERR_USAGE);
}

/* Search for every text and every name that the memory, article or other
 * document OPERAND ever had. */
static void add_versions(struct purge_state *g, const char *operand)
{
	struct store *s = g->p->s;
	struct traces *t = &g->traces;
	struct history h = {0};
	struct err e;

	if (purge_article_find(&g->article, s, operand, &e) < 0)
		cli_die(&e);
	g->want.texts = g->article.source;
	if ((!g->article.source &&
	     (want_history(g, operand, &e) < 0 ||
	      (g->want.id && purge_memory_find(&g->memory, s, operand,
					       &g->arena, &e) < 0))) ||
	    history_load(&h, s, &g->want, &e) < 0)
		cli_die(&e);
	for (size_t i = 0; i < h.n; i++) {
		for (size_t k = 0; k < 2 * h.steps[i].n; k++) {
			const struct history_change *c =
				&h.steps[i].changes[k / 2];
			const struct version *v = k % 2 ? c->was : c->now;

			if (is_version(g, v))
				add_version(g, v);
		}
	}
	if (!g->article.source && is_version(g, h.latest))
		traces_add_text(t, h.latest->text->content,
				h.latest->text->content_len, false);
	if ((g->want.id &&
	     purge_collect(s, g->want.id, &g->memory, t, &e) < 0) ||
	    (g->article.source &&
	     purge_article_collect(&g->article, s, t, &e) < 0))
		cli_die(&e);
	for (size_t i = 0; i < g->article.files.n; i++)
		strings_add(&g->found.names, g->article.files.items[i]);
	for (size_t i = 0; i < g->article.attachments.n; i++)
		strings_add(&g->found.names,
			    arena_printf(&g->arena, "knowledge/%s",
					 g->article.attachments.items[i]));
	cli_note_partial(&h, "what only these say is not looked for");
	t->nmissed += h.partial;
	history_release(&h);
	if (!t->wanted.n) {
		err_set(&e, ERR_USAGE,
			"nothing is known of '%s': --text=- takes its text",
			operand);
		cli_die(&e);
	}
}

static void add_text(struct traces *t)
{
	struct buf text = {0};
	struct err e;

	if (file_read_path("-", LAYOUT_FILE_MAX, &text, &e) < 0)
		cli_die(&e);
	traces_add_text(t, buf_str(&text), text.len, true);
	buf_release(&text);
	if (!t->wanted.n)
		cli_usage("there is no text on standard input");
}

/* Delete it, or if DRY print what would be deleted. */
static void run_purge(struct purge_state *g, bool dry)
{
	struct purge p = {
		.s = g->p->s,
		.traces = &g->traces,
		.id = g->want.id,
		.memory = g->memory,
		.article = g->article.source ? &g->article : NULL,
		.path = g->want.id ? NULL : g->want.path,
		.dry = dry,
		.gone = print_gone,
		.ctx = g,
	};
	struct err e;

	g->dry = dry;
	g->gone = 0;
	if (purge_run(&p, &e) < 0)
		cli_die(&e);
}

/* Print what would be deleted. Return true if the user confirms it, or if there
 * is nothing to delete. */
static bool confirm_purge(struct purge_state *g)
{
	run_purge(g, true);
	if (!g->gone ||
	    (cli_on_terminal() &&
	     cli_ask("Delete it for good? Nothing brings it back. [y/N]")))
		return true;
	cli_note("nothing was deleted");
	if (!cli_on_terminal())
		cli_hint("not a terminal: 'co forget --purge -y%s %s' deletes "
			 "it for good",
			 record_scope_option(g->p->s->repo.root.scope),
			 g->p->operand ? g->p->operand : "--text=-");
	return false;
}

/* Search everywhere, and print the commands that remove it from git. Return the
 * exit status. */
static int search_remains(struct purge_state *g)
{
	struct traces *t = &g->traces;
	struct buf text = {0};
	struct err e;

	if (purge_look(g->p->s, t, &g->found, &g->arena, &e) < 0)
		cli_die(&e);
	if (t->n > g->found.records && g->found.git)
		purge_commands(&text, &g->found);
	else if (g->found.records)
		buf_adds(&text,
			 "\nAgents keep it in their records: delete these "
			 "conversations, and revoke what it opens.\n");
	out_buf(&text);
	return t->nmissed ? ERR_SYSTEM : t->n ? ERR_NO : ERR_NONE;
}

int forget_purge(const struct forget_purge *p)
{
	struct purge_state g = {.p = p, .found.texts = !p->operand};
	int status = ERR_NONE;

	g.traces = (struct traces){
		.found = print_found,
		.missed = print_missed,
		.ctx = &g,
		.progress = p->s->progress,
	};
	if (p->operand)
		add_versions(&g, p->operand);
	else
		add_text(&g.traces);
	if (p->ask && !p->dry && !p->proof && !confirm_purge(&g))
		status = ERR_NO;
	else if (p->proof)
		status = search_remains(&g);
	else {
		run_purge(&g, p->dry);
		status = !p->dry	    ? search_remains(&g)
			 : g.traces.nmissed ? ERR_SYSTEM
					    : ERR_NONE;
	}
	traces_release(&g.traces);
	purge_article_release(&g.article);
	purge_memory_release(&g.memory);
	free(g.found.paths.items);
	free(g.found.names.items);
	arena_release(&g.arena);
	return status;
}
