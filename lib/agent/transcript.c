/* transcript.c: a pass over the lines, each parsed in an arena of its own where
 * it looks as if it held what a person said.
 *
 * Codex writes each message twice; the second form is kept aside and counts
 * only where the first never comes.  Gemini replaces and takes back what it
 * wrote, so all its messages are kept until the end.  Where it begins its list
 * anew, as behind a compression, what a person said stays said.
 */
#include "agent/transcript.h"

#include "base/mem.h"
#include "base/table.h"
#include "format/json-read.h"
#include "format/value.h"
#include "sys/file.h"
#include "sys/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct list {
	struct said *items;
	size_t n, cap;
};

/* The messages of a session as they stand in the end.  Only a person's has a
 * text; the others are kept as well, since they too are what one goes back
 * to. */
struct chat_message {
	const char *id;	  /* "" for one without */
	const char *text; /* NULL: not a person's */
	size_t len;
};

struct chat {
	struct chat_message *items; /* in order */
	size_t n, cap;
	struct table by_id; /* of those that have one */
};

struct transcript_reading {
	struct list said, second; /* see above */
	struct chat chat;	  /* gemini's */
	size_t bytes;
	size_t skipped;
	struct arena *keep;  /* what is returned, */
	struct spool *texts; /* and this */
	struct arena line;   /* what one line is parsed into */
};

/* A copy of the LEN bytes of TEXT that lasts, NULL where there are too many. */
static const char *keep(struct transcript_reading *rd, const char *text,
			size_t len)
{
	char *copy;

	if (rd->bytes + len > TRANSCRIPT_SAID_MAX) {
		rd->skipped++;
		return NULL;
	}
	rd->bytes += len;
	copy = spool_alloc(rd->texts, len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

static void add(struct list *list, const char *text, size_t len)
{
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n++] = (struct said){text, len};
}

static bool holds(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word)) != NULL;
}

/* Append the text of V: a string, or the parts of a list that have TYPE (NULL:
 * any) and a text; false where it holds what no person says. */
static bool add_parts(struct buf *out, const struct value *v, const char *type)
{
	if (v && v->kind == VALUE_STR) {
		buf_add(out, v->u.s.p, v->u.s.len);
		return true;
	}
	if (!v || v->kind != VALUE_LIST)
		return false;
	for (size_t i = 0; i < v->u.list.n; i++) {
		const struct value *part = &v->u.list.items[i];
		const struct value *text = value_get(part, "text");

		if (value_is(value_get(part, "type"), "tool_result") ||
		    value_get(part, "functionResponse"))
			return false;
		if (!text || text->kind != VALUE_STR ||
		    (type && !value_is(value_get(part, "type"), type)))
			continue;
		buf_add(out, text->u.s.p, text->u.s.len);
		buf_addc(out, '\n');
	}
	return true;
}

/* True if the text is one that a program says in the person's place. */
static bool is_injected(const char *p, size_t len)
{
	static const char *const begin[] = {
		"<command-name>",
		"<command-message>",
		"<local-command-",
		"<system-reminder>",
		"<bash-",
		"<environment_context>",
		"<user_instructions>",
		"<skills_instructions>",
		"<session_context>",
		"# AGENTS.md",
		"Caveat: ",
	};

	while (len && strchr(" \t\r\n", *p)) {
		p++;
		len--;
	}
	for (size_t i = 0; i < ARRAY_LEN(begin); i++) {
		size_t n = strlen(begin[i]);

		if (len >= n && memcmp(p, begin[i], n) == 0)
			return true;
	}
	return false;
}

/* Append the text of V, if a person said it. */
static void add_said(struct buf *out, const struct value *v, const char *type)
{
	if (!add_parts(out, v, type) || is_injected(buf_str(out), out->len))
		buf_cut(out, 0);
}

/* Add the text of V to LIST, if a person said it. */
static void take(struct transcript_reading *rd, struct list *list,
		 const struct value *v, const char *type)
{
	struct buf text = {0};
	const char *kept;

	add_said(&text, v, type);
	kept = text.len ? keep(rd, text.p, text.len) : NULL;
	if (kept)
		add(list, kept, text.len);
	buf_release(&text);
}

static bool is_true(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_BOOL && v->u.b;
}

static void take_claude(struct transcript_reading *rd, const struct value *v)
{
	const struct value *message = value_get(v, "message");

	if (!value_is(value_get(v, "type"), "user") ||
	    !value_is(value_get(message, "role"), "user") ||
	    is_true(v, "isMeta") || is_true(v, "isCompactSummary") ||
	    is_true(v, "isVisibleInTranscriptOnly") ||
	    is_true(v, "isSidechain") || value_get(v, "toolUseResult"))
		return;
	take(rd, &rd->said, value_get(message, "content"), "text");
}

