/* save.c: a memory is checked before the lock is taken or the store is created. Under
 * the lock it gets its id, and its text is composed and parsed before it is written.
 * replacement.h describes a memory that replaces others.
 */
#include "store/save.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "cache/write-hints.h"
#include "repo/marks.h"
#include "store/change.h"
#include "store/duplicates.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/replacement.h"
#include "store/secret-gate.h"
#include "store/transfer.h"

#include <errno.h>
#include <unistd.h>

#define SLUG_CHARACTERS 50
#define SUFFIX_MAX 999

/* Return true if the memory R, or NULL, replaced the one that OPERAND names. */
static bool has_replaced(const struct record *r, const char *operand,
			 struct arena *a)
{
	struct value v;
	int64_t id;

	if (!store_is_id(operand, &id) && !store_is_global_id(operand, &id))
		id = ids_of_name(file_name_of(operand));
	return r && record_find_key(r, "supersedes", a, &v) == 1 &&
	       value_has_int(&v, id);
}

/* Set *OLD to the paths of the memories that N replaces, one per line, allocated in A;
 * NULL if there are none. Those that the memory BY, or NULL, has replaced before are left
 * out. Return 0, or -1; ERR_NO if one of them does not exist. */
static int locate_replaced(struct store *s, const struct store_new *n,
			   const struct record *by, struct arena *a,
			   const char **old, struct err *e)
{
	const char *p = n->replaces ? n->replaces : "";
	/* Only ids can be a list: a path may contain a comma. */
	const bool ids = !p[strspn(p, "g0123456789,")];
	size_t len, count = 0;

	*old = NULL;
	for (; *p; p += len + !!p[len]) {
		const char *one, *path;
		int found;

		len = ids ? strcspn(p, ",") : strlen(p);
		one = arena_copy(a, p, len);
		found = store_locate(s, AREA_MEMORIES, one, a, &path, e);
		if (found == 0 && has_replaced(by, one, a))
			continue;
		if (found == 0)
			store_absent(s, one, e);
		if (found != 1 || operation_expected(s, path, e) < 0)
			return -1;
		if (replacement_has(*old, path))
			continue;
		if (++count > REPLACEMENT_MAX)
			return err_set(e, ERR_USAGE,
				       "one memory replaces at most %d",
				       REPLACEMENT_MAX);
		*old = *old ? arena_printf(a, "%s\n%s", *old, path) : path;
	}
	return 0;
}

/* Set *ID to the id of the memory at PATH, which is from the name if it is broken. */
static int id_at(struct store *s, const char *path, int64_t *id, struct err *e)
{
	const int r = ids_at(s, path, id, e);

	return r ? (r < 0 ? -1 : 0) : err_set(e, ERR_NO, "'%s' is gone", path);
}

/* Append to the tags of D those of R that it lacks, as compose_tag() writes them. */
static void add_tags(struct composed *d, const struct record *r,
		     struct arena *a)
{
	struct value list = *value_get(&d->data, "tags");
	const size_t n = list.u.list.n;
	struct value *items = arena_alloc(a, (n + r->ntags) * sizeof(*items));

	for (size_t i = 0; i < n; i++)
		items[i] = list.u.list.items[i];
	list.u.list.items = items;
	for (size_t i = 0; i < r->ntags; i++) {
		struct err
			e; /* ignored: an invalid tag, by a person, is left out */
		const char *tag = compose_tag(r->tags[i], strlen(r->tags[i]),
					      false, a, &e);
		const struct value one = value_str(tag ? tag : "");

		if (tag && !value_has_item(&list, &one))
			items[list.u.list.n++] = one;
	}
	value_put(&d->data, "tags", list);
}

/* D, which an agent wrote, replaces the external memory ID: make D external, and add ID
 * to what its writer has read. */
static void lower_trust(struct store *s, struct composed *d, int64_t id,
			struct arena *a)
{
	const struct value *was = value_get(&d->data, "read");
	const size_t n = was && was->kind == VALUE_LIST ? was->u.list.n : 0;
	struct value *items = arena_alloc(a, (n + 1) * sizeof(*items));

