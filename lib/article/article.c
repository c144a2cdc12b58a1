/* article.c: compose an article and its path; kept-parts.c writes it. */
#include "article/article.h"

#include "article/kept-parts.h"
#include "base/utf8.h"
#include "store/save.h"

/* The state of article_count(). */
struct count_state {
	struct article_counts *counts;
	struct strings sources; /* one per part; allocated in ARENA */
	struct arena arena;
};

static int count_article(void *ctx, const struct record *r)
{
	struct count_state *c = ctx;

	c->counts->files++;
	c->counts->bytes += r->content_len;
	if (r->source && kept_parts_number(r->frontmatter))
		strings_add(&c->sources, arena_strdup(&c->arena, r->source));
	else
		c->counts->articles++;
	return 0;
}

int article_count(struct store *s, struct article_counts *counts, struct err *e)
{
	struct count_state c = {.counts = counts};
	const char **items;
	struct err why;
	int r;

	r = store_each(s, AREA_ARTICLES, count_article, &c, &why);
	if (r < 0 && why.code == ERR_DATA) {
		err_report(s->report, &why);
		r = 0;
	} else if (r < 0) {
		err_take(e, &why);
	}
	items = c.sources.items;
	MEM_SORT(items, c.sources.n, strings_compare);
	for (size_t i = 0; i < c.sources.n; i++)
		counts->articles += !i || strcmp(items[i], items[i - 1]) != 0;
	free(items);
	arena_release(&c.arena);
	return r;
}

void article_count_text(struct buf *out, const struct article_counts *counts)
{
	buf_addf(out, "%zu", counts->articles);
	if (counts->files != counts->articles)
		buf_addf(out, ", in %zu files", counts->files);
}

int article_parts(struct store *s, const char *source, struct arena *a,
		  struct strings *list, struct err *e)
{
	struct kept_parts all = {.source = source, .a = a};
	int r = kept_parts_find(s, &all, e);

	for (size_t i = 0; i < all.n && !r; i++)
		strings_add(list, all.items[i].path);
	free(all.items);
	return r;
}

int article_parts_with(struct store *s, const struct record *r, struct arena *a,
		       struct strings *list, struct err *e)
{
	return r->source && kept_parts_number(r->frontmatter)
		       ? article_parts(s, r->source, a, list, e)
		       : 0;
}

int article_parts_at(struct store *s, const char *path, struct arena *a,
		     struct strings *list, struct err *e)
{
	struct record r;
	int found = layout_is_article(path) ? store_read(s, path, a, &r, e) : 0;

	if (found < 0 || (found && article_parts_with(s, &r, a, list, e) < 0))
		return -1;
	if (!list->n)
		strings_add(list, path);
	return 0;
}

/* Check N and split it into LIST: one part if it fits into a file or must not
 * be split. The caller releases LIST. */
static int split_article(struct store *s, const struct article_new *n,
			 struct parts *list, struct err *e)
{
	struct buf text = {0};
	struct arena a = {0};
	const char *title;
	int r = article_new_check(s, n, e);

	*list = (struct parts){0};
	if (!r)
		r = article_new_compose(s, n, NULL, NULL, &text, &title, &a, e);
	if (!r && !n->split)
		r = article_new_fits(&text, e);
	if (!r)
		r = parts_cut(list, n->markdown, n->len,
			      text.len > STORE_FILE_MAX ? ARTICLE_PART_MAX
							: n->len,
			      e);
	buf_release(&text);
	arena_release(&a);
	return r;
}

/* Save N, split into CUTS, as article_save() does. The caller holds the
 * lock. */
static int save_locked(struct store *s, const struct article_new *n,
		       const struct parts *cuts, struct arena *a,
		       const char **path, enum article_done *done,
		       struct err *e)
{
	struct article_finding f = {
		.source = n->source, .sha256 = n->sha256, .a = a};
	struct kept_parts all = {.source = n->source, .a = a};
	const char *kept = NULL;
	int r = -1;

	f.r.path = n->place;
	if (!n->place && article_find_with_twin(s, &f, e) < 0)
		return -1;
	if (!f.r.path && f.twin && !n->even_twice) {
		*path = f.twin;
		return err_set(e, ERR_NO, "'%s' has the very bytes of '%s'",
			       f.twin, n->source);
	}
	*path = f.r.path;
	if ((*path && kept_parts_read(s, &all, *path, e) < 0) ||
	    (n->attachment &&
	     attachment_keep(s, n->attachment, n->attachment_name, a, &kept,
			     e) < 0))
		goto out;
	r = kept_parts_save(s, n, cuts, &all, kept, a, path, done, e);
out:
	kept_parts_release(&all);
	return r;
}

int article_count_parts(struct store *s, const struct article_new *n,
			size_t *count, struct err *e)
{
	struct article_new split = *n;
	struct parts cuts;
	int r;

	split.split = true;
	r = split_article(s, &split, &cuts, e);
	*count = cuts.n;
	parts_release(&cuts);
	return r;
}

int article_add_parts(struct store *s, const struct article_new *n,
		      struct buf *out, struct err *e)
{
	struct article_new split = *n;
	struct parts cuts;
	int r;

	split.split = true;
	r = split_article(s, &split, &cuts, e);
	for (size_t i = 0; i < cuts.n && !r; i++) {
		const char *p = cuts.items[i].p;
		size_t len = cuts.items[i].len;

		utf8_strip(&p, &len);
		if (i)
			buf_adds(out, "\n\n");
		buf_add(out, p, len);
	}
	parts_release(&cuts);
	return r;
}

int article_check(struct store *s, const struct article_new *n, struct err *e)
{
	struct parts cuts;
	const int r = split_article(s, n, &cuts, e);

	parts_release(&cuts);
	return r;
}

int article_save(struct store *s, const struct article_new *n, struct arena *a,
		 const char **path, enum article_done *done, struct err *e)
{
	enum article_done what;
	struct parts cuts;
	int r;

	*path = NULL;
	/* Create neither a store nor an attachment for an invalid article. */
	r = split_article(s, n, &cuts, e);
	if (!r)
		r = store_lock(s, e);
	if (!r) {
		r = save_locked(s, n, &cuts, a, path, &what, e);
		store_unlock(s);
	}
	parts_release(&cuts);
	if (!r && done)
		*done = what;
	return r;
}

int article_set(struct store *s, const char *path, const char *key,
		const char *text, struct err *e)
{
	const struct value v = value_str(text);
	struct arena a = {0};
	struct record r;
	struct strings paths = {0};
	int done = store_lock(s, e);

	if (done < 0)
		return -1;
	done = store_read(s, path, &a, &r, e);
	if (done == 0)
		done = err_set(e, ERR_NO, "'%s' is gone", path);
	if (done == 1)
		done = article_parts_with(s, &r, &a, &paths, e);
	if (!done && !paths.n)
		strings_add(&paths, path);
	/* Change the first part last: its value counts for all parts. */
	for (size_t i = paths.n; i-- > 0 && !done;)
		done = save_edit(s,
				 &(struct save_edit){.path = paths.items[i],
						     .keys = key,
						     .value = &v},
				 NULL, NULL, e) < 0
			       ? -1
			       : 0;
	store_unlock(s);
	free(paths.items);
	arena_release(&a);
	return done;
}
