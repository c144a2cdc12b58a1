/* conversation-input.c: text and name are redacted after reading, before any
 * caller sees them. */
#include "harvest/harvest.h"

#include "base/utf8.h"
#include "reader/reader.h"
#include "sys/file.h"
#include "text/secrets.h"
#include "transcript/listing.h"

#include <sys/stat.h>

/* Append the name of the record T, "AGENT/SESSION", or its file name if it is
 * plain text. */
static void append_name(struct buf *out, const struct transcript *t)
{
	const char *name = file_name_of(t->path);
	const char *end, *start = t->path;

	if (t->format == TRANSCRIPT_TEXT) {
		buf_adds(out, name);
		return;
	}
	buf_addf(out, "%s/", transcript_format_name(t->format));
	end = strrchr(name, '.');
	if (t->session) {
		buf_adds(out, t->session);
	} else if (name > start && reader_of(t->format)->by_directory) {
		for (end = --name; name > start && name[-1] != '/';)
			name--;
		buf_add(out, name, (size_t)(end - name));
	} else {
		buf_add(out, name, end ? (size_t)(end - name) : strlen(name));
	}
}

/* A turn_fn: append a turn. Returns 1 if the text is too long. */
static int append_turn(void *ctx, const struct turn *t, struct err *e)
{
	struct conversation *c = ctx;
	struct buf *text = &c->text;
	struct instant time;

	(void)e;
	c->outside |= t->tool && reader_is_outside_tool(t->tool);
	if (!c->begun && t->time &&
	    instant_parse(t->time, strlen(t->time), &time))
		c->begun = time.sec;
	if (!t->text)
		return 0;
	if (text->len && t->role)
		buf_adds(text, "\n\n");
	if (t->role)
		buf_addf(text, "%s: ", t->role);
	buf_add(text, t->text, t->len);
	return text->len > CONVERSATION_MAX;
}

/* Replace B by its redacted text. Counts the secrets in C. */
static int redact_buf(struct conversation *c, struct buf *b, struct err *e)
{
	struct secrets *s = secrets_new();
	struct buf clean = {0};
	const int n = secrets_redact(&clean, s, buf_str(b), b->len, e);

	secrets_free(s);
	if (n < 0) {
		buf_release(&clean);
		return -1;
	}
	c->redacted += n;
	buf_release(b);
	*b = clean;
	return 0;
}

/* Append the id of the session of T, if it is known. */
static void add_session(struct buf *out, const struct transcript *t)
{
	struct arena a = {0};
	const char *id = listing_session_id(t, &a);

	buf_adds(out, id ? id : "");
	arena_release(&a);
}

/* Append the turns of T to the text. */
static int read_turns(struct conversation *c, struct transcript *t,
		      struct err *e)
{
	struct stat st;
	int r;

	/* A plain text is as long as its file. */
	if (t->format == TRANSCRIPT_TEXT && fstat(t->fd, &st) == 0 &&
	    st.st_size > (off_t)CONVERSATION_MAX) {
		c->too_large = true;
		return 0;
	}
	r = transcript_each(t, append_turn, c, e);
	if (t->format != TRANSCRIPT_TEXT) {
		c->agent = transcript_format_name(t->format);
		add_session(&c->session, t);
	}
	c->too_large = r > 0;
	return r < 0 ? -1 : 0;
}

int harvest_conversation_read(struct conversation *c, const char *path,
			      bool plain, struct err *e)
{
	struct transcript t;
	int r = 0;

	*c = (struct conversation){0};
	if (transcript_open_operand(&t, path, e) < 0)
		return -1;
	t.format = TRANSCRIPT_TEXT;
	if (!plain)
		r = transcript_detect(&t, e);
	if (!r)
		append_name(&c->name, &t);
	if (!r) {
		r = transcript_is_request(&t, e);
		c->request = r == 1;
	}
	if (!r)
		r = read_turns(c, &t, e);
	else if (r > 0)
		r = 0;
	transcript_close(&t);
	if (!r)
		r = redact_buf(c, &c->name, e);
	if (!r)
		r = redact_buf(c, &c->text, e);
	if (r)
		harvest_conversation_release(c);
	return r;
}

bool harvest_conversation_is_alone(const char *path, const char **why,
				   struct err *e)
{
	struct transcript t;
	bool session;
	int n;

	*why = e->text;
	if (transcript_open(&t, path, e) < 0)
		return false;
	session = t.session != NULL;
	n = transcript_detect(&t, e) < 0 ? -1 : transcript_count(&t, e);
	transcript_close(&t);
	if (session)
		*why = "it is a session in a database, which only its agent "
		       "can delete";
	else if (n > 1)
		*why = "it has several conversations";
	else if (!n)
		*why = "it is not an agent's record of a conversation";
	return !session && n == 1;
}

int harvest_conversation_replace(struct conversation *c, struct buf *text,
				 struct err *e)
{
	buf_cut(&c->text, 0);
	buf_add(&c->text, text->p, text->len);
	return redact_buf(c, &c->text, e);
}

void harvest_conversation_release(struct conversation *c)
{
	buf_release(&c->name);
	buf_release(&c->text);
	buf_release(&c->session);
}

bool harvest_conversation_part(const struct conversation *c, size_t n,
			       const char **p, size_t *len)
{
	const char *end = c->text.p + c->text.len;

	*p = buf_str(&c->text);
	for (*len = 0;; *p += *len) {
		const size_t left = (size_t)(end - *p);

		if (!c->text.len || !left)
			return false;
		*len = left;
		if (left > CONVERSATION_PART) {
			*len = utf8_cut(*p, left, CONVERSATION_PART);
			for (size_t i = *len; i; i--) {
				if ((*p)[i - 1] != '\n')
					continue;
				*len = i;
				break;
			}
		}
		if (!n--)
			return true;
	}
}
