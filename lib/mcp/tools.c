/* tools.c: what the program of a tool prints becomes the answer.
 *
 * Every step of a call is a function that finds what came before in m->ended.
 */
#include "mcp/mcp.h"

#include "mcp/tool.h"
#include "sys/file.h"

#define READ_MS 20000
#define BAD_PLACE "'before' must be what an earlier answer gave as 'next'"

/* The answer was printed, or there is none. */
static bool succeeded(const struct mcp *m)
{
	return m->ended.status <= ERR_NO && !m->ended.late && !m->ended.flooded;
}

/* Note R in the ledger as EVENT, and answer with R; if MADE is -1, with E instead. */
static void finish(struct mcp *m, struct mcp_call *c, const char *event,
		   struct mcp_result *r, int made, const struct err *e)
{
	if (made < 0) {
		mcp_result_release(r);
		mcp_result_failure(r, "the answer cannot be read: ", e->text,
				   strlen(e->text));
	}
	mcp_call_note(c, event, r);
	mcp_call_reply(m, c, r);
}

/* The program that went on since the last call was killed: once, another is to
 * answer. */
static bool is_lost(const struct mcp *m, const struct mcp_call *c)
{
	return m->ended.serves && m->ended.status > 128 && !m->ended.late &&
	       !m->ended.flooded && !c->state;
}

static void recall_end(struct mcp *m, struct mcp_call *c)
{
	const struct value *query = mcp_call_arg(c, "query");
	struct mcp_result r = {0};
	struct err e;
	int made;

	if (is_lost(m, c)) {
		c->state = c;
		mcp_tools_recall(m, c);
		return;
	}
	if (mcp_call_has_nothing(m)) {
		mcp_call_fail(m, c, "nothing could be recalled: ");
		return;
	}
	made = mcp_result_recall(&r, buf_str(&m->ended.output),
				 m->ended.output.len, query->u.s.p, &e);
	if (made == 0)
		mcp_call_add_unread(m, &r);
	finish(m, c, c->tool->name, &r, made, &e);
}

static bool is_set(const struct mcp_call *c, const char *name)
{
	const struct value *v = mcp_call_arg(c, name);

	return v && v->u.b;
}

/* Send the question as a line to the program that stays. Return false if it is too
 * long. */
static bool recall_by_line(struct mcp *m, struct mcp_call *c)
{
	const struct value *max = mcp_call_arg(c, "max_results");
	const struct value *kind = mcp_call_arg(c, "kind");
	const struct value *path = mcp_call_arg(c, "path");
	const struct value *query = mcp_call_arg(c, "query");
	const char *argv[] = {"co-recall", "--json", "--batch",
			      m->everywhere ? "--all-projects" : NULL, NULL};
	struct buf line = {0};
	bool fits;

	json_write_open(&line, NULL, '{');
	json_write_bytes(&line, "query", query->u.s.p, query->u.s.len);
	if (max)
		json_write_int(&line, "max", max->u.i);
	if (kind)
		json_write_text(&line, "kind", kind->u.s.p);
	if (path)
		json_write_bytes(&line, "path", path->u.s.p, path->u.s.len);
	if (is_set(c, "any_scope"))
		json_write_bool(&line, "any_scope", true);
	json_write_end(&line);
	fits = line.len <= PROCESS_LINE_MAX;
	if (fits)
		mcp_call_serve(m, c, argv, line.p, line.len, READ_MS,
			       recall_end);
	buf_release(&line);
	return fits;
}

void mcp_tools_recall(struct mcp *m, struct mcp_call *c)
{
	const char **argv;
	size_t n;

	if (recall_by_line(m, c))
		return;
	argv = mcp_tool_argv(c, 3, &n);
	if (m->everywhere)
		argv[n++] = "--all-projects";
	argv[n++] = "--";
	argv[n] = mcp_call_arg(c, "query")->u.s.p;
	mcp_call_run(m, c, argv, NULL, 0, READ_MS, recall_end);
}

static void list_end(struct mcp *m, struct mcp_call *c)
{
	struct mcp_result r = {0};
	struct err e;
	int made;

	if (mcp_call_has_nothing(m)) {
		mcp_call_fail(m, c, "the memories cannot be listed: ");
		return;
	}
	made = mcp_result_list(&r, buf_str(&m->ended.output),
			       m->ended.output.len, c->state, &e);
	if (made == 0)
		mcp_call_add_unread(m, &r);
	finish(m, c, SHOWN_LIST, &r, made, &e);
}

void mcp_tools_list(struct mcp *m, struct mcp_call *c)
{
	const struct value *before = mcp_call_arg(c, "before");
	struct mcp_result r = {0};
	const char **argv;
	size_t n;

	if (before)
		c->state = arena_alloc(&c->arena, sizeof(struct cursor));
	if (before && !cursor_parse(c->state, before->u.s.p, &c->arena)) {
		mcp_result_failure(&r, "", BAD_PLACE, strlen(BAD_PLACE));
		mcp_call_reply(m, c, &r);
		return;
	}
	argv = mcp_tool_argv(c, 0, &n);
	mcp_call_run(m, c, argv, NULL, 0, READ_MS, list_end);
}

