/* store.c: open, lock and search a store; scan.c reads all memories. */
#include "store/store.h"

#include "cache/cache.h"
#include "cache/write-hints.h"
#include "oplog/oplog.h"
#include "repo/marks.h"
#include "repo/settings.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/journal.h"
#include "store/operation.h"
#include "store/scan.h"
#include "store/transfer.h"
#include "sys/lock.h"
#include "text/conflict.h"

#include <time.h>
#include <unistd.h>

#define TURN_MS 500 /* after this, a batch releases the lock ... */
#define PAUSE_MS 20 /* ... for so long, see sys/lock.c */

int store_open(struct store *s, enum scope scope, const struct report *r,
	       struct err *e)
{
	*s = (struct store){.report = r};
	if (repo_open(&s->repo, scope, e) < 0)
		return -1;
	s->cache = cache_open(&s->repo);
	if (scope == SCOPE_GLOBAL)
		s->languages = marks_languages_new();
	return 0;
}

/* Open the rest of S, if its root was FOUND. Return FOUND or -1. */
static int open_rest(struct store *s, int found, struct err *e)
{
	if (found != 1)
		return found;
	if (repo_open_knowledge(&s->repo, e) < 0)
		return -1;
	s->cache = cache_open(&s->repo);
	return 1;
}

int store_open_known(struct store *s, struct known_project *p,
		     const struct report *r, struct err *e)
{
	*s = (struct store){.report = r, .repo.fd = -1};
	return open_rest(s, known_project_open(p, &s->repo.root, e), e);
}

int store_open_at(struct store *s, const char *folder, const struct report *r,
		  struct err *e)
{
	int found;

	*s = (struct store){.report = r, .repo.fd = -1};
	found = root_at(&s->repo.root, folder, e);
	if (found == 0)
		root_release(&s->repo.root);
	return open_rest(s, found, e);
}

void store_close(struct store *s)
{
	change_release(s);
	ids_drop(s);
	if (s->worth_caching)
		cache_make(s->cache);
	cache_close(s->cache);
	marks_languages_free(s->languages);
	repo_close(&s->repo);
	*s = (struct store){.repo = s->repo};
}

struct cache *store_take_cache(struct store *s)
{
	struct cache *c = s->cache;

	cache_rest(c);
	s->cache = NULL;
	store_close(s);
	return c;
}

void store_put_cache(struct store *s, struct cache *c)
{
	if (!c)
		return;
	cache_close(s->cache);
	s->cache = c;
	cache_wake(c);
}

int store_make(struct store *s, bool *made, struct err *e)
{
	struct change *c = change_of(s);
	bool root_made = false;

	if (repo_make(&s->repo, &root_made, e) < 0)
		return -1;
	c->made = c->made || root_made;
	*made = c->made;
	return 0;
}

void store_pass_lock(struct store *s, bool pass)
{
	lock_pass(s->repo.fd, s->change->lock_fd, pass);
}

static void release_lock(struct store *s)
{
	struct change *c = s->change;

	file_close(c->reach_fd);
	lock_release(s->repo.fd, c->lock_fd);
	c->reach_fd = c->lock_fd = -1;
}

static int take_lock(struct store *s, struct err *e)
{
	bool team;

	if (lock_take(s->repo.fd, s->repo.path, &s->change->lock_fd, e) < 0)
		return -1;
	if (lock_share(s->repo.fd, s->repo.root.fd, ".gitignore", s->repo.path,
		       &s->change->reach_fd, e) == 0 &&
	    format_check(s->repo.root.fd, s->repo.root.path,
			 s->repo.root.scope == SCOPE_GLOBAL, &team, e) == 0) {
		s->team = team ? TEAM_YES : TEAM_NO;
		return 0;
	}
	release_lock(s);
	return -1;
}

