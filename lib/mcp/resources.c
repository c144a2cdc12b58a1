/* resources.c: what co mcp offers to read. The context and the memories are printed by
 * the suite's programs, as for the tools; a prompt is one message that the user sends.
 */
#include "mcp/mcp.h"

#include "base/utf8.h"
#include "mcp/server.h"
#include "sys/file.h"
#include "text/injected.h"
#include "text/sanitize.h"

#include <inttypes.h>

#define READ_MS 20000
#define PAGE 200       /* memories of one list */
#define ARTICLES "100" /* of a store, those that were fetched last */
#define DESCRIPTION_MAX ((size_t)200)
#define COMPLETIONS ((size_t)100) /* as many as an answer may have */

/* Resources. */

static void refuse_resource(struct mcp *m, struct mcp_call *c)
{
	struct buf data = {0};

	json_write_open(&data, NULL, '{');
	json_write_text(&data, "uri", value_text(c->params, "uri"));
	json_write_close(&data, '}');
	mcp_call_refuse(m, c, c->era.modern ? RPC_PARAMS : RPC_ABSENT,
			"no such resource", data.p);
	buf_release(&data);
}

static void reply_resource(struct mcp *m, struct mcp_call *c,
			   const struct buf *text)
{
	struct buf inside = {0}, marked = {0};

	injected_add(&marked, buf_str(text), text->len);
	json_write_open(&inside, "contents", '[');
	json_write_open(&inside, NULL, '{');
	json_write_text(&inside, "uri", value_text(c->params, "uri"));
	json_write_text(&inside, "mimeType", "text/markdown");
	json_write_text(&inside, "text", buf_str(&marked));
	json_write_close(&inside, '}');
	json_write_close(&inside, ']');
	mcp_server_ttl(&inside, &c->era, 0);
	mcp_call_answer(m, c, "complete", &inside);
	buf_release(&marked);
}

/* Answer with R, which the ledger notes. */
static void reply_shown(struct mcp *m, struct mcp_call *c,
			const struct mcp_result *r)
{
	mcp_call_note(c, "resource", r);
	reply_resource(m, c, &r->text);
}

/* Answer with the context that was printed, and with what it lacks. */
static void reply_context(struct mcp *m, struct mcp_call *c)
{
	const struct shown_memory context = {.bytes = m->ended.output.len,
					     .why = SHOWN_CONTEXT};
	struct mcp_result r = {0};

	shown_add(&r.items, &context);
	buf_add(&r.text, buf_str(&m->ended.output), m->ended.output.len);
	mcp_call_add_unread(m, &r);
	reply_shown(m, c, &r);
	mcp_result_release(&r);
}

static void context_end(struct mcp *m, struct mcp_call *c)
{
	if (m->ended.status && m->ended.status != ERR_DATA)
		mcp_call_fail(m, c, "the context cannot be read: ");
	else
		reply_context(m, c);
}

static void context(struct mcp *m, struct mcp_call *c)
{
	const char *argv[] = {"co-context-load", "--strict", NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, context_end);
}

/* Read the cursor that the memory's URI names; false for none. */
static bool parse_memory(struct cursor *at, const char *uri, struct arena *a)
{
	const bool global =
		!strncmp(uri, MCP_SERVER_GLOBAL, strlen(MCP_SERVER_GLOBAL));
	const char *start = global ? MCP_SERVER_GLOBAL : MCP_SERVER_MEMORY;
	const char *digits = uri + strlen(start);
	size_t n;

	if (strncmp(uri, start, strlen(start)) != 0)
		return false;
	n = strspn(digits, "0123456789");
	at->id = n && n <= 9 ? strtoll(digits, NULL, 10) : 0;
	at->scope = global ? SCOPE_GLOBAL : SCOPE_PROJECT;
	return at->id && cursor_parse_file(&at->file, digits + n, a);
}

/* Read the article that URI names: *SCOPE gets the user's, or NULL for the
 * project's or else the user's. */
static bool parse_article(const char **file, const char **scope,
			  const char *uri, struct arena *a)
{
	static const char global[] = "/global/";
	const size_t n = strlen(MCP_SERVER_ARTICLE);

	if (strncmp(uri, MCP_SERVER_ARTICLE, n) != 0)
		return false;
	uri += n;
	*scope = strncmp(uri, global, strlen(global)) ? NULL : "global";
	uri += *scope ? strlen(global) - 1 : 0;
	return cursor_parse_file(file, uri, a) && *file && !strchr(*file, '/');
}

