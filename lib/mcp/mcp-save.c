/* mcp-save.c: save a draft, ask the user, and accept or reject it: three
 * programs, one after the other.
 *
 * A modern client gets the question as an answer, and calls again with the
 * user's decision and the state that it was given: the id of the draft, the
 * time of the question, and a checksum of both and of the arguments. So a
 * decision about one proposal is never taken for another, and the server
 * remembers nothing in between.
 *
 * Clients differ in ways that the protocol does not report. The table of
 * clients has the differences that matter here, by name.
 */
#include "mcp/mcp.h"

#include "base/hash.h"
#include "base/unicode.h"
#include "mcp/tool.h"
#include "repo/settings.h"
#include "shown/reads.h"
#include "store/store.h"
#include "sys/deadline.h"
#include "text/sanitize.h"

#include <inttypes.h>

#define SAVE_MS 40000 /* the lock may take half a minute */
#define SHOWN 2000    /* bytes of content that fit into a question */
#define LOOK_MS 2000
#define READ_MS 1000 /* nobody reads a question in less time */

/* The letters that look_up() appends for each save, before a NUL. */
#define LOOK_CLIENT 'c'	 /* the client may ask the user itself */
#define LOOK_OUTSIDE 'o' /* the working directory is in no project */

struct saving {
	bool article; /* an article, not a memory */
	bool draft;
	bool external;	     /* the session has read text from outside */
	bool global;	     /* saved in the user's store */
	const char *unasked; /* why the user is not asked here, a sentence and a
			      * blank; or "" */
	int64_t id;
	const char *display, *path; /* as printed by the program */
	bool replaced;		    /* it is a known memory that was replaced */
	const struct value *contradicts; /* a list of the memories that it
					  * contradicts, or NULL */
};

/* Return the agent that is the client of ERA, or NULL. */
static const struct agent *client_of(const struct mcp_era *era)
{
	const struct agent *agent = mcp_shown_agent(era->client);

	return agent && agent->client && !strcmp(agent->client, era->client)
		       ? agent
		       : NULL;
}

/* Return true if ERA's client asks a person before it calls a tool that wants
 * this. */
static bool asks_itself(const struct mcp_era *era)
{
	const struct agent *client = client_of(era);
	const char *value = client && client->attended_variable
				    ? getenv(client->attended_variable)
				    : NULL;

	return value && !strcmp(value, client->attended) &&
	       mcp_era_has(era, "2025-06-18");
}

/* What look_up() finds. */
struct looked {
	bool left;    /* the user's settings leave the question to the client */
	bool outside; /* the working directory is in no project */
	struct strings reads; /* what the session read; see reads_find() */
};

/* Append where the session of the client of ERA has read text from outside, each with a
 * NUL. */
static void add_reads(struct buf *out, const struct mcp_era *era,
		      struct arena *a)
{
	const struct agent *agent = mcp_shown_agent(era->client);
	const char *session = mcp_shown_session(agent);
	struct strings from = {0};

	reads_find(&from, agent ? agent->name : era->client,
		   session ? session : "", reads_recent(), a, NULL);
	for (size_t i = 0; i < from.n; i++)
		buf_add(out, from.items[i], strlen(from.items[i]) + 1);
	free(from.items);
}

static void look_up(void *ctx, struct buf *out, const struct report *r)
{
	const struct mcp_era *era = ctx;
	struct arena a = {0};
	const struct settings *s;
	struct root root;

	settings_user(&s, &a, r, NULL);
	if (!strcmp(settings_str(s, "save.approval"), "client"))
		buf_addc(out, LOOK_CLIENT);
	if (root_find(&root, SCOPE_PROJECT, NULL) == 0) {
		if (!root_in_project(&root))
			buf_addc(out, LOOK_OUTSIDE);
		root_release(&root);
	}
	buf_addc(out, '\0');
	add_reads(out, era, &a);
	arena_release(&a);
}

/* Return what a save for the client of ERA needs to know, in A. If that takes too long,
 * the user decides, and the session may have read something. */
static struct looked look_up_in_time(struct mcp *m, const struct mcp_era *era,
				     struct arena *a)
{
	struct mcp_era asked = *era;
	struct looked l = {0};
	struct buf seen = {0};
	struct err e;

	if (deadline_read(look_up, &asked, LOOK_MS, &seen, m->report, &e) < 0) {
		err_report(m->report, &e);
		strings_add(&l.reads, "unknown: co could not look in time");
	}
	l.left = strchr(buf_str(&seen), LOOK_CLIENT);
	l.outside = strchr(buf_str(&seen), LOOK_OUTSIDE);
	for (size_t at = strlen(buf_str(&seen)) + 1; at < seen.len;
	     at += strlen(seen.p + at) + 1)
		strings_add(&l.reads, arena_strdup(a, seen.p + at));
	buf_release(&seen);
	return l;
}