int store_lock(struct store *s, struct err *e)
{
	struct change *c = change_of(s);
	bool made;

	if (c->depth) {
		c->depth++;
		return 0;
	}
	if (c->locked && instant_monotonic_ms() - c->since > TURN_MS) {
		if (change_sync_left(s, e) < 0)
			return -1;
		store_rest(s);
		nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
	}
	if (!c->locked) {
		if (store_make(s, &made, e) < 0 || take_lock(s, e) < 0)
			return -1;
		/* All our temporary files are made in these two. */
		file_tidy(s->repo.root.fd);
		file_tidy(s->repo.fd);
		/* These two report their errors; the next writer tries again. */
		operation_adopt(s);
		journal_resume(s);
		ids_drop(s);
		c->locked = true;
		c->unlock = store_rest;
		c->since = instant_monotonic_ms();
		shared_leave_closed(&s->repo.root);
		shared_warn_moved(&s->repo.root, s->report);
		transfer_out(s);
	}
	c->depth = 1;
	return 0;
}

void store_unlock(struct store *s)
{
	if (!--s->change->depth && !s->change->batch)
		store_rest(s);
}

void store_rest(struct store *s)
{
	if (!change_is_locked(s))
		return;
	operation_report(s);
	ids_drop(s);
	write_hints_forget(s->cache);
	transfer_unlock(s);
	change_sync_left(s, NULL);
	release_lock(s);
	s->change->locked = false;
	s->change->next_id = 0;
	if (!s->change->noted)
		known_projects_note(&s->repo.root);
	s->change->noted = true;
}

void store_batch(struct store *s)
{
	change_of(s)->batch = true;
}

void store_allow_secret(struct store *s, bool allow)
{
	change_of(s)->allow_secret = allow;
	change_of(s)->has_allow_option = true;
}

void store_expect(struct store *s, const char *sum)
{
	change_of(s)->expect = sum;
}

unsigned store_marks(const struct store *s, const struct record_keys *k,
		     const struct instant *at)
{
	unsigned marks = at ? marks_of(k, *at) : marks_now(k);

	if (s && s->languages && marks_maybe(k) &&
	    marks_languages_lack(s->languages, k))
		marks |= MARK_OTHER_LANGUAGE;
	return marks;
}

bool store_is_team(struct store *s)
{
	const struct root *root = &s->repo.root;
	bool team;

	if (s->team == TEAM_UNKNOWN) {
		format_check(root->fd, root->path, root->scope == SCOPE_GLOBAL,
			     &team, NULL);
		s->team = team ? TEAM_YES : TEAM_NO;
	}
	return s->team == TEAM_YES;
}

const char *store_folder(struct store *s, int64_t id, struct arena *a)
{
	return store_is_team(s) ? layout_numbered(id, a)
				: layout_name(AREA_MEMORIES);
}

int store_next_id(struct store *s, int64_t *id, struct err *e)
{
	int64_t end;

	if (store_is_team(s))
		return ids_draw(s, NULL, id, e);
	if (s->change && s->change->next_id) {
		*id = s->change->next_id;
		return 0;
	}
	if (ids_next(s, id, &end, e) < 0)
		return -1;
	if (s->change)
		s->change->next_end = end;
	return 0;
}

int store_each(struct store *s, enum area area, store_fn *fn, void *ctx,
	       struct err *e)
{
	struct scan rd = {.store = s, .fn = fn, .ctx = ctx};

	return scan_run(&rd, area, e);
}

int store_each_wanted(struct store *s, enum area area, record_test_fn *test,
		      store_fn *fn, void *ctx, struct err *e)
{
	struct scan rd = {.store = s, .test = test, .fn = fn, .ctx = ctx};

	return scan_run(&rd, area, e);
}

int store_each_strict(struct store *s, enum area area, store_fn *fn, void *ctx,
		      struct err *e)
{
	struct scan rd = {.store = s, .strict = true, .fn = fn, .ctx = ctx};

	return scan_run(&rd, area, e);
}

int store_report_broken(struct store *s, struct cache *c, bool last,
			struct err *e)
{
	struct scan rd = {.store = s, .last = last};

	return scan_run_broken(&rd, c, e);
}

int store_report_articles(struct store *s, struct err *e)
{
	struct scan rd = {.store = s};
	struct stat st;
	int r;

	if (layout_stat(&s->repo, LAYOUT_ARTICLES, &st) != 1)
		return 0;
	r = cache_refresh(s->cache, REFRESH_ARTICLES | REFRESH_MAKE, e);
	return r == 1 ? scan_run_amiss(&rd, s->cache, e) : r;
}

static int count_file(void *ctx, const struct layout_file *f, struct err *e)
{
	(void)e;
	*(size_t *)ctx +=
		f->kind == FILE_REGULAR && !layout_is_accepted(f->path);
	return 0;
}

