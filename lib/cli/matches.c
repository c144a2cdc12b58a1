/* matches.c: read each file again, since a search result contains only the
 * content, and no line numbers. The content of an unresolved merge is not a
 * part of its file; each of its lines is searched for in the file.
 */
#include "cli/out.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "repo/named-file.h"
#include "text/sanitize.h"

#include <unistd.h>

struct matches {
	bool zero, coloring;
	struct named_file file;
	struct arena arena;
};

static void add_piece(struct buf *out, bool safe, const char *p, size_t len)
{
	if (safe)
		sanitize_terminal(out, p, len, false);
	else
		buf_add(out, p, len);
}

/* Append P from START to END. The spans FROM to UP_TO are matches in P and are
 * coloured. */
static void add_marked(struct buf *out, const struct matches *m, const char *p,
		       size_t start, size_t end, const struct span *from,
		       const struct span *up_to)
{
	const bool safe = m->coloring || isatty(STDOUT_FILENO);
	struct buf piece = {0};
	size_t at = start;

	for (; m->coloring && from < up_to; from++) {
		const size_t s = from->start > at ? from->start : at,
			     t = from->end < end ? from->end : end;

		if (s >= t)
			continue;
		add_piece(out, safe, p + at, s - at);
		buf_cut(&piece, 0);
		add_piece(&piece, safe, p + s, t - s);
		color_add(out, &color_plain, COLOR_MATCH, buf_str(&piece),
			  piece.len);
		at = t;
	}
	add_piece(out, safe, p + at, end - at);
	buf_release(&piece);
}

/* Print the bytes START to END of TEXT as line NUMBER of PATH. */
static void print_line(const struct matches *m, const char *path, int number,
		       const char *text, size_t start, size_t end,
		       const struct span *from, const struct span *up_to)
{
	const bool safe = m->coloring || isatty(STDOUT_FILENO);
	struct buf line = {0}, name = {0}, quoted = {0};

	path = out_path_text(path, m->zero, &quoted);
	if (end > start && text[end - 1] == '\r')
		end--;
	add_piece(&name, safe, path, strlen(path));
	color_add(&line, m->coloring ? &color_plain : NULL, COLOR_PATH,
		  buf_str(&name), name.len);
	buf_addc(&line, m->zero ? '\0' : ':');
	buf_addf(&line, "%d:", number);
	add_marked(&line, m, text, start, end, from, up_to);
	buf_addc(&line, '\n');
	cli_out(line.p, line.len);
	buf_release(&line);
	buf_release(&name);
	buf_release(&quoted);
}

/* Return the number of the line in the file TEXT that equals the LEN bytes at
 * P. If P points into TEXT, it is the line of P. */
static int line_number(const struct buf *text, const char *p, size_t len)
{
	const char *at = buf_str(text);
	int line, column;

	if (p >= at && p <= at + text->len) {
		utf8_place(at, (size_t)(p - at), &line, &column);
		return line;
	}
	for (line = 1; *at; line++) {
		const size_t n = strcspn(at, "\n");

		if (n == len && !memcmp(at, p, n))
			break;
		at += n + (at[n] == '\n');
	}
	return line;
}

/* Print each line of the file that contains a matching tag, once. */
static int print_tags(struct matches *p, const char *path, struct match *m,
		      const struct record *r, struct err *e)
{
	const struct buf *text = &p->file.text;
	const struct value *tags = value_get(r->frontmatter, "tags");
	size_t printed = 0;

	for (size_t i = 0; i < r->ntags && tags && i < tags->u.list.n; i++) {
		const struct value *v = &tags->u.list.items[i];
		const struct span span = {v->start, v->end, COLOR_MATCH};
		size_t start = v->start, end = v->end;
		const int found =
			match_test(m, r->tags[i], strlen(r->tags[i]), e);

		if (found < 0)
			return -1;
		if (!found || v->end <= printed || v->end > text->len)
			continue;
		while (start && text->p[start - 1] != '\n')
			start--;
		while (end < text->len && text->p[end] != '\n')
			end++;
		print_line(p, path, line_number(text, text->p + start, 0),
			   text->p, start, end, &span, &span + 1);
		printed = end;
	}
	return 0;
}

static int print_content(struct matches *p, const char *path, struct match *m,
			 const struct record *r, struct err *e)
{
	struct spans spans = {0};
	size_t first = 0, last, end;

	if (match_spans(m, r->content, r->content_len, &spans, e) < 0) {
		free(spans.items);
		return -1;
	}
	for (size_t at = 0; at < r->content_len && first < spans.n;
	     at = end + 1) {
		const char *newline =
			memchr(r->content + at, '\n', r->content_len - at);

		end = newline ? (size_t)(newline - r->content) : r->content_len;
		while (first < spans.n && spans.items[first].end <= at)
			first++;
		for (last = first;
		     last < spans.n && spans.items[last].start < end; last++)
			;
		if (last > first)
			print_line(p, path,
				   line_number(&p->file.text, r->content + at,
					       end - at),
				   r->content, at, end, spans.items + first,
				   spans.items + last);
	}
	free(spans.items);
	return 0;
}

static int print_memory(struct matches *p, const char *path, struct match *m,
			struct err *e)
{
	struct record r;
	int found;

	arena_reset(&p->arena);
	found = named_file_read(&p->file, path, &p->arena, &r, e);
	if (found <= 0)
		return found; /* 0: removed since it was found */
	if (print_tags(p, path, m, &r, e) < 0)
		return -1;
	return print_content(p, path, m, &r, e);
}

void out_matches(const struct results *found, struct match *m, bool zero,
		 bool coloring)
{
	struct matches p = {.zero = zero, .coloring = coloring};
	struct arena a = {0};
	struct record r;
	struct err e;

	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&a);
		results_get(found, &found->items[i], &a, &r);
		if (print_memory(&p, r.path, m, &e) < 0)
			cli_complain(&e);
	}
	named_file_release(&p.file);
	arena_release(&p.arena);
	arena_release(&a);
}

/* The state of a search through the files given as operands. */
struct path_search {
	const struct grep_query *query;
	struct named_file named;
	struct arena scratch;
	struct results *found; /* NULL: only count */
	size_t n;
};

static int grep_path(void *ctx, const char *path, struct err *e)
{
	struct path_search *f = ctx;
	struct record r;
	int found;

	arena_reset(&f->scratch);
	found = named_file_read(&f->named, path, &f->scratch, &r, e);
	if (!found)
		return err_set(e, ERR_SYSTEM, "no such file: '%s'", path);
	if (found < 0)
		return -1;
	found = grep_query_test(f->query, &r, e);
	if (found < 0)
		cli_die(e);
	if (found && f->found)
		results_add(f->found, NULL, &r, NULL);
	f->n += (size_t)found;
	return 0;
}

size_t out_find_in_paths(char **paths, bool zero,
			 const struct grep_query *query, struct results *found)
{
	struct path_search f = {.query = query,
				.named = {.report = cli_report()},
				.found = found};

	cli_each(paths, zero, grep_path, &f);
	named_file_release(&f.named);
	arena_release(&f.scratch);
	return f.n;
}
