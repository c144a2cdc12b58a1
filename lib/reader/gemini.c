/* gemini.c: later lines may replace messages or take them back, so all are kept
 * until the end, their words in a spool. If the list is started anew, as after
 * a compression, the earlier messages are still given.
 */
#include "reader/reader.h"

#include "base/mem.h"
#include "base/spool.h"
#include "base/table.h"

#define GEMINI_MAX ((size_t)64 * 1024 * 1024) /* bytes of all words */
#define CALL_MAX ((size_t)16384) /* bytes of a command or an error kept */

struct message {
	const char *id;	  /* "" for one without */
	bool person;	  /* the user says it */
	const char *text; /* NULL: nothing */
	size_t len;
	const struct value *time;
	struct call *calls; /* of tools, the last without a name; or NULL */
};

struct call {
	const char *name;
	struct value input, error; /* VALUE_NULL: none */
};

/* The messages of a session, after all changes so far. */
struct chat {
	struct message *items; /* in order */
	size_t n, cap;
	struct table by_id; /* index of those with an id */
};

struct session {
	struct reading *rd;
	struct chat chat;
	struct chat before; /* messages from before the list was started anew */
	size_t bytes;
	struct arena keep;
	struct spool texts;
};

/* Return the message ID of C, or NULL; also for "". */
static const struct message *find_message(const struct chat *c, const char *id)
{
	struct table_look k = table_look(&c->by_id, id, strlen(id), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(c->items[i].id, id))
			return &c->items[i];
	}
	return NULL;
}

static void append_message(struct chat *c, const struct message *m)
{
	*MEM_ADD(c->items, c->n, c->cap) = *m;
}

/* Append M, or replace the message with its id. */
static void put_message(struct chat *c, const struct message *m)
{
	const struct message *old = find_message(c, m->id);

	if (old) {
		c->items[old - c->items] = *m;
		return;
	}
	append_message(c, m);
	if (*m->id)
		table_put(&c->by_id, m->id, strlen(m->id), 0, c->n - 1);
}

/* Remove the message ID and all after it. If there is none, remove all. */
static void rewind_to(struct chat *c, const char *id)
{
	const struct message *m = find_message(c, id);
	const size_t left = m ? (size_t)(m - c->items) : 0;

	while (c->n > left) {
		const char *gone = c->items[--c->n].id;

		table_drop(&c->by_id, gone, strlen(gone), 0, c->n);
	}
}

static void release_chat(struct chat *c)
{
	free(c->items);
	table_release(&c->by_id);
	*c = (struct chat){0};
}

/* Set the words of M to TEXT; reuse those of WAS if they are equal. */
static void store_words(struct session *s, struct message *m,
			const struct message *was, const struct buf *text)
{
	char *copy;

	if (was && was->text && was->len == text->len &&
	    !memcmp(was->text, buf_str(text), text->len)) {
		m->text = was->text;
		m->len = was->len;
		return;
	}
	if (!text->len)
		return;
	if (s->bytes + text->len > GEMINI_MAX) {
		s->rd->skipped++;
		return;
	}
	s->bytes += text->len;
	copy = spool_alloc(&s->texts, text->len + 1);
	memcpy(copy, text->p, text->len + 1);
	m->text = copy;
	m->len = text->len;
}

/* Set TO to the string V, copied, if it is one. */
static void store_string(struct session *s, struct value *to,
			 const struct value *v)
{
	if (!v || v->kind != VALUE_STR || v->u.s.len > CALL_MAX)
		return;
	*to = *v;
	to->u.s.p = arena_copy(&s->keep, v->u.s.p, v->u.s.len);
}

static struct call *store_calls(struct session *s, const struct value *calls)
{
	const struct value *v;
	struct call *stored;
	size_t n = 0;

	if (!value_item(calls, 0))
		return NULL;
	stored = arena_alloc(&s->keep, (calls->u.list.n + 1) * sizeof(*stored));
	for (size_t i = 0; (v = value_item(calls, i)); i++) {
		const char *name = value_text(v, "name");
		struct call *c = &stored[n];

		if (!name)
			continue;
		n++;
		c->name = arena_strdup(&s->keep, name);
		store_string(s, &c->input,
			     value_get(value_get(v, "args"), "command"));
		if (s->rd->errors && value_is(value_get(v, "status"), "error"))
			store_string(s, &c->error,
				     value_get(v, "resultDisplay"));
	}
	return stored;
}

static const struct value *store_time(struct session *s, const struct value *v)
{
	struct value *copy;

	if (!v || v->kind != VALUE_STR || v->u.s.len > INSTANT_TEXT)
		return NULL;
	copy = arena_alloc(&s->keep, sizeof(*copy));
	*copy = *v;
	copy->u.s.p = arena_copy(&s->keep, v->u.s.p, v->u.s.len);
	return copy;
}