int store_count(struct store *s, enum area area, size_t *n, struct err *e)
{
	*n = 0;
	return layout_walk(&s->repo, area, count_file, n, e);
}

bool store_is_id(const char *operand, int64_t *id)
{
	const char *p = operand;

	*id = 0;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (*id <= SCHEMA_ID_MAX)
			*id = *id * 10 + (*p - '0');
	}
	if (p == operand || *p) {
		*id = 0;
		return false;
	}
	if (*id > SCHEMA_ID_MAX)
		*id = 0;
	return true;
}

bool store_is_global_id(const char *operand, int64_t *id)
{
	*id = 0;
	return *operand == 'g' && store_is_id(operand + 1, id);
}

bool store_is_named_id(const char *operand, int64_t *id)
{
	const size_t len = strcspn(operand, ":");

	*id = 0;
	return operand[len] && settings_is_store_name(operand, len) &&
	       store_is_id(operand + len + 1, id);
}

void store_set_origin(const struct store *s, struct record *r)
{
	if (!s)
		return;
	r->project = s->project;
	r->elsewhere = s->elsewhere;
	r->prefix = s->prefix;
	r->marks |= s->external ? MARK_EXTERNAL : 0;
}

/* Set *ID to the id of the memory that replaced the one at PATH, or to 0 if its file
 * has none. Return as store_read(). */
static int read_replaced_by(struct store *s, const char *path, int64_t *id,
			    struct err *e)
{
	struct arena a = {0};
	struct record r;
	struct value v;
	const int found = store_read(s, path, &a, &r, e);

	*id = 0;
	if (found == 1 &&
	    record_keys_find(&r.keys, "superseded", &a, &v) == 1 &&
	    v.kind == VALUE_INT && v.u.i > 0)
		*id = v.u.i;
	arena_release(&a);
	return found;
}

int64_t store_replaced_by(struct store *s, const char *path)
{
	int64_t id;

	read_replaced_by(s, path, &id, NULL);
	return id;
}

int store_is_replaced(struct store *s, const char *path, struct err *e)
{
	struct err why;
	int64_t id;

	if (read_replaced_by(s, path, &id, &why) < 0 && why.code == ERR_SYSTEM)
		return err_take(e, &why);
	return id > 0;
}

/* Find the file with ID in the directory of AREA, among those that were REPLACED or
 * those that were not; all in the archive were. A guessed id counts only if no
 * frontmatter has it: the person means that file although it is broken. Return as
 * store_locate(). */
static int locate_among(struct store *s, enum area area, bool replaced,
			int64_t id, struct arena *a, const char **path,
			struct err *e)
{
	const struct ids *ids = ids_load(s, area, e);
	const struct id_entry *first = NULL, *second = NULL, *entry = NULL;

	if (!ids)
		return -1;
	for (int guessed = 0; guessed < 2 && !first; guessed++) {
		while (!second && (entry = ids_find(ids, id, entry))) {
			const int is =
				area == AREA_MEMORIES
					? store_is_replaced(s, entry->path, e)
					: replaced;

			if (is < 0)
				return -1;
			if (entry->guessed != guessed || is != replaced)
				continue;
			second = first ? entry : NULL;
			first = first ? first : entry;
		}
	}
	if (!first)
		return 0;
	if (second) {
		const bool swap = strcmp(first->path, second->path) > 0;
		const char *fix =
			area == AREA_MEMORIES
				? arena_printf(a,
					       ", or renumber one with 'co "
					       "knowledge --check --fix%s'",
					       record_scope_option(
						       s->repo.root.scope))
				: "";

		return err_set(e, ERR_DATA,
			       "two files have id %lld: '%s' and '%s': name "
			       "one by its path%s",
			       (long long)id, (swap ? second : first)->path,
			       (swap ? first : second)->path, fix);
	}
	*path = arena_strdup(a, first->path);
	return 1;
}

/* Find the file of AREA with ID. Return as store_locate(). */
static int locate_id(struct store *s, enum area area, int64_t id,
		     struct arena *a, const char **path, struct err *e)
{
	const int r =
		locate_among(s, area, area == AREA_ARCHIVE, id, a, path, e);

