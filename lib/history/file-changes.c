/* file-changes.c: git log lists the blobs of each change, and git cat-file reads
 * them: one process each, however long the history is. Files of the work tree
 * are read directly, because git would run filters from the repository's
 * configuration. */
#include "history/file-changes.h"

#include "cache/cache.h"
#include "history/objects.h"
#include "repo/gitdir.h"
#include "store/ids.h"
#include "sys/git.h"

#include <fcntl.h>
#include <unistd.h>

/* Bytes of texts kept in memory, and the approximate size of a parsed one. */
#define KEPT_MAX ((size_t)8 * 1024 * 1024)
#define PARSED 1024

/* For fewer files, reading them is faster than reading git's index. */
#define INDEX_LEAST 64

#define SECOND 1000000000 /* in ns */

/* Run git and put its output into OUT. */
#define ASK(all, out, e, ...) GIT_ASK((all)->dir, out, e, __VA_ARGS__)

/* Return the command that fetches missing objects, allocated in the arena. */
static const char *fetch_command(struct file_changes *all)
{
	struct buf out = {0};
	const char *command;

	objects_add_remedy(&out, all->repo->root.path);
	command = arena_strdup(&all->h->arena, out.p);
	buf_release(&out);
	return command;
}

/* Return R, a result of git. If git failed, explain it in E. */
static int explain_failure(struct file_changes *all, int r, struct err *e)
{
	return r < 0 ? git_explain_lack(all->dir, fetch_command(all), e) : r;
}

int file_changes_open(struct file_changes *all, struct history *h,
		      struct store *s, const struct history_want *w,
		      struct err *e)
{
	const char *path = s->repo.root.path;
	struct gitdir g;
	size_t len;
	const int r = gitdir_find(&g, path, e);

	*all = (struct file_changes){
		.h = h, .store = s, .repo = &s->repo, .want = w};
	h->store = s;
	if (r <= 0)
		return r;
	h->in_git = true;
	/* The root may not exist. It may be the top directory, as in a
	 * submodule. */
	len = strlen(g.top) == 1 ? 0 : strlen(g.top);
	all->dir = h->dir = arena_strdup(&h->arena, g.top);
	all->index = arena_printf(&h->arena, "%s/index", g.dir);
	all->sparse = arena_printf(&h->arena, "%s/info/sparse-checkout", g.dir);
	all->prefix =
		path[len] ? arena_printf(&h->arena, "%s/", path + len + 1) : "";
	gitdir_release(&g);
	return 1;
}

/* Return the version of PATH with the blob name of LEN bytes, adding it if
 * necessary. Returns NULL if the name is all zeros. */
static struct version *find_version(struct file_changes *all, const char *path,
				    const char *blob, size_t len)
{
	const size_t path_len = strlen(path);
	struct table_look look;
	struct version *v;
	char *text;
	size_t i;

	if (strspn(blob, "0") >= len)
		return NULL;
	look = table_look(&all->by_blob, blob, len, 0);
	while (table_next(&look, &i)) {
		v = all->versions[i];
		if (!strncmp(v->blob, blob, len) && !strcmp(v->path, path))
			return v;
	}
	/* There may be very many: one piece is smaller than three. */
	v = arena_alloc(&all->h->arena, sizeof(*v) + path_len + len + 2);
	text = (char *)(v + 1);
	v->path = memcpy(text, path, path_len);
	v->blob = memcpy(text + path_len + 1, blob, len);
	if (version_kind(path) == VERSION_MEMORY)
		v->id = ids_of_name(strrchr(path, '/') + 1);
	table_put(&all->by_blob, v->blob, len, 0, all->nversions);
	*MEM_ADD(all->versions, all->nversions, all->versions_cap) = v;
	return v;
}

/* Return true if the file at PATH may belong to the wanted history. */
static bool may_be_wanted(const struct file_changes *all, const char *path)
{
	const struct history_want *w = all->want;
	const enum version_kind kind = version_kind(path);

	if (kind == VERSION_NONE)
		return false;
	if (!w->id && !w->path)
		return true;
	return (w->path && !strcmp(path, w->path)) ||
	       (w->id && kind == VERSION_MEMORY &&
		ids_of_name(strrchr(path, '/') + 1) == w->id);
}

/* Return PATH, as printed by git, relative to the root; "" if it is outside. */
static const char *relative_to_root(const struct file_changes *all,
				    const char *path)
{
	const size_t len = strlen(all->prefix);

	return strncmp(path, all->prefix, len) == 0 ? path + len : "";
}

