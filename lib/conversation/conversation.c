/* conversation.c: a record is in an unknown version if there are words of a user
 * in it, and the reader of its agent understands no message.
 */
#include "conversation/conversation.h"

#include "base/date.h"
#include "base/utf8.h"
#include "format/json-write.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <unistd.h>

#define FIRST_MAX ((size_t)200)	    /* bytes of a first line */
#define LOOK ((size_t)1024 * 1024)  /* for words of a user */
#define COMMAND_MAX ((size_t)16384) /* bytes of a command */
#define SESSION_MAX ((size_t)80)    /* bytes of a session's name in a line */

struct passing {
	struct conversation *c;
	const struct conversation_reading *how;
	struct arena *a;
	struct buf text;
	int r; /* result of the callback */
};

/* Append the LEN bytes of P without secrets. Text that cannot be checked is left
 * out. */
static void add_redacted(struct buf *out, struct secrets *secrets,
			 const char *p, size_t len)
{
	const size_t was = out->len;

	if (secrets_redact(out, secrets, p, len, NULL) < 0)
		buf_cut(out, was);
}

/* Set the first line of C from the LEN bytes of P. */
static void set_first(struct passing *x, const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);
	const size_t n = end ? (size_t)(end - p) : len;

	if (!x->c->first && n)
		x->c->first = arena_copy(x->a, p, utf8_cut(p, n, FIRST_MAX));
}

static int pass_turn(void *ctx, const struct turn *t, struct err *e)
{
	struct passing *x = ctx;
	const char *p = t->tool ? t->command : t->text;
	size_t len = t->tool ? t->command_len : t->len;
	struct conversation_turn turn = {
		.number = ++x->c->turns, .role = t->role, .tool = t->tool};

	turn.at = t->time;
	len = t->tool ? utf8_cut(p ? p : "", p ? len : 0, COMMAND_MAX) : len;
	buf_cut(&x->text, 0);
	if (p && (x->how->fn || !x->c->first))
		add_redacted(&x->text, x->how->secrets, p, len);
	turn.text = buf_str(&x->text);
	turn.len = x->text.len;
	if (t->role && !strcmp(t->role, TURN_USER))
		set_first(x, turn.text, turn.len);
	x->r = x->how->fn ? x->how->fn(x->how->ctx, &turn, e) : 0;
	return x->r;
}

/* Return true if the record T may have words of a user. */
static bool has_words(const struct transcript *t)
{
	char *p = mem_alloc(LOOK);
	const ssize_t n = pread(t->fd, p, LOOK, 0);
	const bool has = n > 0 && (memmem(p, (size_t)n, "\"user\"", 6) ||
				   memmem(p, (size_t)n, "\"human\"", 7));

	free(p);
	return has;
}

/* Set the state of X's conversation after T was read from its start. */
static void set_state(struct passing *x, struct transcript *t)
{
	const enum transcript_format agent = t->format;
	struct conversation *c = x->c;
	struct err why;

	c->state = c->turns ? CONVERSATION_READ : CONVERSATION_EMPTY;
	if (transcript_is_overlong(t, &why))
		c->why = arena_strdup(x->a, why.text);
	if (c->turns || t->messages || !c->session.bytes || t->overlong)
		return;
	if (transcript_detect(t, NULL) < 0 ||
	    (t->format == agent ? has_words(t) : true))
		c->state = CONVERSATION_UNKNOWN;
	t->format = agent;
}

static void set_unreadable(struct passing *x, const struct err *why)
{
	x->c->state = CONVERSATION_UNREADABLE;
	x->c->why = arena_strdup(x->a, why->text);
	x->c->code = why->code == ERR_NO ? ERR_SYSTEM : why->code;
}

int conversation_each(struct conversation *c,
		      const struct conversation_reading *how, struct arena *a,
		      struct err *e)
{
	struct passing x = {.c = c, .how = how, .a = a};
	struct transcript_place whole = {0};
	struct transcript t;
	struct err why;
	int r;

	c->turns = how->counted;
	c->first = how->counted ? c->first : NULL;
	if (!how->counted || c->state == CONVERSATION_UNREADABLE)
		c->why = NULL;
	if (transcript_open(&t, c->session.path, &why) < 0) {
		set_unreadable(&x, &why);
		return 0;
	}
	t.format = c->session.agent;
	t.errors = true;
	r = transcript_each_new(&t, how->place ? how->place : &whole, pass_turn,
				&x, &why);
	if (r == -1 && x.r != -1) {
		set_unreadable(&x, &why);
		r = 0;
	} else if (r == -1) {
		*e = why;
	} else if (!r) {
		set_state(&x, &t);
	}
	c->skipped = t.skipped + (how->counted ? c->skipped : 0);
	transcript_close(&t);
	buf_release(&x.text);
	return r;
}

