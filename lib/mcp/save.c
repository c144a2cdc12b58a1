/* save.c: save, ask, and do what the user says: three programs, one after
 * the other.
 *
 * The modern client is asked by an answer, and calls again with the user's
 * word and the state that it was given: the draft's id, when it was asked, and
 * a checksum of both and of the arguments, so that a word for one proposal is
 * never taken for another, and nothing has to be remembered here in between.
 *
 * Clients differ in ways that the protocol does not tell; the table has those
 * that matter here, by name.
 */

#include "base/hash.h"
#include "base/unicode.h"
#include "mcp/tool.h"
#include "repo/settings.h"
#include "shown/reads.h"
#include "store/store.h"
#include "sys/deadline.h"
#include "text/sanitize.h"

#include <inttypes.h>

#define SAVE_MS 40000 /* the lock may be waited for half a minute */
#define SHOWN 2000    /* bytes of the content that a question has room for */
#define LOOK_MS 2000
#define READ_MS 1000 /* nobody reads a question sooner */

/* What is looked up for each save, in the form that look() appends. */
#define LOOK_CLIENT 'c'	 /* the user leaves the question to the client */
#define LOOK_OUTSIDE 'o' /* the agent stands outside any project */

struct saving {
	bool article; /* it is one, not a memory */
	bool draft;
	bool external;	     /* its session has read text from outside */
	bool global;	     /* it goes to the user's store */
	const char *unasked; /* why a client that may approve does not */
	int64_t id;
	const char *display, *path; /* as the program printed them */
	bool replaced; /* it is known, and another memory has replaced it */
	const struct value *contradicts; /* a list of the ids of what it
					* contradicts, or NULL */
};

/* What is known of the clients of some name. */
struct client {
	const char *name;
	size_t columns; /* of a form's message that it shows, on one line */

	/* It asks a person before it calls a tool that wants it to, unless this
	 * variable of the environment has another value: nobody is there. */
	const char *variable, *attended;
};

static const struct client *find_client(const struct mcp_era *era)
{
	static const struct client clients[] = {
		{"claude-code", 72, "CLAUDE_CODE_ENTRYPOINT", "cli"},
	};

	for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
		if (!strcmp(clients[i].name, era->client))
			return &clients[i];
	}
	return NULL;
}

/* True if a person is asked before ERA's client calls a tool that asks. */
static bool asks_itself(const struct mcp_era *era)
{
	const struct client *client = find_client(era);
	const char *value = client ? getenv(client->variable) : NULL;

	return value && !strcmp(value, client->attended) &&
	       mcp_era_has(era, "2025-06-18");
}

static void look(void *ctx, struct buf *out, const struct report *r)
{
	struct arena a = {0};
	const struct settings *s;
	struct root root;

	(void)ctx;
	settings_user(&s, &a, r, NULL);
	if (!strcmp(settings_str(s, "save.approval"), "client"))
		buf_addc(out, LOOK_CLIENT);
	if (root_find(&root, SCOPE_PROJECT, NULL) == 0) {
		if (!root_in_project(&root))
			buf_addc(out, LOOK_OUTSIDE);
		root_release(&root);
	}
	arena_release(&a);
}

/* Find out, in time, whether it is left to the client, and where we are. */
static void look_around(struct mcp *m, bool *left, bool *outside)
{
	struct buf seen = {0};
	struct err e;

	if (deadline_read(look, NULL, LOOK_MS, &seen, m->report, &e) < 0)
		err_report(m->report, &e);
	*left = strchr(buf_str(&seen), LOOK_CLIENT);
	*outside = strchr(buf_str(&seen), LOOK_OUTSIDE);
	buf_release(&seen);
}

/* Return whether C proposes an article, not a memory. */
static bool is_article(const struct mcp_call *c)
{
	const struct saving *s = c->state;

	return s->article;
}