	return r || area != AREA_ARCHIVE
		       ? r
		       : locate_among(s, AREA_MEMORIES, true, id, a, path, e);
}

/* If the path OPERAND is in the store of the other scope, set E to a message about
 * that. Return -1. */
static int name_other_store(struct store *s, const char *operand,
			    struct arena *a, struct err *e)
{
	const bool global = s->repo.root.scope == SCOPE_GLOBAL;
	struct store other;
	struct layout_place place;
	const char *path;
	int r;

	if (store_open(&other, global ? SCOPE_PROJECT : SCOPE_GLOBAL, NULL,
		       NULL) < 0)
		return -1;
	r = layout_find(&other.repo, operand, a, &path, &place, NULL);
	store_close(&other);
	if (r != 1)
		return -1;
	return err_set(e, ERR_USAGE,
		       global ? "'%s' is in the project store: leave --global "
				"out"
			      : "'%s' is in the user store: add --global",
		       operand);
}

static int locate_path(struct store *s, enum area area, const char *operand,
		       struct arena *a, const char **path, struct err *e)
{
	struct layout_place place;
	struct err why;
	int r = layout_find(&s->repo, operand, a, path, &place, &why);

	if (r < 0) {
		err_take(e, &why);
		return why.code == ERR_USAGE
			       ? name_other_store(s, operand, a, e)
			       : -1;
	}
	if (r == 1 && area == AREA_MEMORIES && place.area == AREA_ARTICLES)
		return err_set(
			e, ERR_USAGE,
			"'%s' is an article and no memory: 'co edit' and "
			"'co forget' take its path",
			operand);
	if (r == 1 && place.area == AREA_MEMORIES &&
	    (area == AREA_MEMORIES || area == AREA_ARCHIVE)) {
		const int is = store_is_replaced(s, *path, e);

		if (is < 0 || (is && area == AREA_ARCHIVE))
			return is;
		if (is)
			return err_set(e, ERR_USAGE,
				       "'%s' was replaced: "
				       "'co-memory-restore' brings it back",
				       operand);
	}
	if (r == 1 && area != AREA_ANY && place.area != area)
		return err_set(e, ERR_USAGE, "'%s' is in %s, not in %s",
			       operand, layout_name(place.area),
			       layout_name(area));
	return r;
}

int store_find_key(struct store *s, const struct record *r, const char *key,
		   struct arena *a, struct value *out)
{
	struct record file;
	const int found = record_find_key(r, key, a, out);

	if (found >= 0 || store_read(s, r->path, a, &file, NULL) != 1)
		return found;
	return record_find_key(&file, key, a, out);
}

bool store_had_id(struct store *s, const struct record *r, int64_t id)
{
	struct arena a = {0};
	struct value v;
	const bool had = store_find_key(s, r, "formerly", &a, &v) == 1 &&
			 value_has_int(&v, id);

	arena_release(&a);
	return had;
}

/* The search for the memory whose `formerly` has ID. */
struct former {
	int64_t id;
	struct store *store;
	struct arena *a;
	const char *path, *second;
	int64_t now;
};

static int note_former(void *ctx, const struct record *r)
{
	struct former *f = ctx;

	if ((r->keys.cut ||
	     (r->keys.json && strstr(r->keys.json, "formerly"))) &&
	    store_had_id(f->store, r, f->id)) {
		f->second = f->path;
		f->path = arena_strdup(f->a, r->path);
		f->now = r->id;
	}
	return f->second != NULL;
}

/* Find the memory that had ID before a repair gave it another one, if no file has ID
 * now. Return 1 and report it, 0, or -1. */
static int locate_former(struct store *s, int64_t id, struct arena *a,
			 const char **path, struct err *e)
{
	static const enum area others[] = {AREA_MEMORIES, AREA_DRAFTS,
					   AREA_TRASH, AREA_ARCHIVE};
	const char *prefix = record_scope_prefix(s->repo.root.scope);
	struct former f = {.id = id, .store = s, .a = a};
	const struct report *report = s->report;
	int r;

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		const struct ids *ids = ids_load(s, others[i], e);

		if (!ids || ids_find(ids, id, NULL))
			return ids ? 0 : -1;
	}
	s->report = NULL; /* no reports about broken files */
	r = store_each(s, AREA_MEMORIES, note_former, &f, e);
	s->report = report;
	if (r < 0 || !f.path)
		return r < 0 ? -1 : 0;
	if (f.second)
		return err_set(
			e, ERR_DATA,
			"no memory has id %s%lld: '%s' and '%s' both had "
			"it before",
			prefix, (long long)id, f.second, f.path);
	*path = f.path;
	err_warn(report, ERR_NO,
		 "memory %s%lld has the id %s%lld since a repair", prefix,
		 (long long)id, prefix, (long long)f.now);
	return 1;
}

