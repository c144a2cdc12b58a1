/* tools.c: arguments are checked and become a program's; what the program
 * prints becomes the answer.
 *
 * Every step of a call is a function that finds what came before in m->ended.
 * Saving has a file of its own: save.c.
 */
#include "mcp/tools.h"

#include "format/json-read.h"
#include "format/json-write.h"
#include "mcp/save.h"
#include "mcp/tables.h"

#define READ_MS 20000
#define TOOLS 5
#define BAD_PLACE "'before' must be what an earlier answer gave as 'next'"

/* True if V, which is ARG's, holds what ARG takes. */
static bool is_fit(const struct mcp_arg *arg, const struct value *v)
{
	bool global;
	int64_t id;

	switch (arg->kind) {
	case MCP_ARG_TEXT:
		return v->kind == VALUE_STR;
	case MCP_ARG_TEXTS:
		for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n;
		     i++) {
			if (v->u.list.items[i].kind != VALUE_STR ||
			    strlen(v->u.list.items[i].u.s.p) !=
				    v->u.list.items[i].u.s.len)
				return false;
		}
		return v->kind == VALUE_LIST;
	case MCP_ARG_ID:
		return mcp_tables_is_id(v, &id, &global);
	case MCP_ARG_COUNT:
		return v->kind == VALUE_INT && v->u.i >= 1 &&
		       v->u.i <= MCP_TABLES_COUNT_MAX;
	case MCP_ARG_FLAG:
		return v->kind == VALUE_BOOL;
	case MCP_ARG_KIND:
		return value_is(v, "memory") || value_is(v, "item") ||
		       value_is(v, "article");
	case MCP_ARG_SCOPE:
		return value_is(v, "project") || value_is(v, "global");
	}
	return false;
}

static const char *wanted(const struct mcp_arg *arg)
{
	switch (arg->kind) {
	case MCP_ARG_TEXT:
		return "must be a string";
	case MCP_ARG_TEXTS:
		return "must be a list of strings without NUL";
	case MCP_ARG_ID:
		return "must be the number of a memory";
	case MCP_ARG_COUNT:
		return "must be a whole number from 1 to 100";
	case MCP_ARG_FLAG:
		return "must be true or false";
	case MCP_ARG_SCOPE:
		return "must be project or global";
	case MCP_ARG_KIND:
		return "must be memory, item or article";
	}
	return "";
}

static bool takes(const struct mcp_tool *t, const struct value *name)
{
	for (size_t i = 0; i < MCP_TABLES_ARGS && t->args[i].name; i++) {
		if (value_is(name, t->args[i].name))
			return true;
	}
	return false;
}

static bool is_given(const struct value *arguments, const char *name)
{
	const struct value *v = value_get(arguments, name);

	return v && v->kind != VALUE_NULL;
}

/* Append what is wrong with ARGUMENTS; false where nothing is. */
static bool find_fault(struct buf *why, const struct mcp_tool *t,
		       const struct value *arguments)
{
	for (size_t i = 0; i < MCP_TABLES_ARGS && t->args[i].name; i++) {
		const struct mcp_arg *arg = &t->args[i];
		const struct value *v = value_get(arguments, arg->name);

		if (v && v->kind == VALUE_NULL && !arg->required)
			continue;
		if (!v && arg->required)
			buf_addf(why, "'%s' is required", arg->name);
		else if (v && !is_fit(arg, v))
			buf_addf(why, "'%s' %s", arg->name, wanted(arg));
		if (why->len)
			return true;
	}
	if (!strcmp(t->name, "show_memory") &&
	    is_given(arguments, "id") == is_given(arguments, "article")) {
		buf_adds(why,
			 is_given(arguments, "id")
				 ? "'id' or 'article' is required, not both"
				 : "'id' is required");
		return true;
	}
	for (size_t i = 0; i < arguments->u.map.n; i++) {
		if (takes(t, &arguments->u.map.pairs[i].key))
			continue;
		buf_addf(why, "%s takes ", t->name);
		for (size_t k = 0; k < MCP_TABLES_ARGS && t->args[k].name; k++)
			buf_addf(why, "%s%s", k ? ", " : "", t->args[k].name);
		buf_adds(why, t->args[0].name ? " and nothing else"
					      : "no arguments");
		return true;
	}
	return false;
}

