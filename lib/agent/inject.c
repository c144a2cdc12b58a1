/* inject.c: facts, not orders: agents are wary of text that comes from nowhere
 * and commands.
 */
#include "agent/inject.h"

#include "agent/budget.h"
#include "agent/remember.h"
#include "base/utf8.h"
#include "rank/weights.h"
#include "search/recall.h"
#include "store/display.h"
#include "text/injected.h"
#include "text/sanitize.h"

#define QUESTION_MAX 1000 /* bytes of a prompt that say what it is about */
#define MARKS (sizeof(INJECTED_OPEN) + sizeof(INJECTED_CLOSE))
#define HEADING INJECT_RECALLED ", as they were written down:\n\n"

/* Open the store of SCOPE; one that is not there is no matter. */
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

/* Append what the person should know of C, in one line. */
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

void inject_start(struct buf *text, struct buf *notice, enum agent agent,
		  const struct report *r)
{
	struct context c;
	struct budget b;
	struct fitted f;
	struct err e;
	size_t drafts;

	if (budget_parse(&b, agent_name(agent), &e) < 0) {
		err_report(r, &e);
		return;
	}
	context_load_whole(&c, CONTEXT_BOTH, r);
	drafts = budget_drafts(&c, r);
	budget_fit(&f, &c, &b, false, drafts);
	buf_add(text, buf_str(&f.text), f.text.len);
	add_troubles(notice, &c);
	if (drafts)
		buf_addf(notice, "%s%zu %s for your yes: 'co review' shows %s",
			 notice->len ? "; " : "co: ", drafts,
			 drafts == 1 ? "draft waits" : "drafts wait",
			 drafts == 1 ? "it" : "them");
	if (f.left) {
		err_set(&e, ERR_DATA,
			"%zu of %zu entries of the context do not fit: "
			"'co-context-load --for=%s --explain' names them",
			f.left, f.entries, b.name);
		err_report(r, &e);
	}
	budget_release(&f);
	context_release(&c);
}

/* Append what PROMPT asks about: its beginning, without what programs put into
 * it; nothing for a command of the agent's own. */
static void add_question(struct buf *out, const char *prompt)
{
	const char *p;
	size_t len;

	remember_strip(out, prompt, strlen(prompt));
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

/* Append the memory R, if it fits into ROOM, or, where it is ALONE, the lines
 * of it that do; false where it does not. */
static bool add_memory(struct buf *inner, const struct record *r, size_t room,
		       bool alone)
{
	static const char more[] = "(cut: 'co memory-show' has the rest)\n";
	const size_t start = inner->len;
	size_t len;

	display_memory(inner, r, NULL);
	if (inner->len <= room)
		return true;
	len = start;
	if (alone && room > start + sizeof(more)) {
		len = room - sizeof(more);
		while (len > start && inner->p[len - 1] != '\n')
			len--;
		/* A line as long as this is cut as well. */
		if (len - start < room / 2)
			len = utf8_cut(inner->p, inner->len,
				       room - sizeof(more));
	}
	buf_cut(inner, len);
	if (len == start)
		return false;
	if (inner->p[len - 1] != '\n')
		buf_addc(inner, '\n');
	buf_adds(inner, more);
	return true;
}

/* Append those of FOUND that fit; how many they are. */
static size_t add_found(struct buf *inner, const struct recall *found,
			struct arena *a)
{
	struct record r;
	size_t n = 0;

	buf_adds(inner, HEADING);
	for (; n < found->n; n++) {
		recall_get(found, n, a, &r);
		if (!add_memory(inner, &r, INJECT_MAX - MARKS, !n))
			break;
	}
	if (!n)
		buf_cut(inner, 0);
	return n;
}

static int find(struct buf *inner, const char *question, size_t max, size_t *n,
		const struct report *r, struct err *e)
{
	static const enum scope scopes[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	struct store stores[ARRAY_LEN(scopes)], *open[ARRAY_LEN(scopes)];
	const struct recall_ask ask = {.words = true,
				       .query = question,
				       .max = max,
				       .prompt = true,
				       .whole = SIZE_MAX,
				       .report = r};
	struct arena a = {0};
	struct recall found = {0};
	size_t nopen = 0;
	int result;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		if (open_store(&stores[nopen], scopes[i], r)) {
			open[nopen] = &stores[nopen];
			nopen++;
		}
	}
	result = recall(open, nopen, &ask, &a, &found, e);
	if (!result && found.n)
		*n = add_found(inner, &found, &a);
	recall_release(&found);
	while (nopen)
		store_close(open[--nopen]);
	arena_release(&a);
	return result;
}

int inject_recall(struct buf *text, const char *prompt, size_t max, size_t *n,
		  const struct report *r, struct err *e)
{
	struct buf question = {0}, inner = {0};
	int result = 0;

	*n = 0;
	add_question(&question, prompt);
	if (question.len)
		result = find(&inner, question.p, max, n, r, e);
	if (inner.len)
		injected_add(text, inner.p, inner.len);
	buf_release(&question);
	buf_release(&inner);
	return result;
}