static void take_codex(struct transcript_reading *rd, const struct value *v)
{
	const struct value *payload = value_get(v, "payload");
	const struct value *kind = value_get(payload, "type");
	const struct value *item = value_get(payload, "item");

	if (value_is(value_get(v, "type"), "event_msg")) {
		if (value_is(kind, "item_completed") &&
		    value_is(value_get(item, "type"), "UserMessage"))
			take(rd, &rd->said, value_get(item, "content"), NULL);
		else if (value_is(kind, "user_message"))
			take(rd, &rd->said, value_get(payload, "message"),
			     NULL);
	} else if (value_is(value_get(v, "type"), "response_item") &&
		   value_is(kind, "message") &&
		   value_is(value_get(payload, "role"), "user")) {
		take(rd, &rd->second, value_get(payload, "content"),
		     "input_text");
	}
}

static const char *string_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

/* The message ID of C, NULL where there is none, as for "". */
static const struct chat_message *chat_find(const struct chat *c,
					    const char *id)
{
	struct table_look k = table_look(&c->by_id, id, strlen(id), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(c->items[i].id, id))
			return &c->items[i];
	}
	return NULL;
}

/* Add M at the end, or in the place of the one with its id. */
static void chat_put(struct chat *c, const struct chat_message *m)
{
	const struct chat_message *old = chat_find(c, m->id);

	if (old) {
		c->items[old - c->items] = *m;
		return;
	}
	c->items = mem_grow(c->items, c->n, &c->cap, sizeof(*c->items));
	c->items[c->n++] = *m;
	if (*m->id)
		table_put(&c->by_id, m->id, strlen(m->id), 0, c->n - 1);
}

/* Take back the message ID and all behind it; all there are where there is no
 * such one. */
static void chat_rewind(struct chat *c, const char *id)
{
	const struct chat_message *m = chat_find(c, id);
	const size_t left = m ? (size_t)(m - c->items) : 0;

	while (c->n > left) {
		const char *gone = c->items[--c->n].id;

		table_drop(&c->by_id, gone, strlen(gone), 0, c->n);
	}
}

static void chat_release(struct chat *c)
{
	free(c->items);
	table_release(&c->by_id);
	*c = (struct chat){0};
}

/* Put the message V into CHAT; where OLD, or CHAT, has it with the same text,
 * that one is kept. */
static void take_gemini_message(struct transcript_reading *rd,
				struct chat *chat, const struct chat *old,
				const struct value *v)
{
	const bool person = value_is(value_get(v, "type"), "user");
	const char *id = string_of(v, "id");
	struct chat_message m = {id ? id : "", NULL, 0};
	const struct chat_message *was;
	struct buf text = {0};

	if (!value_get(v, "type"))
		return;
	if (person)
		add_said(&text, value_get(v, "content"), NULL);
	if (holds(buf_str(&text), text.len, TRANSCRIPT_SNAPSHOT))
		buf_cut(&text, 0);
	was = chat_find(old, m.id);
	if (was && was->text && was->len == text.len &&
	    !memcmp(was->text, buf_str(&text), text.len)) {
		m = *was;
	} else {
		m.text = text.len ? keep(rd, text.p, text.len) : NULL;
		m.len = m.text ? text.len : 0;
		m.id = was ? was->id : arena_strdup(rd->keep, m.id);
	}
	chat_put(chat, &m);
	buf_release(&text);
}

/* Begin the list of messages anew. */
static void take_gemini_messages(struct transcript_reading *rd,
				 const struct value *v)
{
	const struct value *messages = value_get(v, "messages");
	struct chat new = {0};

	if (!messages || messages->kind != VALUE_LIST)
		return;
	for (size_t i = 0; i < messages->u.list.n; i++)
		take_gemini_message(rd, &new, &rd->chat,
				    &messages->u.list.items[i]);
	for (size_t i = 0; i < rd->chat.n; i++) {
		const struct chat_message *m = &rd->chat.items[i];

		if (m->text && !chat_find(&new, m->id))
			add(&rd->said, m->text, m->len);
	}
	chat_release(&rd->chat);
	rd->chat = new;
}