/* The answer was printed, or there is none. */
static bool succeeded(const struct mcp *m)
{
	return m->ended.status <= ERR_NO && !m->ended.late && !m->ended.flooded;
}

/* Answer with R, where R could be made; else say why not. */
static void finish(struct mcp *m, struct mcp_call *c, struct mcp_result *r,
		   int made, const struct err *e)
{
	if (made < 0) {
		mcp_result_release(r);
		mcp_result_failure(r, "the answer cannot be read: ", e->text,
				   strlen(e->text));
	}
	mcp_call_reply(m, c, r);
}

static void recall(struct mcp *m, struct mcp_call *c);

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
	struct mcp_result r = {0}, fault = {0};
	struct err e;
	int made;

	if (is_lost(m, c)) {
		c->state = c;
		recall(m, c);
		return;
	}
	if (!succeeded(m) && !m->ended.output.len) {
		mcp_call_fail(m, c, "nothing could be recalled: ");
		return;
	}
	made = mcp_result_recall(&r, buf_str(&m->ended.output),
				 m->ended.output.len, query->u.s.p, &e);
	if (made == 0 && !succeeded(m)) {
		mcp_result_failure(&fault, "Not all could be read: ",
				   buf_str(&m->ended.errors),
				   m->ended.errors.len);
		buf_add(&r.text, fault.text.p, fault.text.len);
		mcp_result_release(&fault);
	}
	finish(m, c, &r, made, &e);
}

static bool is_set(const struct mcp_call *c, const char *name)
{
	const struct value *v = mcp_call_arg(c, name);

	return v && v->u.b;
}

/* Ask by a line what is asked every now and then; false where it is too long. */
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
	json_write_close(&line, '}');
	buf_addc(&line, '\n');
	fits = line.len <= PROCESS_LINE_MAX;
	if (fits)
		mcp_call_serve(m, c, argv, line.p, line.len, READ_MS,
			       recall_end);
	buf_release(&line);
	return fits;
}

static void recall(struct mcp *m, struct mcp_call *c)
{
	const struct value *max = mcp_call_arg(c, "max_results");
	const struct value *kind = mcp_call_arg(c, "kind");
	const struct value *path = mcp_call_arg(c, "path");
	const char *argv[11] = {"co-recall", "--json"};
	size_t n = 2;

	if (recall_by_line(m, c))
		return;

	if (max) {
		argv[n++] = "-n";
		argv[n++] =
			arena_printf(&c->arena, "%lld", (long long)max->u.i);
	}
	if (kind)
		argv[n++] = arena_printf(&c->arena, "--kind=%s", kind->u.s.p);
	if (path)
		argv[n++] =
			arena_printf(&c->arena, "--for-path=%s", path->u.s.p);
	if (is_set(c, "any_scope"))
		argv[n++] = "--any-scope";
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

	if (!succeeded(m) && !m->ended.output.len) {
		mcp_call_fail(m, c, "the memories cannot be listed: ");
		return;
	}
	made = mcp_result_list(&r, buf_str(&m->ended.output),
			       m->ended.output.len, c->state, &e);
	finish(m, c, &r, made, &e);
}

