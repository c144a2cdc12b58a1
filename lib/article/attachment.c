/* attachment.c: the name begins with the sum of the content, so every clone
 * gives one file the same name. */
#include "article/attachment.h"

#include "article/article-new.h"
#include "base/ascii.h"
#include "base/sha256.h"
#include "store/trash.h"

#include <unistd.h>

#define ATTACHMENT_SUM_DIGITS 12 /* of its SHA-256, before a hyphen */
#define NAME_MAX_BYTES 60

/* Return true if NAME, a file name in attachments/, begins with a sum. */
static bool has_sum(const char *name)
{
	return strspn(name, "0123456789abcdef") == ATTACHMENT_SUM_DIGITS &&
	       name[ATTACHMENT_SUM_DIGITS] == '-';
}

/* Return the file name "SUM-NAME", allocated in A. */
static const char *make_name(const struct buf *bytes, const char *name,
			     struct arena *a)
{
	char sum[SHA256_HEX];
	struct buf safe = {0};
	const char *file, *part;
	size_t len;

	sha256_of(buf_str(bytes), bytes->len, sum);
	part = article_new_last_part(name ? name : "", &len);
	for (size_t i = 0; i < len && safe.len < NAME_MAX_BYTES; i++) {
		const char c = part[i];
		const bool plain = ascii_is_digit(c) || c == '.' || c == '_' ||
				   ascii_is_letter(c);

		if (plain)
			buf_addc(&safe, c);
		else if (safe.len && safe.p[safe.len - 1] != '-')
			buf_addc(&safe, '-');
	}
	file = arena_printf(a, "%.*s-%s", ATTACHMENT_SUM_DIGITS, sum,
			    safe.len ? safe.p : "original");
	buf_release(&safe);
	return file;
}

int attachment_keep(struct store *s, const struct buf *bytes,
		    const char *called, struct arena *a, const char **kept,
		    struct err *e)
{
	const char *name, *path;
	struct buf there = {0};
	int dir, r;

	name = make_name(bytes, called, a);
	path = arena_printf(a, "%s/%s", layout_path(&s->repo, ATTACHMENTS, a),
			    name);
	if (layout_make(&s->repo, ATTACHMENTS, &dir, e) < 0)
		return -1;
	r = file_create_from(s->repo.fd, dir, name, path,
			     root_file_mode(&s->repo.root), buf_str(bytes),
			     bytes->len, e);
	if (r == 0) {
		r = file_read(dir, name, path, ARTICLE_ATTACHMENT_MAX, &there,
			      e);
		if (r >= 0 && (r == 0 || there.len != bytes->len ||
			       memcmp(there.p, buf_str(bytes), there.len) != 0))
			r = err_set(e, ERR_DATA,
				    "'%s' is there, and is another file", path);
	}
	buf_release(&there);
	close(dir);
	*kept = arena_printf(a, "%s/%s", ATTACHMENTS, name);
	return r < 0 ? -1 : 0;
}

/* The check. The attachments that articles name are collected first, then looked up by
 * path for each file. */

#define DEPTH 8 /* of directories in attachments/ */

/* An attachment named by an article. */
struct attachment_use {
	const char *file; /* below knowledge/ */
	const char *by;	  /* the article; NULL if it is in the trash */
	bool there;
};

struct check_state {
	struct store *s;
	attachment_fault_fn *fn;
	void *ctx;
	struct attachment_use *items;
	size_t n, cap;
	bool trash;   /* collecting articles in the trash */
	bool unknown; /* an article cannot be read */
	struct arena arena;
};

static int add_named(void *ctx, const struct record *r)
{
	struct check_state *c = ctx;
	const char *file = value_text(r->frontmatter, "attachment");

	if (!file)
		return 0;
	*MEM_ADD(c->items, c->n, c->cap) = (struct attachment_use){
		arena_strdup(&c->arena, file),
		c->trash ? NULL : arena_strdup(&c->arena, r->path), false};
	return 0;
}

static void set_unknown(void *ctx, const struct err *e)
{
	struct check_state *c = ctx;

	(void)e;
	c->unknown = true;
}

static int by_file(const void *x, const void *y)
{
	const struct attachment_use *a = x, *b = y;
	const int order = strcmp(a->file, b->file);

	/* Articles in the trash come last. */
	if (order || !a->by || !b->by)
		return order ? order : !a->by - !b->by;
	return strcmp(a->by, b->by);
}

static int by_article(const void *x, const void *y)
{
	const struct attachment_use *a = x, *b = y;

	if (!a->by || !b->by)
		return !a->by - !b->by;
	return strcmp(a->by, b->by);
}

static int collect_named(struct check_state *c, struct err *e)
{
	const struct report *report = c->s->report;
	const struct report quiet = {set_unknown, c};
	struct err why;
	int r;

	c->s->report = &quiet;
	r = store_each(c->s, AREA_ARTICLES, add_named, c, &why);
	/* A file in place of the directory is reported by the check of knowledge/. */
	if (r < 0 && why.code == ERR_DATA) {
		c->unknown = true;
		r = 0;
	} else if (r < 0) {
		err_take(e, &why);
	}
	c->trash = true;
	if (r == 0)
		r = trash_each_article(c->s, add_named, c, e);
	c->s->report = report;
	MEM_SORT(c->items, c->n, by_file);
	return r;
}