static void article_end(struct mcp *m, struct mcp_call *c)
{
	struct mcp_result r = {0};

	if (mcp_call_has_nothing(m))
		mcp_call_fail(m, c, "");
	else if (!m->ended.output.len ||
		 mcp_result_show(&r, m->ended.output.p, m->ended.output.len, 0,
				 NULL, false, NULL) < 0)
		refuse_resource(m, c);
	else
		reply_shown(m, c, &r);
	mcp_result_release(&r);
}

static void article(struct mcp *m, struct mcp_call *c)
{
	const char *file, *scope;

	parse_article(&file, &scope, value_text(c->params, "uri"), &c->arena);
	mcp_tools_show_article(m, c, file, scope, article_end);
}

static void memory_end(struct mcp *m, struct mcp_call *c)
{
	const struct cursor *at = c->state;
	struct mcp_result r = {0};

	if (mcp_call_has_nothing(m))
		mcp_call_fail(m, c, "");
	else if (mcp_result_show(&r, buf_str(&m->ended.output),
				 m->ended.output.len, at->id, at->file, false,
				 NULL) < 0)
		refuse_resource(m, c);
	else
		reply_shown(m, c, &r);
	mcp_result_release(&r);
}

static void memory_next(struct mcp *m, struct mcp_call *c)
{
	const struct cursor *at = c->state;

	if (mcp_tools_shown(m) || at->file)
		memory_end(m, c);
	else
		mcp_tools_show_memory(m, c, at->id, true, memory_end);
}

static void read_memory(struct mcp *m, struct mcp_call *c)
{
	const struct cursor *at = c->state;

	mcp_tools_show_memory(m, c, at->id, at->scope == SCOPE_GLOBAL,
			      at->scope == SCOPE_GLOBAL ? memory_end
							: memory_next);
}

void mcp_resources_read(struct mcp *m, struct mcp_call *c)
{
	const char *uri = value_text(c->params, "uri"), *file, *scope;

	c->state = arena_alloc(&c->arena, sizeof(struct cursor));
	if (!uri)
		mcp_call_refuse(m, c, RPC_PARAMS, "'uri' is required", NULL);
	else if (!strcmp(uri, MCP_SERVER_CONTEXT))
		mcp_queue(m, c, context);
	else if (parse_memory(c->state, uri, &c->arena))
		mcp_queue(m, c, read_memory);
	else if (parse_article(&file, &scope, uri, &c->arena))
		mcp_queue(m, c, article);
	else
		refuse_resource(m, c);
}

/* The list of resources. */

/* Append the marks of the record V: " (external)". */
static void add_marks(struct buf *out, const struct value *v)
{
	const struct value *marks = value_get(v, "marks"), *mark;

	for (size_t i = 0; (mark = value_item(marks, i)); i++)
		buf_addf(out, " (%s)", mark->u.s.p);
}

static void add_description(struct buf *out, const struct value *v)
{
	const char *created = value_text(v, "created");
	const struct value *tags = value_get(v, "tags");
	struct buf text = {0};

	buf_addf(&text, "Remembered on %.10s", created ? created : "");
	add_marks(&text, v);
	for (size_t i = 0; tags && i < tags->u.list.n; i++)
		buf_addf(&text, "%s%s",
			 i ? ", " : "; tags: ", tags->u.list.items[i].u.s.p);
	if (text.len > DESCRIPTION_MAX)
		buf_cut(&text, utf8_cut(text.p, text.len, DESCRIPTION_MAX));
	buf_cut(out, 0);
	sanitize_prompt(out, text.p, text.len);
	buf_release(&text);
}

/* Append the memory that V is the record of and AT the cursor. */
static void add_memory(struct buf *out, const struct mcp_era *era,
		       const struct value *v, const struct cursor *at)
{
	const char *summary = value_text(v, "summary");
	struct buf text = {0}, uri = {0};

	buf_addf(&uri, "%s%" PRId64,
		 at->scope == SCOPE_GLOBAL ? MCP_SERVER_GLOBAL
					   : MCP_SERVER_MEMORY,
		 at->id);
	cursor_add_file(&uri, at->file);
	if (summary)
		sanitize_prompt(&text, summary, strlen(summary));
	mcp_server_open_resource(out, era, uri.p, buf_str(&text),
				 buf_str(&text));
	add_description(&text, v);
	json_write_text(out, "description", text.p);
	json_write_close(out, '}');
	buf_release(&text);
	buf_release(&uri);
}