/* Return the pathspec of knowledge/ for git. */
static const char *knowledge_pathspec(struct file_changes *all)
{
	return arena_printf(&all->h->arena, ":(top,literal)%sknowledge",
			    all->prefix);
}

static struct file_change *add_change(struct file_changes *all, size_t nwas)
{
	struct file_change *t;

	t = MEM_ADD(all->items, all->n, all->cap);
	*t = (struct file_change){.step = all->h->n - 1, .nwas = nwas};
	t->was = arena_alloc(&all->h->arena, nwas * sizeof(struct version *));
	return t;
}

static struct history_step *add_step(struct file_changes *all)
{
	struct history *h = all->h;
	struct history_step *s = MEM_ADD(h->steps, h->n, h->cap);

	*s = (struct history_step){.commit = NULL};
	return s;
}

/* Parse "\1COMMIT SECONDS AUTHOR". */
static void parse_commit(struct file_changes *all, const char *line)
{
	struct history_step *s = add_step(all);
	struct arena *a = &all->h->arena;
	char *end;

	s->commit = arena_copy(a, line + 1, strcspn(line + 1, " "));
	line += 1 + strlen(s->commit);
	s->at.sec = strtoll(line, &end, 10);
	s->author = arena_strdup(a, *end == ' ' ? end + 1 : end);
}

/* Parse ":MODE MODE BLOB BLOB LETTERS" about the file at PATH; each further
 * parent adds a mode and a blob. Anything but a regular file counts as
 * absent. */
static void parse_raw(struct file_changes *all, const char *raw,
		      const char *path)
{
	const size_t parents = strspn(raw, ":"), n = parents + 1;
	struct arena *a = &all->scratch;
	const char **fields, *at = raw + parents;
	struct file_change *t;

	if (!parents || !all->h->n || !may_be_wanted(all, path))
		return;
	arena_reset(a);
	fields = arena_alloc(a, 2 * n * sizeof(*fields));
	for (size_t i = 0; i < 2 * n; i++) {
		fields[i] = at;
		at += strcspn(at, " ");
		at += *at != '\0';
	}
	t = add_change(all, parents);
	for (size_t i = 0; i < n; i++) {
		struct version *v = NULL;

		if (!strncmp(fields[i], "100", 3))
			v = find_version(all, path, fields[n + i],
					 strcspn(fields[n + i], " "));
		*(i < parents ? &t->was[i] : &t->now) = v;
	}
}

/* Parse the complete part of the output of git log or git diff-tree with --raw
 * -z. */
static bool parse_output(void *ctx, struct buf *out)
{
	struct file_changes *all = ctx;
	const char *p = out->p, *end = p + out->len, *stop, *path;

	while ((stop = memchr(p, '\0', (size_t)(end - p)))) {
		const char *token = p + (*p == '\n');

		path = stop + 1;
		if (*token == ':' &&
		    !(stop = memchr(path, '\0', (size_t)(end - path))))
			break;
		if (*token == '\1')
			parse_commit(all, token);
		else if (*token == ':')
			parse_raw(all, token, relative_to_root(all, path));
		p = stop + 1;
	}
	memmove(out->p, p, (size_t)(end - p));
	buf_cut(out, (size_t)(end - p));
	return true;
}

/* Run git and parse its output. */
static int run_raw(struct file_changes *all, const char *const *words,
		   struct err *e)
{
	const int r =
		git_ask_taking(all->dir, words, "", 0, parse_output, all, e);

	return r > 0 ? err_set(e, ERR_HELPER, "'git %s' failed", words[0])
		     : explain_failure(all, r, e);
}

/* Return true if all texts stay loaded. */
static bool keeps_all(const struct file_changes *all)
{
	const struct history_want *w = all->want;

	return w->texts || w->id || w->path;
}

/* Return true if LEN more bytes of text may stay loaded. */
static bool may_keep_text(struct file_changes *all, size_t len)
{
	if (keeps_all(all))
		return true;
	all->kept += len + PARSED;
	return all->kept <= KEPT_MAX;
}

/* Read the version V from the LEN bytes of TEXT. */
static void read_text(struct file_changes *all, struct version *v,
		      const char *text, size_t len)
{
	struct arena *a = &all->h->arena;
	const bool stays = may_keep_text(all, len);

	if (stays)
		version_read(v, text ? arena_copy(a, text, len) : NULL, len, a);
	else
		version_read(v, text, len, &all->scratch);
	version_keep(v, a);
	v->stays = stays;
	if (!stays)
		v->text = NULL;
	arena_reset(&all->scratch);
}

