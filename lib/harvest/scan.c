/* scan.c: a folder is walked once, and each file asked for its size alone; only
 * indexes, and the files that splits are of, are read.
 */
#include "harvest/scan.h"

#include "base/instant.h"
#include "base/table.h"
#include "format/json-read.h"
#include "harvest/conversation.h"
#include "harvest/reclaim.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDEX_MAX ((size_t)16 * 1024 * 1024)
#define UUID 36 /* characters of one */
#define SAVED "index-saved-conversations-"
#define PER_FILE "file-index-"

const char *scan_kind_name(enum scan_kind k)
{
	static const char *const names[] = {"conversation", "index",
					    "split-dir"};

	return names[k];
}

const char *scan_class_name(enum scan_class c)
{
	static const char *const names[SCAN_CLASSES] = {
		"harvest", "keep", "live", "prune", "user-kept"};

	return names[c];
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool is_uuid(const char *p)
{
	for (size_t i = 0; i < UUID; i++) {
		const bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? p[i] != '-'
			 : !p[i] || !strchr("0123456789abcdef", p[i]))
			return false;
	}
	return true;
}

static bool ends_with_uuid(const char *name)
{
	const size_t len = strlen(name);

	return len > UUID && name[len - UUID - 1] == '-' &&
	       is_uuid(name + len - UUID);
}

static struct artifact *add(struct scan *s, const char *path)
{
	s->items = mem_grow(s->items, s->n, &s->cap, sizeof(*s->items));
	s->items[s->n] = (struct artifact){.path = path};
	return &s->items[s->n++];
}

/* FOLDER/NAME, in A; there are as many as files, and printf takes longer than
 * the system does. */
static const char *join(struct arena *a, const char *folder, const char *name)
{
	const size_t n = strlen(folder), len = strlen(name);
	char *path = arena_alloc(a, n + len + 2);

	memcpy(path, folder, n);
	path[n] = '/';
	memcpy(path + n + 1, name, len + 1);
	return path;
}

/* What an index says of a name. */
struct entry {
	const char *name;   /* of a conversation */
	const char *target; /* that it is of; NULL: it is saved */
};

/* A folder of conversations. */
struct folder {
	struct scan *scan;
	const char *root, *path;
	int fd;
	const char **names;
	size_t n, cap;
	struct entry *entries;
	size_t nentries, capentries;
	struct table table; /* of entries, by name; 1: saved */
	bool unread;	    /* an index could not be read */
};

static void put_entry(struct folder *f, const char *name, const char *target)
{
	f->entries = mem_grow(f->entries, f->nentries, &f->capentries,
			      sizeof(*f->entries));
	f->entries[f->nentries] = (struct entry){name, target};
	table_put(&f->table, name, strlen(name), target == NULL, f->nentries++);
}

static const struct entry *find_entry(const struct folder *f, const char *name,
				      bool saved)
{
	struct table_look k = table_look(&f->table, name, strlen(name), saved);
	const struct entry *last = NULL;
	size_t i;

	while (table_next(&k, &i)) {
		if (!f->entries[i].target == saved &&
		    !strcmp(f->entries[i].name, name) &&
		    (!last || &f->entries[i] > last))
			last = &f->entries[i];
	}
	return last;
}

static bool is_index(const char *name)
{
	return begins(name, SAVED) || begins(name, PER_FILE);
}

/* The last component of PATH. */
static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The path number I, from 0, that PATH in an index of ROOT may mean, in A; NULL
 * where there is none. */
static const char *meant(const char *root, const char *path, size_t i,
			 struct arena *a)
{
	const char *slash = strrchr(root, '/');

	if (*path == '/')
		return i ? NULL : path;
	if (i > 1)
		return NULL;
	return arena_printf(a, "%.*s/%s",
			    (int)(i ? strlen(root) : (size_t)(slash - root)),
			    root, path);
}

/* Protect the conversation that PATH names: by its name, since the directory may
 * have been moved, and by that of what a link leads to. */
static void put_saved(struct folder *f, const char *path)
{
	struct arena *a = f->scan->a;
	const char *at;

	put_entry(f, last_of(path), NULL);
	for (size_t i = 0; (at = meant(f->root, path, i, a)); i++) {
		char *real = realpath(at, NULL);

		if (real)
			put_entry(f, arena_strdup(a, last_of(real)), NULL);
		free(real);
	}
}

