/* review.c: only paths are kept of the drafts to come; each is read when its
 * turn comes, and what a person decides on is the text that was read then.
 */
#include "porcelain/review.h"

#include "base/utf8.h"
#include "store/display.h"
#include "store/drafts.h"
#include "store/ids.h"
#include "store/save.h"
#include "text/sanitize.h"

#include <unistd.h>

#define ALIKE_MAX 3

static int add_path(void *ctx, const struct layout_file *f, struct err *e)
{
	struct review *v = ctx;

	(void)e;
	v->paths = mem_grow(v->paths, v->n, &v->cap, sizeof(*v->paths));
	v->paths[v->n++] = arena_strdup(&v->names, f->path);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const int64_t m = ids_of_name(strrchr(*x, '/') + 1);
	const int64_t n = ids_of_name(strrchr(*y, '/') + 1);

	return m != n ? (m < n ? -1 : 1) : strcmp(*x, *y);
}

int review_begin(struct review *v, struct store *s, struct err *e)
{
	*v = (struct review){.s = s};
	if (layout_walk(&s->repo, AREA_DRAFTS, add_path, v, e) < 0)
		return -1;
	if (!v->n)
		return 0;
	qsort(v->paths, v->n, sizeof(*v->paths), by_number);
	v->similar = similar_new(s, e);
	return v->similar ? 0 : -1;
}

void review_release(struct review *v)
{
	similar_free(v->similar);
	free(v->paths);
	buf_release(&v->text);
	arena_release(&v->arena);
	arena_release(&v->names);
}

/* Read the file at PATH of the drafts: as file_read(). */
static int read_file(struct store *s, const char *path, struct buf *text,
		     struct err *e)
{
	struct arena a = {0};
	struct layout_place p;
	int dir, r = 0;

	if (layout_parse(&s->repo, path, &a, &p))
		r = layout_open(&s->repo, p.folder, &dir, e);
	if (r == 1) {
		r = file_read(dir, p.name, path, STORE_FILE_MAX, text, e);
		close(dir);
	}
	arena_release(&a);
	return r;
}

int review_again(struct review *v, struct err *e)
{
	const int r = read_file(v->s, v->path, &v->text, e);

	arena_reset(&v->arena);
	if (r == 1)
		v->broken =
			record_read(&v->record, buf_str(&v->text), v->text.len,
				    v->path, v->s->repo.root.scope, &v->arena,
				    &v->fault) < 0;
	return r;
}

int review_next(struct review *v, struct err *e)
{
	int r = 0;

	while (!r && v->next < v->n) {
		v->path = v->paths[v->next++];
		r = review_again(v, e);
	}
	return r;
}

/* Append P on one line, safe, and a newline. */
static void add_line(struct buf *out, const char *p, size_t len)
{
	sanitize_terminal(out, p, len, false);
	buf_addc(out, '\n');
}

/* Append the line that lists R. */
static void add_listed(struct buf *out, const struct record *r)
{
	struct buf line = {0};

	display_line(&line, r, NULL);
	add_line(out, line.p, line.len - 1);
	buf_release(&line);
}

static void show_fields(struct buf *out, const struct review *v)
{
	const struct record *r = &v->record;

	buf_adds(out, "source:   ");
	add_line(out, r->source ? r->source : "-",
		 r->source ? strlen(r->source) : 1);
	buf_adds(out, "created:  ");
	add_line(out, r->created, strlen(r->created));
	buf_adds(out, "tags:     ");
	for (size_t i = 0; i < r->ntags; i++) {
		buf_adds(out, i ? ", " : "");
		sanitize_terminal(out, r->tags[i], strlen(r->tags[i]), false);
	}
	buf_adds(out, r->ntags ? "\n" : "-\n");
	if (r->worktree) {
		buf_adds(out, "worktree: ");
		add_line(out, r->worktree, strlen(r->worktree));
	}
}

static void show_replaced(struct buf *out, struct review *v)
{
	const int64_t *ids;
	const int64_t id =
		drafts_replaces(v->text.p, v->text.len, &v->arena, &ids)
			? ids[0]
			: 0;
	const char *name = arena_printf(&v->arena, "%lld", (long long)id);
	struct record r;
	struct err e;
	int found;

	if (!id)
		return;
	found = store_find(v->s, AREA_MEMORIES, name, &v->arena, &r, &e);
	buf_adds(out, "replaces: ");
	if (found == 1)
		add_listed(out, &r);
	else if (found < 0)
		add_line(out, e.text, strlen(e.text));
	else
		buf_addf(out, "memory %s, which is gone\n", name);
}

static void show_alike(struct buf *out, struct review *v)
{
	static const char *const where[] = {"", "draft ", "in the trash "};
	struct similar_hit hits[ALIKE_MAX];
	const size_t n =
		similar_find(v->similar, v->record.content,
			     v->record.content_len, v->path, hits, ALIKE_MAX);

	for (size_t i = 0; i < n; i++) {
		buf_addf(out, "%s%s",
			 i ? "          " : "similar:  ", where[hits[i].area]);
		add_listed(out, hits[i].record);
	}
}

static void show_text(struct buf *out, const char *p, size_t len)
{
	struct buf safe = {0};
	const char *line, *end;

	sanitize_terminal(&safe, p, len, true);
	end = safe.p + safe.len;
	for (line = safe.p; line < end;) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		const char *stop = nl ? nl : end;

		buf_adds(out, line < stop ? "| " : "|");
		buf_add(out, line, (size_t)(stop - line));
		buf_addc(out, '\n');
		line = stop + 1;
	}
	buf_release(&safe);
}

