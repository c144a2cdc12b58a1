/* review-walk.c: each key is one function, which returns the next step of the
 * walk.
 */
#include "review/review.h"

#include "base/date.h"
#include "cli/cli.h"
#include "sys/editor.h"
#include "sys/terminal.h"

#include <unistd.h>

enum step {
	STEP_NEXT, /* move to the next draft */
	STEP_READ, /* read the current draft again, since it may have changed,
		    * and show it */
	STEP_SHOW, /* show the current draft, which was read */
	STEP_ASK,  /* ask again */
	STEP_QUIT
};

struct walk {
	struct review *v;
	const struct coloring *coloring;
	review_fn *accepted;
	struct buf answer, text;
};

/* Return the step that follows the error E: skip a draft that is gone, and show
 * one that has changed. */
static enum step step_after_error(const struct err *e)
{
	return e->code == ERR_NO     ? STEP_NEXT
	       : e->code == ERR_BUSY ? STEP_READ
				     : STEP_ASK;
}

static enum step note_error(const struct err *e)
{
	cli_note("%s", e->text);
	return step_after_error(e);
}

static enum step do_accept(struct walk *g, const struct review_rest *rest)
{
	struct err e;

	return review_accept(g->v, rest, g->accepted, &e) < 0
		       ? step_after_error(&e)
		       : STEP_NEXT;
}

static void PRINTF(2, 3) show_message(struct walk *g, const char *fmt, ...)
{
	va_list ap;

	buf_cut(&g->text, 0);
	va_start(ap, fmt);
	buf_vaddf(&g->text, fmt, ap);
	va_end(ap);
	cli_out(buf_str(&g->text), g->text.len);
}

static enum step do_reject(struct walk *g, const struct review_rest *rest)
{
	struct err e;
	size_t n;
	const int r = review_reject(g->v, rest, &n, &e);

	if (n)
		show_message(g, "✓ Rejected %zu %s\n", n,
			     n == 1 ? "draft" : "drafts");
	return r < 0 ? note_error(&e) : STEP_NEXT;
}

/* Set REST to one of the tags of the current draft. Return false if there is
 * none. */
static bool choose_tag(struct walk *g, struct review_rest *rest)
{
	const struct record *r = &g->v->record;
	struct buf question = {0};
	size_t i = 0;

	if (g->v->broken || !r->ntags) {
		cli_note("this draft has no tags");
		return false;
	}
	rest->tag = r->tags[0];
	if (r->ntags == 1)
		return true;
	for (; i < r->ntags; i++)
		buf_addf(&question, "%s%s",
			 i ? ", " : "Which tag: ", r->tags[i]);
	buf_addc(&question, '?');
	i = r->ntags;
	if (cli_ask_line(question.p, &g->answer)) {
		for (i = 0; i < r->ntags; i++) {
			if (!strcmp(buf_str(&g->answer), r->tags[i]))
				break;
		}
		if (i == r->ntags)
			cli_note("it has no tag '%s'", buf_str(&g->answer));
	}
	rest->tag = i < r->ntags ? r->tags[i] : NULL;
	buf_release(&question);
	return rest->tag;
}

static enum step do_tagged(struct walk *g, bool accept)
{
	struct review_rest rest;

	if (!choose_tag(g, &rest))
		return STEP_ASK;
	return accept ? do_accept(g, &rest) : do_reject(g, &rest);
}

static enum step do_back(struct walk *g)
{
	struct err e;
	const int r = review_back(g->v, &e);

	if (r < 0)
		return note_error(&e);
	if (!r)
		cli_note("nothing waits before this one");
	return r ? STEP_SHOW : STEP_ASK;
}

static enum step do_undo(struct walk *g)
{
	struct err e;
	size_t n;
	const int r = review_undo(g->v, &n, &e);

	if (r < 0)
		cli_note("%s", e.text);
	if (n && g->v->due)
		show_message(g, "✓ This one is as it was\n");
	else if (n)
		show_message(g, "✓ %zu %s again\n", n,
			     n == 1 ? "draft waits" : "drafts wait");
	else if (!r)
		cli_note("nothing was decided yet");
	return n ? STEP_SHOW : STEP_ASK;
}