/* Append the article that V is the record of. */
static void add_article(struct buf *out, const struct mcp_era *era,
			const struct value *v)
{
	const char *path = value_text(v, "path");
	const char *title = value_text(v, "title");
	const char *source = value_text(v, "source");
	struct buf text = {0}, uri = {0}, from = {0};

	buf_adds(&uri, MCP_SERVER_ARTICLE);
	if (value_is(value_get(v, "scope"), "global"))
		buf_adds(&uri, "/global");
	cursor_add_file(&uri, file_name_of(path ? path : ""));
	buf_adds(&from, "Article");
	add_marks(&from, v);
	buf_addf(&from, " from %s", source ? source : "");
	if (from.len > DESCRIPTION_MAX)
		buf_cut(&from, utf8_cut(from.p, from.len, DESCRIPTION_MAX));
	sanitize_prompt(&text, title ? title : "", title ? strlen(title) : 0);
	mcp_server_open_resource(out, era, uri.p, buf_str(&text),
				 buf_str(&text));
	buf_cut(&text, 0);
	sanitize_prompt(&text, from.p, from.len);
	json_write_text(out, "description", buf_str(&text));
	json_write_close(out, '}');
	buf_release(&text);
	buf_release(&uri);
	buf_release(&from);
}

/* Append the last memories of the first LEN of the ALL bytes of P, the highest
 * id first. Returns the cursor to those before, or NULL; in C's arena. */
static const char *add_page(struct buf *out, struct mcp_call *c, const char *p,
			    size_t len, size_t all)
{
	struct buf cursor = {0};
	const char *next = NULL;

	for (size_t n = 0; len && n < PAGE; n++) {
		const size_t start = cursor_last(p, len);
		struct arena a = {0};
		const struct cursor at = cursor_at(p, all, start, &a);
		struct value v;

		if (json_parse(p + start, len - start, &a, &v, NULL) == 0)
			add_memory(out, &c->era, &v, &at);
		buf_cut(&cursor, 0);
		cursor_format(&cursor, &at);
		arena_release(&a);
		len = start;
	}
	if (len)
		next = arena_copy(&c->arena, cursor.p, cursor.len);
	buf_release(&cursor);
	return next;
}

/* Answer with the list INSIDE, followed by NEXT unless that is NULL. */
static void reply_list(struct mcp *m, struct mcp_call *c, struct buf *inside,
		       const char *next)
{
	json_write_close(inside, ']');
	json_write_given(inside, "nextCursor", next);
	mcp_server_ttl(inside, &c->era, 0);
	mcp_call_answer(m, c, "complete", inside);
}

/* The last page, which articles follow on. */
struct last_page {
	const char *inside;
	bool global; /* the user's come */
};

static void list_articles(struct mcp *m, struct mcp_call *c);

static void articles_end(struct mcp *m, struct mcp_call *c)
{
	struct last_page *last = c->state;
	const struct buf *listed = &m->ended.output;
	struct buf inside = {0};
	struct value v;
	size_t at = 0;

	if (mcp_call_has_nothing(m)) {
		mcp_call_fail(m, c, "the articles cannot be listed: ");
		return;
	}
	buf_adds(&inside, last->inside);
	while (json_parse_at(buf_str(listed), listed->len, &at, &c->arena, &v,
			     NULL) > 0)
		add_article(&inside, &c->era, &v);
	if (last->global) {
		reply_list(m, c, &inside, NULL);
	} else {
		last->inside = arena_copy(&c->arena, inside.p, inside.len);
		last->global = true;
		list_articles(m, c);
	}
	buf_release(&inside);
}

static void list_articles(struct mcp *m, struct mcp_call *c)
{
	const struct last_page *last = c->state;
	const char *argv[] = {"co-article-list",
			      "--json",
			      "--sort=fetched",
			      "-r",
			      "-n",
			      ARTICLES,
			      last->global ? "--global" : NULL,
			      NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, articles_end);
}

static void list_end(struct mcp *m, struct mcp_call *c)
{
	struct last_page *last;
	const char *next;
	const char *cursor = value_text(c->params, "cursor");
	const char *p = buf_str(&m->ended.output);
	struct buf inside = {0};
	struct cursor at;
	size_t len = m->ended.output.len;

	if (mcp_call_has_nothing(m)) {
		mcp_call_fail(m, c, "the memories cannot be listed: ");
		return;
	}
	json_write_open(&inside, "resources", '[');
	if (cursor && cursor_parse(&at, cursor, &c->arena))
		len = cursor_before(p, len, &at);
	else
		mcp_server_add_context(&inside, &c->era);
	next = add_page(&inside, c, p, len, m->ended.output.len);
	if (next) {
		reply_list(m, c, &inside, next);
	} else {
		last = arena_alloc(&c->arena, sizeof(*last));
		*last = (struct last_page){
			.inside = arena_copy(&c->arena, inside.p, inside.len)};
		c->state = last;
		list_articles(m, c);
	}
	buf_release(&inside);
}