/* Return true if an article names FILE, and mark all that do. */
static bool is_named(struct check_state *c, const char *file)
{
	size_t low = 0, high = c->n;
	bool named = false;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(c->items[mid].file, file) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < c->n && !strcmp(c->items[low].file, file); low++)
		named = c->items[low].there = true;
	return named;
}

/* Report the fault TEXT of FILE, a path below knowledge/. */
static void report_fault(struct check_state *c, const char *kind,
			 const char *file, const char *text, const char *remedy)
{
	const char *path = layout_path(&c->s->repo, file, &c->arena);

	c->fn(c->ctx, kind, path,
	      arena_printf(&c->arena, "'%s': %s", path, text), remedy);
}

/* Report the file NAME in DIR if it is unreadable or its content does not match
 * the sum in its name. FILE is its path below knowledge/. */
static void check_bytes(struct check_state *c, int dir, const char *name,
			const char *file)
{
	const char *path = layout_path(&c->s->repo, file, &c->arena);
	struct buf bytes = {0};
	char sum[SHA256_HEX];
	struct err why;
	const int r = file_read(dir, name, path, ARTICLE_ATTACHMENT_MAX, &bytes,
				&why);

	if (r < 0)
		c->fn(c->ctx, "unreadable", path, why.text,
		      "see to it that it can be read");
	else if (r && memcmp(sha256_of(buf_str(&bytes), bytes.len, sum), name,
			     ATTACHMENT_SUM_DIGITS) != 0)
		report_fault(c, "attachment", file,
			     "it is not the file that it was: its sum is "
			     "another than "
			     "its name says",
			     "take it from git as it was, or attach it again");
	buf_release(&bytes);
}

static int check_folder(struct check_state *c, const char *folder, int depth,
			struct err *e);

/* Check ENTRY of FOLDER, or the directory that it is. */
static int check_entry(struct check_state *c, int dir, const char *folder,
		       const struct file_entry *entry, int depth, struct err *e)
{
	const char *file =
		arena_printf(&c->arena, "%s/%s", folder, entry->name);

	if (entry->kind == FILE_FOLDER && depth < DEPTH)
		return check_folder(c, file, depth + 1, e);
	if (entry->kind == FILE_LINK)
		report_fault(c, "link", file, "a link, which is never followed",
			     "put the file itself in its place");
	else if (entry->kind != FILE_REGULAR)
		report_fault(c, "stray", file, "not a regular file",
			     "move it elsewhere");
	if (!is_named(c, file) && entry->kind == FILE_REGULAR && !c->unknown)
		report_fault(c, "orphan", file, "no article names it",
			     "remove it if it is not needed");
	if (entry->kind == FILE_REGULAR && has_sum(entry->name))
		check_bytes(c, dir, entry->name, file);
	return 0;
}

/* Check all entries of FOLDER in order of their names. */
static int check_folder(struct check_state *c, const char *folder, int depth,
			struct err *e)
{
	struct file_list all;
	struct err why;
	int dir, r = layout_open(&c->s->repo, folder, &dir, &why);

	/* A file in place of a directory is reported by the check of
	 * knowledge/. */
	if (r == 0 || (r < 0 && why.code == ERR_DATA))
		return 0;
	if (r < 0)
		return err_take(e, &why);
	r = file_list(dir, layout_path(&c->s->repo, folder, &c->arena),
		      &c->arena, &all, e);
	for (size_t i = 0; i < all.n && r == 0; i++) {
		if (*all.items[i].name != '.')
			r = check_entry(c, dir, folder, &all.items[i], depth,
					e);
	}
	close(dir);
	return r;
}

static void report_missing(struct check_state *c,
			   const struct attachment_use *n)
{
	const size_t len = strlen(ATTACHMENTS);
	const bool below =
		!strncmp(n->file, ATTACHMENTS, len) && n->file[len] == '/';

	c->fn(c->ctx, "attachment", n->by,
	      arena_printf(&c->arena, "'%s': its attachment '%s' is not %s",
			   n->by, n->file,
			   below ? "there" : "below " ATTACHMENTS "/"),
	      below ? "bring it back from git, or take the line out with 'co "
		      "edit PATH'"
		    : "correct it with 'co edit PATH'");
}

int attachment_check(struct store *s, attachment_fault_fn *fn, void *ctx,
		     struct err *e)
{
	struct check_state c = {.s = s, .fn = fn, .ctx = ctx};
	int r = collect_named(&c, e);

	if (r == 0)
		r = check_folder(&c, ATTACHMENTS, 0, e);
	MEM_SORT(c.items, c.n, by_article);
	for (size_t i = 0; i < c.n && r == 0 && c.items[i].by; i++) {
		if (!c.items[i].there)
			report_missing(&c, &c.items[i]);
	}
	free(c.items);
	arena_release(&c.arena);
	return r;
}
