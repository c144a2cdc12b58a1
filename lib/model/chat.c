/* chat.c: an event is a line `data: JSON`. Other lines are ignored. */
#include "model/chat.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/file.h"

#define MAX_TOKENS 8192 /* Anthropic's interface requires it */

const char *chat_path(enum chat_api api)
{
	return api == CHAT_OPENAI ? "/chat/completions" : "/messages";
}

/* Append the request with the PROMPT, which is UTF-8. */
static void add_request(struct buf *out, const struct chat *c,
			const struct buf *prompt)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "model", c->model);
	if (c->api == CHAT_ANTHROPIC)
		json_write_size(out, "max_tokens", MAX_TOKENS);
	json_write_bool(out, "stream", true);
	json_write_open(out, "messages", '[');
	json_write_open(out, NULL, '{');
	json_write_text(out, "role", "user");
	json_write_bytes(out, "content", buf_str(prompt), prompt->len);
	json_write_close(out, '}');
	json_write_close(out, ']');
	json_write_close(out, '}');
}

struct chat chat_new(const char *protocol, const char *model)
{
	return (struct chat){.api = strcmp(protocol, "anthropic")
					    ? CHAT_OPENAI
					    : CHAT_ANTHROPIC,
			     .model = model};
}

/* Read the prompt from FD and append the request with it. */
static int read_prompt(const struct chat *c, struct buf *out, int fd,
		       struct err *e)
{
	struct buf prompt = {0};
	int r = file_read_fd(fd, "-", CHAT_PROMPT_MAX, &prompt, e);

	if (r == 0 && !prompt.len)
		r = err_set(e, ERR_DATA,
			    "there is no prompt on standard input");
	if (r == 0 && utf8_check(prompt.p, prompt.len) < prompt.len)
		r = err_set(e, ERR_DATA, "the prompt is not UTF-8");
	if (r == 0)
		add_request(out, c, &prompt);
	buf_release(&prompt);
	return r;
}

static int add_text(struct chat *c, const struct value *v, struct err *e)
{
	if (!v || v->kind != VALUE_STR)
		return 0;
	if (c->reply.len + v->u.s.len > CHAT_REPLY_MAX)
		return err_set(e, ERR_HELPER,
			       "the reply is longer than %zu bytes",
			       CHAT_REPLY_MAX);
	buf_add(&c->reply, v->u.s.p, v->u.s.len);
	if (c->give)
		c->give(v->u.s.p, v->u.s.len);
	return 0;
}

/* Record that the reply ended, and why, if V says so. */
static void read_finish_reason(struct chat *c, const struct value *v)
{
	if (!v || v->kind != VALUE_STR)
		return;
	c->finished = true;
	c->limited = value_is(v, "length") || value_is(v, "max_tokens");
}

/* Return -1 with ERR_HELPER if V reports an error of the server, else 0. */
static int check_error(const struct value *v, struct err *e)
{
	const struct value *error = value_get(v, "error");
	const char *text = value_text(error, "message");

	if (!error || error->kind == VALUE_NULL)
		return 0;
	if (!text)
		text = value_text(v, "error");
	return err_set(e, ERR_HELPER, "the server broke off: %.200s",
		       text ? text : "it does not say why");
}

/* Read OpenAI's object: a whole message, or a part of it if NAME is "delta". */
static int read_choice(struct chat *c, const struct value *v, const char *name,
		       struct err *e)
{
	const struct value *choice = value_item(value_get(v, "choices"), 0);

	read_finish_reason(c, value_get(choice, "finish_reason"));
	return add_text(c, value_get(value_get(choice, name), "content"), e);
}

/* Read a whole message of Anthropic. */
static int read_message(struct chat *c, const struct value *v, struct err *e)
{
	const struct value *parts = value_get(v, "content"), *part;

	read_finish_reason(c, value_get(v, "stop_reason"));
	for (size_t i = 0; (part = value_item(parts, i)); i++) {
		if (value_is(value_get(part, "type"), "text") &&
		    add_text(c, value_get(part, "text"), e) < 0)
			return -1;
	}
	return 0;
}