bool mcp_save_approving(struct mcp *m, const struct mcp_era *era)
{
	struct arena a = {0};
	struct looked l;

	if (!asks_itself(era))
		return false;
	l = look_up_in_time(m, era, &a);
	free(l.reads.items);
	arena_release(&a);
	return l.left && !l.outside;
}

/* Return true if C proposes an article, not a memory. */
static bool is_article(const struct mcp_call *c)
{
	const struct saving *s = c->state;

	return s->article;
}

/* Read the record that the ended program printed of a save. Return false if it
 * is malformed. */
static bool read_saved(struct mcp *m, struct mcp_call *c)
{
	struct saving *s = c->state;
	struct value v;

	if (json_parse(buf_str(&m->ended.output), m->ended.output.len,
		       &c->arena, &v, NULL) < 0)
		return false;
	s->id = value_positive(&v, "memory_id");
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

/* Append BEFORE, the ids of the memories that S contradicts, and AFTER; nothing
 * if there are none. */
static void add_contradicted(struct buf *out, const struct saving *s,
			     const char *before, const char *after)
{
	for (size_t i = 0; s->contradicts && i < s->contradicts->u.list.n; i++)
		buf_addf(
			out, "%s%s%" PRId64, i ? ", " : before,
			s->global ? "g" : "",
			value_positive(&s->contradicts->u.list.items[i], "id"));
	buf_adds(out, s->contradicts ? after : "");
}

/* Answer C with STATUS for programs, and with ADVICE after the text that the
 * program printed. The object has ADVICE too, since some clients show their model
 * nothing else. Of the text it has only the first line: the second one is the path, which
 * is a member of its own. */
static void reply(struct mcp *m, struct mcp_call *c, const char *status,
		  const char *advice)
{
	const struct saving *s = c->state;
	struct mcp_result r = {0};
	struct buf display = {0};
	size_t line, end;

	sanitize_prompt(&r.text, s->display, strlen(s->display));
	line = strcspn(buf_str(&r.text), "\n");
	end = r.text.len;
	buf_addf(&r.text, "\n%s", advice);
	add_contradicted(&r.text, s, " It contradicts memory ",
			 ": tell the user; 'co learn --replaces' replaces that "
			 "one.");
	buf_add(&display, r.text.p, line);
	buf_adds(&display, r.text.p + end);
	json_write_open(&r.object, NULL, '{');
	json_write_text(&r.object, "status", status);
	json_write_text(&r.object, "display", display.p);
	buf_release(&display);
	add_clean(&r.object, "path", s->path);
	json_write_int(&r.object, "memory_id", s->id);
	if (s->contradicts) {
		json_write_key(&r.object, "contradicts");
		json_write_value(&r.object, s->contradicts, NULL);
	}
	json_write_close(&r.object, '}');
	mcp_call_reply(m, c, &r);
}

/* Return BEFORE followed by how the user accepts the draft, in C's arena. */
static const char *say_waiting(struct mcp_call *c, const char *before)
{
	const struct saving *s = c->state;

	return arena_printf(&c->arena,
			    "%sit waits until the user accepts it with "
			    "'co review%s'.",
			    before, s->global ? " --global" : "");
}

/* Answer that the draft waits for the user. WHY is a sentence and a blank, or
 * "". */
static void reply_waiting(struct mcp *m, struct mcp_call *c, const char *why)
{
	reply(m, c, "draft",
	      say_waiting(c,
			  arena_printf(&c->arena,
				       "%sIt is not yet remembered: ", why)));
}

/* Answer with what became of the draft. */
static void carried_out(struct mcp *m, struct mcp_call *c)
{
	const bool yes = !strcmp(c->action, "accept");

	if (m->ended.status || !read_saved(m, c))
		mcp_call_fail(m, c,
			      arena_printf(&c->arena,
					   "The user %s, but the draft %s: ",
					   yes ? "agreed" : "declined",
					   m->ended.status == ERR_NO
						   ? "was decided on before"
					   : yes ? "could not be accepted"
						 : "could not be removed"));
	else if (yes)
		reply(m, c, "saved", "The user agreed: it is remembered.");
	else
		reply(m, c, "declined",
		      "The user declined: it is not remembered. Do not propose "
		      "it again.");
}

/* Return true if the answer came sooner than a person can read: without a
 * person, some clients decline at once in the user's name. A time of the
 * question in the future counts too: it is from another machine, or from before
 * a restart. */
static bool is_unread(const struct mcp_call *c)
{
	return instant_monotonic_ms() - c->asked < READ_MS;
}

/* Return the option that lets the program check that the memory to replace is
 * the one that the client saw, in C's arena, or NULL. */
static const char *expected(struct mcp_call *c)
{
	const struct value *sum = mcp_call_arg(c, "expect");

	return sum ? arena_printf(&c->arena, "--expect=%s", sum->u.s.p) : NULL;
}

/* Accept or reject the draft as the user decided. */
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
			     SAVE_MS, carried_out);
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