/* Take the paths of the list in V. */
static bool take_saved(struct folder *f, const struct value *v)
{
	const struct value *list = value_get(v, "conversations");
	const char *path;

	if (!list)
		return true;
	if (list->kind != VALUE_LIST)
		return false;
	for (size_t i = 0; i < list->u.list.n; i++) {
		path = value_text(&list->u.list.items[i], "path");
		if (!path)
			return false;
		put_saved(f, path);
	}
	return true;
}

/* Take the conversations of the map in V, and the files that they are of. */
static bool take_per_file(struct folder *f, const struct value *v)
{
	const struct value *map = value_get(v, "by_file_id");
	const char *name, *target;

	if (!map)
		return true;
	if (map->kind != VALUE_MAP)
		return false;
	for (size_t i = 0; i < map->u.map.n; i++) {
		name = value_text(&map->u.map.pairs[i].val, "conversation");
		target = value_text(&map->u.map.pairs[i].val, "path");
		if (!name)
			return false;
		put_entry(f, name, target ? target : "");
	}
	return true;
}

static bool read_json(int dir, const char *name, const char *path,
		      struct value *v, struct arena *a)
{
	struct buf text = {0};
	struct err e;
	bool ok = file_read(dir, name, path, INDEX_MAX, &text, &e) == 1;

	ok = ok &&
	     json_parse(arena_copy(a, text.p, text.len), text.len, a, v, &e) ==
		     0 &&
	     v->kind == VALUE_MAP;
	buf_release(&text);
	return ok;
}

static void read_indexes(struct folder *f)
{
	struct value v;

	for (size_t i = 0; i < f->n; i++) {
		const char *name = f->names[i];

		if (is_index(name) &&
		    !(read_json(f->fd, name, f->path, &v, f->scan->a) &&
		      (begins(name, SAVED) ? take_saved(f, &v)
					   : take_per_file(f, &v))))
			f->unread = true;
	}
}

/* Find PATH, named in an index of ROOT: 1 (*AT, in A, is where it lies), 0 if it is
 * gone, -1 where that is not known (*WHY, in A, says it). */
static int find_target(const char *root, const char *path, const char **at,
		       const char **why, struct arena *a)
{
	*why = *path ? "is relative, and not found" : "is not named";
	for (size_t i = 0; *path && (*at = meant(root, path, i, a)); i++) {
		if (file_is_gone(AT_FDCWD, *at, true)) {
			if (*path == '/')
				return 0;
		} else if (errno) {
			*why = arena_printf(a, "cannot be read: %s",
					    strerror(errno));
		} else {
			return 1;
		}
	}
	return -1;
}

static void set(struct artifact *it, enum scan_class class, const char *reason)
{
	it->class = class;
	it->reason = reason;
}

/* Keep IT, since something that it depends on cannot be read. */
static void keep(struct artifact *it, const char *reason)
{
	set(it, SCAN_KEEP, reason);
	it->unsure = true;
}

/* Class IT, which is of the file TARGET. */
static void classify_per_file(const struct folder *f, const char *target,
			      struct artifact *it)
{
	struct arena *a = f->scan->a;
	const char *at, *why;
	const int r = find_target(f->root, target, &at, &why, a);

	if (r < 0)
		keep(it, arena_printf(a,
				      "per-file conversation; target%s%s %s; "
				      "kept",
				      *target ? " " : "", target, why));
	else
		set(it, r ? SCAN_LIVE : SCAN_HARVEST,
		    arena_printf(a, "per-file conversation%s %s",
				 r ? " for" : "; target gone:", target));
}

/* Class IT, the file NAME of F, by the rules of scan.h. */
static void classify(const struct folder *f, const char *name,
		     struct artifact *it)
{
	const char *end = strrchr(name, '.');
	const struct entry *of;

