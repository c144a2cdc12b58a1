/* harvest-scan.c: each directory is read once and each file is only asked for its size.
 * Only indexes are read, and files that have splits. */
#include "harvest/harvest.h"

#include "base/instant.h"
#include "base/strings.h"
#include "base/table.h"
#include "format/json-read.h"
#include "harvest/harvest-source.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDEX_MAX ((size_t)16 * 1024 * 1024)
#define UUID 36 /* characters */
#define SAVED "index-saved-conversations-"
#define PER_FILE "file-index-"

const char *harvest_scan_kind_name(enum scan_kind k)
{
	static const char *const names[] = {"conversation", "index",
					    "split-dir"};

	return names[k];
}

const char *harvest_scan_class_name(enum scan_class c)
{
	static const char *const names[SCAN_CLASSES] = {
		"harvest", "keep", "live", "prune", "user-kept"};

	return names[c];
}

static bool has_prefix(const char *name, const char *with)
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

static struct artifact *add_artifact(struct harvest_scan *s, const char *path)
{
	struct artifact *it = MEM_ADD(s->items, s->n, s->cap);

	*it = (struct artifact){.path = path};
	return it;
}

/* Return FOLDER/NAME, allocated in A. It is called per file, and printf would
 * take longer than the system calls. */
static const char *join_path(struct arena *a, const char *folder,
			     const char *name)
{
	const size_t n = strlen(folder), len = strlen(name);
	char *path = arena_alloc(a, n + len + 2);

	memcpy(path, folder, n);
	path[n] = '/';
	memcpy(path + n + 1, name, len + 1);
	return path;
}

/* An entry of an index. */
struct index_entry {
	const char *name;   /* of the conversation */
	const char *target; /* its file; NULL: it was saved */
};

/* The directory of conversations. */
struct folder {
	struct harvest_scan *scan;
	const char *root, *path;
	int fd;
	const char **names;
	size_t n, cap;
	struct index_entry *entries;
	size_t nentries, capentries;
	struct table table; /* of entries, by name; number 1: saved */
	bool unread;	    /* an index could not be read */
};

static void add_entry(struct folder *f, const char *name, const char *target)
{
	table_put(&f->table, name, strlen(name), target == NULL, f->nentries);
	*MEM_ADD(f->entries, f->nentries, f->capentries) =
		(struct index_entry){name, target};
}

static const struct index_entry *find_entry(const struct folder *f,
					    const char *name, bool saved)
{
	struct table_look k = table_look(&f->table, name, strlen(name), saved);
	const struct index_entry *last = NULL;
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
	return has_prefix(name, SAVED) || has_prefix(name, PER_FILE);
}

/* Return the I-th path (from 0) that PATH in an index of ROOT may refer to,
 * allocated in A, or NULL if there are no more. */
static const char *candidate_path(const char *root, const char *path, size_t i,
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

/* Protect the conversation at PATH: by its name, since the directory may have
 * moved, and by the name of its link target. */
static void protect_saved(struct folder *f, const char *path)
{
	struct arena *a = f->scan->a;
	const char *at;

	add_entry(f, file_name_of(path), NULL);
	for (size_t i = 0; (at = candidate_path(f->root, path, i, a)); i++) {
		char *real = realpath(at, NULL);

		if (real)
			add_entry(f, arena_strdup(a, file_name_of(real)), NULL);
		free(real);
	}
}

/* Protect the conversations in V, an index of saved conversations. Returns
 * false if it is malformed. */
static bool read_saved_index(struct folder *f, const struct value *v)
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
		protect_saved(f, path);
	}
	return true;
}

/* Record the conversations in V, an index of files. Returns false if it is
 * malformed. */
static bool read_file_index(struct folder *f, const struct value *v)
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
		add_entry(f, name, target ? target : "");
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
		      (has_prefix(name, SAVED) ? read_saved_index(f, &v)
					       : read_file_index(f, &v))))
			f->unread = true;
	}
}

/* Find the file PATH of an index of ROOT. Returns 1 (*AT is its path,
 * allocated in A), 0 if it is gone, or -1 if that is unknown (*WHY is the
 * reason, allocated in A). */