	for (size_t i = 0; i < n; i++)
		items[i] = was->u.list.items[i];
	items[n] = value_str(arena_printf(
		a, "memory %s%lld", record_scope_prefix(s->repo.root.scope),
		(long long)id));
	value_put(&d->data, "trust", value_str("external"));
	value_put(&d->data, "read",
		  (struct value){.kind = VALUE_LIST,
				 .u.list = {.items = items, .n = n + 1}});
}

/* Add to the frontmatter of D, which is N, the ids of the memories at PATHS, one per
 * line, that it replaces; if it is a draft, in the key for its acceptance. */
static int note_replaced(struct store *s, const struct store_new *n,
			 struct composed *d, const char *paths, struct arena *a,
			 struct err *e)
{
	const bool keep_tags = n->keep_tags && !n->ntags && !d->id;
	const bool agent = value_is(value_get(&d->data, "trust"), "agent");
	struct value *ids =
		arena_alloc(a, 2 * REPLACEMENT_MAX * sizeof(struct value));
	struct value *times = ids + REPLACEMENT_MAX;
	struct value list = {.kind = VALUE_LIST, .u.list = {ids, 0}};
	struct value created = {.kind = VALUE_LIST, .u.list = {times, 0}};
	const char *path;

	while ((path = replacement_next(&paths, a))) {
		struct record old = {.created = NULL};
		int64_t id;
		int found = 0;

		if (id_at(s, path, &id, e) < 0)
			return -1;
		if (n->draft || keep_tags || agent)
			found = store_read(s, path, a, &old, e);
		/* A malformed memory has no tags. */
		if (found < 0 && (n->draft || e->code != ERR_DATA))
			return -1;
		if (keep_tags && found == 1)
			add_tags(d, &old, a);
		if (agent && !d->id && found == 1 &&
		    record_marks(&old) & MARK_EXTERNAL)
			lower_trust(s, d, id, a);
		ids[list.u.list.n++] = value_int(id);
		times[created.u.list.n++] =
			value_str(old.created ? old.created : "");
	}
	if (d->id)
		return 0; /* exact: nothing is added */
	if (n->draft) {
		value_put(&d->data, DRAFTS_REPLACES,
			  list.u.list.n == 1 ? ids[0] : list);
		value_put(&d->data, DRAFTS_REPLACES_CREATED,
			  list.u.list.n == 1 ? times[0] : created);
	} else {
		value_put(&d->data, REPLACEMENT_NEW, list);
	}
	return 0;
}

/* Append the file name of D without its suffix. R is the record of D. The name does not
 * reveal the content if D is sensitive or has a secret. */
static void add_name(struct buf *out, struct store *s, const struct composed *d,
		     const struct record *r)
{
	const bool secret = secret_gate_overruled(s, d->content, d->len) ||
			    record_marks(r) & MARK_SENSITIVE;

	buf_addf(out, "%03lld-", (long long)r->id);
	unicode_slug(
		out, d->content,
		utf8_prefix(d->content, secret ? 0 : d->len, SLUG_CHARACTERS));
}

/* Log and create the file NAME in the directory FOLDER, open as DIR, with TEXT.
 * Return as file_create(). */
static int create_named(struct store *s, int dir, const char *folder,
			const char *name, const char *path,
			const struct buf *text, struct err *e)
{
	const int temp = strcmp(folder, LAYOUT_SHARED) ? s->repo.fd : dir;
	int r;

	operation_note(s, path, NULL, text, NULL);
	r = file_create_unsynced(temp, dir, name, path,
				 root_file_mode(&s->repo.root), text->p,
				 text->len, e);
	if (r == 1 && change_sync(s, dir, path, e) < 0) {
		unlinkat(dir, name, 0);
		r = -1;
	}
	if (r != 1)
		operation_failed(s, path);
	return r;
}

/* Return the directory, below knowledge/, of a new memory of AREA with ID, allocated in
 * A. A draft goes to the git directory if that can be written (see transfer.h). */
