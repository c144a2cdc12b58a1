/* conversation-text.c: text of a turn begins at the left margin, so that it can
 * be copied; the line above it says whose it is. */
#include "conversation/conversation-text.h"

#include "base/date.h"
#include "base/utf8.h"
#include "format/json-write.h"
#include "text/sanitize.h"

#define SESSION_MAX ((size_t)80) /* bytes of a session's name in a line */

static void add_time(struct buf *out, struct instant at, bool local)
{
	char text[INSTANT_TEXT], clock[DATE_CLOCK];

	buf_adds(out, local ? date_clock(at, clock) : instant_format(at, text));
}

static void add_line(struct buf *out, const char *p, size_t len)
{
	sanitize_line(out, p, len);
}

void conversation_text(struct buf *out, const struct conversation *c,
		       bool local, const struct coloring *colors)
{
	const struct session *s = &c->session;
	struct arena a = {0};
	const char *resume = conversation_resume(s, &a);
	const char *id = s->id ? s->id : "-";
	struct buf head = {0};

	buf_adds(&head, transcript_format_name(s->agent));
	buf_addc(&head, ' ');
	add_line(&head, id, utf8_cut(id, strlen(id), SESSION_MAX));
	color_add(out, colors, COLOR_ID, head.p, head.len);
	buf_adds(out, ", ");
	if (s->has_start) {
		add_time(out, s->start, local);
		buf_adds(out, " to ");
	}
	add_time(out, s->end, local);
	buf_addf(out, ", %zu turn%s\n", c->turns, c->turns == 1 ? "" : "s");
	if (c->first) {
		buf_adds(out, "  ");
		add_line(out, c->first, strlen(c->first));
		buf_addc(out, '\n');
	}
	if (resume) {
		buf_adds(out, "  ");
		add_line(out, resume, strlen(resume));
		buf_addc(out, '\n');
	}
	buf_release(&head);
	arena_release(&a);
}

void conversation_json(struct buf *out, const struct conversation *c)
{
	const struct session *s = &c->session;
	char start[INSTANT_TEXT], end[INSTANT_TEXT];
	struct arena a = {0};

	json_write_open(out, NULL, '{');
	json_write_text(out, "agent", transcript_format_name(s->agent));
	json_write_text(out, "session", s->id);
	json_write_text(out, "project", s->project);
	json_write_text(out, "start",
			s->has_start ? instant_format(s->start, start) : NULL);
	json_write_text(out, "end", instant_format(s->end, end));
	json_write_size(out, "turns", c->turns);
	json_write_text(out, "first", c->first);
	json_write_text(out, "path", s->path);
	json_write_text(out, "resume", conversation_resume(s, &a));
	json_write_close(out, '}');
	buf_addc(out, '\n');
	arena_release(&a);
}

/* Append who says T, or which tool was called. */
static void add_speaker(struct buf *out, const struct conversation_turn *t)
{
	if (!t->tool) {
		buf_adds(out, t->role ? t->role : "unknown");
		return;
	}
	buf_adds(out, t->len ? "ran " : "called ");
	add_line(out, t->tool, strlen(t->tool));
}

void conversation_turn_text(struct buf *out, const struct conversation_turn *t,
			    bool local, const struct coloring *colors)
{
	struct buf head = {0};
	struct instant at;

	buf_addf(&head, "[%zu] ", t->number);
	add_speaker(&head, t);
	color_add(out, colors, COLOR_HEADING, head.p, head.len);
	if (t->at && instant_parse(t->at, strlen(t->at), &at)) {
		buf_adds(out, ", ");
		add_time(out, at, local);
	}
	buf_addc(out, '\n');
	if (t->len) {
		sanitize_prompt(out, t->text, t->len);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
	buf_release(&head);
}

void conversation_turn_json(struct buf *out, const struct conversation_turn *t)
{
	json_write_open(out, NULL, '{');
	json_write_size(out, "turn", t->number);
	json_write_text(out, "role", t->role);
	json_write_text(out, "at", t->at);
	json_write_text(out, "tool", t->tool);
	json_write_bytes(out, "text", t->text, t->len);
	json_write_close(out, '}');
	buf_addc(out, '\n');
}

/* What was found of an agent. */
struct tally {
	size_t found, read, empty, unknown, unreadable;
	size_t turns;
	size_t lines; /* that cannot be read, in conversations that can */
	uint64_t bytes;
};

/* Count C in T. */
static void count(struct tally *t, const struct conversation *c)
{
	t->found++;
	t->read += c->state == CONVERSATION_READ;
	t->empty += c->state == CONVERSATION_EMPTY;
	t->unknown += c->state == CONVERSATION_UNKNOWN;
	t->unreadable += c->state == CONVERSATION_UNREADABLE;
	t->turns += c->turns;
	t->lines += c->skipped;
	t->bytes += c->session.bytes;
}

static void add_tally(struct buf *out, const char *agent, const struct tally *t)
{
	const struct {
		size_t n;
		const char *what;
	} parts[] = {
		{t->empty, "without words"},
		{t->unknown, "in an unknown version"},
		{t->unreadable, "unreadable"},
	};

	buf_addf(out, "%-9s %zu found, %zu read", agent, t->found, t->read);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i].n)
			buf_addf(out, ", %zu %s", parts[i].n, parts[i].what);
	}
	if (t->lines)
		buf_addf(out, "; %zu line%s skipped", t->lines,
			 t->lines == 1 ? "" : "s");
	buf_addc(out, '\n');
}

static void add_json_tally(struct buf *out, const char *agent,
			   const struct tally *t)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "agent", agent);
	json_write_size(out, "found", t->found);
	json_write_size(out, "read", t->read);
	json_write_size(out, "empty", t->empty);
	json_write_size(out, "unknown", t->unknown);
	json_write_size(out, "unreadable", t->unreadable);
	json_write_size(out, "turns", t->turns);
	json_write_size(out, "lines_skipped", t->lines);
	json_write_int(out, "bytes", (int64_t)t->bytes);
	json_write_close(out, '}');
	buf_addc(out, '\n');
}

void conversation_tallies(struct buf *out, const struct conversations *all,
			  const char *agent, bool json)
{
	struct tally tallies[TRANSCRIPT_TEXT] = {{0}};

	for (size_t i = 0; i < all->n; i++)
		count(&tallies[all->items[i].session.agent], &all->items[i]);
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const char *name = transcript_format_name(f);

		if (agent && strcmp(agent, name) != 0)
			continue;
		if (json)
			add_json_tally(out, name, &tallies[f]);
		else
			add_tally(out, name, &tallies[f]);
	}
}
