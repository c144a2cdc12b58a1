/* repair.c: check_store() lists faults in the order of repair. Each repair
 * replaces or moves one file. A repair that was killed can be run again and
 * leads to the same result.
 */
#include "repair/repair.h"

#include "history/history.h"
#include "merge/merge.h"
#include "store/ids.h"
#include "store/journal.h"
#include "store/trash.h"
#include "sys/git.h"

#include <fcntl.h>
#include <unistd.h>

/* The file to repair. */
struct damaged {
	struct store *store;
	int dir; /* its directory */
	const char *name;
	const char *path;
	bool dry;   /* nothing is written */
	bool plain; /* no frontmatter; false: its id is a duplicate */
	bool notes; /* write its former id to `formerly` */
	int64_t id; /* the id to assign */
	const struct ids *archive;
};

/* Append FM with its current id added to `formerly`. */
static int add_former_id(struct buf *out, const struct frontmatter *fm,
			 struct arena *a, struct err *e)
{
	const struct value *was = value_get(&fm->data, "formerly");
	const struct value *id = value_get(&fm->data, "id");
	const size_t n = was && was->kind == VALUE_LIST ? was->u.list.n : 0;
	struct value list = {.kind = VALUE_LIST};

	list.u.list.items = arena_alloc(a, (n + 1) * sizeof(*id));
	for (size_t i = 0; i < n; i++)
		list.u.list.items[i] = was->u.list.items[i];
	list.u.list.items[n] = *id;
	list.u.list.n = n + 1;
	return frontmatter_set(out, fm, "formerly", &list, e);
}

static int renumber(struct buf *out, const struct damaged *p,
		    const struct buf *text, struct arena *a, struct err *e)
{
	const struct value id = value_int(p->id);
	struct frontmatter fm;
	struct buf noted = {0};
	int r;

	if (frontmatter_parse(&fm, buf_str(text), text->len, p->path, a, e) < 0)
		return -1;
	r = p->notes ? add_former_id(&noted, &fm, a, e) : 0;
	if (!r && p->notes)
		r = frontmatter_parse(&fm, noted.p, noted.len, p->path, a, e);
	if (!r)
		r = frontmatter_set(out, &fm, "id", &id, e);
	buf_release(&noted);
	return r;
}

