/* catalog-update.c: a file's stat is taken before and after it is read. If it changed
 * in between, the entry is unsure, and the next refresh reads the file again.
 */
#include "cache/catalog-update.h"

#include "base/hash.h"
#include "base/unicode.h"
#include "cache/catalog-write.h"
#include "repo/marks.h"
#include "text/conflict.h"
#include "text/markdown.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define HEADINGS 6 /* levels */

static int by_file(const void *a, const void *b)
{
	const struct catalog_update_section *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static void list_sections(struct catalog_update *in)
{
	size_t cap = 0;

	for (size_t i = 0; i < catalog_count(in->catalog); i++) {
		const struct catalog_entry *e = catalog_entry(in->catalog, i);

		if (e->kind != CATALOG_SECTION)
			continue;
		*MEM_ADD(in->sections, in->nsections, cap) =
			(struct catalog_update_section){e->file, (uint32_t)i};
	}
	MEM_SORT(in->sections, in->nsections, by_file);
	in->listed = true;
}

/* Return the sections of the entry FILE; *N is their number. */
static const struct catalog_update_section *
sections_of(struct catalog_update *in, size_t file, size_t *n)
{
	size_t low = 0, high, end;

	if (!in->listed)
		list_sections(in);
	high = in->nsections;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (in->sections[middle].file < file)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < in->nsections && in->sections[end].file == file;)
		end++;
	*n = end - low;
	return in->sections + low;
}

static void mark_gone(struct catalog_update *in, size_t i)
{
	const struct catalog_entry *e = catalog_entry(in->catalog, i);

	if (!(e->flags & CATALOG_GONE))
		catalog_set(in->catalog, i,
			    &(struct filestat){.mtime = in->sure},
			    e->flags | (uint32_t)CATALOG_GONE);
}

/* Index the deleted files whose content is still known, by the hash of their
 * text. */
static void index_gone(struct catalog_update *in)
{
	for (size_t i = 0; i < catalog_count(in->catalog); i++) {
		const struct catalog_entry *e = catalog_entry(in->catalog, i);

		if (e->flags & CATALOG_GONE &&
		    (e->kind == CATALOG_MEMORY || e->kind == CATALOG_WHOLE))
			table_put(&in->gone, NULL, 0, e->text_hash, i);
	}
	in->gone_listed = true;
}

/* Find a deleted entry for the path of F whose text has the hash TEXT. Set *I
 * to it and return true, or return false. */
static bool find_gone(struct catalog_update *in,
		      const struct catalog_update_file *f, uint64_t text,
		      size_t *i)
{
	struct table_look k;

	if (!in->gone_listed)
		index_gone(in);
	k = table_look(&in->gone, NULL, 0, text);
	while (table_next(&k, i)) {
		const struct catalog_entry *e = catalog_entry(in->catalog, *i);

		if (e->flags & CATALOG_GONE && e->text_hash == text &&
		    e->folder == f->folder && catalog_check(in->catalog, e) &&
		    !strcmp(catalog_meta(in->catalog, e), f->path))
			return true;
	}
	return false;
}

void catalog_update_gone(struct catalog_update *in, size_t old)
{
	const struct catalog_update_section *sections;
	size_t n = 0;

	if (old == CATALOG_UPDATE_NONE)
		return;
	if (catalog_entry(in->catalog, old)->kind == CATALOG_WHOLE) {
		sections = sections_of(in, old, &n);
		for (size_t i = 0; i < n; i++)
			mark_gone(in, sections[i].index);
	}
	mark_gone(in, old);
}

static void add_string(struct buf *out, const char *s)
{
	buf_add(out, s, strlen(s) + 1);
}

/* The strings and the body of an entry. */
struct entry_strings {
	const char *path, *title, *created, *source;
	const char *const *tags;
	size_t ntags;
	struct record_keys keys;
	const char *body;
	size_t len;
};