static const char *folder_of(struct store *s, enum area area, int64_t id,
			     struct arena *a)
{
	return area == AREA_MEMORIES ? store_folder(s, id, a)
	       : area == AREA_DRAFTS && s->change->shared_fd >= 0
		       ? LAYOUT_SHARED
		       : layout_name(area);
}

const char *save_path(struct store *s, bool draft, const char *name, int64_t id,
		      struct arena *a)
{
	const enum area area = draft ? AREA_DRAFTS : AREA_MEMORIES;

	if (draft)
		transfer_begin(s, NULL);
	return arena_printf(a, "%s/%s",
			    layout_path(&s->repo, folder_of(s, area, id, a), a),
			    ids_renumbered(a, name, id));
}

/* Create the file STEM.md with TEXT, the record R, in AREA; if the name is taken,
 * with a number. Set *PATH to its path, allocated in A. A draft that cannot be
 * written to the git directory is written to the work tree. */
static int create_file(struct store *s, enum area area, const char *stem,
		       const struct record *r, const struct buf *text,
		       struct arena *a, const char **path, struct err *e)
{
	const char *folder = folder_of(s, area, r->id, a);
	const char *name = arena_printf(a, "%s.md", stem);
	struct write_hints_slip slip;
	int dir, made;

	if (layout_make(&s->repo, folder, &dir, e) < 0)
		return -1;
	write_hints_before(&slip, dir);
	for (int i = 2;; i++) {
		*path = arena_printf(a, "%s/%s",
				     layout_path(&s->repo, folder, a), name);
		made = create_named(s, dir, folder, name, *path, text, e);
		if (made || i > SUFFIX_MAX)
			break;
		name = arena_printf(a, "%s-%d.md", stem, i);
	}
	if (made == 0)
		made = err_set(e, ERR_SYSTEM, "all names like '%s' are taken",
			       *path);
	if (made == 1)
		write_hints_after(s->cache, &slip, folder, dir, name, r,
				  text->p, text->len);
	close(dir);
	if (made < 0 && !strcmp(folder, LAYOUT_SHARED)) {
		transfer_unlock(s);
		return create_file(s, area, stem, r, text, a, path, e);
	}
	return made < 0 ? -1 : 0;
}

/* Create a memory like create_file(), and let it replace those at OLD, one path per
 * line. */
static int create_replacing(struct store *s, const char *stem,
			    const struct record *r, const struct buf *text,
			    const char *old, struct arena *a, const char **path,
			    struct err *e)
{
	struct journal j = {.s = s, .a = a};
	const char *folder = store_folder(s, r->id, a);
	const char *name = journal_free_name(&j, folder,
					     arena_printf(a, "%s.md", stem), e);

	if (!name)
		return -1;
	*path = arena_printf(a, "%s/%s", layout_path(&s->repo, folder, a),
			     name);
	journal_edit(&j, operation_path(s, *path, a), NULL, text);
	if (replacement_add(&j, old, r->id, e) < 0 || journal_apply(&j, e) < 0)
		return -1;
	ids_drop(s);
	return 0;
}

static int choose_id(struct store *s, const struct composed *d, int64_t *id,
		     struct err *e)
{
	*id = d->id;
	return d->id ? 0 : store_next_id(s, id, e);
}

/* Note that R was saved at PATH in AREA; GIVEN: with an id that the caller chose. */
static void note_saved(struct store *s, enum area area, struct record *r,
		       const char *path, bool given)
{
	if (!given || r->id >= s->change->next_id)
		s->change->next_id = !given && r->id + 1 < s->change->next_end
					     ? r->id + 1
					     : 0;
	if (area == AREA_MEMORIES && s->change->batch)
		*MEM_ADD(s->change->saved, s->change->nsaved,
			 s->change->saved_cap) = r->id;
	ids_add(s, area, r->id, path);
	r->path = path;
	r->scope = s->repo.root.scope;
}

