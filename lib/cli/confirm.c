/* confirm.c: similar memories are found by search/similar.h and printed in the
 * format of a review.
 */
#include "cli/saving.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "search/similar.h"
#include "sys/file.h"
#include "sys/io.h"
#include "sys/terminal.h"
#include "text/markdown.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ask whether to save. IDS are the memories that may be replaced, or NULL. */
static enum confirm ask_to_save(const char *ids)
{
	char question[80], help[160];
	int key;

	snprintf(question, sizeof(question), "Save it anyway [y,n,%s?]?",
		 ids ? "r," : "");
	snprintf(help, sizeof(help),
		 "y - save it, and keep these\nn - do not save it\n%s%s%s",
		 ids ? "r - save it, and replace " : "", ids ? ids : "",
		 ids ? "\n" : "");
	key = cli_ask_among(question, ids ? "ynqr" : "ynq", help);
	return key == 'y'   ? CONFIRM_SAVE
	       : key == 'r' ? CONFIRM_REPLACE
			    : CONFIRM_DECLINED;
}

/* Return the record that saving NEW would create, as far as the comparison
 * needs it. It points into NEW. */
static struct record record_of_new(const struct store_new *new)
{
	struct record r = {.path = "",
			   .content = new->content,
			   .content_len = new->len,
			   .at = instant_now()};

	if (new->created &&
	    !instant_parse(new->created, strlen(new->created), &r.at))
		instant_parse_day(new->created, strlen(new->created), &r.at);
	utf8_strip(&r.content, &r.content_len);
	return r;
}

/* Print the N HITS on standard error. */
static void show_hits(const struct similar_hit *hits, size_t n)
{
	struct buf text = {0};

	similar_show(&text, hits, n, terminal_columns(STDERR_FILENO),
		     terminal_has_colors(STDERR_FILENO) ? &color_plain : NULL);
	cli_flush();
	io_write(STDERR_FILENO, buf_str(&text), text.len);
	buf_release(&text);
}

/* Print a hint that names the option for replacing those of the N HITS that
 * contradict the new memory, if there are any. */
static void suggest_replaces(const struct similar_hit *hits, size_t n)
{
	struct buf ids = {0};
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (hits[i].contradicted)
			buf_addf(&ids, "%s%s%lld", count++ ? "," : "",
				 record_prefix(hits[i].record),
				 (long long)hits[i].record->id);
	}
	if (count)
		cli_hint("'co learn --replaces=%s' with the same text replaces "
			 "%s",
			 ids.p, count > 1 ? "them" : "it");
	buf_release(&ids);
}

/* Return the ids of those of the N HITS that the new memory most likely replaces,
 * separated by commas: those that it contradicts, else the most similar one. NULL: there
 * is none. */
static const char *list_outdated(const struct similar_hit *hits, size_t n,
				 struct arena *a)
{
	const char *ids = NULL;

	for (size_t i = 0; i < n; i++) {
		if (hits[i].contradicted)
			ids = arena_printf(a, "%s%s%s%lld", ids ? ids : "",
					   ids ? "," : "",
					   record_prefix(hits[i].record),
					   (long long)hits[i].record->id);
	}
	if (!ids && n && hits[0].area == AREA_MEMORIES)
		ids = arena_printf(a, "%s%lld", record_prefix(hits[0].record),
				   (long long)hits[0].record->id);
	return ids;
}

enum confirm cli_confirm_save(struct store *s, const struct store_new *new,
			      struct arena *a, const char **ids)
{
	const struct record asked = record_of_new(new);
	const bool asks = cli_on_terminal();
	struct err e; /* not printed: the save reports what cannot be read */
	struct similar *all =
		cli_quiet && !asks ? NULL
				   : similar_to(s, new->content, new->len, &e);
	struct similar_hit hits[SIMILAR_SHOWN];
	struct record same;
	enum confirm answer = CONFIRM_SAVE;
	const size_t n = all ? similar_find(all, &asked, hits) : 0;
	/* An identical text is not saved again; the save reports that. */
	const bool known =
		n && hits[0].percent == 100 &&
		duplicates_find_exact(s, AREA_MEMORIES, asked.content,
				      asked.content_len, a, &same, &e);