/* An object_fn: read all wanted versions with this blob. */
static int read_object(void *ctx, const struct object *o, struct err *e)
{
	struct file_changes *all = ctx;
	const size_t len = strcspn(o->name, " ");
	struct table_look found = table_look(&all->by_blob, o->name, len, 0);
	size_t i;

	(void)e;
	all->h->partial = all->h->partial || !o->p;
	if (!all->h->remedy && !strcmp(o->type, "missing"))
		all->h->remedy = fetch_command(all);
	while (table_next(&found, &i)) {
		struct version *v = all->versions[i];

		if (v->wanted && !v->known && !strcmp(v->blob, o->name))
			read_text(all, v, o->p, o->len);
	}
	return 0;
}

/* For store_each(): set the version of the unmodified file of R from R. */
static int read_record(void *ctx, const struct record *r)
{
	struct file_changes *all = ctx;
	const char *path = r->path + strlen(all->repo->root.path) + 1;
	struct table_look found =
		table_look(&all->by_path, path, strlen(path), 0);
	size_t i;

	while (table_next(&found, &i)) {
		struct version *v = all->items[i].was[0];

		if (v->current && v->wanted && !v->known &&
		    !strcmp(v->path, path))
			version_keep_record(v, r, &all->h->arena);
	}
	return 0;
}

/* Mark the versions to read. Returns true if one of them is the current file.
 * A version absent from its old path may be in another file of the work
 * tree. */
static bool mark_wanted(struct file_changes *all, bool each)
{
	const bool files = !each && all->h->n && !all->h->steps->commit;
	bool current = false;

	for (size_t i = 0; i < all->n; i++) {
		struct file_change *t = &all->items[i];

		if (!each && t->nwas == 1 && t->was[0] == t->now)
			continue;
		for (size_t k = 0; k <= t->nwas; k++) {
			struct version *v = k < t->nwas ? t->was[k] : t->now;

			if (!v)
				continue;
			v->wanted = true;
			v->compared |= files && t->step == 0;
			current = current || v->current;
		}
	}
	return current;
}

int file_changes_look(struct file_changes *all, bool each, struct err *e)
{
	struct store *s = all->store;
	const struct report *report = s->report;
	struct buf names = {0};
	int r = 0;

	if (mark_wanted(all, each)) {
		/* Broken files are reported by other callers. */
		s->report = NULL;
		r = store_each(s, AREA_MEMORIES, read_record, all, e);
		s->report = report;
		/* A history of many files takes more memory than most. */
		cache_drop(s->cache);
	}
	for (size_t i = 0; i < all->nversions; i++) {
		const struct version *v = all->versions[i];

		if (v->wanted && !v->known)
			buf_addf(&names, "%s\n", v->blob);
	}
	if (!r)
		r = objects_each(all->dir, &names, read_object, all, e);
	buf_release(&names);
	return r;
}

/* List all of knowledge/ and skip the rest here, because git is slower at
 * matching names by a pattern. */
int file_changes_log(struct file_changes *all, const char *head, struct err *e)
{
	const char *const words[] = {"log",
				     "--raw",
				     "-z",
				     "-c",
				     "--no-renames",
				     "--no-abbrev",
				     "--full-history",
				     "--date-order",
				     "--no-ext-diff",
				     "--no-textconv",
				     "--no-notes",
				     "--no-color",
				     "-O/dev/null",
				     "--format=%x01%H %at %an",
				     head,
				     "--",
				     knowledge_pathspec(all),
				     NULL};

	return run_raw(all, words, e);
}

int file_changes_diff(struct file_changes *all, const char *a, const char *b,
		      struct err *e)
{
	const char *const words[] = {"diff-tree",
				     "-r",
				     "-z",
				     "--raw",
				     "--no-renames",
				     "--no-abbrev",
				     "-O/dev/null",
				     a,
				     b,
				     "--",
				     knowledge_pathspec(all),
				     NULL};

	add_step(all)->commit = b;
	return run_raw(all, words, e);
}

const char *file_changes_commit(struct file_changes *all, const char *rev,
				struct err *e)
{
	const char *name = arena_printf(&all->h->arena, "%s^{commit}", rev),
		   *found = NULL;
	struct buf out = {0};
	const int r = *rev == '-' ? 1
				  : ASK(all, &out, e, "rev-parse", "-q",
					"--verify", name);