/* Return the area of the new memory R of N. A replaced one comes from an export. */
static enum area area_of(struct store *s, const struct store_new *n,
			 const struct record *r)
{
	if (n->draft)
		return AREA_DRAFTS;
	return marks_now(&r->keys) & MARK_REPLACED && !store_is_team(s)
		       ? AREA_ARCHIVE
		       : AREA_MEMORIES;
}

static int save_locked(struct store *s, const struct store_new *n,
		       struct composed *d, struct arena *a, struct record *r,
		       struct err *e)
{
	const char *old = NULL, *path;
	struct buf text = {0}, stem = {0};
	enum area area;
	int64_t id;
	int result = -1;

	operation_by(s, n->source);
	if (n->draft)
		transfer_begin(s, d->id ? NULL : &d->data);
	if (locate_replaced(s, n, NULL, a, &old, e) < 0)
		goto out;
	if ((old && note_replaced(s, n, d, old, a, e) < 0) ||
	    choose_id(s, d, &id, e) < 0 ||
	    compose_text(d, id, &text, r, a, e) < 0)
		goto out;
	add_name(&stem, s, d, r);
	area = area_of(s, n, r);
	result = old && !n->draft
			 ? create_replacing(s, stem.p, r, &text, old, a, &path,
					    e)
			 : create_file(s, area, stem.p, r, &text, a, &path, e);
	if (!result)
		note_saved(s, area, r, path, d->id);
out:
	operation_by(s, NULL);
	buf_release(&stem);
	buf_release(&text);
	return result;
}

/* Refuse N if there is a secret anywhere in it. This is checked first, lest the
 * message of another error quotes the secret. */
static int check_secrets(struct store *s, const struct store_new *n,
			 struct err *e)
{
	char tag[32];

	if (secret_gate_text(s, n->content, n->len, NULL, 0, NULL, e) < 0)
		return -1;
	for (size_t i = 0; i < n->ntags; i++) {
		snprintf(tag, sizeof(tag), "tag %zu", i + 1);
		if (secret_gate_text(s, n->tags[i], strlen(n->tags[i]), NULL, 0,
				     tag, e) < 0)
			return -1;
	}
	if (n->source && secret_gate_text(s, n->source, strlen(n->source), NULL,
					  0, "source", e) < 0)
		return -1;
	if (n->created && secret_gate_text(s, n->created, strlen(n->created),
					   NULL, 0, "created", e) < 0)
		return -1;
	if (n->exact && secret_gate_map(s, n->exact, e) < 0)
		return -1;
	return n->extra ? secret_gate_map(s, n->extra, e) : 0;
}

int save_prepare(struct store *s, struct composed *d, const struct store_new *n,
		 struct arena *a, struct err *e)
{
	return check_secrets(s, n, e) < 0 ? -1 : compose_check(d, n, a, e);
}

/* Search AREA for a file with the id of D. Return 1 if it has the same content, and
 * R is that; 0 if there is none; or -1, also if it has other content. */
static int find_taken(struct store *s, enum area area, const struct composed *d,
		      struct arena *a, struct record *r, struct err *e)
{
	const struct ids *ids = ids_load(s, area, e);
	const struct id_entry *entry = NULL, *taken = NULL;

	if (!ids)
		return -1;
	while ((entry = ids_find(ids, d->id, entry))) {
		taken = entry;
		if (store_read(s, entry->path, a, r, NULL) == 1 &&
		    record_same_text(r->content, r->content_len, d->content,
				     d->len))
			return 1;
	}
	if (!taken)
		return 0;
	return err_set(e, ERR_DATA, "id %lld is taken by another text: '%s'",
		       (long long)d->id, taken->path);
}

/* Search for a memory, a draft or an archived memory with the id and the content of D.
 * Return 1, with R and its area in *WHERE; 0; or -1. */
static int find_exact(struct store *s, const struct composed *d,
		      struct arena *a, struct record *r, enum area *where,
		      struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_DRAFTS,
					  AREA_ARCHIVE};
	int known = 0;

	for (size_t i = 0; i < ARRAY_LEN(areas) && !known; i++) {
		*where = areas[i];
		known = find_taken(s, areas[i], d, a, r, e);
	}
	return known;
}