static int find_target(const char *root, const char *path, const char **at,
		       const char **why, struct arena *a)
{
	*why = *path ? "is relative, and not found" : "is not named";
	for (size_t i = 0; *path && (*at = candidate_path(root, path, i, a));
	     i++) {
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

static void set_class(struct artifact *it, enum scan_class class,
		      const char *reason)
{
	it->class = class;
	it->reason = reason;
}

/* Keep IT, because a file that it depends on cannot be read. */
static void keep_unsure(struct artifact *it, const char *reason)
{
	set_class(it, SCAN_KEEP, reason);
	it->unsure = true;
}

/* Classify IT, a conversation about the file TARGET. */
static void classify_per_file(const struct folder *f, const char *target,
			      struct artifact *it)
{
	struct arena *a = f->scan->a;
	const char *at, *why;
	const int r = find_target(f->root, target, &at, &why, a);

	if (r < 0)
		keep_unsure(it, arena_printf(
					a,
					"per-file conversation; target%s%s %s; "
					"kept",
					*target ? " " : "", target, why));
	else
		set_class(it, r ? SCAN_LIVE : SCAN_HARVEST,
			  arena_printf(a, "per-file conversation%s %s",
				       r ? " for" : "; target gone:", target));
}

/* Classify IT, the file NAME of F, by the rules of harvest.h. */
static void classify(const struct folder *f, const char *name,
		     struct artifact *it)
{
	const char *end = strrchr(name, '.');
	const struct index_entry *of;

	it->kind = is_index(name) || (end && !strcmp(end, ".run"))
			   ? SCAN_INDEX
			   : SCAN_CONVERSATION;
	if (is_index(name)) {
		set_class(it, SCAN_LIVE, "index file");
	} else if (it->kind == SCAN_INDEX) {
		set_class(it, SCAN_LIVE, "instance runfile");
	} else if (f->unread) {
		keep_unsure(it, "an index cannot be read; kept");
	} else if (find_entry(f, name, true)) {
		set_class(it, SCAN_USER_KEPT, "saved conversation");
	} else if ((of = find_entry(f, name, false))) {
		classify_per_file(f, of->target, it);
	} else if (ends_with_uuid(name)) {
		set_class(it, SCAN_HARVEST, "archived conversation");
	} else if (strlen(name) > UUID && name[UUID] == '-' && is_uuid(name)) {
		set_class(it, SCAN_HARVEST, "delegated sub-conversation");
	} else if (has_prefix(name, "latest-")) {
		set_class(it, SCAN_LIVE, "active conversation");
	} else {
		set_class(it, SCAN_KEEP, "unclassified; kept");
	}
}

/* A file_walk_fn: collect regular files. Links are ignored: they may lead
 * anywhere. */
static int collect_file(void *ctx, const char *name, enum file_kind kind)
{
	struct folder *f = ctx;

	if (kind != FILE_REGULAR)
		return 0;
	*MEM_ADD(f->names, f->n, f->cap) = arena_strdup(f->scan->a, name);
	return 0;
}

/* Add each conversation and index in the directory FD of ROOT. */
static int scan_conversations(struct harvest_scan *s, const char *root, int fd,
			      struct err *e)
{
	struct folder f = {.scan = s, .root = root, .fd = fd};
	struct stat st;
	int r;

	f.path = arena_printf(s->a, "%s/conversations", root);
	r = file_walk(fd, f.path, collect_file, &f, e);
	MEM_SORT(f.names, f.n, strings_compare);
	read_indexes(&f);
	for (size_t i = 0; i < f.n && !r; i++) {
		struct artifact *it;

		if (fstatat(fd, f.names[i], &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno == ENOENT)
				continue; /* deleted meanwhile */
			r = err_sys(e, "cannot look at '%s/%s'", f.path,
				    f.names[i]);
			break;
		}
		it = add_artifact(s, join_path(s->a, f.path, f.names[i]));
		it->size = (uint64_t)st.st_size;
		it->root = root;
		classify(&f, f.names[i], it);
	}
	table_release(&f.table);
	free(f.entries);
	free(f.names);
	return r;
}

/* Classify IT, a split whose index.json has the object V. */
static void classify_split(struct harvest_scan *s, const struct value *v,
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
		keep_unsure(it,
			    arena_printf(s->a, "split source %s; kept", why));
	else if (!r)
		set_class(it, SCAN_PRUNE, "split source gone");
	else if (!hex || !*hex)
		set_class(it, SCAN_LIVE, "split current");
	else if (harvest_source_key(at, key, &e) < 0)
		keep_unsure(it, arena_printf(s->a, "%s; kept", e.text));
	else if (!strcmp(key, hex))
		set_class(it, SCAN_LIVE, "split current");
	else if (*source != '/')
		set_class(it, SCAN_KEEP,
			  "split source is relative, and another; kept");
	else
		set_class(it, SCAN_PRUNE, "split stale (source changed)");
}

/* The total size of a directory. */
struct sizes {
	int fd;
	size_t n; /* number of entries */
	uint64_t bytes;
};

/* A file_walk_fn: add the size of a file, or of all files in a directory. */
static int sum_sizes(void *ctx, const char *name, enum file_kind kind)
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
		failed = file_walk(in.fd, name, sum_sizes, &in, NULL);
		s->bytes += in.bytes;
		close(in.fd);
	}
	return failed;
}