void review_show(struct buf *out, struct review *v)
{
	const char *name = strrchr(v->path, '/') + 1;

	buf_addf(out, "draft %zu of %zu: ", v->next, v->n);
	add_line(out, name, strlen(name));
	if (v->broken) {
		buf_adds(out, "broken:   ");
		add_line(out, v->fault.text, strlen(v->fault.text));
		show_text(out, buf_str(&v->text), v->text.len);
		return;
	}
	show_fields(out, v);
	show_replaced(out, v);
	show_alike(out, v);
	show_text(out, v->record.content, v->record.content_len);
}

/* Accept the draft at PATH if it still is WAS. */
static int accept_one(struct review *v, const char *path, const struct buf *was,
		      review_fn *fn, struct err *e)
{
	struct arena a = {0};
	const char *replaced;
	struct record r;
	const int result = drafts_accept(v->s, path, was, &a, &r, &replaced, e);

	if (!result) {
		similar_move(v->similar, path, &r, AREA_MEMORIES);
		v->accepted++;
		fn(&r, replaced, NULL);
	} else {
		fn(NULL, NULL, e);
	}
	arena_release(&a);
	return result;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Read the draft I, which is to come: true if it is from the source of the one
 * at hand. */
static bool is_alike(struct review *v, size_t i, struct buf *text)
{
	struct arena a = {0};
	struct record r;
	bool alike;

	alike = !v->broken && read_file(v->s, v->paths[i], text, NULL) == 1 &&
		record_read(&r, buf_str(text), text->len, v->paths[i],
			    v->s->repo.root.scope, &a, NULL) == 0 &&
		is_same(r.source, v->record.source);
	arena_release(&a);
	return alike;
}

int review_accept(struct review *v, bool rest, review_fn *fn, struct err *e)
{
	struct buf text = {0};
	struct err why;
	const int result = accept_one(v, v->path, &v->text, fn, e);

	for (size_t i = v->next; rest && !result && i < v->n; i++) {
		if (is_alike(v, i, &text))
			accept_one(v, v->paths[i], &text, fn, &why);
	}
	buf_release(&text);
	return result;
}

int review_reject(struct review *v, bool rest, size_t *n, struct err *e)
{
	const char **paths = mem_alloc((v->n + 1) * sizeof(*paths));
	const char **moved = mem_alloc((v->n + 1) * sizeof(*moved));
	struct buf text = {0};
	size_t count = 0;
	int r;

	paths[count++] = v->path;
	for (size_t i = v->next; rest && i < v->n; i++) {
		if (is_alike(v, i, &text))
			paths[count++] = v->paths[i];
	}
	r = drafts_reject(v->s, paths, count, &v->arena, moved, e);
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		if (!moved[i])
			continue;
		similar_move(v->similar, paths[i], NULL, AREA_TRASH);
		++*n;
	}
	v->rejected += *n;
	buf_release(&text);
	free(paths);
	free(moved);
	return r;
}

/* Put the tags of LINE, those to add and those to take away, into TAGS, which
 * holds the old ones. */
static int change_tags(struct value *tags, const char *line, struct arena *a,
		       struct err *e)
{
	while (*line) {
		const char *p = line, *tag;
		size_t len = strcspn(line, ","), i = 0;
		bool drop;

		line += len + (line[len] == ',');
		utf8_strip(&p, &len);
		drop = len && *p == '-';
		tag = arena_copy(a, p + drop, len - drop);
		if (!len)
			continue;
		if (!drop && !(tag = compose_tag(tag, len, a, e)))
			return -1;
		while (i < tags->u.list.n &&
		       !value_is(&tags->u.list.items[i], tag))
			i++;
		if (drop && i < tags->u.list.n)
			memmove(&tags->u.list.items[i],
				&tags->u.list.items[i + 1],
				(--tags->u.list.n - i) * sizeof(struct value));
		else if (!drop && i == tags->u.list.n)
			tags->u.list.items[tags->u.list.n++] = value_str(tag);
	}
	return 0;
}

int review_tag(struct review *v, const char *line, struct err *e)
{
	const size_t most = v->record.ntags + strlen(line) / 2 + 1;
	struct value tags = {.kind = VALUE_LIST};
	struct frontmatter fm;
	struct buf with = {0};
	int r = -1;

	tags.u.list.items = arena_alloc(&v->arena, most * sizeof(struct value));
	for (size_t i = 0; i < v->record.ntags; i++)
		tags.u.list.items[tags.u.list.n++] =
			value_str(v->record.tags[i]);
	if (v->broken)
		return err_set(e, ERR_DATA, "%s", v->fault.text);
	if (change_tags(&tags, line, &v->arena, e) == 0 &&
	    frontmatter_parse(&fm, buf_str(&v->text), v->text.len, v->path,
			      &v->arena, e) == 0 &&
	    frontmatter_set(&with, &fm, "tags", &tags, e) == 0)
		r = review_replace(v, &with, e);
	buf_release(&with);
	return r;
}

int review_replace(struct review *v, const struct buf *text, struct err *e)
{
	return save_replace(v->s, v->path, buf_str(&v->text), v->text.len,
			    buf_str(text), text->len, e);
}