static void take_gemini(struct transcript_reading *rd, const struct value *v)
{
	const struct value *set = value_get(v, "$set");
	const char *rewind = string_of(v, "$rewindTo");

	if (set)
		take_gemini_messages(rd, set);
	else if (rewind)
		chat_rewind(&rd->chat, rewind);
	else
		take_gemini_message(rd, &rd->chat, &rd->chat, v);
}

/* False where a look at the bytes tells that no person speaks in the line. */
static bool may_matter(enum agent agent, const char *p, size_t len)
{
	if (agent == AGENT_CLAUDE)
		return holds(p, len, "\"user\"") &&
		       !holds(p, len, "\"toolUseResult\":");
	if (agent == AGENT_CODEX)
		return holds(p, len, "\"UserMessage\"") ||
		       holds(p, len, "\"user_message\"") ||
		       holds(p, len, "\"input_text\"");
	return true;
}

static int parse(struct transcript_reading *rd, const char *p, size_t len,
		 struct value *v, struct err *e)
{
	char *mended;

	arena_reset(&rd->line);
	mended = arena_copy(&rd->line, p, len);
	json_mend(mended, len);
	return json_parse(mended, len, &rd->line, v, e);
}

static int read_lines(struct transcript_reading *rd, enum agent agent, int fd,
		      const char *path, struct err *e)
{
	struct lines lines = {
		.fd = fd, .path = path, .max = TRANSCRIPT_LINE_MAX};
	struct value v;
	struct err why;
	const char *p;
	size_t len;
	int r;

	while ((r = lines_next(&lines, &p, &len, &why)) != 0) {
		if (r < 0 && why.code != ERR_DATA) {
			*e = why;
			break;
		}
		if (r < 0)
			rd->skipped++;
		if (r < 0 || !len || !may_matter(agent, p, len))
			continue;
		if (parse(rd, p, len, &v, &why) < 0)
			rd->skipped++;
		else if (agent == AGENT_CLAUDE)
			take_claude(rd, &v);
		else if (agent == AGENT_CODEX)
			take_codex(rd, &v);
		else
			take_gemini(rd, &v);
	}
	lines_release(&lines);
	return r;
}

/* The older form of Gemini: one object. */
static int read_object(struct transcript_reading *rd, int fd, const char *path,
		       struct err *e)
{
	struct buf text = {0};
	struct value v;
	struct err why;
	int r = file_read_fd(fd, path, TRANSCRIPT_SAID_MAX, &text, e);

	if (!r && parse(rd, text.p, text.len, &v, &why) < 0)
		r = err_set(e, ERR_DATA, "'%s':%s", path, why.text);
	else if (!r)
		take_gemini_messages(rd, &v);
	buf_release(&text);
	return r;
}

int transcript_open(const char *path, struct err *e)
{
	int fd = file_open(AT_FDCWD, path,
			   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;

	if (fd < 0 && errno == ELOOP)
		return err_set(e, ERR_DATA, "refusing '%s': it is a link",
			       path);
	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NO, "there is no '%s'", path);
	if (fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return err_set(e, ERR_DATA, "refusing '%s': it is not a regular file",
		       path);
}

/* What a person said is T's. */
static void give(struct transcript *t, struct transcript_reading *rd)
{
	struct list *list = &rd->said;

	for (size_t i = 0; i < rd->chat.n; i++) {
		if (rd->chat.items[i].text)
			add(list, rd->chat.items[i].text,
			    rd->chat.items[i].len);
	}
	list = list->n ? list : &rd->second;
	if (list->n)
		t->items = memcpy(
			arena_alloc(rd->keep, list->n * sizeof(*t->items)),
			list->items, list->n * sizeof(*t->items));
	t->n = list->n;
	t->skipped = rd->skipped;
}

int transcript_read(struct transcript *t, enum agent agent, const char *path,
		    struct arena *a, struct err *e)
{
	struct transcript_reading rd = {.keep = a, .texts = &t->texts};
	size_t len = strlen(path);
	int fd = transcript_open(path, e), r;

	*t = (struct transcript){0};
	if (fd < 0)
		return -1;
	if (agent == AGENT_GEMINI && len > 5 &&
	    strcmp(path + len - 5, ".json") == 0)
		r = read_object(&rd, fd, path, e);
	else
		r = read_lines(&rd, agent, fd, path, e);
	if (!r)
		give(t, &rd);
	close(fd);
	free(rd.said.items);
	free(rd.second.items);
	chat_release(&rd.chat);
	arena_release(&rd.line);
	return r;
}

void transcript_release(struct transcript *t)
{
	spool_release(&t->texts);
	*t = (struct transcript){0};
}