/* Add an entry of KIND with the strings WHAT. */
static struct catalog_entry *add_entry(struct catalog_update *in,
				       enum catalog_kind kind,
				       const struct entry_strings *what,
				       int64_t id)
{
	struct catalog *s = in->catalog;
	struct catalog_entry *e = catalog_add(s);
	const size_t at = s->fresh.len, skip = strlen(what->path) + 1;
	size_t tagged; /* bytes before the keys */
	const char *meta;

	add_string(&s->fresh, what->path);
	add_string(&s->fresh, what->title);
	add_string(&s->fresh, what->created);
	add_string(&s->fresh, what->source ? what->source : "");
	for (size_t i = 0; i < what->ntags; i++)
		add_string(&s->fresh, what->tags[i]);
	tagged = s->fresh.len - at;
	if (what->keys.json)
		add_string(&s->fresh, what->keys.json);
	e->meta_len = (uint32_t)(s->fresh.len - at);
	buf_add(&s->fresh, what->body, what->len);
	buf_addc(&s->fresh, '\0');
	meta = s->fresh.p + at;
	e->at = at | CATALOG_NEW;
	e->body_len = (uint32_t)what->len;
	e->meta_sum = hash_bytes(meta, e->meta_len, s->identity);
	e->body_hash = hash_bytes(meta + e->meta_len, e->body_len, 0);
	e->doc_hash = hash_bytes(meta + skip, tagged - skip,
				 e->body_hash ^ (uint64_t)id);
	if (what->source)
		e->source = hash_bytes(what->source, strlen(what->source), 0);
	e->kind = (uint16_t)kind;
	e->flags = (uint16_t)((what->source ? CATALOG_SOURCE : 0) |
			      (what->keys.json ? CATALOG_KEYS : 0) |
			      (what->keys.cut ? CATALOG_KEYS_CUT : 0) |
			      (marks_maybe(&what->keys) ? CATALOG_MARKED : 0));
	e->id = (int32_t)id;
	e->ntags = (uint32_t)what->ntags;
	return e;
}

/* Return a number that is valid in this view only. */
static uint32_t provisional_number(const struct catalog *s)
{
	return CATALOG_WRITE_GUESS + (uint32_t)catalog_count(s);
}

/* Add the entry of a file, and set what all kinds have. */
static struct catalog_entry *
add_file(struct catalog_update *in, const struct catalog_update_file *f,
	 enum catalog_kind kind, const struct entry_strings *what, int64_t id)
{
	struct catalog_entry *e = add_entry(in, kind, what, id);

	e->folder = f->folder;
	e->place = (uint32_t)(strlen(f->path) - f->name_len);
	if (kind == CATALOG_MEMORY)
		e->number = provisional_number(in->catalog);
	return e;
}

static struct catalog_entry *add_plain(struct catalog_update *in,
				       const struct catalog_update_file *f)
{
	const struct entry_strings what = {
		.path = f->path, .title = "", .created = ""};

	return add_file(in, f, CATALOG_PLAIN, &what, 0);
}

static struct catalog_entry *add_memory(struct catalog_update *in,
					const struct catalog_update_file *f,
					const char *text, size_t len)
{
	struct entry_strings what = {
		.path = f->path, .title = "", .created = ""};
	struct catalog_entry *e;
	struct record r;

	if (f->record)
		r = *f->record;
	else if (record_read(&r, text, len, f->path, SCOPE_PROJECT, &in->arena,
			     NULL) < 0)
		return NULL;
	if (f->kind == CATALOG_UPDATE_ID) {
		e = add_file(in, f, CATALOG_ID, &what, r.id);
		e->key = unicode_fold_hash(r.content, r.content_len);
		return e;
	}
	what.created = r.created;
	what.source = r.source;
	what.tags = r.tags;
	what.ntags = r.ntags;
	what.keys = r.keys;
	what.body = r.content;
	what.len = r.content_len;
	e = add_file(in, f, CATALOG_MEMORY, &what, r.id);
	if (r.conflict)
		e->flags |= CATALOG_UNMERGED;
	e->key = unicode_fold_hash(r.content, r.content_len);
	e->sec = r.at.sec;
	e->nsec = r.at.nsec;
	return e;
}

/* The state of splitting a file into sections. */
struct section_split {
	struct catalog_update *in;
	uint32_t file, folder, order;
	struct entry_strings what;
	const char *title; /* of the file */
	struct instant at;
	struct table old; /* the file's old sections, by doc_hash */
};

