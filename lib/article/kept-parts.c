/* kept-parts.c: parts are replaced in one operation, all or none. A new part
 * takes the file name of the old part with its number. */
#include "article/kept-parts.h"

#include "article/article-find.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "store/journal.h"

#include <fcntl.h>
#include <unistd.h>

#define SUFFIX_MAX 999

int64_t kept_parts_number(const struct value *frontmatter)
{
	return value_positive(frontmatter, "part");
}

static int add_part(void *ctx, const struct record *r)
{
	struct kept_parts *all = ctx;
	const int64_t number = kept_parts_number(r->frontmatter);

	if (!number || !r->source || strcmp(r->source, all->source) != 0)
		return 0;
	*MEM_ADD(all->items, all->n, all->cap) = (struct kept_part){
		.path = arena_strdup(all->a, r->path), .number = number};
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct kept_part *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->path, y->path);
}

int kept_parts_find(struct store *s, struct kept_parts *all, struct err *e)
{
	if (article_each(s, add_part, all, e) < 0)
		return -1;
	MEM_SORT(all->items, all->n, by_number);
	return 0;
}

/* Read the article at PATH into TEXT. Returns 0 or -1. */
static int read_text(struct store *s, const char *path, struct buf *text,
		     struct arena *a, struct err *e)
{
	struct layout_place p;
	int dir, r;

	if (!layout_parse(&s->repo, path, a, &p) || p.area != AREA_ARTICLES)
		return err_set(e, ERR_USAGE, "'%s' is not an article", path);
	r = layout_open(&s->repo, p.folder, &dir, e);
	if (r == 1) {
		r = file_read(dir, p.name, path, STORE_FILE_MAX, text, e);
		close(dir);
	}
	return r == 0 ? err_set(e, ERR_NO, "'%s' is gone", path)
		      : (r < 0 ? -1 : 0);
}

/* Read K, which must have the source of ALL. */
static int read_part(struct store *s, const struct kept_parts *all,
		     struct kept_part *k, struct err *e)
{
	const char *from;

	if (read_text(s, k->path, &k->text, all->a, e) < 0 ||
	    frontmatter_parse(&k->fm, k->text.p, k->text.len, k->path, all->a,
			      e) < 0)
		return -1;
	from = value_text(&k->fm.data, "source");
	k->number = kept_parts_number(&k->fm.data);
	return from && !strcmp(from, all->source)
		       ? 0
		       : err_set(e, ERR_NO, "'%s' now has another source",
				 k->path);
}

int kept_parts_read(struct store *s, struct kept_parts *all, const char *path,
		    struct err *e)
{
	struct kept_part first = {.path = path};
	int r = read_part(s, all, &first, e);

	if (!r && first.number) {
		buf_release(&first.text);
		r = kept_parts_find(s, all, e);
		for (size_t i = 0; i < all->n && !r; i++)
			r = read_part(s, all, &all->items[i], e);
		return r;
	}
	*MEM_ADD(all->items, all->n, all->cap) = first;
	return r;
}

void kept_parts_release(struct kept_parts *all)
{
	for (size_t i = 0; i < all->n; i++)
		buf_release(&all->items[i].text);
	free(all->items);
}

/* Return the start of the file names of N, allocated in A: that of ALL, or made
 * from its title. */
static const char *choose_stem(const struct kept_parts *all,
			       const struct article_new *n, struct arena *a)
{
	const char *is = all->n ? strrchr(all->items[0].path, '/') + 1 : NULL;
	struct buf slug = {0};
	size_t len;

	if (!is) {
		article_new_add_slug(&slug, article_new_title(n, a));
		is = arena_copy(a, slug.p, slug.len);
		buf_release(&slug);
		return is;
	}
	len = strlen(is) - strlen(".md");
	if (all->items[0].number) {
		while (len && ascii_is_digit(is[len - 1]))
			len--;
		len -= len && is[len - 1] == '-';
	}
	return arena_copy(a, is, len);
}

/* Return a file name for part NUMBER (0: the whole) that DIR does not have.
 * *TRY counts the names tried so far. */