static int give_frontmatter(struct buf *out, const struct damaged *p,
			    const struct buf *text, struct err *e)
{
	char created[INSTANT_TEXT];
	struct frontmatter fm;
	struct value_pair pairs[3];
	struct value map = {.kind = VALUE_MAP, .u.map = {pairs, 3}};
	struct stat st;

	if (fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(e, "cannot look at '%s'", p->path);
	instant_format((struct instant){st.st_mtime, 0}, created);
	pairs[0] = (struct value_pair){value_str("id"), value_int(p->id)};
	pairs[1] =
		(struct value_pair){value_str("created"), value_str(created)};
	pairs[2] = (struct value_pair){value_str("source"), value_str("file")};
	frontmatter_split(&fm, buf_str(text), text->len);
	buf_add(out, buf_str(text), fm.body); /* a BOM stays first */
	if (frontmatter_write(out, &map, e) < 0)
		return -1;
	buf_add(out, buf_str(text) + fm.body, text->len - fm.body);
	return 0;
}

/* Check that TEXT can be read back as a memory with the id of P. */
static int verify(const struct damaged *p, const struct buf *text,
		  struct arena *a, struct err *e)
{
	struct record r;

	if (text->len > STORE_FILE_MAX)
		return err_set(e, ERR_DATA,
			       "'%s' would be larger than %d bytes", p->path,
			       STORE_FILE_MAX);
	if (record_read(&r, text->p, text->len, p->path, SCOPE_PROJECT, a, e) <
	    0)
		return -1;
	return r.id == p->id ? 0
			     : err_set(e, ERR_DATA,
				       "'%s' cannot be given the id %lld",
				       p->path, (long long)p->id);
}

static int repair_file(const struct damaged *p, struct err *e)
{
	struct arena a = {0};
	struct buf was = {0}, text = {0};
	int r = file_read(p->dir, p->name, p->path, STORE_FILE_MAX, &was, e);

	if (!r)
		r = err_set(e, ERR_BUSY, "'%s' was removed meanwhile", p->path);
	if (r > 0)
		r = p->plain ? give_frontmatter(&text, p, &was, e)
			     : renumber(&text, p, &was, &a, e);
	if (!r)
		r = verify(p, &text, &a, e);
	if (!r && !p->dry) {
		const struct operation_change c = {
			p->dir, p->name, p->path, &was, &text, NULL, NULL};

		r = operation_change(p->store, &c, e);
	}
	buf_release(&was);
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

/* Return true if ID, from the file name of P, is free: no other file has it or
 * will get it before P. */
static bool is_free_for(const struct ids *ids, const struct damaged *p,
			int64_t id)
{
	const struct id_entry *other = NULL;

	while ((other = ids_find(ids, id, other))) {
		int order = strcmp(other->path, p->path);

		if (order && (!other->guessed || order < 0))
			return false;
	}
	return id > 0 && !ids_find(p->archive, id, NULL);
}

static int64_t highest_id(const struct ids *ids)
{
	int64_t max = 0;

	for (size_t i = 0; i < ids->n; i++)
		if (ids->items[i].path && ids->items[i].id > max)
			max = ids->items[i].id;
	return max;
}

/* Merge P's TEXT with THERE. Return 1 and the result in OUT; 0 if they are
 * different memories or conflict; or -1. */
static int merge_into(struct buf *out, const struct damaged *p,
		      const struct buf *there, const struct buf *text,
		      struct arena *a, struct err *e)
{
	const struct merge m = {.ours = {buf_str(there), there->len},
				.theirs = {buf_str(text), text->len},
				.name = p->name};
	struct damaged whole = *p;
	struct record x, y;
	struct err why;
	int r;

	if (record_read(&x, there->p, there->len, p->path, SCOPE_PROJECT, a,
			NULL) < 0 ||
	    record_read(&y, text->p, text->len, p->path, SCOPE_PROJECT, a,
			NULL) < 0 ||
	    x.conflict || y.conflict || x.id < LAYOUT_DRAWN || x.id != y.id ||
	    instant_cmp(x.at, y.at) != 0)
		return 0;
	whole.id = x.id;
	r = merge_documents(&m, out, NULL, &why);
	if (r < 0 && why.code != ERR_DATA)
		return err_take(e, &why);
	return r == 0 && verify(&whole, out, a, NULL) == 0;
}

/* Merge the file of P into the memory OTHER, which is NAME in DIR, and remove
 * P's file. Return as merge_into(). */
static int merge_files(const struct damaged *p, int dir, const char *name,
		       const char *other, struct err *e)
{
	struct buf there = {0}, text = {0}, out = {0};
	struct arena a = {0};
	int r = file_read(dir, name, other, STORE_FILE_MAX, &there, e);

	if (r == 1)
		r = file_read(p->dir, p->name, p->path, STORE_FILE_MAX, &text,
			      e);
	if (r == 1)
		r = merge_into(&out, p, &there, &text, &a, e);
	if (r == 1 && !p->dry) {
		const struct operation_change c[] = {
			{dir, name, other, &there, &out, NULL, NULL},
			{p->dir, p->name, p->path, &text, NULL, NULL, NULL}};

		if (operation_change(p->store, &c[0], e) < 0 ||
		    operation_change(p->store, &c[1], e) < 0)
			r = -1;
	}
	buf_release(&there);
	buf_release(&text);
	buf_release(&out);
	arena_release(&a);
	return r;
}

/* Merge P with OTHER, which keeps the id, if both are one memory. Two files
 * with the same random id and `created` result when git merges merges: it
 * brings back, without a conflict, a file that one side replaced, another
 * deleted and a third changed. Return as merge_into(). */
static int merge_with_other(const struct damaged *p, const char *other,
			    struct arena *a, struct err *e)
{
	struct layout_place place;
	int dir, r;

	if (!other || !layout_parse(&p->store->repo, other, a, &place))
		return 0;
	r = layout_open(&p->store->repo, place.folder, &dir, e);
	if (r != 1)
		return r;
	r = merge_files(p, dir, place.name, other, e);
	close(dir);
	return r;
}

/* Set the id of P: MAX + 1, or one derived from its file name in a team's store and
 * where MAX is the last. So two clones that repair the same clash agree, and different
 * clashes get different ids. */
static int assign_id(struct store *s, struct damaged *p, int64_t max,
		     struct err *e)
{
	if (store_is_team(s) || max >= SCHEMA_ID_MAX)
		return ids_draw(s, p->name, &p->id, e);
	p->id = max + 1;
	return 0;
}

/* Repair P. Raise *MAX if that assigned a higher id. Return 1, 0 if it was
 * reported as impossible, or -1. */
static int repair_and_report(struct store *s, const struct ids *ids,
			     struct damaged *p, int64_t *max, struct err *e)
{
	struct err why;

	p->id = ids_of_name(p->name);
	if ((!p->plain || !is_free_for(ids, p, p->id)) &&
	    assign_id(s, p, *max, e) < 0)
		return -1;
	if (repair_file(p, &why) == 0) {
		*max = p->id > *max ? p->id : *max;
		if (store_is_team(s) || *max >= SCHEMA_ID_MAX)
			ids_add(s, AREA_MEMORIES, p->id, p->path);
		return 1;
	}
	if (why.code == ERR_DATA) {
		err_report(s->report, &why);
		return 0;
	}
	return err_take(e, &why);
}

/* Set P to the file of FAULT and open its directory, which the caller closes.
 * Return 1, 0 if it is gone, or -1. */
static int open_damaged(struct damaged *p, const struct check_fault *fault,
			struct arena *a, struct err *e)
{
	struct layout_place place;

	p->path = fault->path;
	p->plain = !strcmp(fault->kind, "plain");
	if (!layout_parse(&p->store->repo, p->path, a, &place))
		return 0;
	p->name = place.name;
	return layout_open(&p->store->repo, place.folder, &p->dir, e);
}

static int repair_ids(struct store *s, const struct check_faults *faults,
		      bool dry, struct arena *a, repair_fn *fn, void *ctx,
		      struct err *e)
{
	const struct ids *ids = ids_load(s, AREA_MEMORIES, e);
	struct damaged p = {.store = s, .dry = dry, .notes = faults->kept};
	const char *other;
	bool joined;
	int64_t max;
	int r = 0;

	p.archive = ids ? ids_load(s, AREA_ARCHIVE, e) : NULL;
	if (!p.archive)
		return -1;
	max = highest_id(p.archive);
	max = highest_id(ids) > max ? highest_id(ids) : max;
	for (size_t i = 0; r >= 0 && i < faults->n; i++) {
		if (strcmp(faults->items[i].kind, "plain") != 0 &&
		    strcmp(faults->items[i].kind, "double-id") != 0)
			continue;
		r = open_damaged(&p, &faults->items[i], a, e);
		if (r != 1)
			continue;
		other = faults->items[i].other;
		r = merge_with_other(&p, other, a, e);
		joined = r > 0;
		if (!r)
			r = repair_and_report(s, ids, &p, &max, e);
		close(p.dir);
		if (joined)
			fn(ctx, arena_printf(a, "'%s': is one with '%s'",
					     p.path, other));
		else if (r > 0)
			fn(ctx, arena_printf(a, "'%s': %s id %lld", p.path,
					     p.plain ? "got frontmatter and"
						     : "now has",
					     (long long)p.id));
	}
	return r < 0 ? -1 : 0;
}

/* Move the file of P to FOLDER. */
static int move_file(struct store *s, const struct damaged *p,
		     const char *folder, struct err *e)
{
	struct arena a = {0};
	struct journal j = {.s = s, .a = &a};
	const struct buf *text;
	const char *name = journal_free_name(&j, folder, p->name, e);
	int r = name ? journal_read(&j, p->path, &text, e) : -1;

	if (!r && strcmp(name, p->name) != 0)
		r = err_set(e, ERR_DATA, "'%s': %s/ has a file of that name",
			    p->path, folder);
	if (!r) {
		journal_move(&j, operation_path(s, p->path, &a),
			     arena_printf(&a, "knowledge/%s/%s", folder, name),
			     text, text);
		r = journal_apply(&j, e);
	}
	arena_release(&a);
	return r;
}

static bool is_misplaced(const struct check_fault *fault)
{
	return !strcmp(fault->kind, "folder") ||
	       !strcmp(fault->kind, "replaced");
}

/* Move each memory that is in the wrong directory. */
static int move_all(struct store *s, const struct check_faults *faults,
		    bool dry, struct arena *a, repair_fn *fn, void *ctx,
		    struct err *e)
{
	struct damaged p = {.store = s, .dry = dry};
	int r = 0;

	for (size_t i = 0; !r && i < faults->n; i++) {
		const char *folder;
		struct err why;

		if (!is_misplaced(&faults->items[i]))
			continue;
		r = open_damaged(&p, &faults->items[i], a, e);
		if (r != 1)
			continue;
		r = ids_of_file(p.dir, p.name, p.path, &p.id, &why);
		folder = !strcmp(faults->items[i].kind, "replaced")
				 ? LAYOUT_ARCHIVE
				 : layout_numbered(p.id, a);
		if (!r && !dry)
			r = move_file(s, &p, folder, &why);
		close(p.dir);
		if (!r)
			fn(ctx, arena_printf(a, "'%s': moved to %s/", p.path,
					     folder));
		else if (why.code == ERR_DATA)
			err_report(s->report, &why);
		else
			*e = why;
		r = r && why.code != ERR_DATA ? -1 : 0;
	}
	return r;
}

/* Move each memory in the archive that was never replaced back to memories/. */
static int restore_all(struct store *s, const struct check_faults *faults,
		       bool dry, struct arena *a, repair_fn *fn, void *ctx,
		       struct err *e)
{
	for (size_t i = 0; i < faults->n; i++) {
		const char *path = faults->items[i].path;
		struct record back = {0};

		if (strcmp(faults->items[i].kind, HISTORY_LOST) != 0)
			continue;
		if ((dry ? store_read : trash_restore)(s, path, a, &back, e) <
		    0)
			return -1;
		fn(ctx, arena_printf(a, "'%s': moved back to %s/", path,
				     store_folder(s, back.id, a)));
	}
	return 0;
}

static bool has_repairable(const struct check_faults *faults)
{
	for (size_t i = 0; i < faults->n; i++) {
		if (!strcmp(faults->items[i].kind, "plain") ||
		    !strcmp(faults->items[i].kind, HISTORY_LOST) ||
		    is_misplaced(&faults->items[i]) ||
		    !strcmp(faults->items[i].kind, "double-id"))
			return true;
	}
	return false;
}

/* Fail if a file could not be read. It may have an id that the repair would
 * assign, and two people who repair would not agree. */
static int check_readable(const struct check_faults *faults, struct err *e)
{
	for (size_t i = 0; i < faults->n; i++) {
		if (faults->items[i].refused)
			return err_set(e, ERR_SYSTEM, "nothing is repaired: %s",
				       faults->items[i].text);
	}
	return 0;
}

/* Set PATHS to the memories of the commit KEEP: paths relative to knowledge/,
 * each followed by NUL. */
static int load_kept(struct store *s, const char *keep, struct buf *paths,
		     struct err *e)
{
	static const char above[] = "knowledge/";
	struct buf out = {0};
	int r = 0;

	if (*keep == '-' ||
	    GIT_ASK(s->repo.root.path, &out, e, "ls-tree", "-r", "-z",
		    "--name-only", keep, "knowledge/" LAYOUT_MEMORIES "/") != 0)
		r = err_set(e, ERR_USAGE, "git knows no commit '%s' here",
			    keep);
	for (size_t at = 0; at < out.len; at += strlen(out.p + at) + 1) {
		const char *path = out.p + at;

		if (!strncmp(path, above, strlen(above)))
			buf_add(paths, path + strlen(above),
				strlen(path + strlen(above)) + 1);
	}
	buf_release(&out);
	return r;
}

int repair_store(struct store *s, const char *keep, bool dry, repair_fn *fn,
		 void *ctx, struct err *e)
{
	struct arena a = {0};
	struct buf kept = {0};
	struct check_faults faults = {.kept = keep ? &kept : NULL};
	size_t drafts;
	int r;

	if (s->repo.fd < 0)
		return 0;
	/* A writer leaves out drafts that it cannot read. */
	if (store_count(s, AREA_DRAFTS, &drafts, e) < 0)
		return -1;
	if (keep && load_kept(s, keep, &kept, e) < 0) {
		buf_release(&kept);
		return -1;
	}
	if (!dry && store_lock(s, e) < 0) {
		buf_release(&kept);
		return -1;
	}
	r = check_store(s, &faults, e);
	if (!r && has_repairable(&faults))
		r = check_readable(&faults, e);
	if (!r && has_repairable(&faults))
		r = repair_ids(s, &faults, dry, &a, fn, ctx, e);
	if (!r && has_repairable(&faults) && !dry) { /* ids have changed */
		check_release(&faults);
		faults.kept = keep ? &kept : NULL;
		ids_drop(s);
		r = check_store(s, &faults, e);
	}
	if (!r)
		r = move_all(s, &faults, dry, &a, fn, ctx, e);
	if (!r)
		r = restore_all(s, &faults, dry, &a, fn, ctx, e);
	if (!dry)
		store_unlock(s);
	check_release(&faults);
	buf_release(&kept);
	arena_release(&a);
	return r;
}