/* Take what the program that has ended printed of a save. */
static bool take_saved(struct mcp *m, struct mcp_call *c)
{
	struct saving *s = c->state;
	const struct value *id;
	struct value v;

	if (json_parse(buf_str(&m->ended.output), m->ended.output.len,
		       &c->arena, &v, NULL) < 0)
		return false;
	id = value_get(&v, "memory_id");
	s->id = id && id->kind == VALUE_INT ? id->u.i : 0;
	s->display = value_text(&v, "display");
	s->path = value_text(&v, "path");
	s->replaced = value_get(&v, "replaced_by");
	s->contradicts = value_get(&v, "contradicts");
	if (s->contradicts && s->contradicts->kind != VALUE_LIST)
		s->contradicts = NULL;
	return s->id && s->display && s->path;
}

static void add_clean(struct buf *object, const char *key, const char *text)
{
	struct buf clean = {0};

	sanitize_prompt(&clean, text, strlen(text));
	json_write_text(object, key, buf_str(&clean));
	buf_release(&clean);
}

static int64_t id_of(const struct value *ref)
{
	const struct value *id = value_get(ref, "id");

	return id && id->kind == VALUE_INT ? id->u.i : 0;
}

/* Append BEFORE and the memories that what S saves contradicts, if there are any,
 * and BEHIND. */
static void add_contradicted(struct buf *out, const struct saving *s,
			     const char *before, const char *behind)
{
	for (size_t i = 0; s->contradicts && i < s->contradicts->u.list.n; i++)
		buf_addf(out, "%s%s%" PRId64, i ? ", " : before,
			 s->global ? "g" : "",
			 id_of(&s->contradicts->u.list.items[i]));
	buf_adds(out, s->contradicts ? behind : "");
}

/* Answer with STATUS for programs and ADVICE after the text of the program. The
 * object has them too, since some clients show their model nothing else. */
static void reply(struct mcp *m, struct mcp_call *c, const char *status,
		  const char *advice)
{
	const struct saving *s = c->state;
	struct mcp_result r = {0};

	sanitize_prompt(&r.text, s->display, strlen(s->display));
	buf_addf(&r.text, "\n%s", advice);
	add_contradicted(&r.text, s, " It contradicts memory ",
			 ": tell the user; 'co learn --replaces' replaces that "
			 "one.");
	json_write_open(&r.object, NULL, '{');
	json_write_text(&r.object, "status", status);
	json_write_text(&r.object, "display", r.text.p);
	add_clean(&r.object, "path", s->path);
	json_write_int(&r.object, "memory_id", s->id);
	if (s->contradicts) {
		json_write_key(&r.object, "contradicts");
		json_write_value(&r.object, s->contradicts, NULL);
	}
	json_write_close(&r.object, '}');
	mcp_call_reply(m, c, &r);
}

/* The sentence BEFORE, and what the draft waits for. */
static const char *add_waits(struct mcp_call *c, const char *before)
{
	const struct saving *s = c->state;

	return arena_printf(&c->arena,
			    "%sit waits until the user accepts it with "
			    "'co review%s'.",
			    before, s->global ? " --global" : "");
}

/* WHY: a sentence and a blank, or "". */
static void reply_waiting(struct mcp *m, struct mcp_call *c, const char *why)
{
	reply(m, c, "draft",
	      add_waits(c, arena_printf(&c->arena,
					"%sIt is not yet remembered: ", why)));
}

static void accepted(struct mcp *m, struct mcp_call *c)
{
	if (m->ended.status || !take_saved(m, c))
		mcp_call_fail(m, c,
			      m->ended.status == ERR_NO
				      ? "The user agreed, but the draft was "
					"decided on before: "
				      : "The user agreed, but the draft could "
					"not be accepted: ");
	else
		reply(m, c, "saved", "The user agreed: it is remembered.");
}