static const char *free_name(int dir, const char *stem,
			     const struct parts *cuts, int64_t number, int *try,
			     struct arena *a)
{
	const int width = cuts->n > 99 ? 3 : 2;
	const char *name;

	do {
		name = stem;
		if (*try > 1)
			name = arena_printf(a, "%s-%d", name, *try);
		if (number)
			name = arena_printf(a, "%s-%0*d", name, width,
					    (int)number);
		name = arena_printf(a, "%s.md", name);
	} while (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
		 ++*try <= SUFFIX_MAX);
	return name;
}

/* Return the part of ALL that the part NUMBER (0: the whole) replaces, or NULL. */
static struct kept_part *find_part(struct kept_parts *all, int64_t number)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->items[i].number == number && !all->items[i].stays)
			return &all->items[i];
	}
	return NULL;
}

/* Return true if K has the text of CUT. */
static bool has_text(const struct kept_part *k, const struct part *cut)
{
	const char *p = cut->p, *q;
	size_t len = cut->len, old_len;

	frontmatter_content(&k->fm, &q, &old_len);
	utf8_strip(&p, &len);
	return len == old_len && !memcmp(p, q, len);
}

int kept_parts_save(struct store *s, const struct article_new *n,
		    const struct parts *cuts, struct kept_parts *all,
		    const char *attachment, struct arena *a, const char **path,
		    enum article_done *done, struct err *e)
{
	const size_t root = strlen(s->repo.root.path) + 1;
	struct journal j = {.s = s, .a = a};
	struct buf *texts = arena_alloc(a, cuts->n * sizeof(*texts));
	const char *stem = choose_stem(all, n, a), *title;
	struct article_new one = *n;
	int dir, try = 1, r = 0;

	if (layout_make(&s->repo, LAYOUT_ARTICLES, &dir, e) < 0)
		return -1;
	memset(texts, 0, cuts->n * sizeof(*texts));
	*done = !all->n		    ? ARTICLE_NEW
		: cuts->n == all->n ? ARTICLE_SAME
				    : ARTICLE_REPLACED;
	one.title = article_new_title(n, a);
	one.parts = cuts->n > 1 ? (int64_t)cuts->n : 0;
	for (size_t i = 0; i < cuts->n && !r; i++) {
		struct kept_part *k;
		const struct frontmatter *was;
		const char *file = attachment;

		one.part = one.parts ? (int64_t)i + 1 : 0;
		k = find_part(all, one.part);
		was = k ? &k->fm : all->n ? &all->items[0].fm : NULL;
		if (k && has_text(k, &cuts->items[i]))
			file = file ? file
				    : value_text(&k->fm.data, "attachment");
		else if (all->n)
			*done = ARTICLE_REPLACED;
		if (k)
			k->stays = true;
		one.markdown = cuts->items[i].p;
		one.len = cuts->items[i].len;
		r = article_new_compose(s, &one, was, file, &texts[i], &title,
					a, e);
		if (!r)
			r = article_new_fits(&texts[i], e);
		*path = k ? k->path
			  : arena_printf(
				    a, "%s/%s",
				    layout_path(&s->repo, LAYOUT_ARTICLES, a),
				    free_name(dir, stem, cuts, one.part, &try,
					      a));
		journal_add(
			&j,
			(struct journal_step){
				.path = *path + root,
				.was = k ? &k->text : NULL,
				.text = &texts[i],
				.to_trash = k && !has_text(k, &cuts->items[i]),
			});
	}
	close(dir);
	for (size_t i = 0; i < all->n; i++) {
		if (!all->items[i].stays)
			journal_add(&j,
				    (struct journal_step){
					    .path = all->items[i].path + root,
					    .was = &all->items[i].text,
				    });
	}
	if (!r)
		r = journal_apply(&j, e);
	*path = arena_printf(a, "%s/%s", s->repo.root.path, j.steps[0].path);
	for (size_t i = 0; i < cuts->n; i++)
		buf_release(&texts[i]);
	return r;
}
