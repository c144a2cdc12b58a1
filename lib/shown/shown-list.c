/* shown-list.c: lines that are not events, in a file that was edited, are skipped. */
#include "shown/shown.h"

#include "format/json-read.h"
#include "shown/shown-file.h"
#include "sys/file.h"
#include "sys/lock.h"
#include "text/sanitize.h"

#include <unistd.h>

int shown_list_open(struct shown_list *l, struct err *e)
{
	struct buf name = {0};
	const struct log_file file = shown_file_here(&name);
	int r;

	*l = (struct shown_list){0};
	r = log_read(&file, &l->text, e);
	buf_release(&name);
	return r;
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
	return buf_next_line(&l->text, &l->at, line, len);
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

int shown_list_all(const struct value **out, size_t *n, struct arena *a,
		   struct err *e)
{
	struct shown_list l;
	struct value *list, v;
	const char *line;
	size_t lines = 0, len;
	const int r = shown_list_open(&l, e);

	*n = 0;
	while (shown_list_line(&l, &line, &len))
		lines++;
	list = arena_alloc(a, (lines + 1) * sizeof(*list));
	*out = list + lines;
	l.at = 0;
	while (shown_list_line(&l, &line, &len)) {
		line = arena_copy(a, line, len);
		if (shown_list_parse(line, len, a, &v)) {
			list[lines - ++*n] = v;
			*out = &list[lines - *n];
		}
	}
	shown_list_close(&l);
	return r;
}

/* Return true if EVENT is of the agent of OTHER, and of its session or of an unknown
 * one. */
static bool is_of(const struct value *event, const struct value *other)
{
	const char *session = value_text(event, "session");

	if (strcmp(value_text(event, "agent"), value_text(other, "agent")) != 0)
		return false;
	return !*session || !strcmp(session, value_text(other, "session"));
}

/* Return the newest of the N EVENTS that is of the agent of the first and has a session;
 * the first if there is none. */
static const struct value *newest_session(const struct value *const *events,
					  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (*value_text(events[i], "session") &&
		    !strcmp(value_text(events[i], "agent"),
			    value_text(events[0], "agent")))
			return events[i];
	}
	return events[0];
}

size_t shown_list_last_session(const struct value **events, size_t n)
{
	const struct value *newest = n ? newest_session(events, n) : NULL;
	const bool known = n && *value_text(newest, "session");
	size_t last = n, kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct value *event = events[i];

		if (known ? !strcmp(value_text(event, "session"),
				    value_text(newest, "session"))
			  : last == n && is_of(event, newest) &&
				    shown_is_start(value_text(event, "event")))
			last = i;
	}
	for (size_t i = 0; i <= last && i < n; i++) {
		if (is_of(events[i], newest))
			events[kept++] = events[i];
	}
	return kept;
}

/* Add the memories of EVENT to IDS. */
static void add_shown(struct shown_ids *ids, const struct value *event)
{
	const struct value *items = value_get(event, "memories");
	const bool acted = value_is(value_get(event, "event"), SHOWN_ACTION);

	for (size_t i = 0; i < items->u.list.n; i++) {
		const struct value *item = &items->u.list.items[i];
		const struct value *id = value_get(item, "id");

		if (!id || id->kind != VALUE_INT || value_get(item, "project"))
			continue;
		*MEM_ADD(ids->items, ids->n, ids->cap) = (struct shown_id){
			id->u.i, value_is(value_get(item, "scope"), "global"),
			acted};
	}
}

/* Lock the directory of the ledgers for IDS, where that can be. */
static void lock_ledgers(struct shown_ids *ids)
{
	const struct log_file file = {.folder = SHOWN_FILE_FOLDER};
	struct buf path = {0};
	struct err none;

	if (log_add_path(&path, &file, &none) == 0 &&
	    file_make_path(path.p, 0700, &ids->dir, &none) == 0) {
		ids->locked = lock_take(ids->dir, path.p, &ids->fd, &none) == 0;
		if (!ids->locked)
			close(ids->dir);
	}
	buf_release(&path);
}

void shown_ids_release(struct shown_ids *ids)
{
	if (ids->locked) {
		lock_release(ids->dir, ids->fd);
		close(ids->dir);
	}
	free(ids->items);
	*ids = (struct shown_ids){0};
}

/* Skip the lines before the first one that has OWN. */
static void skip_to(struct shown_list *l, const struct buf *own)
{
	const char *first =
		l->text.len ? memmem(l->text.p, l->text.len, own->p, own->len)
			    : NULL;

	l->at = first ? (size_t)(first - l->text.p) : l->text.len;
	while (first && l->at && l->text.p[l->at - 1] != '\n')
		l->at--;
}

/* Return true if the session lost its context before EVENT, which gives it again. */
static bool is_lost_before(const struct value *event)
{
	const char *name = value_text(event, "event");

	return !strcmp(name, SHOWN_AGAIN) ||
	       (!strcmp(name, SHOWN_START) &&
		value_is_true(value_get(event, "resumed")));
}

