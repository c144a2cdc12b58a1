/* drafts.c: an accepted draft is checked like a memory that is saved, and then moved
 * like a file that is restored from the trash.
 */
#include "store/drafts.h"

#include "base/utf8.h"
#include "store/change.h"
#include "store/replacement.h"
#include "store/save.h"
#include "store/secret-gate.h"
#include "store/transfer.h"
#include "store/trash.h"

int drafts_settle(struct store *s, struct err *e)
{
	if (!journal_is_pending(s) && !transfer_pending(s))
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	store_unlock(s);
	return 0;
}

static bool is_id(const struct value *v)
{
	return v->kind == VALUE_INT && v->u.i > 0 && v->u.i <= SCHEMA_ID_MAX;
}

size_t drafts_replaces(const char *text, size_t len, struct arena *a,
		       const struct drafts_old **old)
{
	struct frontmatter fm;
	const struct value *v, *created, *id, *at;
	struct drafts_old *list;
	size_t kept = 0;

	if (frontmatter_parse(&fm, text, len, "", a, NULL) < 0)
		return 0;
	v = value_get(&fm.data, DRAFTS_REPLACES);
	created = v ? value_get(&fm.data, DRAFTS_REPLACES_CREATED) : NULL;
	/* A writer that was killed while it accepted the draft may have written the
	 * keys of the memory already. */
	if (!v)
		v = value_get(&fm.data, REPLACEMENT_NEW);
	if (!v)
		return 0;
	*old = list = arena_alloc(a, REPLACEMENT_MAX * sizeof(*list));
	for (size_t i = 0;
	     (id = value_item_or_self(v, i)) && kept < REPLACEMENT_MAX; i++) {
		at = value_item_or_self(created, i);
		if (is_id(id))
			list[kept++] = (struct drafts_old){
				id->u.i,
				at && at->kind == VALUE_STR && *at->u.s.p
					? at->u.s.p
					: NULL};
	}
	return kept;
}

/* The context of note_if_moved(): a search for a memory whose id may have changed. */
struct moved {
	struct store *s;
	const struct drafts_old *old;
	struct arena *a;
	const char *path, *second;
};

static bool is_same_time(const char *created, const struct drafts_old *old)
{
	return !old->created || (created && !strcmp(created, old->created));
}

static int note_if_moved(void *ctx, const struct record *r)
{
	struct moved *m = ctx;

	if (is_same_time(r->created, m->old) &&
	    !(record_marks(r) & MARK_REPLACED) &&
	    (r->id == m->old->id || store_had_id(m->s, r, m->old->id))) {
		m->second = m->path;
		m->path = arena_strdup(m->a, r->path);
	}
	return m->second != NULL;
}

int drafts_locate_old(struct store *s, const struct drafts_old *old,
		      struct arena *a, const char **path, struct err *e)
{
	struct moved m = {.s = s, .old = old, .a = a};
	struct record r;
	struct err why;
	int found = store_locate(s, AREA_MEMORIES,
				 arena_printf(a, "%lld", (long long)old->id), a,
				 path, &why);

	/* The time of a broken file is unknown: its id decides. */
	if (!old->created ||
	    (found > 0 && (store_read(s, *path, a, &r, NULL) != 1 ||
			   is_same_time(r.created, old))) ||
	    (found < 0 && why.code != ERR_DATA))
		return found < 0 ? err_take(e, &why) : found;
	if (store_each(s, AREA_MEMORIES, note_if_moved, &m, e) < 0)
		return -1;
	*path = m.path;
	return m.second ? err_set(e, ERR_DATA,
				  "two files have id %lld: '%s' and '%s'",
				  (long long)old->id, m.second, m.path)
			: m.path != NULL;
}

/* Read the file at PATH, in AREA, into TEXT. Fail with ERR_BUSY if WAS is not NULL and
 * not the same. */
static int read_file(struct store *s, enum area area, const char *path,
		     const struct buf *was, struct buf *text, struct err *e)
{
	struct arena a = {0};
	struct layout_place p = {.area = AREA_ANY};
	int r = layout_read(&s->repo, path, &a, &p, text, e);

	arena_release(&a);
	if (p.area != area)
		return err_set(e, ERR_USAGE, "'%s' is not a %s", path,
			       area == AREA_DRAFTS ? "draft" : "memory");
	if (r == 0)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	if (r == 1 && was && !buf_equal(was, text))
		return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
	return r < 0 ? -1 : 0;
}

/* Set *OLD to the paths of the memories that the draft TEXT replaces, one per line,
 * allocated in A; NULL if there are none. */
static int find_replaced(struct store *s, const struct buf *text,
			 struct arena *a, const char **old, struct err *e)
{
	const struct drafts_old *all;
	const size_t n = drafts_replaces(buf_str(text), text->len, a, &all);
	const char *path;

