/* event.c: any bytes as an event of an agent. The first line chooses the agent,
 * the rest is the event.
 *
 * Properties: an event is read, or refused with a message; an event has a name,
 * a session that is safe in a log, and C strings; the answer is one line of
 * JSON with the given texts, and empty if there are none.
 */
#include "../fuzz.h"

#include "agent/event.h"
#include "format/json-read.h"

static void must_be_text(const char *s, size_t len)
{
	must(!s || (*s && strlen(s) <= len * 3),
	     "a text is absent or not empty");
}

/* Check that the string KEY of MAP is TEXT. */
static void must_say(const struct value *map, const char *key, const char *text)
{
	const struct value *v = value_get(map, key);

	must(v && value_is(v, text), "the answer has the text");
}

static void answer(const struct event *ev, const struct buf *context,
		   const struct buf *notice, struct arena *a)
{
	const struct value *special;
	struct buf out = {0};
	struct value v;
	struct err e;

	event_answer(&out, ev, context, notice);
	must(out.len > 2 && memchr(out.p, '\n', out.len) == out.p + out.len - 1,
	     "an answer is one line");
	must(json_parse(out.p, out.len, a, &v, &e) == 0 && v.kind == VALUE_MAP,
	     "an answer is a JSON object");
	must(v.u.map.n == !!context->len + (size_t) !!notice->len,
	     "an answer has exactly the given texts");
	special = value_get(&v, "hookSpecificOutput");
	if (context->len && !ev->agent->flat_answer)
		must_say(special, "hookEventName", ev->name);
	if (context->len)
		must_say(ev->agent->flat_answer ? &v : special,
			 "additionalContext", context->p);
	if (notice->len)
		must_say(&v, "systemMessage", notice->p);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789._-";
	const char *p = size ? (const char *)data : "";
	const struct buf none = {0};
	struct arena a = {0};
	struct buf text = {0};
	struct event ev;
	struct err e;
	size_t line, agents = 0;
	const struct agent *agent;

	while (agent_at(agents))
		agents++;
	fuzz_line(&p, &size, &line, &a);
	agent = agent_at(line % agents);
	if (event_parse(&ev, agent, arena_copy(&a, p, size), size, &a, &e) <
	    0) {
		must_be_error(&e);
		goto out;
	}
	must(ev.agent == agent && ev.name && *ev.name, "an event has a name");
	must(strspn(ev.session, letters) == strlen(ev.session) &&
		     strlen(ev.session) <= 80,
	     "a session is safe in a log");
	must_be_text(ev.cwd, size);
	must_be_text(ev.transcript, size);
	must_be_text(ev.prompt, size);
	if (ev.prompt)
		buf_adds(&text, ev.prompt);
	answer(&ev, &none, &none, &a);
	answer(&ev, &text, &none, &a);
	answer(&ev, &none, &text, &a);
	answer(&ev, &text, &text, &a);
out:
	buf_release(&text);
	arena_release(&a);
	return 0;
}