/* Put the message V into CHAT. OLD may have an earlier version of it. */
static void store_message(struct session *s, struct chat *chat,
			  const struct chat *old, const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const struct value *content = value_get(v, "content");
	struct buf *text = &s->rd->text;
	const char *id = value_text(v, "id");
	struct message m = {.id = id ? id : ""};
	const struct message *was = find_message(old, m.id);

	if (!type)
		return;
	s->rd->messages += content != NULL;
	buf_cut(text, 0);
	m.person = value_is(type, TURN_USER);
	if (m.person)
		reading_words(text, content, NULL);
	else if (value_is(type, "gemini"))
		reading_reply(text, content, NULL);
	if (m.person &&
	    reading_holds(buf_str(text), text->len, GEMINI_SNAPSHOT))
		buf_cut(text, 0);
	m.id = was ? was->id : arena_strdup(&s->keep, m.id);
	store_words(s, &m, was, text);
	m.time = was ? was->time : store_time(s, value_get(v, "timestamp"));
	m.calls = store_calls(s, value_get(v, "toolCalls"));
	put_message(chat, &m);
}

/* Start the list of messages anew, from V. */
static void store_messages(struct session *s, const struct value *v)
{
	const struct value *messages = value_get(v, "messages"), *one;
	struct chat new = {0};

	if (!messages || messages->kind != VALUE_LIST)
		return;
	for (size_t i = 0; (one = value_item(messages, i)); i++)
		store_message(s, &new, &s->chat, one);
	for (size_t i = 0; i < s->chat.n; i++) {
		if (!find_message(&new, s->chat.items[i].id))
			append_message(&s->before, &s->chat.items[i]);
	}
	release_chat(&s->chat);
	s->chat = new;
}

static int store_line(struct reading *rd, const struct value *v)
{
	struct session *s = rd->own;
	const struct value *set = value_get(v, "$set");
	const char *rewind = value_text(v, "$rewindTo");

	if (set)
		store_messages(s, set);
	else if (rewind)
		rewind_to(&s->chat, rewind);
	else if (value_get(v, "messages"))
		store_messages(s, v);
	else
		store_message(s, &s->chat, &s->chat, v);
	return 0;
}

/* Give the call C, and its error. */
static int give_call(struct session *s, const struct call *c,
		     const struct value *time)
{
	const struct value name = value_str(c->name);
	struct value_pair pair = {value_str("command"), c->input};
	const struct value input = {.kind = VALUE_MAP, .u.map = {&pair, 1}};
	int r = reading_give_tool(s->rd, &name, &input, time);

	return r || c->error.kind != VALUE_STR
		       ? r
		       : reading_give_error(s->rd, &c->error, time);
}

static int give_chat(struct session *s, const struct chat *c)
{
	int r = 0;

	for (size_t i = 0; i < c->n && !r; i++) {
		const struct message *m = &c->items[i];

		if (m->text)
			r = reading_give(s->rd,
					 m->person ? TURN_USER : TURN_ASSISTANT,
					 m->text, m->len, m->time);
		for (const struct call *k = m->calls; k && k->name && !r; k++)
			r = give_call(s, k, m->time);
	}
	return r;
}

static bool may_hold_turn(const char *p, size_t len)
{
	return p && len;
}

/* Read the record as one object. Return 1, 0 if it is none, -1 if it is
 * malformed and named .json. */
static int read_object(struct session *s)
{
	struct reading *rd = s->rd;
	const size_t len = strlen(rd->path);
	const bool named = len > 5 && !strcmp(rd->path + len - 5, ".json");
	struct err *e = rd->e, why;
	struct value v;
	int r;

	if (!named && !reading_begins_broken(rd))
		return 0;
	rd->e = named ? e : &why;
	r = reading_parse_all(rd, &v);
	rd->e = e;
	if (r < 0)
		return named ? -1 : 0;
	store_messages(s, &v);
	return 1;
}

static int read_gemini(struct reading *rd)
{
	static const struct reading_lines how = {.matters = may_hold_turn,
						 .take = store_line};
	struct session s = {.rd = rd};
	int r;

	rd->own = &s;
	r = read_object(&s);
	r = r ? (r < 0 ? -1 : 0) : reading_each_line(rd, &how);
	if (!r)
		r = give_chat(&s, &s.before);
	if (!r)
		r = give_chat(&s, &s.chat);
	release_chat(&s.chat);
	release_chat(&s.before);
	spool_release(&s.texts);
	arena_release(&s.keep);
	return r;
}

static enum reader_match match_gemini(const struct value *v)
{
	const struct value *type = value_get(v, "type");

	if (value_get(v, "projectHash") || value_get(v, "$set") ||
	    value_get(v, "$rewindTo") || value_is(type, "gemini"))
		return READER_SURE;
	if ((value_get(v, "sessionId") && value_get(v, "messages")) ||
	    (value_is_word(type, "user|info|error|warning") &&
	     value_get(v, "content")))
		return READER_LIKELY;
	return READER_NO;
}

const struct reader reader_gemini = {
	"gemini", .resume = "gemini --resume ", .match = match_gemini,
	.read = read_gemini, .outside = "web_fetch|google_web_search|mcp_.*"};