	if (r == 0)
		found = arena_copy(&all->h->arena, out.p, strcspn(out.p, "\n"));
	else if (r > 0)
		err_set(e, ERR_USAGE, "no commit '%s'", rev);
	buf_release(&out);
	return found;
}

const char *file_changes_base(struct file_changes *all, const char *a,
			      const char *b, struct err *e)
{
	struct buf out = {0};
	const char *found = NULL;
	const int r = ASK(all, &out, e, "merge-base", a, b);

	if (r == 0)
		found = arena_copy(&all->h->arena, out.p, strcspn(out.p, "\n"));
	else if (r > 0)
		err_set(e, ERR_USAGE, "'%s' and '%s' have nothing in common", a,
			b);
	buf_release(&out);
	return found;
}

/* The data in git's index about a file equal to HEAD; all zero: unknown. */
struct indexed {
	uint32_t numbers[9]; /* as git ls-files --debug prints them */
};
enum { CTIME, CTIME_NS, MTIME, MTIME_NS, DEV, INO, UID, GID, SIZE };

/* A directory of the work tree being read. */
struct dir_walk {
	struct file_changes *all;
	const char *folder; /* below knowledge/ */
	int dir;
	struct err *e;
};

static int walk_folder(struct file_changes *all, const char *folder,
		       struct err *e);

/* Return the change of the file at PATH in the commit, or NULL. */
static struct file_change *find_change(const struct file_changes *all,
				       const char *path)
{
	struct table_look look =
		table_look(&all->by_path, path, strlen(path), 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (!strcmp(all->items[i].was[0]->path, path))
			return &all->items[i];
	}
	return NULL;
}

/* Parse "MODE BLOB STAGE\tPATH", and TEXT, the lines after it. */
static void parse_index_entry(struct file_changes *all, const char *line,
			      const char *text)
{
	const char *blob = strchr(line, ' '), *tab = strchr(line, '\t');
	struct file_change *t;
	struct indexed *f;
	size_t len;
	char *end;

	if (!blob || !tab || strncmp(tab - 2, " 0", 2) != 0 ||
	    !(t = find_change(all, relative_to_root(all, tab + 1))))
		return;
	len = strlen(t->was[0]->blob);
	if (strncmp(blob + 1, t->was[0]->blob, len) || blob[1 + len] != ' ')
		return;
	f = &all->in_index.files[t - all->items];
	for (size_t i = 0; i < ARRAY_LEN(f->numbers); i++) {
		text += strcspn(text, "0123456789");
		f->numbers[i] = (uint32_t)strtoul(text, &end, 10);
		text = end;
	}
}

/* Parse the complete part of the output of git ls-files. An unknown format is
 * ignored. */
static bool parse_index(void *ctx, struct buf *out)
{
	struct file_changes *all = ctx;
	const char *p = out->p, *end = p + out->len, *text, *stop;

	while ((text = memchr(p, '\0', (size_t)(end - p)))) {
		stop = ++text;
		for (int lines = 0; stop && lines < 5; lines++) {
			stop = memchr(stop, '\n', (size_t)(end - stop));
			stop += !!stop;
		}
		if (!stop)
			break;
		if (!strncmp(text, "  ctime: ", strlen("  ctime: ")))
			parse_index_entry(all, p, text);
		p = stop;
	}
	memmove(out->p, p, (size_t)(end - p));
	buf_cut(out, (size_t)(end - p));
	return true;
}

void file_changes_read_index(struct file_changes *all)
{
	struct file_changes_index *x = &all->in_index;
	const char *const words[] = {"ls-files",
				     "-s",
				     "--debug",
				     "-z",
				     "--full-name",
				     "--",
				     knowledge_pathspec(all),
				     NULL};
	struct stat st;
	struct err why;

	if (x->files || !all->n || stat(all->index, &st) < 0)
		return;
	x->written = filestat_of(&st).mtime;
	x->n = all->n;
	x->files = mem_alloc(x->n * sizeof(*x->files));
	if (git_ask_taking(all->dir, words, "", 0, parse_index, all, &why) == 0)
		return;
	free(x->files);
	x->files = NULL;
	x->n = 0;
}

/* Return true if the time at index I of F equals NS. */
static bool is_time(const struct indexed *f, int i, int64_t ns)
{
	return f->numbers[i] == (uint64_t)ns / SECOND &&
	       f->numbers[i + 1] == (uint64_t)ns % SECOND;
}

