/* transcript.c: a pass over the lines, each parsed in an arena of its own where
 * it looks as if it held what a person said.
 *
 * Codex writes each message twice; the second form is kept aside and counts
 * only where the first never comes.  Gemini replaces and takes back what it
 * wrote, so all its messages are kept until the end.
 */
#include "transcript.h"

#include "file.h"
#include "json.h"
#include "lines.h"
#include "value.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct message {
	const char *id;	  /* NULL where it has none */
	struct said said; /* text NULL: not a person's */
};

struct list {
	struct message *items;
	size_t n, cap;
};

struct reading {
	struct list said, second; /* see above */
	size_t bytes;
	size_t skipped;
	struct arena *keep; /* what is returned */
	struct arena line;  /* what one line is parsed into */
};

static void add(struct reading *rd, struct list *list, const char *id,
		const char *text, size_t len)
{
	struct message *m;

	if (text && rd->bytes + len > TRANSCRIPT_SAID_MAX) {
		rd->skipped++;
		return;
	}
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	m = &list->items[list->n++];
	*m = (struct message){id ? arena_strdup(rd->keep, id) : NULL,
			      {NULL, 0}};
	if (!text)
		return;
	m->said = (struct said){arena_copy(rd->keep, text, len), len};
	rd->bytes += len;
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

/* Add the text of V to LIST, if a person said it. */
static void take(struct reading *rd, struct list *list, const char *id,
		 const struct value *v, const char *type)
{
	struct buf text = {0};

	if (add_parts(&text, v, type) && text.len &&
	    !is_injected(text.p, text.len))
		add(rd, list, id, text.p, text.len);
	else if (id)
		add(rd, list, id, NULL, 0);
	buf_release(&text);
}

static bool is_true(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_BOOL && v->u.b;
}

static void take_claude(struct reading *rd, const struct value *v)
{
	const struct value *message = value_get(v, "message");

	if (!value_is(value_get(v, "type"), "user") ||
	    !value_is(value_get(message, "role"), "user") ||
	    is_true(v, "isMeta") || is_true(v, "isCompactSummary") ||
	    is_true(v, "isVisibleInTranscriptOnly") ||
	    is_true(v, "isSidechain") || value_get(v, "toolUseResult"))
		return;
	take(rd, &rd->said, NULL, value_get(message, "content"), "text");
}

static void take_codex(struct reading *rd, const struct value *v)
{
	const struct value *payload = value_get(v, "payload");
	const struct value *kind = value_get(payload, "type");
	const struct value *item = value_get(payload, "item");

	if (value_is(value_get(v, "type"), "event_msg")) {
		if (value_is(kind, "item_completed") &&
		    value_is(value_get(item, "type"), "UserMessage"))
			take(rd, &rd->said, NULL, value_get(item, "content"),
			     NULL);
		else if (value_is(kind, "user_message"))
			take(rd, &rd->said, NULL, value_get(payload, "message"),
			     NULL);
	} else if (value_is(value_get(v, "type"), "response_item") &&
		   value_is(kind, "message") &&
		   value_is(value_get(payload, "role"), "user")) {
		take(rd, &rd->second, NULL, value_get(payload, "content"),
		     "input_text");
	}
}

static const char *string_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

/* The index of the message ID, or how many there are. */
static size_t find_message(const struct list *list, const char *id)
{
	size_t i = list->n;

	while (i && !(list->items[i - 1].id &&
		      strcmp(list->items[i - 1].id, id) == 0))
		i--;
	return i ? i - 1 : list->n;
}

/* Add the message V, or put it in the place of the one with its id. */
static void take_gemini_message(struct reading *rd, const struct value *v)
{
	const char *id = string_of(v, "id");
	size_t at = id ? find_message(&rd->said, id) : rd->said.n;
	const size_t n = rd->said.n;
	const bool person = value_is(value_get(v, "type"), "user");

	if (!value_get(v, "type"))
		return;
	take(rd, &rd->said, id ? id : "",
	     person ? value_get(v, "content") : NULL, NULL);
	if (at < n && rd->said.n > n)
		rd->said.items[at] = rd->said.items[--rd->said.n];
}

static void take_gemini_messages(struct reading *rd, const struct value *v)
{
	const struct value *messages = value_get(v, "messages");

	if (!messages || messages->kind != VALUE_LIST)
		return;
	rd->said.n = 0;
	for (size_t i = 0; i < messages->u.list.n; i++)
		take_gemini_message(rd, &messages->u.list.items[i]);
}

static void take_gemini(struct reading *rd, const struct value *v)
{
	const struct value *set = value_get(v, "$set");
	const char *rewind = string_of(v, "$rewindTo");

	if (set) {
		take_gemini_messages(rd, set);
	} else if (rewind) {
		size_t at = find_message(&rd->said, rewind);

		rd->said.n = at < rd->said.n ? at : 0;
	} else {
		take_gemini_message(rd, v);
	}
}

static bool holds(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word)) != NULL;
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

static int parse(struct reading *rd, const char *p, size_t len, struct value *v,
		 struct err *e)
{
	char *mended;

	arena_reset(&rd->line);
	mended = arena_copy(&rd->line, p, len);
	json_mend(mended, len);
	return json_parse(mended, len, &rd->line, v, e);
}

static int read_lines(struct reading *rd, enum agent agent, int fd,
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
static int read_object(struct reading *rd, int fd, const char *path,
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

static int open_record(const char *path, struct err *e)
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

/* What is left of LIST is T's. */
static void give(struct transcript *t, const struct list *list, struct arena *a)
{
	if (list->n)
		t->items = arena_alloc(a, list->n * sizeof(*t->items));
	for (size_t i = 0; i < list->n; i++) {
		if (list->items[i].said.text)
			t->items[t->n++] = list->items[i].said;
	}
}

int transcript_read(struct transcript *t, enum agent agent, const char *path,
		    struct arena *a, struct err *e)
{
	struct reading rd = {.keep = a};
	size_t len = strlen(path);
	int fd = open_record(path, e), r;

	*t = (struct transcript){0};
	if (fd < 0)
		return -1;
	if (agent == AGENT_GEMINI && len > 5 &&
	    strcmp(path + len - 5, ".json") == 0)
		r = read_object(&rd, fd, path, e);
	else
		r = read_lines(&rd, agent, fd, path, e);
	if (!r) {
		give(t, rd.said.n ? &rd.said : &rd.second, a);
		t->skipped = rd.skipped;
	}
	close(fd);
	free(rd.said.items);
	free(rd.second.items);
	arena_release(&rd.line);
	return r;
}
