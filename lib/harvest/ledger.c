/* ledger.c: see ledger.h. Unknown fields of an entry are kept.
 *
 * The ledger is read once; lines that others append to the log are read
 * incrementally. It is read again as a whole only if ledger.json was replaced.
 * As with all files that people edit, a new text replaces only the text that
 * was read.
 */
#include "harvest/ledger.h"

#include "base/ascii.h"
#include "base/compat.h"
#include "format/json-read.h"
#include "format/jsonc.h"
#include "harvest/item-file.h"
#include "harvest/rewrite.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FIELDS 6 /* of an entry */

static const char *const statuses[] = {
	[LEDGER_HARVESTED] = "harvested",
	[LEDGER_FAILED] = "harvest-failed",
	[LEDGER_UNHARVESTED] = "deleted-unharvested",
	[LEDGER_TOO_LARGE] = "too-large",
	[LEDGER_PRUNED] = "pruned",
};

static bool read_status(const struct value *entry, enum ledger_status *s)
{
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		*s = (enum ledger_status)i;
		if (value_is(value_get(entry, "status"), statuses[i]))
			return true;
	}
	return false;
}

/* Return a description of the fault in ENTRIES, or NULL. */
static const char *find_fault(const struct value *entries, struct arena *a)
{
	const struct value *deleted;
	enum ledger_status s;

	if (!entries || entries->kind != VALUE_MAP)
		return "no object 'entries'";
	for (size_t i = 0; i < entries->u.map.n; i++) {
		const struct value_pair *p = &entries->u.map.pairs[i];

		deleted = value_get(&p->val, "deleted");
		if (p->val.kind == VALUE_MAP && read_status(&p->val, &s) &&
		    deleted && deleted->kind == VALUE_BOOL)
			continue;
		return arena_printf(a,
				    "entry '%s' has no status that is known "
				    "or no 'deleted'",
				    p->key.u.s.p);
	}
	return NULL;
}

/* Return the index of the pair with KEY, or L->n. */
static size_t find_pair(const struct ledger *l, const struct value *key)
{
	struct table_look k =
		table_look(&l->by_key, key->u.s.p, key->u.s.len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (l->pairs[i].key.u.s.len == key->u.s.len &&
		    !memcmp(l->pairs[i].key.u.s.p, key->u.s.p, key->u.s.len))
			return i;
	}
	return l->n;
}

/* Add or replace the pair P, whose data must live as long as that of L. */
static void set_pair(struct ledger *l, const struct value_pair *p)
{
	const size_t i = find_pair(l, &p->key);

	if (i < l->n) {
		l->pairs[i] = *p;
		return;
	}
	table_put(&l->by_key, p->key.u.s.p, p->key.u.s.len, 0, i);
	*MEM_ADD(l->pairs, l->n, l->cap) = *p;
}

/* Discard everything read. */
static void clear_ledger(struct ledger *l)
{
	table_release(&l->by_key);
	arena_reset(&l->arena);
	l->root = (struct value){.kind = VALUE_MAP};
	l->n = l->logged = 0;
	l->is_read = false;
}

/* Set E to the error that the file NAME of the ledger has FAULT. Returns
 * -1. */
static int fail_damaged(const struct ledger *l, const char *name,
			const char *fault, struct err *e)
{
	struct arena a = {0};

	err_set(e, ERR_DATA,
		"'%s':%s%s: nothing is deleted by it; mend it, or move it "
		"away, and what was harvested is harvested again",
		layout_path(&l->store->repo, name, &a),
		ascii_is_digit(*fault) ? "" : " ", fault);
	arena_release(&a);
	return -1;
}

/* Parse TEXT, the content of LEDGER_FILE, into L, which is empty. */
static int parse_file(struct ledger *l, const char *text, size_t len,
		      struct err *e)
{
	const struct value *entries;
	const char *fault;
	struct err why;

