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
