/* out.c: see out.h. */
#include "cli/out.h"

#include "search/grep.h"
#include "store/display.h"
#include "store/loose.h"
#include "sys/dirs.h"
#include "sys/pager.h"
#include "text/sanitize.h"

#include <unistd.h>

void out_open(struct out *o, struct arena *a)
{
	struct err e;

	if (o->json && o->format)
		cli_usage("--json and --format exclude each other");
	if (o->format && template_new(&o->template, o->format, a, &e) < 0)
		cli_die(&e);
}

void out_path(const char *path, bool zero)
{
	cli_out_text(path, strlen(path));
	cli_out(zero ? "\0" : "\n", 1);
}

bool out_plain(const struct out *o)
{
	return !o->json && !o->format;
}

/* R with its frontmatter, which searches do not keep: read from its file, if
 * that is still what was found. */
static struct record complete(const struct record *r, struct loose *n,
			      struct arena *a)
{
	struct record now, whole = *r;

	if (!r->frontmatter && loose_read(n, r->path, a, &now, NULL) == 1 &&
	    now.content_len == r->content_len &&
	    !memcmp(now.content, r->content, r->content_len))
		whole.frontmatter = now.frontmatter;
	return whole;
}

static void add_record(struct buf *line, const struct out *o,
		       const struct record *r)
{
	if (o->json)
		record_json(line, r, !o->no_content);
	else if (o->template)
		template_add(line, o->template, r);
}

void out_record(const struct out *o, const struct record *r)
{
	struct buf line = {0};
	struct loose file = {0};
	struct arena a = {0};
	struct record whole;

	if (out_uses(o, RECORD_FRONTMATTER) && out_whole(o)) {
		whole = complete(r, &file, &a);
		add_record(&line, o, &whole);
	} else if (!out_plain(o))
		add_record(&line, o, r);
	else
		buf_adds(&line, r->path);
	if (o->zero && !o->json) {
		buf_addc(&line, '\0');
		cli_out(line.p, line.len);
	} else {
		buf_addc(&line, '\n');
		cli_out_text(line.p, line.len);
	}
	buf_release(&line);
	loose_release(&file);
	arena_release(&a);
}

static void tell_double(void *ctx, const struct record *x,
			const struct record *y)
{
	struct err e;

	(void)ctx;
	err_set(&e, ERR_DATA, "id %lld stands twice: '%s' and '%s'",
		(long long)x->id, x->path, y->path);
	err_report(cli_report(), &e);
}

void out_doubles(const struct results *found)
{
	results_each_double(found, tell_double, NULL);
}

void out_area(struct store *s, enum area area, bool json)
{
	const struct out out = {.json = json};
	const struct grep_query all = {0};
	struct results found = {.order = RESULTS_BY_ID, .whole = json};
	struct err e;

	if (grep_collect(s, area, &all, &found, &e) < 0)
		cli_die(&e);
	results_sort(&found);
	out_doubles(&found);
	if (json)
		out_found(&out, &found, false, SIZE_MAX);
	else
		out_lines(&found);
	results_release(&found);
}

bool out_uses(const struct out *o, enum record_field field)
{
	return o->json || (o->template && template_uses(o->template, field));
}

bool out_whole(const struct out *o)
{
	return (out_uses(o, RECORD_CONTENT) ||
		out_uses(o, RECORD_FRONTMATTER)) &&
	       !(o->json && o->no_content);
}

void out_found(const struct out *o, const struct results *found, bool reverse,
	       size_t max)
{
	const size_t n = found->n < max ? found->n : max;
	struct arena arena = {0};
	struct record r;

	for (size_t i = 0; i < n; i++) {
		arena_reset(&arena);
		results_get(found,
			    &found->items[reverse ? found->n - 1 - i : i],
			    &arena, &r);
		out_record(o, &r);
	}
	arena_release(&arena);
}

void out_lines(const struct results *found)
{
	struct arena arena = {0};
	struct buf text = {0};
	struct record r;

	for (size_t i = 0; i < found->n; i++) {
		arena_reset(&arena);
		results_get(found, &found->items[i], &arena, &r);
		display_line(&text, &r, NULL);
		out_buf(&text);
	}
	arena_release(&arena);
}

void out_saved(const struct record *r, const char *what, bool json)
{
	struct buf line = {0}, text = {0};

	display_file(&text, what, r);
	buf_addf(&text, "Location: %s", r->path);
	if (json) {
		json_write_open(&line, NULL, '{');
		json_write_bytes(&line, "display", text.p, text.len);
		json_write_text(&line, "path", r->path);
		json_write_int(&line, "memory_id", r->id);
		json_write_close(&line, '}');
		cli_out(line.p, line.len);
	} else {
		cli_out_text(text.p, text.len);
	}
	cli_outs("\n");
	buf_release(&line);
	buf_release(&text);
}

void out_made(struct store *s)
{
	struct err e;
	bool made;

	if (store_make(s, &made, &e) < 0)
		cli_die(&e);
	if (!made)
		return;
	cli_note("made '%s'", s->repo.root.path);
	if (root_seen_by_git(&s->repo.root))
		cli_hint("git will see it; 'co init --private' hides it");
}

void out_buf(struct buf *text)
{
	cli_out_text(buf_str(text), text->len);
	buf_release(text);
}

void out_notes(struct buf *text)
{
	const char *p = buf_str(text);

	while (*p) {
		const size_t len = strcspn(p, "\n");

		cli_note("%.*s", (int)len, p);
		p += len + (p[len] == '\n');
	}
	buf_release(text);
}

static int open_store(struct store *s, bool global, struct err *e)
{
	return store_open(s, global ? SCOPE_GLOBAL : SCOPE_PROJECT,
			  cli_report(), e);
}

void out_store(struct store *s, bool global)
{
	struct err e;

	if (open_store(s, global, &e) < 0)
		cli_die(&e);
}

bool out_are_global(const char *const *operands, size_t n, enum area area)
{
	const char *named = NULL, *other = NULL, *path;
	struct store user = {.repo.fd = -1};
	struct arena a = {0};
	bool open = false;
	int64_t id;

	for (size_t i = 0; i < n; i++) {
		if (!store_is_global_id(operands[i], &id)) {
			other = operands[i];
			continue;
		}
		if (!open && store_open(&user, SCOPE_GLOBAL, NULL, NULL) < 0)
			return false;
		open = true;
		if (store_locate(&user, area, operands[i], &a, &path, NULL))
			named = operands[i];
		else
			other = operands[i];
	}
	if (open)
		store_close(&user);
	arena_release(&a);
	if (named && other)
		cli_usage("'%s' is the user's and '%s' is not: name those of "
			  "one store at a time",
			  named, other);
	return named;
}

bool out_is_global(const char *operand, enum area area)
{
	return operand && out_are_global(&operand, 1, area);
}

bool out_store_if(struct store *s, bool global)
{
	struct err e;

	if (open_store(s, global, &e) == 0 || (global && !dirs_known()))
		return true;
	cli_complain(&e);
	return false;
}

void out_page(struct buf *text, bool ends)
{
	struct buf safe = {0};

	if (!isatty(STDOUT_FILENO)) {
		cli_out(buf_str(text), text->len);
	} else if (!ends) {
		return;
	} else {
		sanitize_terminal(&safe, buf_str(text), text->len, true);
		cli_flush();
		if (!pager_show(buf_str(&safe), safe.len))
			cli_out(buf_str(&safe), safe.len);
	}
	buf_release(&safe);
	buf_cut(text, 0);
	if (ends)
		buf_release(text);
}