static int replace_edited(void *ctx, const struct buf *text, const char *path,
			  struct err *e)
{
	(void)path;
	return review_replace(ctx, text, e);
}

static enum step do_edit(struct walk *g)
{
	struct review *v = g->v;
	const struct editor ed = {.path = v->path,
				  .was = &v->text,
				  .max = STORE_FILE_MAX,
				  .from = EDITOR_ANY,
				  .use = replace_edited,
				  .ctx = v,
				  .note = cli_note};
	enum step step = STEP_READ;
	char *kept;
	struct err e;

	if (editor_edit(&ed, &kept, &e) < 0)
		step = note_error(&e);
	if (kept) {
		cli_note("the edit is kept in '%s'", kept);
		cli_note("'e' at this %s opens it again",
			 v->due ? "memory" : "draft");
	}
	free(kept);
	return step;
}

static enum step do_tag(struct walk *g)
{
	struct err e;

	if (!cli_ask_line("Tags to add; -TAG removes one; commas between them:",
			  &g->answer))
		return STEP_QUIT;
	return review_tag(g->v, buf_str(&g->answer), &e) < 0 ? note_error(&e)
							     : STEP_READ;
}

/* Ask for the next review date and save it. An empty answer changes nothing. */
static enum step do_keep(struct walk *g)
{
	char date[INSTANT_TEXT];
	bool never;
	struct value when;
	struct err e;

	if (!cli_ask_line("Look at it again when (" DATE_SPANS
			  ", a date, never)?",
			  &g->answer))
		return STEP_QUIT;
	if (!g->answer.len)
		return STEP_ASK;
	never = !strcmp(g->answer.p, "never");
	if (!never && date_ahead(g->answer.p, date, &e) < 0)
		return note_error(&e);
	when = value_str(date);
	if (review_mark(g->v, REVIEW_KEPT, "review-after", never ? NULL : &when,
			&e) < 0)
		return note_error(&e);
	show_message(g, never ? "✓ Kept\n" : "✓ Kept until %s\n", date);
	return STEP_NEXT;
}

static enum step do_archive(struct walk *g)
{
	const struct value yes = {.kind = VALUE_BOOL, .u.b = true};
	struct err e;

	if (review_mark(g->v, REVIEW_ARCHIVED, "archive", &yes, &e) < 0)
		return note_error(&e);
	show_message(g, "✓ Archived\n");
	return STEP_NEXT;
}

static enum step do_forget(struct walk *g)
{
	struct err e;

	if (review_forget(g->v, &e) < 0)
		return note_error(&e);
	show_message(g, "✓ Moved to the trash\n");
	return STEP_NEXT;
}

static const char help_memory[] = "y - it still holds: keep it, and say when "
				  "to look at it again\n"
				  "e - edit it\n"
				  "t - change its tags\n"
				  "f - forget it: it goes to the trash\n"
				  "a - archive it: nothing finds it unasked\n"
				  "s - skip it: it stays due\n"
				  "k - go back to the one before\n"
				  "u - undo the last step\n"
				  "q - quit: it and all later ones stay due\n"
				  "? - this help\n";

static const char help_draft[] =
	"y - accept this draft\n"
	"n - reject it: it goes to the trash\n"
	"e - edit it\n"
	"t - change its tags\n"
	"s - skip it: it stays a draft\n"
	"k - go back to the draft before\n"
	"u - undo the last decision\n"
	"a - accept it and all later ones from its source\n"
	"d - reject it and all later ones from its source\n"
	"A - accept it and all later ones with one of its tags\n"
	"D - reject it and all later ones with one of its tags\n"
	"q - quit: it and all later ones stay drafts\n"
	"? - this help\n"
	"(external): others wrote it, or what its writer had read\n";

/* Print the lines of HELP for the keys that are offered now. */
static void print_help(const struct walk *g, const char *help)
{
	for (; *help; help += strcspn(help, "\n") + 1) {
		if ((*help != 'k' || g->v->next > 1) &&
		    (*help != 'u' || g->v->ndone))
			cli_out(help, strcspn(help, "\n") + 1);
	}
}