static int read_event(struct chat *c, const struct value *v, struct err *e)
{
	const struct value *delta = value_get(v, "delta");

	if (check_error(v, e) < 0)
		return -1;
	if (c->api == CHAT_OPENAI)
		return read_choice(c, v, "delta", e);
	read_finish_reason(c, value_get(delta, "stop_reason"));
	return value_is(value_get(delta, "type"), "text_delta")
		       ? add_text(c, value_get(delta, "text"), e)
		       : 0;
}

static int read_line(struct chat *c, const char *p, size_t len, struct err *e)
{
	struct value v;
	struct err why;

	if (len < 5 || memcmp(p, "data:", 5) != 0)
		return 0;
	p += 5;
	len -= 5;
	while (len && (*p == ' ' || p[len - 1] == '\r')) {
		p += *p == ' ';
		len--;
	}
	if (len == 6 && !memcmp(p, "[DONE]", 6)) {
		c->finished = true;
		return 0;
	}
	arena_reset(&c->line);
	if (json_parse_mended(p, len, &c->line, &v, &why) < 0)
		return err_set(e, ERR_HELPER,
			       "the server did not answer with JSON: %s",
			       why.text);
	return read_event(c, &v, e);
}

/* Return true if ANSWER is a stream of events. */
static bool is_stream(const struct buf *answer)
{
	const char *p = buf_str(answer);

	p += strspn(p, "\r\n");
	return !strncmp(p, "data:", 5) || !strncmp(p, "event:", 6) ||
	       !strncmp(p, "id:", 3) || *p == ':';
}

int chat_step(struct chat *c, const struct buf *answer, struct err *e)
{
	if (!is_stream(answer))
		return 0;
	while (c->at < answer->len) {
		const char *p = answer->p + c->at;
		const char *end = memchr(p, '\n', answer->len - c->at);

		if (!end)
			break;
		c->at += (size_t)(end - p) + 1;
		if (read_line(c, p, (size_t)(end - p), e) < 0)
			return -1;
	}
	return 0;
}

static int read_object(struct chat *c, const struct buf *answer, struct err *e)
{
	struct value v;
	struct err why;

	arena_reset(&c->line);
	if (json_parse_mended(buf_str(answer), answer->len, &c->line, &v,
			      &why) < 0)
		return err_set(e, ERR_HELPER,
			       "the server did not answer with JSON: %s",
			       why.text);
	if (check_error(&v, e) < 0)
		return -1;
	c->finished = true;
	return c->api == CHAT_OPENAI ? read_choice(c, &v, "message", e)
				     : read_message(c, &v, e);
}

int chat_end(struct chat *c, const struct buf *answer, struct err *e)
{
	int r = is_stream(answer) ? chat_step(c, answer, e)
				  : read_object(c, answer, e);

	if (r == 0 && c->at < answer->len && is_stream(answer) && !c->finished)
		r = read_line(c, answer->p + c->at, answer->len - c->at, e);
	if (r < 0)
		return -1;
	if (!c->finished)
		return err_set(e, ERR_HELPER, "the reply was cut off");
	if (c->limited)
		return err_set(e, ERR_HELPER,
			       "the reply was cut off at the model's limit of "
			       "tokens");
	if (!c->reply.len)
		return err_set(e, ERR_HELPER,
			       "there is no reply in the server's answer");
	return 0;
}

int chat_ask(struct chat *c, const struct endpoint *s, int fd, struct err *e)
{
	struct buf body = {0}, answer = {0};
	long status = -1;
	int r = -1;

	if (read_prompt(c, &body, fd, e) == 0)
		status = endpoint_ask(s, &body, &answer, e);
	if (status >= 0)
		r = status == 200 ? chat_end(c, &answer, e)
				  : endpoint_fail(s, status, &answer, e);
	buf_release(&body);
	buf_release(&answer);
	return r;
}

void chat_release(struct chat *c)
{
	buf_release(&c->reply);
	arena_release(&c->line);
}
