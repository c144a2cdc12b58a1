/* inject.c: memories are presented as facts, not as orders: agents distrust
 * text from unknown sources that gives commands. */
#include "agent/inject.h"

#include "agent/budget.h"
#include "agent/delivery.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "search/projects.h"
#include "search/recall.h"
#include "store/display.h"
#include "text/injected.h"

#include <inttypes.h>

#define QUESTION_MAX 4000 /* bytes of a prompt that are searched for */
#define MARKS (sizeof(INJECTED_OPEN) + sizeof(INJECTED_CLOSE))
#define HEADING_KNOWN                                                        \
	INJECT_RECALLED                                                      \
	", as they were written down (of so many that the newest edits may " \
	"be missing):\n\n"
#define HEADING INJECT_RECALLED ", as they were written down:\n\n"

/* Open the store of SCOPE. Return false if it cannot be opened; only for the
 * project's store is that reported. */
static bool open_store(struct store *s, enum scope scope,
		       const struct report *r)
{
	struct err why;

	if (store_open(s, scope, r, &why) == 0)
		return true;
	if (scope == SCOPE_PROJECT)
		err_report(r, &why);
	return false;
}

/* Append what could not be loaded of C, in one line. */
static void add_troubles(struct buf *notice, const struct context *c)
{
	struct buf text = {0};

	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		buf_cut(&text, 0);
		context_trouble(&text, &c->parts[i]);
		buf_adds(notice, !text.len ? "" : notice->len ? "; " : "co: ");
		sanitize_terminal(notice, buf_str(&text), text.len, false);
	}
	buf_release(&text);
}

/* Append the number of entries of F that were left out. */
static void add_left_out(struct buf *notice, const struct fitted *f)
{
	buf_addf(notice,
		 "%s%zu of %zu entries of the context do not fit: "
		 "'co context --edit' shortens it",
		 notice->len ? "; " : "co: ", f->left, f->entries);
}

void inject_start(struct buf *text, struct buf *notice,
		  struct shown_items *items, const struct agent *agent,
		  unsigned want, const struct report *r)
{
	struct context c;
	struct budget b;
	struct fitted f;
	struct err e;
	size_t drafts;

	if (budget_parse(&b, agent->name, &e) < 0) {
		err_report(r, &e);
		return;
	}
	context_load_whole(&c, CONTEXT_BOTH | want, r);
	drafts = budget_drafts(&c, r);
	budget_fit(&f, &c, &b, false, drafts);
	buf_add(text, buf_str(&f.text), f.text.len);
	if (items)
		budget_add_shown(items, &c, &f);
	add_troubles(notice, &c);
	if (drafts)
		buf_addf(notice, "%s%zu %s for your yes: 'co review' shows %s",
			 notice->len ? "; " : "co: ", drafts,
			 drafts == 1 ? "draft waits" : "drafts wait",
			 drafts == 1 ? "it" : "them");
	if (f.left) {
		err_set(&e, ERR_DATA,
			"%zu of %zu entries of the context do not fit: "
			"'co-context-load --for=%s --explain' names them "
			"(%016" PRIx64 ")",
			f.left, f.entries, b.name,
			hash_bytes(buf_str(&c.text), c.text.len, 0));
		/* The person gets this notice once for each context, identified
		 * by the hash. */
		if (!delivery_was_told(e.text)) {
			add_left_out(notice, &f);
			if (r)
				delivery_note_told(e.text);
		}
		err_report(r, &e);
	}
	budget_release(&f);
	context_release(&c);
}

/* Append the beginning of PROMPT, without text that programs put into it.
 * Append nothing for a command of the agent itself. */
static void add_question(struct buf *out, const char *prompt)
{
	const char *p;
	size_t len;

	injected_strip(out, prompt, strlen(prompt));
	p = buf_str(out);
	len = out->len;
	utf8_strip(&p, &len);
	if (len && (*p == '/' || *p == '!'))
		buf_cut(out, 0);
	if (out->len > QUESTION_MAX)
		buf_cut(out, utf8_cut(out->p, out->len, QUESTION_MAX));
	if (out->len && strspn(out->p, " \t\r\n") == out->len)
		buf_cut(out, 0);
}

/* Read R, which is from one of STORES, again from its file. Return false if it
 * is gone. */
static bool read_again(struct store *const *stores, size_t nstores,
		       struct arena *a, struct record *r)
{
	struct record now;
	size_t i = 0;

	while (i < nstores && (stores[i]->repo.root.scope != r->scope ||
			       stores[i]->elsewhere != r->elsewhere))
		i++;
	if (i == nstores || store_read(stores[i], r->path, a, &now, NULL) != 1)
		return false;
	now.evidence = r->evidence;
	now.drifted = r->drifted;
	now.contradicts = r->contradicts;
	now.contradicted_by = r->contradicted_by;
	now.like = r->like;
	now.project = r->project;
	now.elsewhere = r->elsewhere;
	*r = now;
	return true;
}

/* Return true if the memory R may not come unasked: others wrote it, or the session has
 * it. */