static void index_old_sections(struct section_split *sp, size_t file)
{
	size_t n;
	const struct catalog_update_section *old =
		sections_of(sp->in, file, &n);

	for (size_t i = 0; i < n; i++) {
		const size_t index = old[i].index;

		table_put(&sp->old, NULL, 0,
			  catalog_entry(sp->in->catalog, index)->doc_hash,
			  index);
	}
}

/* Give the section E the number of an old section that is equal. */
static void reuse_number(struct section_split *sp, struct catalog_entry *e)
{
	struct table_look k = table_look(&sp->old, NULL, 0, e->doc_hash);
	size_t index;

	while (table_next(&k, &index)) {
		const struct catalog_entry *old =
			catalog_entry(sp->in->catalog, index);

		if (old->flags & CATALOG_GONE || old->doc_hash != e->doc_hash)
			continue;
		e->number = old->number;
		mark_gone(sp->in, index);
		return;
	}
}

/* Return true if SECTION's first heading repeats TITLE. */
static bool repeats_title(const struct markdown_section *section,
			  const char *title)
{
	const size_t len = strlen(title);
	const char *rest = section->title + len;

	return !strncmp(section->title, title, len) &&
	       (!*rest || !strncmp(rest, " > ", 3));
}

static int add_section(void *ctx, const struct markdown_section *section)
{
	struct section_split *sp = ctx;
	struct catalog_update *in = sp->in;
	struct catalog_entry *e;
	struct buf title = {0};

	if (!repeats_title(section, sp->title))
		buf_adds(&title, sp->title);
	if (title.len && *section->title)
		buf_adds(&title, " > ");
	buf_adds(&title, section->title);
	sp->what.path = "";
	sp->what.title = buf_str(&title);
	sp->what.body = section->text;
	sp->what.len = section->len;
	e = add_entry(in, CATALOG_SECTION, &sp->what, 0);
	buf_release(&title);
	e->folder = sp->folder;
	e->file = sp->file;
	e->place = sp->order++;
	e->sec = sp->at.sec;
	e->nsec = sp->at.nsec;
	e->text_hash = e->doc_hash;
	e->number = provisional_number(in->catalog);
	reuse_number(sp, e);
	return 0;
}

/* Make TITLE the path of the heading H: the titles of the headings above it,
 * then its own. ENDS has the length of TITLE at each level. */
static void enter_heading(struct buf *title, size_t *ends,
			  const struct markdown_entry *h)
{
	buf_cut(title, ends[h->level - 1]);
	if (title->len && h->title_len)
		buf_adds(title, " > ");
	buf_add(title, h->title, h->title_len);
	for (int level = h->level; level <= HEADINGS; level++)
		ends[level] = title->len;
}

/* Add each item and each paragraph of a category file as a section of its
 * own. */
static void add_entries(struct section_split *sp, const char *p, size_t len)
{
	size_t ends[HEADINGS + 1] = {0};
	struct markdown_entries list = {0};
	struct buf text = {0}, title = {0};

	for (size_t i = 0; i < len; i++) {
		if (p[i] != '\r')
			buf_addc(&text, p[i]);
	}
	markdown_entries_split(&list, buf_str(&text), text.len);
	for (size_t i = 0; i < list.n; i++) {
		const struct markdown_entry *one = &list.items[i];

		if (one->kind == MARKDOWN_ENTRY_HEADING)
			enter_heading(&title, ends, one);
		else
			add_section(sp, &(struct markdown_section){
						buf_str(&title),
						text.p + one->start, one->len});
	}
	free(list.items);
	buf_release(&text);
	buf_release(&title);
}

static const char *string_of(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	return v && v->kind == VALUE_STR ? v->u.s.p : NULL;
}

static void read_tags(struct entry_strings *what, const struct value *map,
		      struct arena *a)
{
	const struct value *v = value_get(map, "tags");
	const char **tags;

	if (!v || v->kind != VALUE_LIST || !v->u.list.n)
		return;
	tags = arena_alloc(a, v->u.list.n * sizeof(*tags));
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind == VALUE_STR)
			tags[what->ntags++] = v->u.list.items[i].u.s.p;
	}
	what->tags = tags;
}