int store_locate(struct store *s, enum area area, const char *operand,
		 struct arena *a, const char **path, struct err *e)
{
	enum area at = area == AREA_ANY ? AREA_MEMORIES : area;
	int64_t id;
	int r = 0;

	if (!store_is_id(operand, &id) && (s->repo.root.scope != SCOPE_GLOBAL ||
					   !store_is_global_id(operand, &id))) {
		r = locate_path(s, area, operand, a, path, e);
		if (r < 0 && store_is_global_id(operand, &id) &&
		    access(operand, F_OK) < 0)
			err_set(e, ERR_NO, "no memory '%s'", operand);
		if (r < 0 && store_is_named_id(operand, &id))
			err_set(e, ERR_USAGE,
				"'%s' is of another store, which is only read "
				"here: 'co show %s' shows it",
				operand, operand);
		return r;
	}
	if (!id || area == AREA_ARTICLES)
		return 0;
	do
		r = locate_id(s, at, id, a, path, e);
	while (!r && area == AREA_ANY && ++at < AREA_ANY);
	if (!r && (area == AREA_MEMORIES || area == AREA_ANY))
		r = locate_former(s, id, a, path, e);
	return r;
}

/* Return the operation of S that moved a memory to another store and the file here to
 * PATH, in the trash; NULL if there is none. It is allocated in A. */
static const struct oplog_op *find_move(struct store *s, const char *path,
					struct arena *a)
{
	const char *below = operation_path(s, path, a);
	struct operations log;

	if (oplog_read(&s->repo, SIZE_MAX, a, &log, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < log.n; i++) {
		const struct oplog_op *op = &log.ops[i];

		for (size_t k = 0; k < op->n; k++) {
			const char *trash = op->changes[k].trash;

			if (trash && below && !strcmp(trash, below))
				return op->other ? op : NULL;
		}
	}
	return NULL;
}

/* Return the part of the file name of PATH after its id. */
static const char *slug_of(const char *path)
{
	const char *name = file_name_of(path);

	return name + strspn(name, "0123456789");
}

/* Return the id of the memory that the operation NUMBER of S created with the slug of
 * PATH; 0 if that is not known. */
static int64_t find_moved(struct store *s, int64_t number, const char *path,
			  struct arena *a)
{
	const struct oplog_op *op = NULL;
	struct operations log;

	if (number && oplog_read(&s->repo, SIZE_MAX, a, &log, NULL) == 0)
		op = oplog_find(&log, number);
	for (size_t i = 0; op && i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if (c->after && !strcmp(slug_of(c->path), slug_of(path)))
			return ids_of_name(file_name_of(c->path));
	}
	return 0;
}

/* If the file at PATH, in the trash of S, is the memory OPERAND that was moved to another
 * store, set E to where it went, and return true. */
static bool is_moved(struct store *s, const char *operand, const char *path,
		     struct arena *a, struct err *e)
{
	const struct oplog_op *op = find_move(s, path, a);
	const char *show = NULL;
	struct store user;
	int64_t id = 0;

	if (!op)
		return false;
	if (store_open(&user, SCOPE_GLOBAL, NULL, NULL) == 0) {
		if (!strcmp(user.repo.root.path, op->other)) {
			id = find_moved(&user, op->other_number, path, a);
			show = id ? arena_printf(a, "co show g%lld",
						 (long long)id)
				  : "co list --global";
		}
		store_close(&user);
	}
	if (!show)
		show = arena_printf(a, "co -C %.*s list",
				    (int)(file_name_of(op->other) - op->other),
				    op->other);
	err_set(e, ERR_NO, "memory '%s' was moved to '%s': '%s' shows it",
		operand, op->other, show);
	return true;
}

/* Return true and set E if the memory ID, written OPERAND, is in the trash of S or
 * is a draft there. */
static bool is_set_aside(struct store *s, const char *operand, const char *id,
			 struct err *e)
{
	struct arena a = {0};
	const char *path;
	bool r = true;