static void show_end(struct mcp *m, struct mcp_call *c)
{
	const struct value *asked = mcp_call_arg(c, "id");
	struct mcp_result r = {0};
	int64_t id = 0;
	struct err e;
	bool global;
	int made;

	if (!m->ended.output.len || !succeeded(m)) {
		mcp_call_fail(m, c, "");
		return;
	}
	if (asked)
		mcp_tool_is_id(asked, &id, &global);
	made = mcp_result_show(&r, m->ended.output.p, m->ended.output.len, id,
			       NULL, true, &e);
	finish(m, c, c->tool->name, &r, made, &e);
}

void mcp_tools_show_memory(struct mcp *m, struct mcp_call *c, int64_t id,
			   bool global, mcp_call_fn *then)
{
	const char *argv[5] = {"co-memory-show", "--json"};
	size_t n = 2;

	if (global)
		argv[n++] = "--global";
	argv[n] = arena_printf(&c->arena, "%lld", (long long)id);
	mcp_call_run(m, c, argv, NULL, 0, READ_MS, then);
}

bool mcp_tools_shown(const struct mcp *m)
{
	return m->ended.output.len || m->ended.status != ERR_NO;
}

/* No such memory in the project: the user's store may have it. */
static void show_next(struct mcp *m, struct mcp_call *c)
{
	int64_t id;
	bool global;

	mcp_tool_is_id(mcp_call_arg(c, "id"), &id, &global);
	if (mcp_tools_shown(m))
		show_end(m, c);
	else
		mcp_tools_show_memory(m, c, id, true, show_end);
}

/* An article that is looked for, by its file. */
struct wanted_article {
	const char *file;
	bool global; /* the user's are looked at */
	bool go_on;  /* they are to be where the project has none */
	mcp_call_fn *then;
};

static void list_articles(struct mcp *m, struct mcp_call *c);

/* The path of the article FILE of those that were listed, in A, or NULL. */
static const char *article_path(const struct buf *listed, const char *file,
				struct arena *a)
{
	size_t at = 0;
	struct value v;

	while (json_parse_at(buf_str(listed), listed->len, &at, a, &v, NULL) >
	       0) {
		const char *path = value_text(&v, "path");

		if (path && !strcmp(file_name_of(path), file))
			return path;
	}
	return NULL;
}

static void articles_listed(struct mcp *m, struct mcp_call *c)
{
	struct wanted_article *w = c->state;
	const char *argv[5] = {"co-memory-show", "--json"};
	const char *path = article_path(&m->ended.output, w->file, &c->arena);
	size_t n = 2;

	if (w->global)
		argv[n++] = "--global";
	argv[n] = path;
	if (path) {
		mcp_call_run(m, c, argv, NULL, 0, READ_MS, w->then);
	} else if (m->ended.status > ERR_NO) {
		mcp_call_fail(m, c, "the articles cannot be listed: ");
	} else if (w->go_on) {
		w->global = true;
		w->go_on = false;
		list_articles(m, c);
	} else {
		buf_cut(&m->ended.output, 0);
		w->then(m, c);
	}
}

static void list_articles(struct mcp *m, struct mcp_call *c)
{
	const struct wanted_article *w = c->state;
	const char *argv[] = {"co-article-list", "--json",
			      w->global ? "--global" : NULL, NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, articles_listed);
}

void mcp_tools_show_article(struct mcp *m, struct mcp_call *c, const char *file,
			    const char *scope, mcp_call_fn *then)
{
	struct wanted_article *w = arena_alloc(&c->arena, sizeof(*w));

	*w = (struct wanted_article){
		.file = file_name_of(file),
		.global = scope && !strcmp(scope, "global"),
		.go_on = !scope,
		.then = then,
	};
	c->state = w;
	list_articles(m, c);
}

static void show_article_end(struct mcp *m, struct mcp_call *c)
{
	const struct wanted_article *w = c->state;
	struct mcp_result r = {0};
	const char *text;

	if (m->ended.output.len) {
		show_end(m, c);
		return;
	}
	text = arena_printf(&c->arena, "no article '%s'", w->file);
	mcp_result_failure(&r, "", text, strlen(text));
	mcp_call_reply(m, c, &r);
}

void mcp_tools_show(struct mcp *m, struct mcp_call *c)
{
	const struct value *article = mcp_call_arg(c, "article");
	const struct value *scope = mcp_call_arg(c, "scope");
	int64_t id;
	bool global;

	if (article) {
		mcp_tools_show_article(m, c, article->u.s.p,
				       scope ? scope->u.s.p : NULL,
				       show_article_end);
		return;
	}
	mcp_tool_is_id(mcp_call_arg(c, "id"), &id, &global);
	mcp_tools_show_memory(m, c, id, global || value_is(scope, "global"),
			      scope || global ? show_end : show_next);
}