static void rejected(struct mcp *m, struct mcp_call *c)
{
	if (m->ended.status || !take_saved(m, c))
		mcp_call_fail(
			m, c,
			m->ended.status == ERR_NO
				? "The user declined, but the draft was "
				  "decided on before: "
				: "The user declined, but the draft could "
				  "not be removed: ");
	else
		reply(m, c, "declined",
		      "The user declined: it is not remembered. Do not propose "
		      "it again.");
}

/* True if no person can have spoken: where nobody is at the keyboard, some
 * clients decline in their user's name, at once.  A time to come is that of
 * another machine, or of before it was started. */
static bool is_unread(const struct mcp_call *c)
{
	return instant_monotonic_ms() - c->asked < READ_MS;
}

/* The option by which what C replaces is to be what its client saw, or NULL. */
static const char *expected(struct mcp_call *c)
{
	const struct value *sum = mcp_call_arg(c, "expect");

	return sum ? arena_printf(&c->arena, "--expect=%s", sum->u.s.p) : NULL;
}

/* Do what the user said of the draft. */
static void decided(struct mcp *m, struct mcp_call *c)
{
	const struct saving *s = c->state;
	const bool yes = !strcmp(c->action, "accept");
	const char *expect = expected(c);
	const char *argv[] = {"co-review",
			      yes ? "--accept" : "--reject",
			      "--if-same",
			      "--json",
			      arena_printf(&c->arena, "%" PRId64, s->id),
			      s->global ? "--global" : NULL,
			      NULL,
			      NULL};
	const bool no = !strcmp(c->action, "decline");
	const struct value *content = mcp_call_arg(c, "content");

	if (yes && expect)
		argv[5 + s->global] = expect;
	if (yes || (no && !is_unread(c)))
		mcp_call_run(m, c, argv, content->u.s.p, content->u.s.len,
			     SAVE_MS, yes ? accepted : rejected);
	else
		reply_waiting(m, c,
			      no ? "It was declined sooner than a person can "
				   "read, so that counts for nothing. "
				 : "");
}

/* Append BEFORE and the texts of the argument NAME, if it has any. */
static void add_texts(struct buf *out, const struct mcp_call *c,
		      const char *name, const char *before)
{
	const struct value *texts = mcp_call_arg(c, name);

	for (size_t i = 0; texts && i < texts->u.list.n; i++) {
		buf_adds(out, i ? ", " : before);
		sanitize_prompt(out, texts->u.list.items[i].u.s.p,
				texts->u.list.items[i].u.s.len);
	}
}

/* The memory that C replaces, "7" or "g7", or NULL. */
static const char *replaced(struct mcp_call *c, bool *global)
{
	const struct value *v = mcp_call_arg(c, "replaces");
	int64_t id;

	*global = false;
	if (!v || !mcp_tool_is_id(v, &id, global))
		return NULL;
	return arena_printf(&c->arena, "%s%" PRId64, *global ? "g" : "", id);
}

/* Append the source of C's article, on one line. */
static void add_source(struct buf *out, const struct mcp_call *c)
{
	const struct value *source = mcp_call_arg(c, "source");

	sanitize_line(out, source->u.s.p, source->u.s.len);
}

/* Append the question on one line, with the proposal at its end, where nothing can
 * follow it. Return false if it is longer than COLUMNS. */
static bool add_short_question(struct buf *out, struct mcp_call *c,
			       size_t columns)
{
	const struct value *content = mcp_call_arg(c, "content");
	bool global;
	const char *replaces = replaced(c, &global);

	buf_adds(out, is_article(c) ? "Keep as an article from " : "Remember");
	if (is_article(c))
		add_source(out, c);
	add_texts(out, c, "tags", " as ");
	add_texts(out, c, "cites", ", citing ");
	if (replaces)
		buf_addf(out, ", replacing %s", replaces);
	add_contradicted(out, c->state, ", unlike ", "");
	buf_adds(out, ": ");
	sanitize_line(out, content->u.s.p, content->u.s.len);
	return unicode_columns(out->p, out->len) <= columns;
}