static void list(struct mcp *m, struct mcp_call *c)
{
	const char *argv[] = {"co-knowledge", "--list", "--json", NULL};
	const struct value *before = mcp_call_arg(c, "before");
	struct mcp_result r = {0};

	if (before)
		c->state = arena_alloc(&c->arena, sizeof(struct cursor));
	if (before && !cursor_parse(c->state, before->u.s.p, &c->arena)) {
		mcp_result_failure(&r, "", BAD_PLACE, strlen(BAD_PLACE));
		mcp_call_reply(m, c, &r);
		return;
	}
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
		mcp_tables_is_id(asked, &id, &global);
	made = mcp_result_show(&r, m->ended.output.p, m->ended.output.len, id,
			       NULL, true, &e);
	finish(m, c, &r, made, &e);
}

void mcp_tools_show(struct mcp *m, struct mcp_call *c, int64_t id, bool global,
		    mcp_call_fn *then)
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

	mcp_tables_is_id(mcp_call_arg(c, "id"), &id, &global);
	if (mcp_tools_shown(m))
		show_end(m, c);
	else
		mcp_tools_show(m, c, id, true, show_end);
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

		if (path && !strcmp(cursor_file_of(path), file))
			return path;
		while (at < listed->len && listed->p[at] == '\n')
			at++;
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
		.file = cursor_file_of(file),
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

static void show(struct mcp *m, struct mcp_call *c)
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
	mcp_tables_is_id(mcp_call_arg(c, "id"), &id, &global);
	mcp_tools_show(m, c, id, global || value_is(scope, "global"),
		       scope || global ? show_end : show_next);
}

void mcp_tools_call(struct mcp *m, struct mcp_call *c)
{
	static const struct {
		const char *name;
		mcp_call_fn *start;
	} starts[TOOLS] = {{"recall_memory", recall},
			   {"save_memory", mcp_save_start},
			   {"save_article", mcp_save_start},
			   {"list_memories", list},
			   {"show_memory", show}};
	const struct value none = {.kind = VALUE_MAP};
	const struct value *arguments = value_get(c->params, "arguments");
	const char *name = value_text(c->params, "name");
	const struct mcp_tool *t = name ? mcp_tables_tool(name) : NULL;
	struct mcp_result r = {0};
	struct buf why = {0};
	size_t i = 0;

	if (!t || (arguments && arguments->kind != VALUE_MAP)) {
		mcp_call_refuse(m, c, RPC_PARAMS,
				t ? "arguments must be an object"
				  : "no such tool; tools/list names them",
				NULL);
		return;
	}
	if (find_fault(&why, t, arguments ? arguments : &none)) {
		mcp_result_failure(&r, "", why.p, why.len);
		mcp_call_reply(m, c, &r);
		buf_release(&why);
		return;
	}
	while (strcmp(starts[i].name, t->name) != 0)
		i++;
	c->keeps = !t->reads;
	mcp_queue(m, c, starts[i].start);
}

/* What the programs of the tools say of themselves, as far as it is known. */
struct specs {
	const char *text[TOOLS];
	size_t n;
};

static void ask_program(struct mcp *m, struct mcp_call *c);

static void take_spec(struct mcp *m, struct mcp_call *c)
{
	struct specs *s = c->state;

	if (!m->ended.status)
		s->text[s->n] = arena_copy(&c->arena, buf_str(&m->ended.output),
					   m->ended.output.len);
	s->n++;
	ask_program(m, c);
}

/* Ask the program of the next tool, or answer. */
static void ask_program(struct mcp *m, struct mcp_call *c)
{
	struct specs *s = c->state;
	const char *argv[3] = {mcp_tables_tools[s->n].program, "--spec"};
	struct buf inside = {0};

	if (argv[0]) {
		mcp_call_run(m, c, argv, NULL, 0, READ_MS, take_spec);
		return;
	}
	mcp_tables_list_tools(&inside, &c->era, s->text,
			      mcp_save_approving(m, &c->era));
	mcp_call_answer(m, c, "complete", inside.p);
	buf_release(&inside);
}

void mcp_tools_list(struct mcp *m, struct mcp_call *c)
{
	c->state = arena_alloc(&c->arena, sizeof(struct specs));
	mcp_queue(m, c, ask_program);
}