static struct catalog_entry *add_whole(struct catalog_update *in,
				       const struct catalog_update_file *f,
				       const char *text, size_t len, size_t old)
{
	const bool article = f->kind == CATALOG_UPDATE_ARTICLE;
	struct entry_strings name = {
		.path = f->path, .title = "", .created = ""};
	struct section_split sp = {.in = in, .folder = f->folder};
	struct frontmatter fm;
	struct catalog_entry *e;
	const char *body, *created;
	size_t conflict;

	text = conflict_ours(text, &len, &in->arena, &conflict);
	if (frontmatter_parse(&fm, text, len, f->path, &in->arena, NULL) < 0 ||
	    (article && schema_check(SCHEMA_ARTICLE, &fm, f->path, NULL) < 0))
		return NULL;
	created = article ? string_of(&fm.data, "fetched") : NULL;
	if (created && !instant_parse_day(created, strlen(created), &sp.at))
		created = NULL;
	sp.what.created = created ? created : "";
	sp.what.source = string_of(&fm.data, "source");
	sp.title = string_of(&fm.data, "title");
	sp.title = sp.title ? sp.title : "";
	read_tags(&sp.what, &fm.data, &in->arena);
	if (old != CATALOG_UPDATE_NONE)
		index_old_sections(&sp, old);
	name.keys = record_keys_of(&fm.data, SCHEMA_ARTICLE, &in->arena);
	e = add_file(in, f, CATALOG_WHOLE, &name, 0);
	if (conflict)
		e->flags |= CATALOG_UNMERGED;
	sp.file = (uint32_t)catalog_count(in->catalog) - 1;
	frontmatter_content(&fm, &body, &len);
	if (article)
		markdown_sections_each(body, len, add_section, &sp);
	else
		add_entries(&sp, body, len);
	table_release(&sp.old);
	return e;
}

/* Add the entry of the file F, which holds TEXT. */
static struct catalog_entry *add_text(struct catalog_update *in,
				      const struct catalog_update_file *f,
				      const char *text, size_t len, size_t old)
{
	struct catalog_entry *e;

	arena_reset(&in->arena);
	if (f->kind == CATALOG_UPDATE_MEMORY || f->kind == CATALOG_UPDATE_ID)
		e = add_memory(in, f, text, len);
	else
		e = add_whole(in, f, text, len, old);
	if (!e) {
		e = add_plain(in, f);
		e->flags |= CATALOG_REGULAR;
	}
	e->text_hash = hash_bytes(text, len, in->catalog->identity);
	return e;
}

static void set_stat(struct catalog_update *in, struct catalog_entry *e,
		     const struct stat *st)
{
	e->st = filestat_of(st);
	if (!filestat_is_sure(&e->st, in->sure))
		e->flags |= CATALOG_UNSURE;
}

void catalog_update_text(struct catalog_update *in,
			 const struct catalog_update_file *f,
			 const struct stat *st, const char *text, size_t len)
{
	set_stat(in, add_text(in, f, text, len, CATALOG_UPDATE_NONE), st);
}

/* Record that the file of entry I exists and is unchanged; its stat is ST. */
static void confirm_entry(struct catalog_update *in, size_t i,
			  const struct stat *st, bool steady)
{
	const struct catalog_entry *e = catalog_entry(in->catalog, i);
	const struct filestat now = filestat_of(st);
	uint32_t flags = e->flags & ~(uint32_t)(CATALOG_UNSURE | CATALOG_GONE);

	if (!steady || !filestat_is_sure(&now, in->sure))
		flags |= CATALOG_UNSURE;
	if (flags != e->flags || !filestat_same(&now, &e->st))
		catalog_set(in->catalog, i, &now, flags);
}

/* Restore the deleted entry I, and its sections: the file ST holds its text
 * again. */