/* Return true if the memory R, which has the content of N and another id, makes it
 * needless to save N. A batch may restore a store in which two memories were equal, or
 * one that was replaced. */
static bool is_known_apart(const struct store *s, const struct store_new *n,
			   const struct record *r)
{
	const struct change *c = s->change;

	for (size_t i = 0; i < c->nsaved; i++) {
		if (c->saved[i] == r->id)
			return false;
	}
	return !value_get(n->exact, REPLACEMENT_OLD);
}

/* Search for a file that makes it needless to save N, composed as D: one that
 * find_exact() finds or, with SAVE_UNLESS_KNOWN, a draft or memory with the same
 * content and another id. Return as find_exact(). */
static int find_exact_or_equal(struct store *s, const struct store_new *n,
			       const struct composed *d, struct arena *a,
			       struct record *r, enum area *where,
			       struct err *e)
{
	const int known = find_exact(s, d, a, r, where, e);
	enum area other;
	struct record equal;
	int found;

	if (known < 0 || n->when != SAVE_UNLESS_KNOWN ||
	    (known && *where != AREA_ARCHIVE))
		return known;
	found = duplicates_find(s, n->content, n->len, a, &equal, &other, e);
	if (found < 0)
		return -1;
	if (!found ||
	    (other == AREA_MEMORIES ? known || !is_known_apart(s, n, &equal)
				    : other != AREA_DRAFTS))
		return known;
	*r = equal;
	*where = other;
	return 1;
}

/* Let the memory R replace those at OLD, one path per line. */
static int replace_by(struct store *s, const char *old, const struct record *r,
		      struct arena *a, struct err *e)
{
	struct journal j = {.s = s, .a = a};
	const struct buf *was, *text;
	const char *p = old, *path;
	int64_t id;

	if (journal_read(&j, r->path, &was, e) < 0)
		return -1;
	for (text = was; (path = replacement_next(&p, a));) {
		if (id_at(s, path, &id, e) < 0)
			return -1;
		text = replacement_supersede(text, id, true, a);
	}
	journal_edit(&j, operation_path(s, r->path, a), was, text);
	if (replacement_add(&j, old, r->id, e) < 0 || journal_apply(&j, e) < 0)
		return -1;
	ids_drop(s);
	return 0;
}

/* Let the known memory R replace the memories that N names. Return as save_memory(). */
static int replace_by_known(struct store *s, const struct store_new *n,
			    const struct record *r, struct arena *a,
			    struct err *e)
{
	const char *all, *old = NULL, *path;
	struct err why;

	if (locate_replaced(s, n, r, a, &all, e) < 0)
		return -1;
	while (all && (path = replacement_next(&all, a))) {
		if (strcmp(path, r->path) != 0)
			old = old ? arena_printf(a, "%s\n%s", old, path) : path;
	}
	if (!old)
		return 1;
	if (replace_by(s, old, r, a, &why) < 0)
		return err_set(e, why.code, "cannot replace '%s': %s", old,
			       why.text);
	return 2;
}

/* Search for a memory R that makes it needless to save N, and set *WHERE to its area.
 * Return 1, 0 or -1. */
static int find_known(struct store *s, const struct store_new *n,
		      struct arena *a, struct record *r, enum area *where,
		      struct err *e)
{
	*where = AREA_MEMORIES;
	return n->when == SAVE_UNLESS_EQUAL
		       ? duplicates_find_exact(s, AREA_MEMORIES, n->content,
					       n->len, a, r, e)
	       : n->when == SAVE_UNLESS_KNOWN
		       ? duplicates_find(s, n->content, n->len, a, r, where, e)
		       : 0;
}

/* Save the whole file that N has, unchanged. */
static int save_file(struct store *s, const struct store_new *n,
		     struct arena *a, struct record *r, struct err *e)
{
	const enum area area = n->draft ? AREA_DRAFTS : AREA_MEMORIES;
	const char *kept = arena_copy(a, n->content, n->len), *name, *path;
	const struct buf file = {.p = (char *)kept, .len = n->len};
	int result = -1;

