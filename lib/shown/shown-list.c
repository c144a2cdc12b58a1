/* shown-list.c: lines that are not events, in a file that was edited, are skipped. */
#include "shown/shown-list.h"

#include "format/json-read.h"
#include "shown/shown-file.h"
#include "shown/shown.h"
#include "text/sanitize.h"

void shown_list_open(struct shown_list *l)
{
	struct buf name = {0};
	const struct log_file file = shown_file_here(&name);

	*l = (struct shown_list){0};
	log_read(&file, &l->text);
	buf_release(&name);
}

/* Return true if V is an event: what this file reads of it has the right kind. */
static bool is_event(const struct value *v)
{
	const struct value *bytes = value_get(v, "bytes");
	const struct value *memories = value_get(v, "memories");
	const char *at = value_text(v, "at");
	struct instant time;

	return at && instant_parse(at, strlen(at), &time) &&
	       value_text(v, "agent") && value_text(v, "session") &&
	       value_text(v, "event") && bytes && bytes->kind == VALUE_INT &&
	       bytes->u.i >= 0 && memories && memories->kind == VALUE_LIST;
}

bool shown_list_line(struct shown_list *l, const char **line, size_t *len)
{
	const char *end;

	if (l->at >= l->text.len)
		return false;
	*line = l->text.p + l->at;
	end = memchr(*line, '\n', l->text.len - l->at);
	*len = end ? (size_t)(end - *line) : l->text.len - l->at;
	l->at += *len + 1;
	return true;
}

bool shown_list_parse(const char *line, size_t len, struct arena *a,
		      struct value *v)
{
	return json_parse(line, len, a, v, NULL) == 0 && is_event(v);
}

bool shown_list_next(struct shown_list *l, const char *with, struct value *v)
{
	const char *line;
	size_t len;

	while (shown_list_line(l, &line, &len)) {
		arena_reset(&l->arena);
		if ((!with || memmem(line, len, with, strlen(with))) &&
		    shown_list_parse(line, len, &l->arena, v))
			return true;
	}
	return false;
}

void shown_list_close(struct shown_list *l)
{
	buf_release(&l->text);
	arena_release(&l->arena);
}

size_t shown_list_all(const struct value **out, struct arena *a)
{
	struct shown_list l;
	struct value *list, v;
	const char *line;
	size_t n = 0, lines = 0, len;

	shown_list_open(&l);
	while (shown_list_line(&l, &line, &len))
		lines++;
	list = arena_alloc(a, (lines + 1) * sizeof(*list));
	*out = list + lines;
	l.at = 0;
	while (shown_list_line(&l, &line, &len)) {
		line = arena_copy(a, line, len);
		if (shown_list_parse(line, len, a, &v)) {
			list[lines - ++n] = v;
			*out = &list[lines - n];
		}
	}
	shown_list_close(&l);
	return n;
}

bool shown_list_is_of(const struct value *event, const struct value *other)
{
	const char *session = value_text(event, "session");

	if (strcmp(value_text(event, "agent"), value_text(other, "agent")) != 0)
		return false;
	return !*session || !strcmp(session, value_text(other, "session"));
}

bool shown_list_id(struct buf *out, const struct value *item)
{
	const struct value *id = value_get(item, "id");
	const char *project = value_text(item, "project");

	if (!id || id->kind != VALUE_INT || id->u.i <= 0)
		return false;
	if (project) {
		sanitize_terminal(out, project, strlen(project), false);
		buf_addc(out, ':');
	} else if (value_is(value_get(item, "scope"), "global")) {
		buf_addc(out, 'g');
	}
	buf_addi(out, id->u.i);
	return true;
}

/* Add to LIST, in A, the ids of the memories of V, each once. */
static void add_ids(struct strings *list, const struct value *v,
		    struct arena *a)
{
	const struct value *items = value_get(v, "memories");
	struct buf id = {0};

	for (size_t i = 0; i < items->u.list.n; i++) {
		size_t k = 0;

		buf_cut(&id, 0);
		if (!shown_list_id(&id, &items->u.list.items[i]))
			continue;
		while (k < list->n && strcmp(list->items[k], id.p) != 0)
			k++;
		if (k == list->n)
			strings_add(list, arena_strdup(a, id.p));
	}
	buf_release(&id);
}

/* Begin LAST, unless V is another start of the SESSION that it has, such as one
 * after a compression: this keeps its time and its memories. */
static void begin_last(struct shown_last *last, const struct value *v,
		       struct buf *session)
{
	const char *id = value_text(v, "session"), *at = value_text(v, "at");
	const size_t bytes = (size_t)value_get(v, "bytes")->u.i;

	if (!last->at.sec || !*id || strcmp(id, buf_str(session)) != 0) {
		last->memories.n = 0;
		last->bytes = 0;
		instant_parse(at, strlen(at), &last->at);
	}
	if (bytes)
		last->bytes = bytes;
	buf_cut(session, 0);
	buf_adds(session, id);
}

bool shown_list_find_last(struct shown_last *last, const char *agent,
			  struct arena *a)
{
	struct buf session = {0};
	struct shown_list l;
	struct value v;

	*last = (struct shown_last){0};
	shown_list_open(&l);
	while (shown_list_next(&l, agent, &v)) {
		const char *id = value_text(&v, "session");

		if (strcmp(value_text(&v, "agent"), agent) != 0)
			continue;
		if (shown_is_start(value_text(&v, "event")))
			begin_last(last, &v, &session);
		else if (last->at.sec &&
			 (!*id || !strcmp(id, buf_str(&session))))
			add_ids(&last->memories, &v, a);
	}
	shown_list_close(&l);
	buf_release(&session);
	return last->at.sec;
}