	*ids = NULL;
	if (n && !known) {
		show_hits(hits, n);
		*ids = list_outdated(hits, n, a);
	}
	if (n && !known && asks)
		answer = ask_to_save(*ids);
	else if (*ids)
		suggest_replaces(hits, n);
	if (answer != CONFIRM_REPLACE)
		*ids = NULL;
	similar_free(all);
	return answer;
}

void cli_confirm_saved(struct store *s, struct record *r, struct arena *a)
{
	struct err e;
	struct similar *all = cli_quiet
				      ? NULL
				      : similar_to_memories(s, r->content,
							    r->content_len, &e);
	struct similar_hit hits[SIMILAR_SHOWN];
	size_t n = 0, found = all ? similar_find(all, r, hits) : 0;
	struct record_ref *refs = arena_alloc(a, sizeof(*refs) * SIMILAR_SHOWN);

	for (size_t i = 0; i < found; i++) {
		if (!hits[i].contradicted)
			continue;
		refs[n].id = hits[i].record->id;
		hits[n++] = hits[i];
	}
	show_hits(hits, n);
	suggest_replaces(hits, n);
	r->contradicts = (struct record_refs){refs, n};
	similar_free(all);
}

/* Print the memory NUMBER of S, which was replaced. */
static void print_replaced(struct store *s, int64_t number, struct arena *a)
{
	const char *id = arena_printf(a, "%lld", (long long)number);
	struct record old;
	struct buf line = {0};
	struct err e;
	const int found = store_find(s, AREA_ARCHIVE, id, a, &old, &e);

	if (found < 0)
		err_report(cli_report(), &e);
	if (found != 1)
		return;
	buf_addf(&line, "Replaced memory %s%s",
		 record_scope_prefix(s->repo.root.scope), id);
	if (!(record_marks(&old) & MARK_SENSITIVE)) {
		buf_adds(&line, ": ");
		markdown_add_headline(&line, old.content, old.content_len,
				      MARKDOWN_HEADLINE);
	}
	buf_addc(&line, '\n');
	cli_out_text(line.p, line.len);
	buf_release(&line);
}

void cli_confirm_replaced(struct store *s, const struct record *r,
			  struct arena *a)
{
	const struct value *v;
	struct value list;
	struct record now;
	struct err e;
	const int found = store_read(s, r->path, a, &now, &e);

	if (found < 0)
		err_report(cli_report(), &e);
	if (found != 1 || record_find_key(&now, "supersedes", a, &list) != 1)
		return;
	for (size_t i = 0; (v = value_item(&list, i)); i++) {
		if (v->kind == VALUE_INT)
			print_replaced(s, v->u.i, a);
	}
}

/* Return true if P is written as an address or a path, or names something that
 * exists, or that we may not look at. A directory counts only with a slash at the
 * start, since its name may be a word. */
static bool is_file_or_address(const char *p)
{
	struct stat st;

	if (!*p || p[strcspn(p, " \t\n")])
		return false;
	if (strstr(p, "://") || !strncmp(p, "./", 2) || !strncmp(p, "../", 3))
		return true;
	if (stat(p, &st) < 0)
		return errno == EACCES;
	return !S_ISDIR(st.st_mode) || *p == '/';
}

/* Return true if P is written as the path of a document: docs/x.md, src/main.c,
 * notes.md. */
static bool looks_like_path(const char *p)
{
	const char *name = file_name_of(p);
	const char *dot = strrchr(name, '.');
	size_t letters;

	if (!dot || dot == name || p[strcspn(p, " \t\n")])
		return false;
	letters = strspn(++dot, "abcdefghijklmnopqrstuvwxyz");
	return letters && letters <= 5 && !dot[letters] &&
	       (name > p || !strcmp(dot, "md"));
}

static bool each_is(char **operands, bool (*is)(const char *p))
{
	char **p = operands;

	while (*p && is(*p))
		p++;
	return p > operands && !*p;
}

/* Ask or warn before OPERANDS are saved: each looks like a path, and no file is
 * there. */