	if (save_check(s, n->file, kept, n->len, 0, e) < 0 ||
	    secret_gate_text(s, kept, n->len, NULL, 0, NULL, e) < 0 ||
	    record_read(r, kept, n->len, n->file, s->repo.root.scope, a, e) <
		    0 ||
	    store_lock(s, e) < 0)
		return -1;
	if (n->draft)
		transfer_begin(s, NULL);
	name = ids_renumbered(a, n->file, r->id);
	if (create_file(s, area, arena_copy(a, name, strlen(name) - 3), r,
			&file, a, &path, e) == 0) {
		note_saved(s, area, r, path, false);
		result = 0;
	}
	store_unlock(s);
	return result;
}

int save_memory(struct store *s, const struct store_new *n, struct arena *a,
		struct record *r, struct err *e)
{
	/* Known content needs no check. But if the store does not exist, the content is
	 * checked before store_lock() creates it. The store is searched nevertheless:
	 * another process may have created and filled it meanwhile. */
	const bool early = n->when == SAVE_ALWAYS || n->exact || s->repo.fd < 0;
	struct composed d = {0};
	enum area where;
	int known;

	if (n->file)
		return save_file(s, n, a, r, e);
	if ((early && save_prepare(s, &d, n, a, e) < 0) || store_lock(s, e) < 0)
		return -1;
	known = n->exact ? find_exact_or_equal(s, n, &d, a, r, &where, e)
			 : find_known(s, n, a, r, &where, e);
	if (!known && !early)
		known = save_prepare(s, &d, n, a, e);
	if (!known)
		known = save_locked(s, n, &d, a, r, e);
	else if (known == 1 && n->replaces && !n->draft && !n->exact &&
		 where == AREA_MEMORIES)
		known = replace_by_known(s, n, r, a, e);
	if (known > 0 && n->where)
		*n->where = where;
	store_unlock(s);
	return known;
}

/* Set R from the LEN bytes of TEXT, a memory, or an article if PATH is that of one. */
static int read_text(struct store *s, const char *path, const char *text,
		     size_t len, struct arena *a, struct record *r,
		     struct err *e)
{
	return layout_is_article(path)
		       ? record_read_document(r, text, len, path, true, a, e)
		       : record_read(r, text, len, path, s->repo.root.scope, a,
				     e);
}

int save_check(struct store *s, const char *path, const char *text, size_t len,
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
	result = read_text(s, path, text, len, &a, &r, e);
	if (!result && id && r.id != id)
		result = err_set(e, ERR_DATA, "'%s': the id must stay %lld",
				 path, (long long)id);
	arena_release(&a);
	return result;
}

/* Replace the content of the file NAME in DIR by TEXT, if it still is WAS. */
static int replace_in(struct store *s, int dir, const char *name,
		      const struct save_edit *edit, const struct buf *was,
		      const struct buf *text, struct err *e)
{
	const char *path = edit->path;
	const struct operation_change c = {dir,	 name,	      path, was,
					   text, edit->trash, NULL};
	struct buf now = {0};
	int64_t id = 0;
	int r = file_read(dir, name, path, STORE_FILE_MAX, &now, e);

	if (r == 1 && !buf_equal(&now, was))
		r = 0;
	buf_release(&now);
	if (r == 0)
		return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
	if (r < 0 ||
	    (!layout_is_article(path) &&
	     ids_of_file(dir, name, path, &id, e) < 0) ||
	    save_check(s, path, buf_str(text), text->len, id, e) < 0)
		return -1;
	return operation_change(s, &c, e) < 0 ? -1 : 0;
}

/* Perform EDIT, which changes WAS to TEXT. The caller holds the lock. */
static int replace_locked(struct store *s, const struct save_edit *edit,
			  const struct buf *was, const struct buf *text,
			  struct err *e)
{
	const char *path = edit->path;
	struct arena a = {0};
	struct layout_place p;
	int dir, r = -1;