static bool is_left_out(const struct inject_ask *ask, const struct record *r)
{
	return record_marks(r) & MARK_EXTERNAL ||
	       (!shown_project(r) && !r->prefix &&
		shown_ids_find(ask->shown, r->id, r->scope == SCOPE_GLOBAL));
}

/* Append those of FOUND, from the stores OPEN, that fit, and add them to the
 * items of ASK. Return their number. */
static size_t add_found(struct buf *inner, struct recall *found,
			const struct projects *open, const char *question,
			const struct inject_ask *ask, struct arena *a)
{
	struct record r;
	size_t n = 0, start;

	if (*ask->session.session)
		shown_list_session(ask->shown, &ask->session);
	buf_adds(inner, found->known ? HEADING_KNOWN : HEADING);
	for (size_t i = 0; i < found->n; i++) {
		recall_get(found, i, a, &r);
		if (found->known && !read_again(open->items, open->n, a, &r))
			continue;
		if (is_left_out(ask, &r))
			continue;
		start = inner->len;
		if (!display_fit(inner, &r, INJECT_MAX - MARKS, !n))
			break;
		shown_add_record(ask->items, &r, inner->len - start,
				 SHOWN_WORDS, NULL);
		shown_words_add(ask->words, question, &r);
		n++;
	}
	if (!n)
		buf_cut(inner, 0);
	return n;
}

static int find_memories(struct buf *inner, const char *question,
			 const struct inject_ask *wanted, size_t *n,
			 struct err *e)
{
	static const enum scope scopes[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	struct store stores[ARRAY_LEN(scopes)];
	struct projects open = {
		.most = INJECT_PROJECTS, .indexed = true, .quiet = true};
	struct recall_ask ask = {.words = true,
				 .query = question,
				 .kinds = ANSWER_KIND(RECORD_MEMORY),
				 .max = wanted->max,
				 .cited = true,
				 .prompt = true,
				 .whole = SIZE_MAX,
				 .most = wanted->most,
				 .opened = wanted->opened,
				 .ctx = wanted->ctx,
				 .report = wanted->report};
	struct arena a = {0};
	struct recall found = {0};
	size_t own;
	int result;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		if (open_store(&stores[open.n], scopes[i], wanted->report))
			projects_add(&open, &stores[open.n]);
	}
	if (open.n && stores[0].repo.root.scope == SCOPE_PROJECT) {
		ask.at = root_relative(&stores[0].repo.root, NULL, &a);
		if (wanted->everywhere)
			projects_open(&open, &stores[0]);
	}
	result = recall(open.items, open.n, &ask, &a, &found, e);
	if (!result && found.degraded)
		err_warn(wanted->report, ERR_HELPER, "%s", found.degraded);
	if (!result && found.n)
		*n = add_found(inner, &found, &open, question, wanted, &a);
	recall_release(&found);
	own = open.own;
	projects_close(&open);
	while (own)
		store_close(&stores[--own]);
	arena_release(&a);
	return result;
}

int inject_recall(struct buf *text, const struct inject_ask *ask, size_t *n,
		  struct err *e)
{
	struct buf question = {0}, inner = {0};
	int result = 0;

	*n = 0;
	add_question(&question, ask->prompt);
	if (question.len)
		result = find_memories(&inner, question.p, ask, n, e);
	if (inner.len)
		injected_add(text, inner.p, inner.len);
	buf_release(&question);
	buf_release(&inner);
	return result;
}

size_t inject_subagent(struct buf *text, const struct inject_subagent_ask *ask)
{
	struct context c;
	struct budget b;
	struct fitted f;
	struct err e;
	size_t n;

	if (ask->subagent)
		shown_list_session(
			ask->shown,
			&(struct shown_session){.agent = ask->agent->name,
						.session = ask->session,
						.subagent = ask->subagent});
	if (ask->shown->n)
		return 0;
	if (budget_parse(&b, ask->agent->name, &e) < 0) {
		err_report(ask->report, &e);
		return 0;
	}
	b.bytes = ask->bytes < b.bytes ? ask->bytes : b.bytes;
	context_load_whole(&c, CONTEXT_BOTH, ask->report);
	budget_fit(&f, &c, &b, false, 0);
	buf_add(text, buf_str(&f.text), f.text.len);
	budget_add_shown(ask->items, &c, &f);
	n = f.text.len ? f.entries - f.left : 0;
	budget_release(&f);
	context_release(&c);
	return n;
}

void inject_request(struct buf *text)
{
	static const char request[] =
		"The user has co ask this once a session. Was a preference, a "
		"decision or a correction of the user's, or a fact about this "
		"project, said or found that a later session will need and "
		"that "
		"is not remembered yet? Propose each with the tool " SAVE_TOOL
		", "
		"or, where there is none, pass it, one fact, to "
		"`co-memory-save --draft --source=agent` on standard input: it "
		"is "
		"a draft, which counts once the user agrees. Where there is "
		"nothing of the kind, end without a further word about this.\n";

	injected_add(text, request, sizeof(request) - 1);
}