	it->kind = is_index(name) || (end && !strcmp(end, ".run"))
			   ? SCAN_INDEX
			   : SCAN_CONVERSATION;
	if (is_index(name)) {
		set(it, SCAN_LIVE, "index file");
	} else if (it->kind == SCAN_INDEX) {
		set(it, SCAN_LIVE, "instance runfile");
	} else if (f->unread) {
		keep(it, "an index cannot be read; kept");
	} else if (find_entry(f, name, true)) {
		set(it, SCAN_USER_KEPT, "saved conversation");
	} else if ((of = find_entry(f, name, false))) {
		classify_per_file(f, of->target, it);
	} else if (ends_with_uuid(name)) {
		set(it, SCAN_HARVEST, "archived conversation");
	} else if (strlen(name) > UUID && name[UUID] == '-' && is_uuid(name)) {
		set(it, SCAN_HARVEST, "delegated sub-conversation");
	} else if (begins(name, "latest-")) {
		set(it, SCAN_LIVE, "active conversation");
	} else {
		set(it, SCAN_KEEP, "unclassified; kept");
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file_walk_fn: links may lead anywhere, and are nobody's conversation. */
static int take_file(void *ctx, const char *name, enum file_kind kind)
{
	struct folder *f = ctx;

	if (kind != FILE_REGULAR)
		return 0;
	f->names = mem_grow(f->names, f->n, &f->cap, sizeof(*f->names));
	f->names[f->n++] = arena_strdup(f->scan->a, name);
	return 0;
}

static int scan_conversations(struct scan *s, const char *root, int fd,
			      struct err *e)
{
	struct folder f = {.scan = s, .root = root, .fd = fd};
	struct stat st;
	int r;

	f.path = arena_printf(s->a, "%s/conversations", root);
	r = file_walk(fd, f.path, take_file, &f, e);
	if (f.n)
		qsort(f.names, f.n, sizeof(*f.names), by_name);
	read_indexes(&f);
	for (size_t i = 0; i < f.n && !r; i++) {
		struct artifact *it;

		if (fstatat(fd, f.names[i], &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno == ENOENT)
				continue; /* gone meanwhile */
			r = err_sys(e, "cannot look at '%s/%s'", f.path,
				    f.names[i]);
			break;
		}
		it = add(s, join(s->a, f.path, f.names[i]));
		it->size = (uint64_t)st.st_size;
		it->root = root;
		classify(&f, f.names[i], it);
	}
	table_release(&f.table);
	free(f.entries);
	free(f.names);
	return r;
}

/* Class IT, a split whose index.json has the object V. */
static void classify_split(struct scan *s, const struct value *v,
			   struct artifact *it)
{
	const char *source = value_text(v, "source_path");
	const char *hex = value_text(v, "source_sha256");
	const char *at, *why;
	const int r =
		find_target(it->root, source ? source : "", &at, &why, s->a);
	char key[SHA256_HEX];
	struct err e;

	if (r < 0)
		keep(it, arena_printf(s->a, "split source %s; kept", why));
	else if (!r)
		set(it, SCAN_PRUNE, "split source gone");
	else if (!hex || !*hex)
		set(it, SCAN_LIVE, "split current");
	else if (reclaim_key(at, key, NULL, &e) < 0)
		keep(it, arena_printf(s->a, "%s; kept", e.text));
	else if (!strcmp(key, hex))
		set(it, SCAN_LIVE, "split current");
	else if (*source != '/')
		set(it, SCAN_KEEP,
		    "split source is relative, and another; kept");
	else
		set(it, SCAN_PRUNE, "split stale (source changed)");
}

/* The sizes of what lies in a folder. */
struct sizes {
	int fd;
	size_t n; /* entries */
	uint64_t bytes;
};

static int take_size(void *ctx, const char *name, enum file_kind kind)
{
	struct sizes *s = ctx;
	struct sizes in = {0};
	struct stat st;
	int failed = 0;

	s->n++;
	if (kind == FILE_REGULAR &&
	    fstatat(s->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		s->bytes += (uint64_t)st.st_size;
	if (kind == FILE_FOLDER &&
	    file_open_dir(s->fd, name, name, &in.fd, NULL) == 1) {
		failed = file_walk(in.fd, name, take_size, &in, NULL);
		s->bytes += in.bytes;
		close(in.fd);
	}
	return failed;
}

static void scan_split(struct scan *s, const char *root, int splits,
		       const char *name)
{
	struct artifact *it =
		add(s, arena_printf(s->a, "%s/splits/%s", root, name));
	struct sizes sizes = {0};
	struct value v;

	it->kind = SCAN_SPLIT;
	it->root = root;
	set(it, SCAN_KEEP, "no readable index.json; kept");
	if (file_open_dir(splits, name, it->path, &sizes.fd, NULL) != 1)
		return;
	if (file_walk(sizes.fd, it->path, take_size, &sizes, NULL) == 0 &&
	    read_json(sizes.fd, "index.json", it->path, &v, s->a))
		classify_split(s, &v, it);
	else
		it->empty = !sizes.n;
	it->size = sizes.bytes;
	close(sizes.fd);
}

static int take_folder(void *ctx, const char *name, enum file_kind kind)
{
	struct folder *f = ctx;

	return kind == FILE_FOLDER ? take_file(ctx, name, FILE_REGULAR)
				   : (void)f,
	       0;
}

static int scan_splits(struct scan *s, const char *root, int fd, struct err *e)
{
	struct folder f = {.scan = s};
	const int r = file_walk(fd, root, take_folder, &f, e);

	if (f.n)
		qsort(f.names, f.n, sizeof(*f.names), by_name);
	for (size_t i = 0; i < f.n; i++)
		scan_split(s, root, fd, f.names[i]);
	free(f.names);
	return r;
}

/* Scan the folder NAME of ROOT, if it is there: 1, 0, -1. */
static int
scan_part(struct scan *s, const char *root, int dir, const char *name,
	  int (*part)(struct scan *, const char *, int, struct err *),
	  struct err *e)
{
	int fd, r = file_open_dir(dir, name,
				  arena_printf(s->a, "%s/%s", root, name), &fd,
				  e);

	if (r != 1)
		return r;
	r = part(s, root, fd, e);
	close(fd);
	return r < 0 ? -1 : 1;
}

static int scan_root(struct scan *s, const char *root, struct err *e)
{
	int fd, any, r = file_open_dir(AT_FDCWD, root, root, &fd, e);

	if (r != 1)
		return r ? -1 : err_set(e, ERR_NO, "'%s' is gone", root);
	any = scan_part(s, root, fd, "conversations", scan_conversations, e);
	r = any < 0 ? -1 : scan_part(s, root, fd, "splits", scan_splits, e);
	close(fd);
	if (r < 0)
		return -1;
	if (!any && !r)
		return err_set(e, ERR_DATA,
			       "'%s' has neither conversations/ nor splits/",
			       root);
	return 0;
}

void scan_add_listed(struct scan *s, const char *path, uint64_t size,
		     int64_t end)
{
	const bool live = instant_now().sec - end < SCAN_LIVE_SECONDS;
	struct artifact *it = add(s, arena_strdup(s->a, path));

	it->size = size;
	set(it, live ? SCAN_LIVE : SCAN_HARVEST,
	    live ? "went on less than ten minutes ago"
		 : "an agent's conversation");
}

/* PATH made absolute, in A, links resolved; also that of PATH#SESSION, whose file
 * is not called PATH. */
static const char *make_absolute(const char *path, const char *session,
				 struct arena *a, struct err *e)
{
	const char *file = path;

	if (session && file_is_gone(AT_FDCWD, path, true))
		file = arena_copy(a, path, (size_t)(session - path));
	else
		session = "";
	file = file_absolute(file, a, e);
	return file ? arena_printf(a, "%s%s", file, session) : NULL;
}

int scan_add(struct scan *s, const char *path, bool named, struct err *e)
{
	const char *session = strrchr(path, '#');
	const char *absolute = make_absolute(path, session, s->a, e);
	struct conversation c = {0};
	struct artifact *it;
	struct stat st;

	if (!absolute)
		return -1;
	if (stat(absolute, &st) < 0) {
		if (errno != ENOENT || !session)
			return err_sys(e, "cannot find '%s'", path);
		if (conversation_read(&c, path, false, e) < 0)
			return -1;
		st = (struct stat){.st_mode = S_IFREG,
				   .st_size = (off_t)c.text.len};
		conversation_release(&c);
	}
	if (S_ISDIR(st.st_mode))
		return scan_root(s, absolute, e);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA, "'%s' is no file and no folder",
			       path);
	scan_add_listed(s, absolute, (uint64_t)st.st_size,
			named ? 0 : st.st_mtime);
	it = &s->items[s->n - 1];
	it->named = named;
	if (named)
		it->reason = "named";
	return 0;
}

void scan_release(struct scan *s)
{
	free(s->items);
	s->items = NULL;
	s->n = s->cap = 0;
}