	if (!layout_parse(&s->repo, path, &a, &p) || p.area == AREA_TRASH)
		err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	else
		r = transfer_open(s, p.folder, &dir, e);
	if (r == 0)
		r = err_set(e, ERR_BUSY, "'%s' has changed meanwhile", path);
	if (r == 1) {
		r = replace_in(s, dir, p.name, edit, was, text, e);
		close(dir);
	}
	arena_release(&a);
	return r;
}

/* Set TEXT to the new content of the file of EDIT, which has the content WAS. Return
 * 1, 0 if EDIT changes nothing, or -1. */
static int compose_edit(struct store *s, const struct save_edit *edit,
			const struct buf *was, struct buf *text, struct err *e)
{
	const struct buf *from = edit->text ? edit->text : was;

	buf_add(text, buf_str(from), from->len);
	if (edit->text)
		return edit->was || !buf_equal(was, text);
	if (save_check(s, edit->path, buf_str(was), was->len, 0, e) < 0)
		return -1;
	return compose_keys(text, edit->path, edit->keys, edit->value, e);
}

static bool is_external(const struct buf *text)
{
	struct arena a = {0};
	struct frontmatter fm;
	const bool is = frontmatter_parse(&fm, buf_str(text), text->len, "-",
					  &a, NULL) == 0 &&
			marks_of_map(&fm.data, instant_now()) & MARK_EXTERNAL;

	arena_release(&a);
	return is;
}

/* Check that EDIT, of WAS to TEXT, does not make a stranger's text the user's. */
static int check_raised(const struct save_edit *edit, const struct buf *was,
			const struct buf *text, struct err *e)
{
	if (!edit->text || edit->by_person || !is_external(was) ||
	    is_external(text))
		return 0;
	return err_set(e, ERR_DATA,
		       "'%s' is external: only a person makes it trusted, by "
		       "'co edit' on a terminal",
		       edit->path);
}

int save_read(const char *path, struct buf *out, struct err *e)
{
	const int r = file_read_path(path, STORE_FILE_MAX, out, e);

	if (r < 0 && access(path, F_OK) < 0 && errno == ENOENT)
		return err_set(e, ERR_NO, "'%s' is gone", path);
	return r;
}

int save_edit(struct store *s, const struct save_edit *edit, struct arena *a,
	      struct record *r, struct err *e)
{
	struct buf was = {0}, text = {0};
	int result = 0;

	if (r && read_text(s, edit->path,
			   arena_copy(a, buf_str(edit->text), edit->text->len),
			   edit->text->len, a, r, e) < 0)
		return -1;
	/* A secret is refused first: messages of other errors might quote it. */
	if ((edit->was && edit->text &&
	     secret_gate_text(s, buf_str(edit->text), edit->text->len,
			      buf_str(edit->was), edit->was->len, NULL,
			      e) < 0) ||
	    store_lock(s, e) < 0)
		return -1;
	if (edit->was)
		buf_add(&was, buf_str(edit->was), edit->was->len);
	else if ((result = operation_expected(s, edit->path, e)) == 0)
		result = save_read(edit->path, &was, e);
	if (result >= 0)
		result = compose_edit(s, edit, &was, &text, e);
	if (result == 1 && !edit->was)
		result = secret_gate_text(s, buf_str(&text), text.len,
					  buf_str(&was), was.len, NULL, e) < 0
				 ? -1
				 : 1;
	if (result == 1 && (check_raised(edit, &was, &text, e) < 0 ||
			    replace_locked(s, edit, &was, &text, e) < 0))
		result = -1;
	store_unlock(s);
	if (r)
		r->scope = s->repo.root.scope;
	buf_release(&was);
	buf_release(&text);
	return result;
}

void save_unsynced(struct store *s)
{
	store_batch(s);
	s->change->sync_last = true;
}

int save_sync(struct store *s, struct err *e)
{
	return s->change ? change_sync_left(s, e) : 0;
}