/* Return true if the file NAME in DIR is unmodified: its status equals that of
 * T in the index, and is older than the index (see racy-git in git's
 * documentation). */
static bool is_unmodified(const struct file_changes *all,
			  const struct file_change *t, int dir,
			  const char *name)
{
	const struct file_changes_index *x = &all->in_index;
	const size_t i = (size_t)(t - all->items);
	const struct indexed *f = i < x->n ? &x->files[i] : NULL;
	struct filestat is;
	struct stat st;

	if (!f || !f->numbers[SIZE] ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	is = filestat_of(&st);
	return is.mtime < x->written && is_time(f, CTIME, is.ctime) &&
	       is_time(f, MTIME, is.mtime) &&
	       f->numbers[INO] == (uint32_t)is.ino &&
	       f->numbers[SIZE] == is.size;
}

bool file_changes_is_current(const struct file_changes *all,
			     const struct file_change *t)
{
	struct arena a = {0};
	const bool is =
		is_unmodified(all, t, AT_FDCWD,
			      arena_printf(&a, "%s/%s", all->repo->root.path,
					   t->was[0]->path));

	arena_release(&a);
	return is;
}

/* If the file NAME at PATH is unmodified according to the index, use its old
 * version and return true. */
static bool use_current(const struct dir_walk *w, const char *name,
			const char *path)
{
	struct file_change *t =
		w->all->in_index.n && version_kind(path) == VERSION_MEMORY
			? find_change(w->all, path)
			: NULL;

	if (!t || !is_unmodified(w->all, t, w->dir, name))
		return false;
	t->now = t->was[0];
	t->now->current = true;
	return true;
}

/* Add the file NAME, which has TEXT, to the changes. */
static void add_file(struct dir_walk *w, const char *name, const char *path,
		     const struct buf *text)
{
	struct file_changes *all = w->all;
	struct arena *a = &all->h->arena;
	struct version *v = arena_alloc(a, sizeof(*v));
	struct file_change *t = find_change(all, path);
	struct stat st;

	v->path = arena_strdup(a, path);
	if (version_kind(v->path) == VERSION_MEMORY)
		v->id = ids_of_name(name);
	if (!fstatat(w->dir, name, &st, AT_SYMLINK_NOFOLLOW))
		v->changed.sec = st.st_mtime;
	v->compared = true;
	read_text(all, v, buf_str(text), text->len);
	t = t ? t : add_change(all, 1);
	t->now = v;
}

/* Take the file at PATH, which cannot be read because of WHY, for unchanged. */
static void keep_unread(struct file_changes *all, const char *path,
			const struct err *why)
{
	struct file_change *t = find_change(all, path);

	err_report(all->store->report, why);
	if (t)
		t->now = t->was[0];
}

/* A file_walk_fn: add a file of the work tree, or walk a subdirectory. */
static int visit_file(void *ctx, const char *name, enum file_kind kind)
{
	struct dir_walk *w = ctx;
	struct file_changes *all = w->all;
	struct buf text = {0};
	struct arena a = {0};
	struct err why;
	int r = 0;
	const char *path = arena_printf(&a, "knowledge/%s%s%s", w->folder,
					*w->folder ? "/" : "", name);

	if (kind == FILE_FOLDER && *w->folder && *name != '.')
		r = walk_folder(all, arena_printf(&a, "%s/%s", w->folder, name),
				w->e);
	if (kind == FILE_REGULAR && may_be_wanted(all, path) &&
	    !use_current(w, name, path)) {
		const char *full =
			arena_printf(&a, "%s/%s", all->repo->root.path, path);
		const int found = file_read(w->dir, name, full, LAYOUT_FILE_MAX,
					    &text, &why);

		if (found > 0)
			add_file(w, name, path, &text);
		else if (found < 0 && why.code == ERR_SYSTEM)
			keep_unread(all, path, &why);
	}
	buf_release(&text);
	arena_release(&a);
	return r;
}

/* Add the files in FOLDER, a path below knowledge/. */
static int walk_folder(struct file_changes *all, const char *folder,
		       struct err *e)
{
	struct dir_walk w = {.all = all, .folder = folder, .e = e};
	struct arena a = {0};
	struct err why;
	int r = all->repo->fd < 0
			? 0
			: layout_open(all->repo, folder, &w.dir, &why);

	/* If it is not a directory, co knowledge --check reports it. */
	if (r < 0 && why.code == ERR_SYSTEM)
		return err_take(e, &why);
	if (r <= 0)
		return 0;
	r = file_walk(w.dir, layout_path(all->repo, folder, &a), visit_file, &w,
		      e);
	close(w.dir);
	arena_release(&a);
	return r;
}

int file_changes_each_file(struct file_changes *all, const char *rev,
			   const char *below, file_changes_file_fn *fn,
			   void *ctx, struct err *e)
{
	const size_t skipped = strlen("100644 blob ");
	struct buf out = {0};
	const int r = ASK(all, &out, e, "ls-tree", "-r", "-z", "--full-name",
			  rev, "--",
			  arena_printf(&all->h->arena, ":(top,literal)%s%s",
				       all->prefix, below));

	for (size_t at = 0; !r && at < out.len; at += strlen(out.p + at) + 1) {
		const char *line = out.p + at, *tab = strchr(line, '\t');

		fn(ctx, line, line + skipped, (size_t)(tab - line) - skipped,
		   relative_to_root(all, tab + 1));
	}
	buf_release(&out);
	return r < 0 ? explain_failure(all, -1, e) : 0;
}

static void add_gone(void *ctx, const char *mode, const char *blob, size_t len,
		     const char *path)
{
	struct file_changes *all = ctx;

	if (!strncmp(mode, "100", 3) && may_be_wanted(all, path))
		add_change(all, 1)->was[0] = find_version(all, path, blob, len);
}

/* Add the files of the commit REV as deleted. */
static int add_tree(struct file_changes *all, const char *rev, struct err *e)
{
	return file_changes_each_file(all, rev, "knowledge", add_gone, all, e);
}

int file_changes_tree(struct file_changes *all, const char *rev, struct err *e)
{
	add_step(all);
	return add_tree(all, rev, e);
}

/* Return true if PATH exists below the root. */
static bool path_exists(const struct file_changes *all, const char *path)
{
	struct arena a = {0};
	struct stat st;
	const bool is =
		lstat(arena_printf(&a, "%s/%s", all->repo->root.path, path),
		      &st) == 0;

	arena_release(&a);
	return is;
}

/* Parse "S MODE BLOB STAGE\tPATH" about a file outside the sparse checkout. It
 * counts as present, as the index has it. */
static void parse_left_out(struct file_changes *all, const char *line)
{
	const char *tab = strchr(line, '\t'),
		   *path = tab ? relative_to_root(all, tab + 1) : "",
		   *blob = line + strlen("S 100644 ");
	struct file_change *t;

	if (!tab || strncmp(line, "S 100", 5) || strncmp(tab - 2, " 0", 2) ||
	    !may_be_wanted(all, path) || path_exists(all, path))
		return;
	t = find_change(all, path);
	t = t ? t : add_change(all, 1);
	t->now = find_version(all, path, blob, strcspn(blob, " "));
}

/* Add the files that a sparse checkout omits. */
static int add_left_out(struct file_changes *all, struct err *e)
{
	struct buf out = {0};
	int r = 0;

	if (all->sparse && !file_is_gone(AT_FDCWD, all->sparse, true))
		r = ASK(all, &out, e, "ls-files", "-t", "-s", "-z",
			"--full-name", "--", knowledge_pathspec(all));
	for (size_t at = 0; !r && at < out.len; at += strlen(out.p + at) + 1)
		parse_left_out(all, out.p + at);
	buf_release(&out);
	return r < 0 ? -1 : 0;
}

int file_changes_work_tree(struct file_changes *all, const char *a,
			   struct err *e)
{
	const struct layout_directory *d;
	int r;

	add_step(all);
	r = a ? add_tree(all, a, e) : 0;
	for (size_t i = 0; i < all->n; i++) {
		const char *path = all->items[i].was[0]->path;

		table_put(&all->by_path, path, strlen(path), 0, i);
	}
	/* An optimization only: the result is the same without it. */
	if (!r && all->n >= INDEX_LEAST && !keeps_all(all))
		file_changes_read_index(all);
	if (!r)
		r = walk_folder(all, "", e);
	for (size_t i = 0; !r && (d = layout_directory(i)); i++) {
		if (d->documents)
			r = walk_folder(all, d->name, e);
	}
	if (!r)
		r = add_left_out(all, e);
	return r ? -1 : 0;
}

void file_changes_release(struct file_changes *all)
{
	table_release(&all->by_blob);
	table_release(&all->by_path);
	arena_release(&all->scratch);
	free(all->in_index.files);
	free(all->versions);
	free(all->items);
}
