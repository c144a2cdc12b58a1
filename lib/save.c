/* save.c: all that can be wrong with a memory is found before the lock is
 * taken or anything is made, but for its id: the text is composed under the
 * lock, and read back before it is written.
 * One that replaces another is a succession (see there).
 */
#include "save.h"

#include "clean.h"
#include "gate.h"
#include "ids.h"
#include "known.h"
#include "schema.h"
#include "succession.h"
#include "trash.h"
#include "trust.h"
#include "unicode.h"
#include "utf8.h"

#include <fcntl.h>
#include <unistd.h>

#define SLUG_CHARACTERS 50
#define SUFFIX_MAX 999

/* What is to be written, checked. */
struct draft {
	const char *content;
	size_t len;
	struct value data; /* the frontmatter, its first pair the id */
	char created[INSTANT_TEXT];
};

static int check_content(struct draft *d, const struct store_new *n,
			 struct err *e)
{
	size_t bad;

	d->content = n->content;
	d->len = n->len;
	utf8_strip(&d->content, &d->len);
	if (!d->len)
		return err_set(e, ERR_DATA, "nothing to save: empty content");
	if (memchr(d->content, '\0', d->len))
		return err_set(e, ERR_DATA, "the content holds a NUL byte");
	bad = utf8_check(d->content, d->len);
	if (bad < d->len)
		return err_set(e, ERR_DATA,
			       "the content is not UTF-8 at byte %zu", bad + 1);
	return 0;
}

static int check_created(struct draft *d, const struct store_new *n,
			 struct err *e)
{
	struct instant at = instant_now();

	if (n->created && !instant_parse(n->created, strlen(n->created), &at))
		return err_set(e, ERR_DATA,
			       "Field 'created' must be ISO8601 format: %s",
			       n->created);
	instant_format(at, d->created);
	return 0;
}

/* True if P is UTF-8 on one line that hides nothing. */
static bool is_line(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)p[i] < ' ' || p[i] == 0x7F)
			return false;
	}
	return utf8_check(p, len) == len &&
	       clean_find_hidden(p, len, NULL) == len;
}

/* A tag is one line, and stands in a flow list and between commas. */
int store_check_tag(const char *p, size_t len, struct err *e)
{
	const size_t characters = utf8_prefix(p, len, SAVE_TAG_MAX);

	if (!len || characters < len)
		return err_set(e, ERR_DATA,
			       "a tag has 1 to %d characters: '%s'",
			       SAVE_TAG_MAX, p);
	if (strcspn(p, ",[]'\"") < len || !is_line(p, len))
		return err_set(e, ERR_DATA,
			       "a tag has no commas, brackets, quotes or "
			       "hidden characters: '%s'",
			       p);
	return 0;
}

static bool has_tag(const struct value *list, const char *tag)
{
	for (size_t i = 0; i < list->u.list.n; i++) {
		if (value_is(&list->u.list.items[i], tag))
			return true;
	}
	return false;
}

static int check_tags(struct value *list, const struct store_new *n,
		      struct arena *a, struct err *e)
{
	*list = (struct value){.kind = VALUE_LIST};
	list->u.list.items = arena_alloc(a, n->ntags * sizeof(struct value));
	for (size_t i = 0; i < n->ntags; i++) {
		const char *p = n->tags[i];
		size_t len = strlen(p);

		utf8_strip(&p, &len);
		p = arena_copy(a, p, len);
		if (store_check_tag(p, len, e) < 0)
			return -1;
		if (!has_tag(list, p))
			list->u.list.items[list->u.list.n++] = value_str(p);
	}
	return 0;
}

static int check_source(const char *source, struct err *e)
{
	const size_t len = strlen(source);

	if (!len || !is_line(source, len))
		return err_set(e, ERR_DATA, "a source is a line of text: '%s'",
			       source);
	return 0;
}

/* Check N and lay its frontmatter out, the id left open. */
static int check(struct draft *d, const struct store_new *n, struct arena *a,
		 struct err *e)
{
	const char *source = n->source ? n->source : "user-told";
	const size_t extra = n->extra ? n->extra->u.map.n : 0;
	struct value_pair *pairs = arena_alloc(a, (5 + extra) * sizeof(*pairs));

