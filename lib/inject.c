/* inject.c: facts, not orders: agents are wary of text that comes from nowhere
 * and commands.
 *
 * Known limit: what does not fit is cut at its end.
 */
#include "inject.h"

#include "display.h"
#include "drafts.h"
#include "mark.h"
#include "search.h"
#include "told.h"
#include "utf8.h"

#define QUESTION_MAX 1000 /* bytes of a prompt that say what it is about */
#define MARKS (sizeof(MARK_OPEN) + sizeof(MARK_CLOSE))

/* Open the store of SCOPE; one that is not there is no matter. */
static bool open_store(struct store *s, enum scope scope,
		       const struct report *r)
{
	struct err why;

	if (store_open(s, scope, r, &why) == 0)
		return true;
	if (scope == SCOPE_PROJECT)
		report_err(r, &why);
	return false;
}

static size_t count_drafts(const struct report *r)
{
	static const enum scope scopes[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	size_t all = 0;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		struct store s;
		struct err why;
		size_t n = 0;

		if (!open_store(&s, scopes[i], r))
			continue;
		if (drafts_count(&s, &n, &why) < 0)
			report_err(r, &why);
		all += n;
		store_close(&s);
	}
	return all;
}

/* Append INNER between the marks, cut where it is too long. */
static void add_marked(struct buf *text, const struct buf *inner)
{
	const size_t room = INJECT_MAX - MARKS;

	mark_add(text, inner->p,
		 inner->len > room ? utf8_cut(inner->p, inner->len, room)
				   : inner->len);
}

void inject_start(struct buf *text, struct buf *notice, enum agent agent,
		  const struct report *r)
{
	struct context c;
	struct buf inner = {0};
	size_t drafts = count_drafts(r);

	(void)agent;
	context_load(&c, CONTEXT_BOTH, r);
	if (drafts) {
		buf_addf(notice,
			 "co: %zu %s for your yes: 'co review' shows %s",
			 drafts, drafts == 1 ? "draft waits" : "drafts wait",
			 drafts == 1 ? "it" : "them");
		buf_addf(&inner,
			 "%zu %s of memories %s for the user's yes, and %s not "
			 "remembered yet: `co review` shows %s.\n",
			 drafts, drafts == 1 ? "draft" : "drafts",
			 drafts == 1 ? "waits" : "wait",
			 drafts == 1 ? "is" : "are",
			 drafts == 1 ? "it" : "them");
	}
	context_wrap(&inner, &c);
	if (inner.len)
		add_marked(text, &inner);
	context_release(&c);
	buf_release(&inner);
}

/* Append what PROMPT asks about: its beginning, without what programs put into
 * it; nothing for a command of the agent's own. */
static void add_question(struct buf *out, const char *prompt)
{
	const char *p;
	size_t len;

	told_strip(out, prompt, strlen(prompt));
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

static int find(struct buf *inner, const char *question, size_t max, size_t *n,
		const struct report *r, struct err *e)
{
	static const enum scope scopes[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	struct store stores[ARRAY_LEN(scopes)], *open[ARRAY_LEN(scopes)];
	struct arena a = {0};
	struct records found;
	size_t nopen = 0;
	int result;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		if (open_store(&stores[nopen], scopes[i], r)) {
			open[nopen] = &stores[nopen];
			nopen++;
		}
	}
	result = search_recall(open, nopen, question, max, &a, &found, e);
	if (!result && found.n) {
		*n = found.n;
		buf_adds(inner, "Memories that may bear on this, as they were "
				"written down:\n\n");
		display_memories(inner, &found);
	}
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
		add_marked(text, &inner);
	buf_release(&question);
	buf_release(&inner);
	return result;
}