/* Add the split NAME in the directory SPLITS of ROOT. */
static void scan_split(struct harvest_scan *s, const char *root, int splits,
		       const char *name)
{
	struct artifact *it =
		add_artifact(s, arena_printf(s->a, "%s/splits/%s", root, name));
	struct sizes sizes = {0};
	struct value v;

	it->kind = SCAN_SPLIT;
	it->root = root;
	set_class(it, SCAN_KEEP, "no readable index.json; kept");
	if (file_open_dir(splits, name, it->path, &sizes.fd, NULL) != 1)
		return;
	if (file_walk(sizes.fd, it->path, sum_sizes, &sizes, NULL) == 0 &&
	    read_json(sizes.fd, "index.json", it->path, &v, s->a))
		classify_split(s, &v, it);
	else
		it->empty = !sizes.n;
	it->size = sizes.bytes;
	close(sizes.fd);
}

static int collect_folder(void *ctx, const char *name, enum file_kind kind)
{
	struct folder *f = ctx;

	return kind == FILE_FOLDER ? collect_file(ctx, name, FILE_REGULAR)
				   : (void)f,
	       0;
}

static int scan_splits(struct harvest_scan *s, const char *root, int fd,
		       struct err *e)
{
	struct folder f = {.scan = s};
	const int r = file_walk(fd, root, collect_folder, &f, e);

	MEM_SORT(f.names, f.n, strings_compare);
	for (size_t i = 0; i < f.n; i++)
		scan_split(s, root, fd, f.names[i]);
	free(f.names);
	return r;
}

/* Scan the directory NAME of ROOT with PART. Returns 1, 0 if it is absent, or
 * -1. */
static int
scan_part(struct harvest_scan *s, const char *root, int dir, const char *name,
	  int (*part)(struct harvest_scan *, const char *, int, struct err *),
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

/* Add everything in the first-layout folder ROOT. */
static int scan_root(struct harvest_scan *s, const char *root, struct err *e)
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

void harvest_scan_add_listed(struct harvest_scan *s, const char *path,
			     uint64_t size, int64_t end)
{
	const int64_t age = instant_now().sec - end;
	/* A time far ahead was written while a clock was wrong. */
	const bool live = age < SCAN_LIVE_SECONDS && age > -SCAN_LIVE_SECONDS;
	struct artifact *it = add_artifact(s, arena_strdup(s->a, path));

	it->size = size;
	set_class(it, live ? SCAN_LIVE : SCAN_HARVEST,
		  live ? "went on less than ten minutes ago"
		       : "an agent's conversation");
}

/* Return PATH made absolute with links resolved, allocated in A. For
 * FILE#SESSION only FILE is resolved, unless a file of the whole name
 * exists. */
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

int harvest_scan_add(struct harvest_scan *s, const char *path, bool named,
		     struct err *e)
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
		if (harvest_conversation_read(&c, path, false, e) < 0)
			return -1;
		st = (struct stat){.st_mode = S_IFREG,
				   .st_size = (off_t)c.text.len};
		harvest_conversation_release(&c);
	}
	if (S_ISDIR(st.st_mode))
		return scan_root(s, absolute, e);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA,
			       "'%s' is neither a file nor a directory", path);
	harvest_scan_add_listed(s, absolute, (uint64_t)st.st_size,
				named ? 0 : st.st_mtime);
	it = &s->items[s->n - 1];
	it->named = named;
	if (named)
		it->reason = "named";
	return 0;
}

void harvest_scan_release(struct harvest_scan *s)
{
	free(s->items);
	s->items = NULL;
	s->n = s->cap = 0;
}