static void check_absent(char **operands)
{
	struct buf names = {0}, question = {0};
	const bool one = !operands[1];

	for (char **p = operands; *p; p++)
		buf_addf(&names, "%s'%s'", p > operands ? ", " : "", *p);
	buf_addf(&question, "%s %s not exist; save %s as a memory? [y/N]",
		 names.p, one ? "does" : "do",
		 one ? "the name" : "these names");
	if (!cli_on_terminal())
		cli_hint("%s %s not exist: saving %s as a text", names.p,
			 one ? "does" : "do", one ? "the name" : "these names");
	else if (!cli_ask(question.p)) {
		cli_note("nothing was saved");
		cli_end(ERR_NO);
	}
	buf_release(&names);
	buf_release(&question);
}

/* End the process with the message that P, which exists with MODE, is no text. */
static void NORETURN refuse_file(const char *p, mode_t mode)
{
	if (S_ISREG(mode))
		cli_usage("'%s' is a file's name: 'co learn ./FILE' keeps it "
			  "as an article, 'co learn < %s' saves its text, "
			  "--text saves the name itself",
			  p, p);
	if (S_ISDIR(mode))
		cli_usage("'%s' is a directory, and 'co learn' keeps single "
			  "files; --text saves the name itself",
			  p);
	if (S_ISFIFO(mode) || S_ISCHR(mode))
		cli_usage("'%s' is a %s, not a file: 'co learn < %s' saves "
			  "its text, --text saves the name itself",
			  p, S_ISFIFO(mode) ? "FIFO" : "device", p);
	cli_usage("'%s' is a %s, not a file; --text saves the name itself", p,
		  S_ISSOCK(mode) ? "socket" : "device");
}

/* End the process with the message that P, an address or the name of a file, is no
 * text. */
static void NORETURN refuse_name(const char *p)
{
	struct stat st;
	struct err e;

	if (strstr(p, "://"))
		cli_usage("'%s' is an address: 'co learn URL' keeps a page of "
			  "http or https as an article, --text saves the "
			  "address itself",
			  p);
	if (stat(p, &st) == 0)
		refuse_file(p, st.st_mode);
	if (errno == ENOENT || errno == ENOTDIR)
		cli_usage("no such file: '%s'; --text saves the name itself",
			  p);
	err_sys(&e, "cannot look at '%s'", p);
	cli_die(&e);
}

void cli_confirm_is_text(char **operands)
{
	char **p = operands;
	struct stat st;

	if (each_is(operands, is_file_or_address)) {
		while (p[1] && stat(*p, &st) == 0 && S_ISREG(st.st_mode))
			p++;
		refuse_name(*p);
	}
	if (!each_is(operands, looks_like_path))
		return;
	for (; *p; p++) {
		if (stat(*p, &st) == 0 || errno == EACCES)
			refuse_name(*p);
	}
	check_absent(operands);
}

/* Return true if the person wants to edit again, after the error E. */
static bool ask_again(const struct err *e)
{
	cli_note("%s", e->text);
	return cli_ask_among("(e)dit again, (q)uit?", "eqn", "") == 'e';
}

/* An invalid edit is kept by editor_edit(), so editing again is to resume it. */
int cli_confirm_edit(struct editor ed, const char *resume)
{
	bool asked = false;
	char *kept = NULL;
	struct err e;
	int r;

	for (;;) {
		r = editor_edit(&ed, &kept, &e);
		asked = r < 0 && kept && e.code == ERR_DATA &&
			cli_on_terminal();
		if (!asked || !ask_again(&e))
			break;
		free(kept);
		ed.from = EDITOR_KEPT;
	}
	if (r < 0 && !asked)
		cli_complain(&e);
	if (r < 0 && e.code == ERR_HELPER && !editor_is_set())
		cli_hint("'export EDITOR=nano' chooses nano");
	else if (r < 0 && e.code == ERR_HELPER && !cli_on_terminal())
		cli_hint("EDITOR can be a command that needs no terminal: 'sed "
			 "-i s/old/new/'");
	if (r == 0)
		cli_note("nothing was changed");
	if (kept) {
		cli_note("the edit is kept in '%s'", kept);
		cli_note("'%s' opens it again", resume);
	}
	free(kept);
	if (r < 0)
		cli_end((int)e.code);
	return r;
}