static void restore_entry(struct catalog_update *in, size_t i,
			  const struct stat *st, bool steady)
{
	const struct catalog_update_section *sections;
	size_t n = 0;

	if (catalog_entry(in->catalog, i)->kind == CATALOG_WHOLE) {
		sections = sections_of(in, i, &n);
		for (size_t k = 0; k < n; k++) {
			const size_t one = sections[k].index;
			const struct catalog_entry *e =
				catalog_entry(in->catalog, one);

			catalog_set(in->catalog, one, &e->st,
				    e->flags & ~(uint32_t)CATALOG_GONE);
		}
	}
	confirm_entry(in, i, st, steady);
}

/* Record a file that cannot be read, or is not a regular file. */
static void update_plain(struct catalog_update *in,
			 const struct catalog_update_file *f,
			 const struct stat *st, size_t old, bool steady)
{
	struct catalog_entry *e;

	if (old != CATALOG_UPDATE_NONE &&
	    catalog_entry(in->catalog, old)->kind == CATALOG_PLAIN &&
	    !catalog_entry(in->catalog, old)->text_hash &&
	    !(catalog_entry(in->catalog, old)->flags & CATALOG_REGULAR) ==
		    !S_ISREG(st->st_mode)) {
		confirm_entry(in, old, st, steady);
		return;
	}
	catalog_update_gone(in, old);
	e = add_plain(in, f);
	if (S_ISREG(st->st_mode))
		e->flags |= CATALOG_REGULAR;
	set_stat(in, e, st);
	if (!steady)
		e->flags |= CATALOG_UNSURE;
}

/* Read F into in->text. ST[0] and ST[1] are its stat before and after. Return
 * 1, 0 if it is gone, -1 if it cannot be read. */
static int read_file(struct catalog_update *in,
		     const struct catalog_update_file *f, struct stat st[2])
{
	int r = -1,
	    fd = file_open(f->dir, f->name,
			   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	in->read++;
	if (fstat(fd, &st[0]) == 0 && S_ISREG(st[0].st_mode) &&
	    file_read_sized(fd, f->path, (size_t)st[0].st_size, LAYOUT_FILE_MAX,
			    &in->text, NULL) == 0 &&
	    fstat(fd, &st[1]) == 0)
		r = 1;
	close(fd);
	return r;
}

int catalog_update_file(struct catalog_update *in,
			const struct catalog_update_file *f,
			const struct stat *st, size_t old)
{
	const struct catalog_entry *was =
		old == CATALOG_UPDATE_NONE ? NULL
					   : catalog_entry(in->catalog, old);
	struct filestat before, after;
	struct catalog_entry *e;
	struct stat now[2];
	uint64_t text;
	size_t gone;
	bool steady;
	int r;

	if (st && (!S_ISREG(st->st_mode) || st->st_size > LAYOUT_FILE_MAX)) {
		update_plain(in, f, st, old, true);
		return 1;
	}
	r = read_file(in, f, now);
	if (r < 0 && !st)
		return -1;
	if (r == 0)
		catalog_update_gone(in, old);
	if (r < 0) {
		/* Perhaps this process lacks something: try again next time. */
		in->failed++;
		update_plain(in, f, st, old, false);
	}
	if (r != 1)
		return r < 0;
	before = filestat_of(&now[0]);
	after = filestat_of(&now[1]);
	steady = filestat_same(&before, &after);
	text = hash_bytes(buf_str(&in->text), in->text.len,
			  in->catalog->identity);
	if (was && (was->kind != CATALOG_PLAIN || was->text_hash) &&
	    was->text_hash == text) {
		confirm_entry(in, old, &now[1], steady);
		return 1;
	}
	if (find_gone(in, f, text, &gone)) {
		catalog_update_gone(in, old);
		restore_entry(in, gone, &now[1], steady);
		return 1;
	}
	e = add_text(in, f, buf_str(&in->text), in->text.len, old);
	set_stat(in, e, &now[1]);
	if (!steady)
		e->flags |= CATALOG_UNSURE;
	catalog_update_gone(in, old);
	return 1;
}

void catalog_update_reset(struct catalog_update *in)
{
	free(in->sections);
	in->sections = NULL;
	in->nsections = 0;
	in->listed = false;
	table_release(&in->gone);
	in->gone_listed = false;
}

void catalog_update_release(struct catalog_update *in)
{
	catalog_update_reset(in);
	buf_release(&in->text);
	arena_release(&in->arena);
}
