/* article.c: to replace an article, a copy goes to the trash, then the file is
 * replaced. kept-parts.c does this for articles in parts. */
#include "article/article.h"

#include "article/attachment.h"
#include "article/kept-parts.h"
#include "base/utf8.h"
#include "store/operation.h"
#include "store/save.h"
#include "store/trash-folders.h"

#include <stdlib.h>
#include <unistd.h>

#define SUFFIX_MAX 999

/* Copy TEXT, the article NAME, to a new directory in the trash.  *PATH is the
 * path of the copy, allocated in A. */
static int copy_to_trash(struct store *s, const char *name,
			 const struct buf *text, struct arena *a,
			 const char **path, struct err *e)
{
	const char *folder, *part;
	int removal, dir, r;

	if (trash_folders_new(s, a, &folder, &removal, e) < 0)
		return -1;
	close(removal);
	part = arena_printf(a, "%s/%s", folder, LAYOUT_ARTICLES);
	if (layout_make(&s->repo, part, &dir, e) < 0)
		return -1;
	*path = arena_printf(a, "%s/%s", layout_path(&s->repo, part, a), name);
	r = file_create_from(s->repo.fd, dir, name, *path,
			     root_file_mode(&s->repo.root), text->p, text->len,
			     e);
	close(dir);
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "'%s' is in the way", *path);
	return r < 0 ? -1 : 0;
}

/* Create the file for TEXT, named after TITLE.  *PATH is its path, allocated in
 * A. */
static int create_file(struct store *s, const char *title,
		       const struct buf *text, struct arena *a,
		       const char **path, struct err *e)
{
	struct buf name = {0};
	size_t stem;
	int dir, made = 0;

	if (layout_make(&s->repo, LAYOUT_ARTICLES, &dir, e) < 0)
		return -1;
	article_new_add_slug(&name, title);
	stem = name.len;
	buf_adds(&name, ".md");
	for (int i = 2; !made && i <= SUFFIX_MAX; i++) {
		*path = arena_printf(a, "%s/%s",
				     layout_path(&s->repo, LAYOUT_ARTICLES, a),
				     name.p);
		operation_note(s, *path, NULL, text, NULL);
		made = file_create_from(s->repo.fd, dir, name.p, *path,
					root_file_mode(&s->repo.root), text->p,
					text->len, e);
		if (made != 1)
			operation_failed(s, *path);
		buf_cut(&name, stem);
		buf_addf(&name, "-%d.md", i);
	}
	buf_release(&name);
	close(dir);
	if (made == 0)
		made = err_set(e, ERR_SYSTEM, "all names like '%s' are taken",
			       *path);
	return made < 0 ? -1 : 0;
}

/* Replace the article K by N, whose text is CUT. */
static int replace_article(struct store *s, const struct article_new *n,
			   const struct part *cut, const struct kept_part *k,
			   const char *kept, struct arena *a,
			   enum article_done *done, struct err *e)
{
	struct buf text = {0};
	const char *title, *trash = NULL;
	int r = -1;

	*done = kept_part_is(k, cut) ? ARTICLE_SAME : ARTICLE_REPLACED;
	/* An unchanged text keeps its attachment if no new one is given. */
	if (!kept && *done == ARTICLE_SAME)
		kept = value_text(&k->fm.data, "attachment");
	if (article_new_compose(s, n, &k->fm, kept, &text, &title, a, e) == 0 &&
	    article_new_fits(&text, e) == 0 &&
	    (*done == ARTICLE_SAME ||
	     copy_to_trash(s, strrchr(k->path, '/') + 1, &k->text, a, &trash,
			   e) == 0))
		r = save_edit(s,
			      &(struct save_edit){.path = k->path,
						  .was = &k->text,
						  .text = &text,
						  .trash = trash},
			      a, NULL, e);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

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

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int article_count(struct store *s, struct article_counts *counts, struct err *e)
{
	struct count_state c = {.counts = counts};
	const char **items;
	int r;

	r = store_each(s, AREA_ARTICLES, count_article, &c, e);
	items = c.sources.items;
	if (c.sources.n)
		qsort(items, c.sources.n, sizeof(*items), by_text);
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

/* Check N and split it into LIST: one part if it fits into a file or must not
 * be split.  The caller releases LIST. */
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

/* Save N as a new article. */
static int create_article(struct store *s, const struct article_new *n,
			  const char *kept, struct arena *a, const char **path,
			  struct err *e)
{
	struct buf text = {0};
	const char *title;
	int r = article_new_compose(s, n, NULL, kept, &text, &title, a, e);

	if (!r)
		r = create_file(s, title, &text, a, path, e);
	buf_release(&text);
	return r;
}

/* Save N, split into CUTS, as article_save() does.  The caller holds the
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
	*done = ARTICLE_NEW;
	if (cuts->n > 1 || (all.n && all.items[0].number))
		r = kept_parts_save(s, n, cuts, &all, kept, a, path, done, e);
	else if (all.n)
		r = replace_article(s, n, &cuts->items[0], &all.items[0], kept,
				    a, done, e);
	else
		r = create_article(s, n, kept, a, path, e);
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