	if (check_content(d, n, e) < 0 || check_created(d, n, e) < 0 ||
	    check_tags(&pairs[2].val, n, a, e) < 0 ||
	    check_source(source, e) < 0)
		return -1;
	pairs[0].key = value_str("id");
	pairs[1].key = value_str("created");
	pairs[1].val = value_str(arena_strdup(a, d->created));
	pairs[2].key = value_str("tags");
	pairs[3].key = value_str("source");
	pairs[3].val = value_str(source);
	for (size_t i = 0; i < extra; i++)
		pairs[4 + i] = n->extra->u.map.pairs[i];
	d->data = (struct value){.kind = VALUE_MAP};
	d->data.u.map.pairs = pairs;
	d->data.u.map.n = 4 + extra;
	return 0;
}

/* Note in D that the memory at PATH goes when it is accepted. */
static int note_replaced(struct store *s, struct draft *d, const char *path,
			 struct arena *a, struct err *e)
{
	struct value *map = &d->data;
	struct record old;
	size_t i = 0;
	const int r = store_read(s, path, a, &old, e);

	if (r == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (r < 0)
		return -1;
	while (i < map->u.map.n &&
	       !value_is(&map->u.map.pairs[i].key, "replaces"))
		i++;
	/* check() left room for it. */
	map->u.map.pairs[i].key = value_str("replaces");
	map->u.map.pairs[i].val = value_int(old.id);
	map->u.map.n += i == map->u.map.n;
	return 0;
}

/* True if TEXT reads back as D: what is saved, readers show. */
static int verify(const struct draft *d, const struct buf *text,
		  struct arena *a, struct err *e)
{
	struct frontmatter fm;
	struct record r;
	const char *p;
	size_t len;

	if (text->len > STORE_FILE_MAX)
		return err_set(
			e, ERR_DATA,
			"the memory would have %zu bytes, over the limit "
			"of %d",
			text->len, STORE_FILE_MAX);
	if (record_read(&r, text->p, text->len, "new", SCOPE_PROJECT, a, e) <
		    0 ||
	    frontmatter_parse(&fm, text->p, text->len, "new", a, e) < 0)
		return -1;
	frontmatter_content(&fm, &p, &len);
	if (!value_equal(&fm.data, &d->data) || len != d->len ||
	    memcmp(p, d->content, len) != 0)
		return err_set(e, ERR_DATA,
			       "the memory would not read back as it is");
	return 0;
}

static int compose(struct draft *d, int64_t id, struct buf *text,
		   struct arena *a, struct err *e)
{
	d->data.u.map.pairs[0].val = value_int(id);
	if (frontmatter_write(text, &d->data, e) < 0)
		return -1;
	buf_addc(text, '\n');
	buf_add(text, d->content, d->len);
	buf_addc(text, '\n');
	return verify(d, text, a, e);
}

int store_compose(struct buf *text, const struct store_new *n, int64_t id,
		  struct arena *a, struct err *e)
{
	struct draft d = {0};

	return check(&d, n, a, e) < 0 ? -1 : compose(&d, id, text, a, e);
}

/* file_create(), in the place of the memory OLD, unless that is NULL. */
static int create_named(struct store *s, int dir, const char *name,
			const char *path, const char *old,
			const struct buf *text, struct err *e)
{
	int r;

	/* A name that is taken is no sign that the new one stands. */
	if (old && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	if (old && succession_begin(s, name, old, e) < 0)
		return -1;
	r = file_create(dir, name, path, root_file_mode(&s->root), text->p,
			text->len, e);
	if (old && r != 1)
		succession_end(s, false, NULL);
	return r;
}

/* Make the file of TEXT in AREA, under a name of its own, in the place of the
 * memory OLD, unless that is NULL; its path is in A. */
static int create(struct store *s, enum area area, const struct draft *d,
		  int64_t id, const struct buf *text, const char *old,
		  struct arena *a, const char **path, struct err *e)
{
	const size_t head = utf8_prefix(d->content, d->len, SLUG_CHARACTERS);
	struct trust_slip slip;
	struct buf name = {0};
	size_t stem;
	int dir, r;

	if (shelf_make(s, shelf_name(area), &dir, e) < 0)
		return -1;
	trust_before(&slip, dir);
	buf_addf(&name, "%03lld-", (long long)id);
	unicode_slug(&name, d->content, head);
	stem = name.len;
	buf_adds(&name, ".md");
	for (int i = 2;; i++) {
		*path = arena_printf(a, "%s/%s/%s", s->path, shelf_name(area),
				     name.p);
		r = create_named(s, dir, name.p, *path, old, text, e);
		if (r || i > SUFFIX_MAX)
			break;
		buf_cut(&name, stem);
		buf_addf(&name, "-%d.md", i);
	}
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "all names like '%s' are taken",
			    *path);
	if (r == 1)
		trust_after(s, &slip, area, dir, name.p, id, text->p,
			    text->len);
	buf_release(&name);
	close(dir);
	return r < 0 ? -1 : 0;
}

/* Move the memory at OLD, whose place the one at PATH has, to the trash. */
static int succeed(struct store *s, const char *path, const char *old,
		   struct err *e)
{
	struct err why;
	const int r = succession_end(s, true, &why);