static void list_memories(struct mcp *m, struct mcp_call *c)
{
	const char *argv[] = {"co-knowledge", "--list", "--json", NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, list_end);
}

void mcp_resources_list(struct mcp *m, struct mcp_call *c)
{
	const struct value *cursor = value_get(c->params, "cursor");
	const char *text = value_text(c->params, "cursor");
	struct cursor at;

	if (cursor && (!text || (*text && !cursor_parse(&at, text, &c->arena))))
		mcp_call_refuse(m, c, RPC_PARAMS, "no such cursor", NULL);
	else
		mcp_queue(m, c, list_memories);
}

/* Prompts. */

static const char remember_text[] =
	"Go through this conversation. What of it should be known in later "
	"sessions: what I prefer, what was decided and why, how things are "
	"done here, what took long to find out? Look with recall_memory what "
	"is known already, then propose each new fact with one call of "
	"save_memory, and name with `replaces` what it makes wrong. Leave out "
	"what the files already say, and secrets.";

static void reply_prompt(struct mcp *m, struct mcp_call *c, const char *text)
{
	const struct mcp_prompt *p =
		mcp_server_prompt(value_text(c->params, "name"));
	struct buf inside = {0};

	json_write_text(&inside, "description", p->description);
	json_write_open(&inside, "messages", '[');
	json_write_open(&inside, NULL, '{');
	json_write_text(&inside, "role", "user");
	json_write_open(&inside, "content", '{');
	json_write_text(&inside, "type", "text");
	json_write_text(&inside, "text", text);
	json_write_close(&inside, '}');
	json_write_close(&inside, '}');
	json_write_close(&inside, ']');
	mcp_call_answer(m, c, "complete", &inside);
}

/* Answer with ASK, which the user says, and then R, which the user does not. */
static void reply_marked(struct mcp *m, struct mcp_call *c, const char *ask,
			 struct mcp_result *r)
{
	struct buf all = {0};

	mcp_call_add_unread(m, r);
	mcp_call_note(c, value_text(c->params, "name"), r);
	buf_addf(&all, "%s\n\n", ask);
	injected_add(&all, buf_str(&r->text), r->text.len);
	reply_prompt(m, c, all.p);
	buf_release(&all);
}

static const struct value *query_of(const struct mcp_call *c)
{
	return value_get(value_get(c->params, "arguments"), "query");
}

static void recall_end(struct mcp *m, struct mcp_call *c)
{
	struct mcp_result r = {0};

	if (mcp_call_has_nothing(m) ||
	    mcp_result_recall(&r, buf_str(&m->ended.output),
			      m->ended.output.len, query_of(c)->u.s.p,
			      NULL) < 0)
		mcp_call_fail(m, c, "nothing could be recalled: ");
	else
		reply_marked(m, c, "This is remembered about it:", &r);
	mcp_result_release(&r);
}

static void recall(struct mcp *m, struct mcp_call *c)
{
	const char *argv[6] = {"co-recall", "--json"};
	size_t n = 2;

	if (m->everywhere)
		argv[n++] = "--all-projects";
	argv[n++] = "--";
	argv[n] = query_of(c)->u.s.p;
	mcp_call_run(m, c, argv, NULL, 0, READ_MS, recall_end);
}

static void review_end(struct mcp *m, struct mcp_call *c)
{
	struct mcp_result r = {0};

	if (mcp_call_has_nothing(m) ||
	    mcp_result_list(&r, buf_str(&m->ended.output), m->ended.output.len,
			    NULL, NULL) < 0)
		mcp_call_fail(m, c, "the drafts cannot be listed: ");
	else
		reply_marked(m, c,
			     "These drafts wait until I accept them with 'co "
			     "review'. Tell me in a few words what they are, "
			     "and which say the same or contradict what is "
			     "remembered.",
			     &r);
	mcp_result_release(&r);
}

static void review(struct mcp *m, struct mcp_call *c)
{
	const char *argv[] = {"co-memory-list", "--drafts", "--json", NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, review_end);
}