/* Return true if EVENT answered the prompt of S a short time ago. */
static bool is_retried(const struct value *event, const struct shown_session *s)
{
	const struct value *trigger = value_get(event, "trigger");
	const char *at = value_text(event, "at");
	struct instant time;

	return s->prompt && value_is(value_get(trigger, "prompt"), s->prompt) &&
	       instant_parse(at, strlen(at), &time) &&
	       instant_now().sec - time.sec <= SHOWN_RETRY_SECONDS;
}

/* Add to IDS what EVENT, of the agent of S, gave it. */
static void add_event(struct shown_ids *ids, const struct value *event,
		      const struct shown_session *s)
{
	const char *name = value_text(event, "event");
	const char *inner = value_text(event, "subagent");

	/* Without an id, a session is what came since the last start. */
	if ((!*s->session && shown_is_start(name)) ||
	    (!s->subagent && is_lost_before(event)))
		ids->n = 0;
	if ((s->subagent ? inner && !strcmp(inner, s->subagent) : !inner) &&
	    strcmp(name, SHOWN_LIST) != 0 && !is_retried(event, s))
		add_shown(ids, event);
}

void shown_list_session(struct shown_ids *ids, const struct shown_session *s)
{
	struct buf own = {0}, unknown = {0};
	struct shown_list l;
	bool began = false;
	const char *line;
	struct value v;
	size_t len;

	json_write_text(&own, "session", s->session);
	json_write_text(&unknown, "session", "");
	lock_ledgers(ids);
	shown_list_open(&l, NULL);
	skip_to(&l, &own);
	while (shown_list_line(&l, &line, &len)) {
		const bool is_own = memmem(line, len, own.p, own.len);

		/* Parsing all lines would take long. */
		if (!is_own &&
		    !(began && memmem(line, len, unknown.p, unknown.len)))
			continue;
		arena_reset(&l.arena);
		if (!shown_list_parse(line, len, &l.arena, &v) ||
		    !value_is(value_get(&v, "agent"), s->agent))
			continue;
		began = true;
		add_event(ids, &v, s);
	}
	if (s->lost)
		ids->n = 0;
	shown_list_close(&l);
	buf_release(&own);
	buf_release(&unknown);
}

bool shown_list_has_session(const char *agent, const char *session)
{
	struct buf own = {0};
	struct shown_list l;
	bool found = false;
	struct value v;

	json_write_text(&own, "session", session);
	shown_list_open(&l, NULL);
	while (!found && shown_list_next(&l, own.p, &v))
		found = value_is(value_get(&v, "agent"), agent);
	shown_list_close(&l);
	buf_release(&own);
	return found;
}

const struct shown_id *shown_ids_find(const struct shown_ids *ids, int64_t id,
				      bool global)
{
	const struct shown_id *found = NULL;

	for (size_t i = 0; i < ids->n; i++) {
		const struct shown_id *one = &ids->items[i];

		if (one->id == id && one->global == global &&
		    (!found || !found->acted))
			found = one;
	}
	return found;
}

bool shown_list_id(struct buf *out, const struct value *item)
{
	const int64_t id = value_positive(item, "id");
	const char *project = value_text(item, "project");

	if (!id)
		return false;
	if (project) {
		sanitize_terminal(out, project, strlen(project), false);
		buf_addc(out, ':');
	} else if (value_is(value_get(item, "scope"), "global")) {
		buf_addc(out, 'g');
	}
	buf_addi(out, id);
	return true;
}

/* Add to LIST, in A, the ids of the memories of V, each once. */
static void add_ids(struct strings *list, const struct value *v,
		    struct arena *a)
{
	const struct value *items = value_get(v, "memories");
	struct buf id = {0};

	for (size_t i = 0; i < items->u.list.n; i++) {
		buf_cut(&id, 0);
		if (shown_list_id(&id, &items->u.list.items[i]) &&
		    !strings_has(list, id.p))
			strings_add(list, arena_strdup(a, id.p));
	}
	buf_release(&id);
}

bool shown_list_find_last(struct shown_last *last, const char *agent,
			  const struct value *events, size_t n, struct arena *a)
{
	const struct value **own = arena_alloc(a, (n + 1) * sizeof(*own));
	const char *at;
	size_t kept = 0;

	*last = (struct shown_last){0};
	for (size_t i = 0; i < n; i++) {
		if (value_is(value_get(&events[i], "agent"), agent))
			own[kept++] = &events[i];
	}
	kept = shown_list_last_session(own, kept);
	if (!kept)
		return false;
	at = value_text(own[kept - 1], "at");
	instant_parse(at, strlen(at), &last->at);
	while (kept--) {
		const int64_t bytes = value_get(own[kept], "bytes")->u.i;

		if (!shown_is_start(value_text(own[kept], "event")))
			add_ids(&last->memories, own[kept], a);
		else if (bytes)
			last->bytes = (size_t)bytes;
	}
	return true;
}
