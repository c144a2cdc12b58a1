#include "article/article.h"

#include "base/utf8.h"
#include "text/diff.h"

#include <errno.h>
#include <unistd.h>

/* Return the item from SOURCE, or NULL. K is the search for it. */
static struct article_refresh_source *
find_source(const struct article_refresh_sources *known, const char *source,
	    struct table_look *k)
{
	size_t i;

	while (table_next(k, &i)) {
		if (!strcmp(known->items[i].source, source))
			return &known->items[i];
	}
	return NULL;
}

/* For article_each(): add the source of R, or keep the first path for it. */
static int add_source(void *ctx, const struct record *r)
{
	struct article_refresh_sources *known = ctx;
	const size_t len = r->source ? strlen(r->source) : 0;
	struct table_look k;
	struct article_refresh_source *there;

	if (!r->source)
		return 0;
	k = table_look_to_put(&known->table, r->source, len, 0);
	there = find_source(known, r->source, &k);
	if (there) {
		if (strcmp(r->path, there->path) < 0)
			there->path = arena_strdup(&known->arena, r->path);
		return 0;
	}
	table_put_looked(&known->table, &k, known->n);
	there = MEM_ADD(known->items, known->n, known->cap);
	there->source = arena_strdup(&known->arena, r->source);
	there->path = arena_strdup(&known->arena, r->path);
	return 0;
}

int article_refresh_sources_read(struct article_refresh_sources *known,
				 struct store *s, struct err *e)
{
	*known = (struct article_refresh_sources){0};
	return article_each(s, add_source, known, e);
}

void article_refresh_sources_release(struct article_refresh_sources *known)
{
	table_release(&known->table);
	free(known->items);
	arena_release(&known->arena);
	*known = (struct article_refresh_sources){0};
}

bool article_refresh_can(const struct store *s, const struct record *r,
			 struct arena *a)
{
	return source_is_url(r->source) || source_is_path(s, r->source, a);
}

static const char *copy_text(const struct record *r, const char *key,
			     struct arena *a)
{
	const char *text = value_text(r->frontmatter, key);

	return text ? arena_strdup(a, text) : NULL;
}

bool article_refresh_is_first(const struct article_refresh_sources *known,
			      const struct record *r)
{
	struct table_look k =
		table_look(&known->table, r->source, strlen(r->source), 0);
	const struct article_refresh_source *first;

	if (!value_get(r->frontmatter, "part"))
		return true;
	first = find_source(known, r->source, &k);
	return !first || !strcmp(first->path, r->path);
}

/* Append the texts of the articles at PATHS, separated by empty lines. */
static int add_texts(struct buf *out, struct store *s,
		     const struct strings *paths, struct err *e)
{
	struct arena a = {0};
	struct record r;
	int found = 1;

	for (size_t i = 0; i < paths->n && found == 1; i++) {
		found = store_read(s, paths->items[i], &a, &r, e);
		if (found == 0)
			err_set(e, ERR_NO, "'%s' is gone", paths->items[i]);
		if (found != 1)
			break;
		if (i)
			buf_adds(out, "\n\n");
		buf_add(out, r.content, r.content_len);
	}
	arena_release(&a);
	return found == 1 ? 0 : -1;
}

/* Return the title of R, without the number of the part, allocated in A. */
static const char *copy_title(const struct record *r, bool part,
			      struct arena *a)
{
	const char *paren = part ? strrchr(r->title, '(') : NULL;

	return paren > r->title + 1
		       ? arena_copy(a, r->title, (size_t)(paren - r->title) - 1)
		       : arena_strdup(a, r->title);
}