void mcp_resources_prompt(struct mcp *m, struct mcp_call *c)
{
	const char *name = value_text(c->params, "name");
	const struct mcp_prompt *p = name ? mcp_server_prompt(name) : NULL;
	const struct value *query = query_of(c);

	if (!p)
		mcp_call_refuse(m, c, RPC_PARAMS,
				"no such prompt; prompts/list names them",
				NULL);
	else if (p->arg && (!query || query->kind != VALUE_STR ||
			    strlen(query->u.s.p) != query->u.s.len ||
			    query->u.s.len > MCP_TEXT_MAX))
		mcp_call_refuse(
			m, c, RPC_PARAMS,
			"the argument 'query' is required, a text of at "
			"most 65536 bytes without NUL",
			NULL);
	else if (p->arg)
		mcp_queue(m, c, recall);
	else if (!strcmp(p->name, "review"))
		mcp_queue(m, c, review);
	else
		reply_prompt(m, c, remember_text);
}

/* Completion: ids of memories, and tags. */

/* The completions found so far. All but the array is allocated in the call's arena.
 */
struct found {
	const char **items;
	size_t n, cap;
};

static void add_found(struct found *f, const char *text, const char *start)
{
	if (strncmp(text, start, strlen(start)) != 0)
		return;
	for (size_t i = 0; i < f->n; i++) {
		if (!strcmp(f->items[i], text))
			return;
	}
	*MEM_ADD(f->items, f->n, f->cap) = text;
}

static void reply_completion(struct mcp *m, struct mcp_call *c,
			     const struct found *f)
{
	struct buf inside = {0};

	json_write_open(&inside, "completion", '{');
	json_write_open(&inside, "values", '[');
	for (size_t i = 0; i < f->n && i < COMPLETIONS; i++)
		json_write_text(&inside, NULL, f->items[i]);
	json_write_close(&inside, ']');
	json_write_int(&inside, "total", (int64_t)f->n);
	json_write_bool(&inside, "hasMore", f->n > COMPLETIONS);
	json_write_close(&inside, '}');
	mcp_call_answer(m, c, "complete", &inside);
}

/* Find lines of the program that begin with the text to complete. */
static void complete_end(struct mcp *m, struct mcp_call *c)
{
	const char *start =
		value_text(value_get(c->params, "argument"), "value");
	struct buf clean = {0};
	struct found found = {0};
	const char *p;

	if (mcp_call_has_nothing(m)) {
		mcp_call_fail(m, c, "nothing can be completed: ");
		return;
	}
	sanitize_prompt(&clean, buf_str(&m->ended.output), m->ended.output.len);
	p = buf_str(&clean);
	while (*p) {
		const size_t len = strcspn(p, ",\n");
		const size_t blank = strspn(p, " ");

		if (len > blank)
			add_found(&found,
				  arena_copy(&c->arena, p + blank, len - blank),
				  start);
		p += len + (p[len] != '\0');
	}
	reply_completion(m, c, &found);
	free(found.items);
	buf_release(&clean);
}

static void complete_id(struct mcp *m, struct mcp_call *c)
{
	const char *uri = value_text(value_get(c->params, "ref"), "uri");
	const char *argv[] = {
		"co-memory-list", "--format=%(id)",
		!strncmp(uri, MCP_SERVER_GLOBAL, strlen(MCP_SERVER_GLOBAL))
			? "--global"
			: NULL,
		NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, complete_end);
}

static void complete_tag(struct mcp *m, struct mcp_call *c)
{
	const char *argv[] = {"co-memory-list", "--format=%(tags)", NULL};

	mcp_call_run(m, c, argv, NULL, 0, READ_MS, complete_end);
}

void mcp_resources_complete(struct mcp *m, struct mcp_call *c)
{
	const struct value *ref = value_get(c->params, "ref");
	const struct value *argument = value_get(c->params, "argument");
	const struct value *type = value_get(ref, "type");
	const char *uri = value_text(ref, "uri");
	const char *prompt = value_text(ref, "name");
	const struct found none = {0};

	if (!value_text(argument, "name") || !value_text(argument, "value"))
		mcp_call_refuse(m, c, RPC_PARAMS,
				"'argument' must have a name and a value",
				NULL);
	else if (value_is(type, "ref/resource") && uri &&
		 (!strcmp(uri, MCP_SERVER_MEMORY "{id}") ||
		  !strcmp(uri, MCP_SERVER_GLOBAL "{id}")))
		mcp_queue(m, c, complete_id);
	else if (value_is(type, "ref/prompt") && prompt &&
		 mcp_server_prompt(prompt) && mcp_server_prompt(prompt)->arg)
		mcp_queue(m, c, complete_tag);
	else if ((value_is(type, "ref/prompt") && prompt) ||
		 (value_is(type, "ref/resource") && uri))
		reply_completion(m, c, &none);
	else
		mcp_call_refuse(m, c, RPC_PARAMS, "'ref' names nothing here",
				NULL);
}