	if (store_locate(s, AREA_TRASH, id, &a, &path, NULL) == 1) {
		if (!is_moved(s, operand, path, &a, e))
			err_set(e, ERR_NO,
				"memory '%s' is in the trash: 'co restore %s' "
				"brings it back",
				operand, operand);
	} else if (store_locate(s, AREA_DRAFTS, id, &a, &path, NULL) == 1) {
		err_set(e, ERR_NO, "'%s' is a draft: 'co review%s' accepts it",
			operand, record_scope_option(s->repo.root.scope));
	} else {
		r = false;
	}
	arena_release(&a);
	return r;
}

int store_absent(struct store *s, const char *operand, struct err *e)
{
	const bool global = s->repo.root.scope == SCOPE_GLOBAL;
	const char *id = operand + (*operand == 'g');
	struct arena a = {0};
	struct store other;
	const char *path;
	int64_t number, by;
	int found;

	if (store_is_id(id, &number) &&
	    store_locate(s, AREA_ARCHIVE, id, &a, &path, NULL) == 1) {
		by = store_replaced_by(s, path);
		err_set(e, ERR_NO,
			"memory '%s' was replaced%s: 'co-memory-show %s' shows "
			"it, 'co-memory-restore %s' brings it back, "
			"'co-memory-remove %s' moves it to the trash",
			operand,
			by ? arena_printf(&a, " by memory '%.*s%lld'",
					  (int)(id - operand), operand,
					  (long long)by)
			   : "",
			operand, operand, operand);
		arena_release(&a);
		return -1;
	}
	if (store_is_id(id, &number) && is_set_aside(s, operand, id, e))
		return -1;
	if (!store_is_id(id, &number) ||
	    store_open(&other, global ? SCOPE_PROJECT : SCOPE_GLOBAL, NULL,
		       NULL) < 0)
		return err_set(e, ERR_NO, "no memory '%s'", operand);
	found = store_locate(&other, AREA_MEMORIES, id, &a, &path, NULL);
	store_close(&other);
	arena_release(&a);
	if (!found)
		return err_set(e, ERR_NO, "no memory '%s'", operand);
	if (global && id > operand)
		return err_set(e, ERR_NO,
			       "no memory '%s' in the user store: '%s' is in "
			       "the project store",
			       operand, id);
	return global ? err_set(e, ERR_NO,
				"no memory '%s' in the user store: the project "
				"has one, so leave --global out",
				operand)
		      : err_set(e, ERR_NO,
				"no memory '%s' in the project: 'g%s' is the "
				"user's",
				operand, id);
}

/* Set R from TEXT, the file at PATH, whose place is P. */
static int read_as(struct store *s, const struct buf *text, const char *path,
		   const struct layout_place *p, struct arena *a,
		   struct record *r, struct err *e)
{
	const char *copy = arena_copy(a, text->p, text->len);

	path = arena_strdup(a, path);
	if (!p->article)
		return record_read(r, copy, text->len, path, s->repo.root.scope,
				   a, e);
	if (record_read_document(r, copy, text->len, path, true, a, e) < 0)
		return -1;
	r->scope = s->repo.root.scope;
	return 0;
}

int store_read(struct store *s, const char *path, struct arena *a,
	       struct record *r, struct err *e)
{
	struct buf text = {0};
	struct layout_place place;
	struct err why;
	int result = layout_read(&s->repo, path, a, &place, &text, e);

	if (result == 1 && read_as(s, &text, path, &place, a, r, e) < 0)
		result = -1;
	if (result == 1 && r->conflict) {
		conflict_err(&why, path, r->conflict,
			     record_scope_option(s->repo.root.scope));
		err_report(s->report, &why);
	}
	buf_release(&text);
	return result;
}

int store_find(struct store *s, enum area area, const char *operand,
	       struct arena *a, struct record *r, struct err *e)
{
	const char *path;
	const int found = store_locate(s, area, operand, a, &path, e);

	return found == 1 ? store_read(s, path, a, r, e) : found;
}