/* Handle KEY for drafts and memories. Other keys print the HELP. */
static enum step do_common(struct walk *g, int key, const char *help)
{
	switch (key) {
	case 'e':
		return do_edit(g);
	case 't':
		return do_tag(g);
	case 's':
		return STEP_NEXT;
	case 'k':
		return do_back(g);
	case 'u':
		return do_undo(g);
	case 'q':
	case 0:
		return STEP_QUIT;
	default:
		/* As in cli_ask_among(). */
		if (key != '?')
			terminal_drop_typed(STDIN_FILENO);
		print_help(g, help);
		return STEP_ASK;
	}
}

/* Ask about a memory that is due. */
static enum step ask_memory(struct walk *g)
{
	const struct review *v = g->v;
	char question[80];
	int key;

	snprintf(question, sizeof(question),
		 "(%zu/%zu) Does it still hold [y,e,t,f,a,s,%s%sq,?]?", v->next,
		 v->n, v->next > 1 ? "k," : "", v->ndone ? "u," : "");
	key = cli_ask_key(question);
	switch (key) {
	case 'y':
		return do_keep(g);
	case 'f':
		return do_forget(g);
	case 'a':
		return do_archive(g);
	default:
		return do_common(g, key, help_memory);
	}
}

static enum step ask_draft(struct walk *g)
{
	static const struct review_rest source;
	const struct review *v = g->v;
	char question[80];
	int key;

	snprintf(question, sizeof(question),
		 "(%zu/%zu) Accept this draft [y,n,e,t,s,%s%sa,d,A,D,q,?]?",
		 v->next, v->n, v->next > 1 ? "k," : "", v->ndone ? "u," : "");
	key = cli_ask_key(question);
	switch (key) {
	case 'y':
		return do_accept(g, NULL);
	case 'n':
		return do_reject(g, NULL);
	case 'a':
		return do_accept(g, &source);
	case 'd':
		return do_reject(g, &source);
	case 'A':
		return do_tagged(g, true);
	case 'D':
		return do_tagged(g, false);
	default:
		return do_common(g, key, help_draft);
	}
}

/* Show the current draft and ask until it is decided. */
static enum step decide_current(struct walk *g, struct err *e)
{
	enum step step = STEP_SHOW;
	int r = 1;

	while (step == STEP_SHOW || step == STEP_ASK) {
		if (step == STEP_SHOW) {
			buf_cut(&g->text, 0);
			review_show(&g->text, g->v, g->coloring);
			cli_out(g->text.p, g->text.len);
		}
		step = g->v->due ? ask_memory(g) : ask_draft(g);
		if (step != STEP_READ)
			continue;
		step = STEP_SHOW;
		r = review_again(g->v, e);
		if (r != 1)
			return r < 0 ? note_error(e) : STEP_NEXT;
	}
	return step;
}

/* Print how many were accepted, rejected and so on, and how many drafts still
 * wait. */
static int sum_up(struct walk *g, struct err *e)
{
	const size_t *counts = g->v->counts;
	size_t waiting;

	if (g->v->due) {
		show_message(g, "%zu kept, %zu archived, %zu forgotten\n",
			     counts[REVIEW_KEPT], counts[REVIEW_ARCHIVED],
			     counts[REVIEW_REJECTED]);
		return 0;
	}
	if (store_count(g->v->s, AREA_DRAFTS, &waiting, e) < 0)
		return -1;
	show_message(g, "%zu accepted, %zu rejected, %zu waiting\n",
		     counts[REVIEW_ACCEPTED], counts[REVIEW_REJECTED], waiting);
	return 0;
}

int review_walk(struct review *v, const struct coloring *c, review_fn *accepted,
		struct err *e)
{
	struct walk g = {.v = v, .coloring = c, .accepted = accepted};
	enum step step = STEP_NEXT;
	struct err why;
	int r, result = 0;

	while (step != STEP_QUIT && (r = review_next(v, &why)) != 0) {
		if (r > 0) {
			step = decide_current(&g, &why);
			continue;
		}
		cli_note("%s", why.text);
		result = err_take(e, &why);
	}
	if (!result)
		result = sum_up(&g, e);
	buf_release(&g.answer);
	buf_release(&g.text);
	return result;
}