	*old = NULL;
	for (size_t i = 0; i < n; i++) {
		const int found = drafts_locate_old(s, &all[i], a, &path, e);

		if (found < 0)
			return -1;
		if (found && !replacement_has(*old, path))
			*old = *old ? arena_printf(a, "%s\n%s", *old, path)
				    : path;
	}
	return 0;
}

static int accept_locked(struct store *s, const char *path,
			 const struct buf *was, struct arena *a,
			 struct record *r, const char **replaced, struct err *e)
{
	struct buf text = {0};
	int result = -1;

	if (read_file(s, AREA_DRAFTS, path, was, &text, e) < 0 ||
	    secret_gate_text(s, buf_str(&text), text.len, NULL, 0, NULL, e) <
		    0 ||
	    save_check(s, path, buf_str(&text), text.len, 0, e) < 0 ||
	    find_replaced(s, &text, a, replaced, e) < 0 ||
	    trash_promote(s, path, *replaced, a, r, e) < 0)
		goto out;
	result = 0;
	if (!r->id) /* the report says why */
		result = err_set(e, ERR_SYSTEM,
				 "accepted '%s', which cannot be read now",
				 r->path);
out:
	buf_release(&text);
	return result;
}

void drafts_keep_trust(struct store *s, bool keep)
{
	change_of(s)->keep_trust = keep;
}

bool drafts_keeps_trust(const struct store *s)
{
	return s->change && s->change->keep_trust;
}

int drafts_accept(struct store *s, const char *path, const struct buf *was,
		  struct arena *a, struct record *r, const char **replaced,
		  struct err *e)
{
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = accept_locked(s, path, was, a, r, replaced, e);
	store_unlock(s);
	return result;
}

/* Find the draft that OPERAND names, like drafts_find_same() without SHOWN. */
static int find_draft(struct store *s, const char *operand, struct arena *a,
		      struct record *r, struct err *e)
{
	const char *path;
	int found = store_locate(s, AREA_DRAFTS, operand, a, &path, e);

	if (found == 0)
		return err_set(e, ERR_NO, "no draft '%s'", operand);
	if (found < 0)
		return -1;
	*r = (struct record){.path = path};
	found = store_read(s, path, a, r, e);
	return found < 0 && e->code != ERR_DATA ? -1 : 0;
}

static int convert_locked(struct store *s, const char *path,
			  const struct buf *was,
			  const struct drafts_kind *const *kinds,
			  struct arena *a, struct record *r, struct err *e)
{
	struct buf text = {0};
	struct err why;
	int same = 0;

	/* drafts_accept() reports why a draft is not a valid one. A draft that the system
	 * does not let us read may be of one of KINDS, so that is an error here. */
	if (find_draft(s, path, a, r, &why) < 0) {
		if (why.code != ERR_SYSTEM)
			return 0;
		return err_take(e, &why);
	}
	while (*kinds && !(r->frontmatter && (*kinds)->is(r)))
		kinds++;
	if (!*kinds)
		return 0;
	if (was)
		same = read_file(s, AREA_DRAFTS, path, was, &text, e);
	buf_release(&text);
	return same < 0 || (*kinds)->keep(s, r, a, e) < 0 ||
			       trash_accepted(s, path, a, e) < 0
		       ? -1
		       : 1;
}

int drafts_convert(struct store *s, const char *path, const struct buf *was,
		   const struct drafts_kind *const *kinds, struct arena *a,
		   struct record *r, struct err *e)
{
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = convert_locked(s, path, was, kinds, a, r, e);
	store_unlock(s);
	return result;
}

int drafts_withdraw(struct store *s, const char *path, const struct buf *was,
		    const char *replaced, struct arena *a, struct record *r,
		    struct err *e)
{
	struct buf text = {0};
	int result = -1;

	if (store_lock(s, e) < 0)
		return -1;
	if (read_file(s, AREA_MEMORIES, path, was, &text, e) == 0)
		result = trash_demote(s, path, replaced, a, r, e);
	store_unlock(s);
	buf_release(&text);
	return result;
}

int drafts_find_same(struct store *s, const char *operand,
		     const struct buf *shown, struct arena *a, struct record *r,
		     struct err *e)
{
	const char *p = shown ? buf_str(shown) : NULL;
	size_t len = shown ? shown->len : 0;

	if (find_draft(s, operand, a, r, e) < 0)
		return -1;
	if (!shown)
		return 0;
	utf8_strip(&p, &len);
	return record_same_text(r->content, r->content_len, p, len)
		       ? 0
		       : err_set(e, ERR_BUSY, "'%s' has changed meanwhile",
				 r->path);
}

int drafts_reject(struct store *s, const char *const *paths, size_t n,
		  struct arena *a, const char **moved, struct err *e)
{
	struct layout_place p;

	for (size_t i = 0; i < n; i++) {
		if (!layout_parse(&s->repo, paths[i], a, &p) ||
		    p.area != AREA_DRAFTS)
			return err_set(e, ERR_USAGE, "'%s' is not a draft",
				       paths[i]);
	}
	return trash_remove(s, paths, n, false, a, moved, e);
}