int article_refresh_of(struct article_refresh *f, struct store *s,
		       const struct record *r, struct arena *a, struct err *e)
{
	struct strings parts = {0};
	int done = article_parts_with(s, r, a, &parts, e);

	*f = (struct article_refresh){
		.path = parts.n ? parts.items[0] : arena_strdup(a, r->path),
		.source = arena_strdup(a, r->source),
		.title = copy_title(r, parts.n > 0, a),
		.etag = copy_text(r, "etag", a),
		.modified = copy_text(r, "last_modified", a),
		.was_gone = value_get(r->frontmatter, "gone") != NULL,
	};
	if (!done && parts.n)
		done = add_texts(&f->was, s, &parts, e);
	else
		buf_add(&f->was, r->content, r->content_len);
	free(parts.items);
	return done;
}

static int fetch_source(struct article_refresh *f, const char *path,
			struct arena *a, struct err *e)
{
	if (source_is_url(f->source))
		return source_fetch(&f->now, f->source, a, e);
	return source_read(&f->now, path, f->source, a, e);
}

static bool is_gone(const struct article_refresh *f, const char *path)
{
	if (source_is_url(f->source))
		return f->now.status == 404 || f->now.status == 410;
	return access(path, F_OK) != 0 && errno == ENOENT;
}

/* Append the new text of F as it would be saved. */
static int add_new_text(struct article_refresh *f, struct store *s,
			struct err *e)
{
	const struct article_new *n = &f->now.article;
	const char *p = n->markdown;
	size_t len = n->len;

	if (len > ARTICLE_PART_MAX)
		return article_add_parts(s, n, &f->text, e);
	utf8_strip(&p, &len);
	buf_add(&f->text, p, len);
	return 0;
}

int article_refresh_look(struct article_refresh *f, struct store *s,
			 const struct article_refresh_sources *known,
			 bool allow_private, struct arena *a, struct err *e)
{
	struct article_new *n = &f->now.article;
	struct table_look k =
		table_look(&known->table, f->source, strlen(f->source), 0);
	const struct article_refresh_source *first =
		find_source(known, f->source, &k);
	struct err why;
	const char *path = NULL;

	if (first && strcmp(first->path, f->path) != 0)
		return err_set(e, ERR_DATA,
			       "'%s' has the source of '%s': forget one",
			       f->path, first->path);
	if (!source_is_url(f->source)) {
		path = source_path_of(s, f->source, a, e);
		if (!path)
			return -1;
	}
	f->now = (struct source){.etag = f->etag,
				 .modified = f->modified,
				 .allow_private = allow_private};
	f->state = REFRESH_SAME;
	if (fetch_source(f, path, a, &why) < 0) {
		if (f->now.status == 304)
			return 0;
		f->state = REFRESH_GONE;
		if (is_gone(f, path))
			return 0;
		return err_take(e, &why);
	}
	/* The user may have changed the title. */
	n->title = f->title;
	n->place = f->path;
	n->split = true;
	if (add_new_text(f, s, e) < 0)
		return -1;
	if (f->text.len != f->was.len ||
	    memcmp(buf_str(&f->text), buf_str(&f->was), f->was.len) != 0)
		f->state = REFRESH_CHANGED;
	return 0;
}

void article_refresh_release(struct article_refresh *f)
{
	source_release(&f->now);
	buf_release(&f->was);
	buf_release(&f->text);
}

void article_refresh_diff(struct buf *out, struct article_refresh *f)
{
	buf_addc(&f->was, '\n');
	buf_addc(&f->text, '\n');
	diff_lines(out, &f->was, &f->text);
	buf_cut(&f->was, f->was.len - 1);
	buf_cut(&f->text, f->text.len - 1);
}

int article_refresh_write(struct article_refresh *f, struct store *s,
			  struct arena *a, struct err *e)
{
	char now[INSTANT_TEXT];
	const char *path;

	instant_format(instant_now(), now);
	if (f->state == REFRESH_GONE)
		return f->was_gone ? 0
				   : article_set(s, f->path, "gone", now, e);
	if (f->now.status == 304)
		return article_set(s, f->path, "fetched", now, e);
	return article_save(s, &f->now.article, a, &path, NULL, e);
}