	if (json_parse(text, len, &l->arena, &l->root, &why) < 0)
		return fail_damaged(l, LEDGER_FILE, why.text, e);
	entries = value_get(&l->root, "entries");
	fault = find_fault(entries, &l->arena);
	if (fault)
		return fail_damaged(l, LEDGER_FILE, fault, e);
	for (size_t i = 0; i < entries->u.map.n; i++)
		set_pair(l, &entries->u.map.pairs[i]);
	return 0;
}

/* Parse the lines of LOG, the part of LEDGER_LOG after L->logged. */
static int parse_log(struct ledger *l, const struct buf *log, struct err *e)
{
	const char *p = buf_str(log), *end = p + log->len, *nl;
	struct value v;

	for (; (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		if (json_parse(p, (size_t)(nl - p), &l->arena, &v, NULL) < 0 ||
		    find_fault(&v, &l->arena))
			return fail_damaged(l, LEDGER_LOG, "a line is damaged",
					    e);
		for (size_t i = 0; i < v.u.map.n; i++)
			set_pair(l, &v.u.map.pairs[i]);
		l->logged += (size_t)(nl + 1 - p);
	}
	return 0;
}

/* Set ST to the status of NAME; st_nlink is 0 if it is absent. */
static int stat_file(const struct ledger *l, const char *name, struct stat *st,
		     struct err *e)
{
	struct arena a = {0};

	*st = (struct stat){0};
	if (l->store->repo.fd < 0 ||
	    fstatat(l->store->repo.fd, name, st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	*st = (struct stat){0};
	if (errno == ENOENT)
		return 0;
	err_sys(e, "cannot read '%s'", layout_path(&l->store->repo, name, &a));
	arena_release(&a);
	return -1;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_nlink == b->st_nlink && a->st_ino == b->st_ino &&
	       a->st_dev == b->st_dev;
}

/* Return true if A and B are one file with unchanged size and time. */
static bool is_unchanged(const struct stat *a, const struct stat *b)
{
	const struct timespec x = compat_mtime(a), y = compat_mtime(b);

	return is_same_file(a, b) && a->st_size == b->st_size &&
	       x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
}

/* Read LEDGER_FILE into L, which is empty. An absent file is not an error. */
static int read_file(struct ledger *l, struct err *e)
{
	struct arena a = {0};
	int r = 0;

	buf_cut(&l->text, 0);
	if (l->store->repo.fd >= 0)
		r = file_read(l->store->repo.fd, LEDGER_FILE,
			      layout_path(&l->store->repo, LEDGER_FILE, &a),
			      ITEM_FILE_MAX, &l->text, e);
	/* An empty file is damaged, an absent one is not. */
	if (r == 1)
		r = parse_file(l, buf_str(&l->text), l->text.len, e);
	arena_release(&a);
	return r;
}

/* Read the new lines of LEDGER_LOG, whose status is ST. Returns 0, 1 if the
 * log is gone because another process merged it into the file, or -1. */
static int read_log(struct ledger *l, const struct stat *st, struct err *e)
{
	struct buf log = {0};
	struct arena a = {0};
	const char *path = layout_path(&l->store->repo, LEDGER_LOG, &a);
	int r = -1, fd = -1;

	if (!S_ISREG(st->st_mode))
		err_set(e, ERR_DATA, "'%s' is not a regular file", path);
	else if ((fd = file_open(l->store->repo.fd, LEDGER_LOG,
				 O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0)) < 0 &&
		 errno == ENOENT)
		r = 1;
	else if (fd < 0 || lseek(fd, (off_t)l->logged, SEEK_SET) < 0)
		err_sys(e, "cannot read '%s'", path);
	else if (file_read_fd(fd, path, ITEM_FILE_MAX, &log, e) == 0)
		r = parse_log(l, &log, e);
	file_close(fd);
	buf_release(&log);
	arena_release(&a);
	return r;
}

/* Read the changes since the last read into L. Returns 0, 1 if the log
 * disappeared meanwhile, or -1. */
static int read_both(struct ledger *l, struct err *e)
{
	struct stat file, log;
	int r = 0;

	if (stat_file(l, LEDGER_FILE, &file, e) < 0 ||
	    stat_file(l, LEDGER_LOG, &log, e) < 0)
		return -1;
	if (!l->is_read || !is_unchanged(&file, &l->file) ||
	    (l->logged && !is_same_file(&log, &l->log))) {
		clear_ledger(l);
		r = read_file(l, e);
	}
	if (!r && log.st_nlink && (size_t)log.st_size != l->logged)
		r = read_log(l, &log, e);
	l->file = file;
	l->log = log;
	l->is_read = r == 0;
	return r;
}

/* Read the changes since the last read into L. */
static int refresh(struct ledger *l, struct err *e)
{
	int r;

	while ((r = read_both(l, e)) == 1)
		;
	return r;
}

int ledger_open(struct ledger *l, struct store *s, struct err *e)
{
	*l = (struct ledger){.store = s, .root.kind = VALUE_MAP};
	return refresh(l, e);
}

void ledger_release(struct ledger *l)
{
	clear_ledger(l);
	free(l->pairs);
	buf_release(&l->text);
	arena_release(&l->arena);
}

static void fill_entry(struct ledger_entry *en, const char *key,
		       const struct value *v)
{
	const struct value *items = value_get(v, "items");

	*en = (struct ledger_entry){.key = key,
				    .path = value_text(v, "path"),
				    .at = value_text(v, "at"),
				    .deleted = value_get(v, "deleted")->u.b,
				    .error = value_text(v, "error")};
	read_status(v, &en->status);
	for (enum reply_key k = 0; k < REPLY_KEYS; k++)
		en->items[k] = (size_t)value_positive(items, reply_key_name(k));
}

/* Return a copy of EN, allocated in A. */
static struct ledger_entry copy_entry(const struct ledger_entry *en,
				      struct arena *a)
{
	struct ledger_entry c = *en;

	c.key = arena_strdup(a, en->key);
	c.path = en->path ? arena_strdup(a, en->path) : NULL;
	c.at = en->at ? arena_strdup(a, en->at) : NULL;
	c.error = en->error ? arena_strdup(a, en->error) : NULL;
	return c;
}

int ledger_find(struct ledger *l, const char *key, struct arena *a,
		struct ledger_entry *en, struct err *e)
{
	const struct value k = value_str(key);
	size_t i;

	if (refresh(l, e) < 0)
		return -1;
	i = find_pair(l, &k);
	if (i == l->n)
		return 0;
	fill_entry(en, key, &l->pairs[i].val);
	*en = copy_entry(en, a);
	return 1;
}

/* Copy the pairs of MAP to A, with room for EXTRA more. */
static void reserve_pairs(struct value *map, size_t extra, struct arena *a)
{
	struct value_pair *pairs =
		arena_alloc(a, (map->u.map.n + extra) * sizeof(*pairs));

	if (map->u.map.n)
		memcpy(pairs, map->u.map.pairs, map->u.map.n * sizeof(*pairs));
	map->u.map.pairs = pairs;
}

/* Return the current time as 2026-06-12T14:23:45.123456+00:00, allocated in
 * A. */
static const char *format_now(struct arena *a)
{
	char text[INSTANT_TEXT];
	const struct instant at = instant_now();

	instant_format(at, text);
	return arena_printf(a, "%.19s.%06d+00:00", text, (int)(at.nsec / 1000));
}

/* Remove KEY from MAP, whose pairs are writable. */
static void remove_key(struct value *map, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->u.map.n; i++) {
		if (!value_is(&map->u.map.pairs[i].key, key))
			map->u.map.pairs[kept++] = map->u.map.pairs[i];
	}
	map->u.map.n = kept;
}

/* Merge EN, which must live as long as L's data, into its pair in L. */
static void merge_entry(struct ledger *l, const struct ledger_entry *en)
{
	struct value items = {.kind = VALUE_MAP};
	struct value_pair p = {.key = value_str(en->key),
			       .val.kind = VALUE_MAP};
	const size_t i = find_pair(l, &p.key);

	if (i < l->n)
		p.val = l->pairs[i].val;
	reserve_pairs(&p.val, FIELDS, &l->arena);
	remove_key(&p.val, "error"); /* from an earlier attempt */
	if (en->path)
		value_put(&p.val, "path", value_str(en->path));
	value_put(&p.val, "status", value_str(statuses[en->status]));
	value_put(&p.val, "at", value_str(en->at));
	value_put(&p.val, "deleted",
		  (struct value){.kind = VALUE_BOOL, .u.b = en->deleted});
	if (en->status == LEDGER_HARVESTED) {
		reserve_pairs(&items, REPLY_KEYS, &l->arena);
		for (enum reply_key k = 0; k < REPLY_KEYS; k++)
			value_put(&items, reply_key_name(k),
				  value_int((int64_t)en->items[k]));
		value_put(&p.val, "items", items);
	}
	if (en->error)
		value_put(&p.val, "error", value_str(en->error));
	set_pair(l, &p);
}

static int by_key(const void *a, const void *b)
{
	const struct value_pair *x = a, *y = b;

	return strcmp(x->key.u.s.p, y->key.u.s.p);
}

/* Append the whole ledger as JSON, ordered by key. */
static void print_ledger(struct ledger *l, struct buf *text)
{
	struct value all = l->root;
	struct value entries = {.kind = VALUE_MAP, .u.map = {NULL, l->n}};

	if (l->n) {
		entries.u.map.pairs =
			arena_alloc(&l->arena, l->n * sizeof(*l->pairs));
		memcpy(entries.u.map.pairs, l->pairs, l->n * sizeof(*l->pairs));
		qsort(entries.u.map.pairs, l->n, sizeof(*l->pairs), by_key);
	}
	reserve_pairs(&all, 1, &l->arena);
	value_put(&all, "entries", entries);
	jsonc_print(text, &all);
}

/* A change of LEDGER_FILE: add EN, or only write what L has if EN is NULL. */
struct ledger_change {
	struct ledger *ledger;
	const struct ledger_entry *en;
};

/* A rewrite_fn: print the ledger with the change CTX. */
static int compose_ledger(void *ctx, const struct buf *was, struct buf *text,
			  struct err *e)
{
	const struct ledger_change *c = ctx;
	struct ledger *l = c->ledger;

	if (was->len != l->text.len ||
	    memcmp(buf_str(was), buf_str(&l->text), was->len) != 0) {
		l->is_read = false;
		if (refresh(l, e) < 0)
			return -1;
	}
	if (c->en)
		merge_entry(l, c->en);
	print_ledger(l, text);
	return text->len != was->len || memcmp(text->p, was->p, was->len) != 0;
}

/* Replace LEDGER_FILE by the entries of L and EN (may be NULL), then delete the
 * log. */
static int write_whole(struct ledger *l, const struct ledger_entry *en,
		       struct err *e)
{
	struct ledger_change c = {l, en};
	struct repo *repo = &l->store->repo;
	struct arena a = {0};
	const struct rewrite rw = {l->store,	   "", LEDGER_FILE,
				   compose_ledger, &c, ITEM_FILE_MAX};
	int r = rewrite_file(&rw, e);

	/* Read the new file when it is needed. */
	l->is_read = false;
	if (r >= 0 && l->log.st_nlink)
		r = file_remove(repo->fd, LEDGER_LOG,
				layout_path(repo, LEDGER_LOG, &a), e);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

/* Append LINE to the log durably, replacing an incomplete last line. */
static int append_line(struct ledger *l, const struct buf *line, struct err *e)
{
	const int dir = l->store->repo.fd;
	struct arena a = {0};
	const char *path = layout_path(&l->store->repo, LEDGER_LOG, &a);
	const int fd = file_open(dir, LEDGER_LOG,
				 O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW,
				 root_file_mode(&l->store->repo.root));
	int r = -1;

	if (fd < 0)
		err_sys(e, "cannot open '%s'", path);
	else if (ftruncate(fd, (off_t)l->logged) < 0 ||
		 io_write(fd, line->p, line->len) < 0 || file_sync(fd) < 0)
		err_sys(e, "cannot write '%s'", path);
	else
		r = l->log.st_nlink ? 0 : file_sync_dir(dir, path, e);
	file_close(fd);
	arena_release(&a);
	return r;
}

/* Append EN to the log. Merge the log into LEDGER_FILE when it is large. */
static int put_in_log(struct ledger *l, const struct ledger_entry *en,
		      struct err *e)
{
	struct value_pair pair = {.key = value_str(en->key)};
	const struct value v = {.kind = VALUE_MAP, .u.map = {&pair, 1}};
	struct buf line = {0};
	struct err why;
	int r;

	merge_entry(l, en);
	pair.val = l->pairs[find_pair(l, &pair.key)].val;
	r = json_write_value(&line, &v, e);
	buf_addc(&line, '\n');
	if (!r)
		r = append_line(l, &line, e);
	if (!r) {
		l->logged += line.len;
		r = stat_file(l, LEDGER_LOG, &l->log, e);
	} else {
		l->is_read = false;
	}
	if (!r && l->logged > LEDGER_WHOLE && l->logged > l->text.len / 4)
		write_whole(l, NULL, &why); /* else the next time */
	buf_release(&line);
	return r;
}

int ledger_put(struct ledger *l, const struct ledger_entry *en, struct err *e)
{
	struct arena kept = {0};
	struct ledger_entry dated = *en, c;
	int r = store_lock(l->store, e);

	if (!dated.at)
		dated.at = format_now(&kept);

	if (!r) {
		r = refresh(l, e);
		c = copy_entry(&dated, &l->arena);
		if (!r)
			r = l->logged || l->text.len >= LEDGER_WHOLE
				    ? put_in_log(l, &c, e)
				    : write_whole(l, &dated, e);
		store_unlock(l->store);
	}
	arena_release(&kept);
	return r;
}

/* Return true if the conversation at PATH is gone. For FILE#SESSION it is gone
 * only if FILE is. */
static bool is_source_gone(const char *path)
{
	const char *mark = strrchr(path, '#');
	struct arena a = {0};
	bool gone = *path == '/' && file_is_gone(AT_FDCWD, path, false);

	if (gone && mark)
		gone = file_is_gone(AT_FDCWD,
				    arena_copy(&a, path, (size_t)(mark - path)),
				    false);
	arena_release(&a);
	return gone;
}

/* Mark the entries whose conversation is gone as deleted. Returns true if
 * there are any. */
static bool mark_deleted(struct ledger *l)
{
	struct ledger_entry en;
	bool any = false;

	for (size_t i = 0; i < l->n; i++) {
		struct value *v = &l->pairs[i].val;

		fill_entry(&en, "", v);
		if (en.deleted || !en.path || en.status == LEDGER_FAILED ||
		    en.status == LEDGER_TOO_LARGE || !is_source_gone(en.path))
			continue;
		value_put(v, "deleted",
			  (struct value){.kind = VALUE_BOOL, .u.b = true});
		any = true;
	}
	return any;
}

int ledger_finish(struct ledger *l, bool settles, struct err *e)
{
	int r = 0;

	if (l->store->repo.fd < 0)
		return 0;
	if (store_lock(l->store, e) < 0)
		return -1;
	r = refresh(l, e);
	if (!r && ((settles && mark_deleted(l)) || l->log.st_nlink))
		r = write_whole(l, NULL, e);
	store_unlock(l->store);
	return r;
}