static int compare_conversations(const void *x, const void *y)
{
	const struct conversation *a = x, *b = y;
	const int r = instant_cmp(b->session.end, a->session.end);

	return r ? r : strcmp(a->session.path, b->session.path);
}

int conversation_list(struct conversations *c,
		      const struct conversations_ask *ask, struct err *e)
{
	struct sessions found = {.a = c->a, .report = ask->report};
	const struct listing l = {.all = ask->all, .agent = ask->agent};
	struct conversation_reading how = {.secrets = secrets_new()};
	int r = listing_find(&found, &l, ask->report, e);

	c->items = mem_alloc((found.n + 1) * sizeof(*c->items));
	for (; !r && c->n < found.n; c->n++) {
		struct conversation *one = &c->items[c->n];

		progress_step(ask->progress, "conversations", c->n, found.n);
		one->session = found.items[c->n];
		if (!ask->is_known || !ask->is_known(ask->ctx, one))
			r = conversation_each(one, &how, c->a, e);
	}
	qsort(c->items, c->n, sizeof(*c->items), compare_conversations);
	secrets_free(how.secrets);
	listing_release(&found);
	return r < 0 ? -1 : 0;
}

void conversation_list_release(struct conversations *c)
{
	free(c->items);
	c->items = NULL;
	c->n = 0;
}

int conversation_find(struct session *s, const char *name, const char *agent,
		      const struct report *r, struct arena *a, struct err *e)
{
	const struct listing l = {.all = true, .agent = agent};
	struct sessions found = {.a = a};
	size_t begin = 0, exact = 0;

	if (listing_find(&found, &l, r, e) < 0)
		return -1;
	for (size_t i = 0; i < found.n; i++) {
		const struct session *one = &found.items[i];
		const bool same = !strcmp(one->path, name) ||
				  (one->id && !strcmp(one->id, name));
		const bool begins =
			one->id && !strncmp(one->id, name, strlen(name));

		exact += same;
		begin += begins;
		if (same || (begins && !exact))
			*s = *one;
	}
	listing_release(&found);
	if (exact == 1 || (!exact && begin == 1))
		return 0;
	if (exact || begin)
		return err_set(e, ERR_NO, "%zu conversations are called '%s'",
			       exact ? exact : begin, name);
	return err_set(e, ERR_NO, "no conversation '%s'", name);
}

bool conversation_fault(const struct conversation *c, struct err *e)
{
	if (c->state == CONVERSATION_UNREADABLE)
		err_set(e, c->code, "%s", c->why);
	else if (c->state == CONVERSATION_UNKNOWN)
		err_set(e, ERR_DATA,
			"'%s': this version of %s is not known to co",
			c->session.path,
			transcript_format_name(c->session.agent));
	else if (c->why)
		err_set(e, ERR_DATA, "%s", c->why);
	else
		return false;
	return true;
}

/* Return true if ID needs no quotes in a command, and is no option. */
static bool is_plain(const char *id)
{
	return id && *id && *id != '-' &&
	       !id[strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ._-")];
}

const char *conversation_resume(const struct session *s, struct arena *a)
{
	const struct reader *reader = reader_of(s->agent);
	const bool ids = !reader->resumes_last;
	struct buf text = {0};
	const char *command;

	if (!reader->resume || (ids && !is_plain(s->id)))
		return NULL;
	if (s->project && *s->project == '/' &&
	    !file_is_same(".", s->project)) {
		buf_adds(&text, "cd ");
		buf_add_quoted(&text, s->project);
		buf_adds(&text, " && ");
	}
	buf_adds(&text, reader->resume);
	if (ids)
		buf_adds(&text, s->id);
	command = arena_copy(a, text.p, text.len);
	buf_release(&text);
	return command;
}

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
	json_write_end(out);
	arena_release(&a);
}

/* Append the speaker of T, or the tool that was called. */
static void add_speaker(struct buf *out, const struct conversation_turn *t)
{
	if (!t->tool) {
		buf_adds(out, t->role ? t->role : "unknown");
		return;
	}
	buf_adds(out, t->len ? "ran " : "called ");
	add_line(out, t->tool, strlen(t->tool));
}

/* The text of a turn begins at the left margin, so that it can be copied; the line above
 * it says whose it is. */
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
	json_write_end(out);
}

/* The conversations found of an agent. */
struct tally {
	size_t found, read, empty, unknown, unreadable;
	size_t turns;
	size_t lines; /* that cannot be read, in conversations that can */
	uint64_t bytes;
};

/* Count C in T. */
static void count_conversation(struct tally *t, const struct conversation *c)
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
	json_write_end(out);
}

void conversation_tallies(struct buf *out, const struct conversations *all,
			  const char *agent, bool json)
{
	struct tally tallies[TRANSCRIPT_TEXT] = {{0}};

	for (size_t i = 0; i < all->n; i++)
		count_conversation(&tallies[all->items[i].session.agent],
				   &all->items[i]);
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