/* Append what the user is asked; false where they would not see all of it. */
static bool add_question(struct buf *out, struct mcp_call *c)
{
	const struct saving *s = c->state;
	const struct client *client = find_client(&c->era);
	const struct value *content = mcp_call_arg(c, "content");
	bool global;
	const char *replaces = replaced(c, &global);

	if (client && client->columns)
		return add_short_question(out, c, client->columns);
	buf_addf(out, "%s (draft %" PRId64 ")\n\n",
		 is_article(c) ? "Keep this article?" : "Remember this?",
		 s->id);
	if (is_article(c)) {
		buf_adds(out, "From ");
		add_source(out, c);
		buf_adds(out, ", in the place of what is kept from there\n\n");
	}
	sanitize_prompt(out, content->u.s.p, content->u.s.len);
	add_texts(out, c, "tags", "\n\nTags: ");
	add_texts(out, c, "cites", "\n\nTaken from: ");
	if (replaces)
		buf_addf(out, "\n\nIt replaces memory %s.", replaces);
	add_contradicted(out, s, "\n\nIt contradicts memory ", ".");
	return content->u.s.len <= SHOWN;
}

/* Return a checksum of the draft, its store, the time of the question, and the
 * proposal. */
static uint64_t checksum(const struct mcp_call *c)
{
	static const char *const names[] = {"content",	"source", "tags",
					    "replaces", "expect", "cites"};
	uint64_t sum;
	const struct saving *s = c->state;
	struct buf text = {0};

	buf_addf(&text, "%" PRId64 "%c %" PRId64, s->id, s->global ? 'g' : 'p',
		 c->asked);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const struct value *v = mcp_call_arg(c, names[i]);

		buf_addc(&text, ' ');
		if (v)
			json_write_value(&text, v, NULL);
	}
	sum = hash_bytes(buf_str(&text), text.len, 0);
	buf_release(&text);
	return sum;
}

/* True if PATH lies in FOLDER, "trash/" say, of a store. */
static bool is_in(const char *path, const char *folder)
{
	const char *at = NULL, *next = path;

	while ((next = strstr(next, "/knowledge/")))
		at = next += strlen("/knowledge/");
	return at && !strncmp(at, folder, strlen(folder));
}

/* True if PATH is that of a draft, in the work tree or in the git dir. */
static bool is_draft(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && name - path > 7 &&
	       !memcmp(name - 7, "/" LAYOUT_DRAFTS, 7) &&
	       !is_in(path, LAYOUT_TRASH "/");
}

static void reply_known(struct mcp *m, struct mcp_call *c)
{
	const struct saving *s = c->state;

	reply(m, c, "known",
	      is_draft(s->path)
		      ? add_waits(c, "It was proposed before and is not yet "
				     "remembered: ")
	      : is_in(s->path, LAYOUT_TRASH "/")
		      ? is_article(c) ? "It was proposed before, and decided "
					"on. Do not propose it again."
				      : "The user declined or removed it "
					"before: it is not remembered. Do not "
					"propose it again."
	      : s->replaced || is_in(s->path, LAYOUT_ARCHIVE "/")
		      ? "Another memory has replaced it since: it does not "
			"hold "
			"any more. Do not propose it again."
		      : "It is remembered already; nothing was saved.");
}

/* Add to FROM where the session has read text from outside. What it saves is then
 * external, and waits for a person whatever `save.approval` says. */
static void find_reads(struct strings *from, struct mcp_call *c,
		       struct saving *s)
{
	const struct agent *agent = mcp_shown_agent(c->era.client);
	const char *session = mcp_shown_session(agent);

	reads_find(from, agent ? agent->name : c->era.client,
		   session ? session : "", &c->arena);
	s->external = from->n;
	if (!s->external)
		return;
	s->draft = true;
	s->unasked = "This session has read text from outside, so the user "
		     "decides in co review. ";
}