/* Return the memory that C replaces, "7" or "g7", in C's arena, or NULL.
 * *GLOBAL is true if it is the user's. */
static const char *replaced_id(struct mcp_call *c, bool *global)
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

/* Append the question in one line, with the proposal at its end, so that
 * nothing can follow it. Return false if it is wider than COLUMNS. */
static bool add_short_question(struct buf *out, struct mcp_call *c,
			       size_t columns)
{
	const struct value *content = mcp_call_arg(c, "content");
	bool global;
	const char *replaces = replaced_id(c, &global);

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

/* Append the question for the user. Return false if the client would not show
 * all of it. */
static bool add_question(struct buf *out, struct mcp_call *c)
{
	const struct saving *s = c->state;
	const struct agent *client = client_of(&c->era);
	const struct value *content = mcp_call_arg(c, "content");
	bool global;
	const char *replaces = replaced_id(c, &global);

	if (client && client->client_columns)
		return add_short_question(out, c, client->client_columns);
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

/* Answer C with the question. The client calls again with the user's
 * decision. */
static void ask_modern(struct mcp *m, struct mcp_call *c, const char *question)
{
	const struct saving *s = c->state;
	struct buf inside = {0};
	char state[64];

	c->asked = instant_monotonic_ms();
	snprintf(state, sizeof(state), "%" PRId64 "%c.%" PRId64 ".%016" PRIx64,
		 s->id, s->global ? 'g' : 'p', c->asked, checksum(c));
	json_write_open(&inside, "inputRequests", '{');
	json_write_open(&inside, "approve", '{');
	json_write_text(&inside, "method", "elicitation/create");
	json_write_open(&inside, "params", '{');
	mcp_question(&inside, &c->era, question);
	json_write_close(&inside, '}');
	json_write_close(&inside, '}');
	json_write_close(&inside, '}');
	json_write_text(&inside, "requestState", state);
	mcp_call_answer(m, c, "input_required", &inside);
}

static void ask_user(struct mcp *m, struct mcp_call *c)
{
	struct buf question = {0};

	if (!add_question(&question, c)) {
		reply_waiting(m, c,
			      "It is longer than the question that this client "
			      "shows, so the user was not asked. ");
		buf_release(&question);
		return;
	}
	mcp_call_progress(m, c, 1, 2, "saved as a draft; asking the user");
	if (c->era.modern)
		ask_modern(m, c, question.p);
	else
		mcp_call_ask(m, c, question.p, decided);
	buf_release(&question);
}

/* Return true if PATH is in the directory FOLDER of a store, such as
 * "trash/". */
static bool is_in(const char *path, const char *folder)
{
	const char *at = NULL, *next = path;

	while ((next = strstr(next, "/knowledge/")))
		at = next += strlen("/knowledge/");
	return at && !strncmp(at, folder, strlen(folder));
}

/* Return true if PATH is a draft, in the work tree or in the git directory. */
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
		      ? say_waiting(c, "It was proposed before and is not yet "
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

static void save_end(struct mcp *m, struct mcp_call *c)
{
	const struct saving *s = c->state;

	if (m->ended.status > ERR_NO || !read_saved(m, c))
		mcp_call_fail(m, c, "Nothing was saved: ");
	else if (m->ended.status == ERR_NO)
		reply_known(m, c);
	else if (!s->draft)
		reply(m, c, "saved", "It is remembered.");
	else if (c->era.elicits && !s->external && !c->cancelled &&
		 (c->era.modern ||
		  (!m->ending && mcp_asking(m) < MCP_ASIDE_MOST)))
		ask_user(m, c);
	else
		reply_waiting(m, c, s->unasked);
}

/* If the session has read text from outside, what it saves is external, and a draft
 * whatever `save.approval` is. */
static void set_trust(struct saving *s, const struct looked *l)
{
	s->external = l->reads.n;
	if (!s->external)
		return;
	s->draft = true;
	s->unasked = "This session has read text from outside, so the user "
		     "decides in co review. ";
}

static void save_memory(struct mcp *m, struct mcp_call *c)
{
	const struct value *content = mcp_call_arg(c, "content");
	struct saving *s = c->state;
	struct looked l = look_up_in_time(m, &c->era, &c->arena);
	const char **argv;
	bool global;
	size_t n;

	replaced_id(c, &global);
	s->global = l.outside || global;
	s->unasked = "";
	s->draft = !l.left || l.outside || !asks_itself(&c->era);
	if (l.left && l.outside)
		s->unasked = "'save.approval' is for projects, and this is "
			     "none. ";
	else if (l.left && s->draft)
		s->unasked = "'save.approval' leaves it to the client, but "
			     "this one is not known to ask a person here. ";
	set_trust(s, &l);
	argv = mcp_tool_argv(c, 3 + l.reads.n, &n);
	for (size_t i = 0; i < l.reads.n; i++)
		argv[n++] =
			arena_printf(&c->arena, "--read=%s", l.reads.items[i]);
	free(l.reads.items);
	if (s->draft)
		argv[n++] = "--draft";
	if (s->global)
		argv[n++] = "--global";
	argv[n] = arena_printf(&c->arena, "--source=mcp%s%s",
			       *c->era.client ? ":" : "", c->era.client);
	mcp_call_run(m, c, argv, content->u.s.p, content->u.s.len, SAVE_MS,
		     save_end);
}

/* Save an article as a draft, always: the user has not seen the text. */
static void save_article(struct mcp *m, struct mcp_call *c)
{
	const struct value *content = mcp_call_arg(c, "content");
	const struct value *source = mcp_call_arg(c, "source");
	const struct value *tags = mcp_call_arg(c, "tags");
	const char *argv[] = {
		"co-memory-save", "--batch", "--draft", "--unless-known",
		"--json",	  NULL,	     NULL};
	struct saving *s = c->state;
	struct looked l = look_up_in_time(m, &c->era, &c->arena);
	struct buf line = {0};

	free(l.reads.items);
	s->global = l.outside;
	s->draft = true;
	s->unasked = "";
	if (s->global)
		argv[5] = "--global";
	json_write_open(&line, NULL, '{');
	json_write_bytes(&line, "content", content->u.s.p, content->u.s.len);
	json_write_bytes(&line, "source", source->u.s.p, source->u.s.len);
	if (tags) {
		json_write_key(&line, "tags");
		json_write_value(&line, tags, NULL);
	}
	json_write_bool(&line, "article", true);
	json_write_text(&line, "trust", "external");
	json_write_text(&line, "by",
			arena_printf(&c->arena, "mcp:%s", c->era.client));
	json_write_close(&line, '}');
	mcp_call_run(m, c, argv, arena_copy(&c->arena, line.p, line.len),
		     line.len, SAVE_MS, save_end);
	buf_release(&line);
}

/* Serve the second call of a modern client, which has STATE and the user's
 * decision. */
static void decide_modern(struct mcp *m, struct mcp_call *c, const char *state)
{
	const struct value *answers = value_get(c->params, "inputResponses");
	const char *action =
		value_text(value_get(answers, "approve"), "action");
	struct saving *s = c->state;
	uint64_t sum = 0;
	char store = 0;
	int end = 0;

	if (sscanf(state, "%9" SCNd64 "%c.%18" SCNd64 ".%16" SCNx64 "%n",
		   &s->id, &store, &c->asked, &sum, &end) < 4)
		end = 0;
	s->global = store == 'g';
	if (!end || state[end] || s->id < 1 || sum != checksum(c)) {
		mcp_call_refuse(m, c, RPC_PARAMS,
				"requestState belongs to another call", NULL);
		return;
	}
	/* Without an answer, the user was not asked. */
	if (c->era.elicits && !value_get(answers, "approve")) {
		ask_user(m, c);
		return;
	}
	s->display = arena_printf(&c->arena, "Draft %" PRId64, s->id);
	s->path = "";
	c->action = action ? action : "cancel";
	decided(m, c);
}

static void start_save(struct mcp *m, struct mcp_call *c, bool article)
{
	const char *state = value_text(c->params, "requestState");
	struct saving *s = arena_alloc(&c->arena, sizeof(*s));

	s->article = article;
	c->state = s;
	if (c->era.modern && state)
		decide_modern(m, c, state);
	else if (article)
		save_article(m, c);
	else
		save_memory(m, c);
}

void mcp_save_memory(struct mcp *m, struct mcp_call *c)
{
	start_save(m, c, false);
}

void mcp_save_article(struct mcp *m, struct mcp_call *c)
{
	start_save(m, c, true);
}

void mcp_save_schema(struct buf *out)
{
	json_write_raw(
		out, "outputSchema",
		"{\"type\":\"object\",\"properties\":{"
		"\"status\":{\"type\":\"string\",\"enum\":[\"saved\",\"draft\","
		"\"declined\",\"known\"],\"description\":\"what became of "
		"it\"},"
		"\"display\":{\"type\":\"string\"},\"path\":{\"type\":"
		"\"string\"},"
		"\"memory_id\":{\"type\":\"integer\"},"
		"\"contradicts\":{\"type\":\"array\","
		"\"items\":" MCP_RESULT_REF_SCHEMA ","
		"\"description\":\"memories that it contradicts\"}},"
		"\"required\":[\"status\",\"memory_id\"]}");
}