	ids_drop(s);
	return r == 0 ? 0
		      : err_set(e, why.code, "saved '%s', but '%s' stays: %s",
				path, old, why.text);
}

static int save_locked(struct store *s, const struct store_new *n,
		       struct draft *d, struct arena *a, struct record *r,
		       struct err *e)
{
	const enum area area = n->draft ? AREA_DRAFTS : AREA_MEMORIES;
	const char *old = NULL, *name, *path;
	struct buf text = {0};
	int64_t id;
	int result = -1, found = 1;

	if (n->replaces)
		found = store_locate(s, AREA_MEMORIES, n->replaces, a, &old, e);
	if (found == 0)
		err_set(e, ERR_NO, "no memory '%s' to replace", n->replaces);
	name = old && !n->draft ? strrchr(old, '/') + 1 : NULL;
	if (found != 1 ||
	    (old && n->draft && note_replaced(s, d, old, a, e) < 0) ||
	    store_next_id(s, &id, e) < 0 || compose(d, id, &text, a, e) < 0 ||
	    create(s, area, d, id, &text, name, a, &path, e) < 0)
		goto out;
	s->next_id = id < SCHEMA_ID_MAX ? id + 1 : 0;
	ids_add(s, area, id, path);
	if (record_read(r, arena_copy(a, text.p, text.len), text.len, path,
			s->root.scope, a, e) < 0)
		goto out;
	result = name ? succeed(s, path, old, e) : 0;
out:
	buf_release(&text);
	return result;
}

/* Refuse N if there is a secret anywhere in it, before anything else can
 * complain and quote it. */
static int check_secrets(struct store *s, const struct store_new *n,
			 struct err *e)
{
	char tag[32];

	if (gate_text(s, n->content, n->len, NULL, 0, NULL, e) < 0)
		return -1;
	for (size_t i = 0; i < n->ntags; i++) {
		snprintf(tag, sizeof(tag), "tag %zu", i + 1);
		if (gate_text(s, n->tags[i], strlen(n->tags[i]), NULL, 0, tag,
			      e) < 0)
			return -1;
	}
	if (n->source && gate_text(s, n->source, strlen(n->source), NULL, 0,
				   "source", e) < 0)
		return -1;
	if (n->created && gate_text(s, n->created, strlen(n->created), NULL, 0,
				    "created", e) < 0)
		return -1;
	return n->extra ? gate_map(s, n->extra, "frontmatter", e) : 0;
}

int store_save(struct store *s, const struct store_new *n, struct arena *a,
	       struct record *r, struct err *e)
{
	struct draft d = {0};
	int result;

	if (check_secrets(s, n, e) < 0 || check(&d, n, a, e) < 0 ||
	    store_lock(s, e) < 0)
		return -1;
	result = save_locked(s, n, &d, a, r, e);
	store_unlock(s);
	return result;
}

/* R, which is known, replaces what N names: as store_save_new(). */
static int retire_for(struct store *s, const struct store_new *n,
		      const struct record *r, struct arena *a, struct err *e)
{
	const char *old;
	const int found =
		store_locate(s, AREA_MEMORIES, n->replaces, a, &old, e);
	struct err why;

	if (found < 0)
		return -1;
	if (!found || !strcmp(old, r->path))
		return 1;
	if (store_remove(s, &old, 1, false, a, NULL, &why) < 0)
		return err_set(e, why.code, "'%s' stays: %s", old, why.text);
	return 2;
}

/* Find what makes a save of N needless: as store_save_new(), with WHERE as
 * store_save_unknown(). */
static int find_known(struct store *s, const struct store_new *n,
		      struct arena *a, struct record *r, enum area *where,
		      struct err *e)
{
	return where ? known_find(s, n->content, n->len, a, r, where, e)
		     : store_find_equal(s, n->content, n->len, a, r, e);
}

static int save_unless(struct store *s, const struct store_new *n,
		       struct arena *a, struct record *r, enum area *where,
		       struct err *e)
{
	struct draft d = {0};
	int known;

	/* A store is made for good content alone, and looked at all the same:
	 * another process may have made it meanwhile, and filled it. */
	if (s->fd < 0 && (check_secrets(s, n, e) < 0 || check(&d, n, a, e) < 0))
		return -1;
	if (store_lock(s, e) < 0)
		return -1;
	known = find_known(s, n, a, r, where, e);
	if (!known)
		known = store_save(s, n, a, r, e);
	else if (known == 1 && n->replaces && !n->draft &&
		 (!where || *where == AREA_MEMORIES))
		known = retire_for(s, n, r, a, e);
	store_unlock(s);
	return known;
}

int store_save_new(struct store *s, const struct store_new *n, struct arena *a,
		   struct record *r, struct err *e)
{
	return save_unless(s, n, a, r, NULL, e);
}

int store_save_unknown(struct store *s, const struct store_new *n,
		       struct arena *a, struct record *r, enum area *where,
		       struct err *e)
{
	return save_unless(s, n, a, r, where, e);
}

int store_check(struct store *s, const char *path, const char *text, size_t len,
		int64_t id, struct err *e)
{
	struct arena a = {0};
	struct record r;
	int result;

	if (len > STORE_FILE_MAX)
		return err_set(e, ERR_DATA, "'%s' is larger than %d bytes",
			       path, STORE_FILE_MAX);
	if (memchr(text, '\0', len) || utf8_check(text, len) < len)
		return err_set(e, ERR_DATA, "'%s' is not UTF-8 text", path);
	result = record_read(&r, text, len, path, s->root.scope, &a, e);
	if (!result && id && r.id != id)
		result = err_set(e, ERR_DATA, "'%s': the id must stay %lld",
				 path, (long long)id);
	arena_release(&a);
	return result;
}

/* The same for the file NAME in DIR, if it still is WAS. */
static int replace_in(struct store *s, int dir, const char *name,
		      const char *path, const struct buf *was, const char *text,
		      size_t len, struct err *e)
{
	struct buf now = {0};
	int64_t id;
	int r = file_read(dir, name, path, STORE_FILE_MAX, &now, e);

	if (r == 1 && (now.len != was->len || memcmp(now.p, was->p, now.len)))
		r = 0;
	buf_release(&now);
	if (r == 0)
		return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
	if (r < 0 || ids_of_file(dir, name, path, &id, e) < 0 ||
	    store_check(s, path, text, len, id, e) < 0)
		return -1;
	return file_replace(dir, name, path, text, len, e);
}

int store_replace(struct store *s, const char *path, const char *was,
		  size_t was_len, const char *text, size_t len, struct err *e)
{
	struct buf before = {0};
	struct arena a = {0};
	struct place p;
	int dir, r = -1;

	if (gate_text(s, text, len, was, was_len, NULL, e) < 0 ||
	    store_lock(s, e) < 0)
		return -1;
	buf_add(&before, was, was_len);
	if (!shelf_parse(s, path, &a, &p) || p.area == AREA_TRASH)
		err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	else
		r = shelf_open(s, p.folder, &dir, e);
	if (r == 0)
		r = err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
	if (r == 1) {
		r = replace_in(s, dir, p.name, path, &before, text, len, e);
		close(dir);
	}
	buf_release(&before);
	arena_release(&a);
	store_unlock(s);
	return r;
}
