/* touches.c: git log names the blobs of each change, and git cat-file says what
 * they hold, each in one process however long the history is.  Files of the work
 * tree are read here: git would run the filters of the repository's
 * configuration for that.
 */
#include "history/touches.h"

#include "history/objects.h"
#include "repo/gitdir.h"
#include "store/ids.h"
#include "sys/file.h"
#include "sys/git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ask git, and have in OUT what it prints. */
#define ASK(all, out, e, ...)                                                \
	git_ask((all)->dir, (const char *const[]){__VA_ARGS__, NULL}, "", 0, \
		out, e)

int touches_open(struct touches *all, struct history *h, struct repo *repo,
		 const struct history_want *w, struct err *e)
{
	const char *path = repo->root.path;
	struct gitdir g;
	size_t len;
	const int r = gitdir_find(&g, path, e);

	*all = (struct touches){.h = h, .repo = repo, .want = w};
	if (r <= 0)
		return r;
	h->in_git = true;
	/* The root may be gone, and may be the top, as a submodule is. */
	len = strlen(g.top) == 1 ? 0 : strlen(g.top);
	all->dir = arena_strdup(&h->arena, g.top);
	all->prefix =
		path[len] ? arena_printf(&h->arena, "%s/", path + len + 1) : "";
	gitdir_release(&g);
	return 1;
}

/* The version of PATH that the blob of LEN bytes of name is; NULL where PATH is
 * not asked about, or the name is all zeros. */
static struct version *note(struct touches *all, const char *path,
			    const char *blob, size_t len)
{
	struct table_look look;
	struct version *v;
	size_t i;

	if (strspn(blob, "0") >= len)
		return NULL;
	look = table_look(&all->by_blob, blob, len, 0);
	while (table_next(&look, &i)) {
		v = all->versions[i];
		if (!strncmp(v->blob, blob, len) && !strcmp(v->path, path))
			return v;
	}
	v = arena_alloc(&all->h->arena, sizeof(*v));
	v->path = path;
	v->blob = arena_copy(&all->h->arena, blob, len);
	if (version_kind(path) == VERSION_MEMORY)
		v->id = ids_of_name(strrchr(path, '/') + 1);
	all->versions = mem_grow(all->versions, all->nversions,
				 &all->versions_cap, sizeof(struct version *));
	all->versions[all->nversions] = v;
	table_put(&all->by_blob, v->blob, len, 0, all->nversions++);
	return v;
}

/* True if the file at PATH may be one that is asked about. */
static bool may_be_meant(const struct touches *all, const char *path)
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

/* PATH, as git has it, from the root; "" where it is none of ours. */
static const char *from_root(const struct touches *all, const char *path)
{
	const size_t len = strlen(all->prefix);

	return strncmp(path, all->prefix, len) == 0 ? path + len : "";
}

/* What git is asked about. */
static const char *knowledge(struct touches *all)
{
	return arena_printf(&all->h->arena, ":(top,literal)%sknowledge",
			    all->prefix);
}

static struct touch *add_touch(struct touches *all, size_t nwas)
{
	struct touch *t;

	all->items =
		mem_grow(all->items, all->n, &all->cap, sizeof(*all->items));
	t = &all->items[all->n++];
	*t = (struct touch){.step = all->h->n - 1, .nwas = nwas};
	t->was = arena_alloc(&all->h->arena, nwas * sizeof(struct version *));
	return t;
}

static struct step *add_step(struct touches *all)
{
	struct history *h = all->h;

	h->steps = mem_grow(h->steps, h->n, &h->cap, sizeof(*h->steps));
	h->steps[h->n] = (struct step){.commit = NULL};
	return &h->steps[h->n++];
}

/* Read "\1COMMIT SECONDS AUTHOR". */
static void take_commit(struct touches *all, const char *line)
{
	struct step *s = add_step(all);
	struct arena *a = &all->h->arena;
	char *end;

	s->commit = arena_copy(a, line + 1, strcspn(line + 1, " "));
	line += 1 + strlen(s->commit);
	s->at.sec = strtoll(line, &end, 10);
	s->author = arena_strdup(a, *end == ' ' ? end + 1 : end);
}

/* Read ":MODE MODE BLOB BLOB LETTERS", with a mode and a blob more for each
 * further parent, of the file at PATH.  What is no regular file counts as none. */
static void take_raw(struct touches *all, const char *raw, const char *path)
{
	const size_t parents = strspn(raw, ":"), n = parents + 1;
	struct arena *a = &all->h->arena;
	const char **fields = arena_alloc(a, 2 * n * sizeof(*fields));
	const char *at = raw + parents;
	struct touch *t;

	if (!parents || !all->h->n || !may_be_meant(all, path))
		return;
	for (size_t i = 0; i < 2 * n; i++) {
		fields[i] = at;
		at += strcspn(at, " ");
		at += *at != '\0';
	}
	path = arena_strdup(a, path);
	t = add_touch(all, parents);
	for (size_t i = 0; i < n; i++) {
		struct version *v = NULL;

		if (!strncmp(fields[i], "100", 3))
			v = note(all, path, fields[n + i],
				 strcspn(fields[n + i], " "));
		*(i < parents ? &t->was[i] : &t->now) = v;
	}
}

/* Read what git log or git diff-tree printed with --raw -z. */
static void take_all(struct touches *all, const struct buf *out)
{
	const char *p = buf_str(out), *end = p + out->len;

	while (p < end) {
		const char *token = p + (*p == '\n');

		p = token + strlen(token) + 1;
		if (*token == '\1') {
			take_commit(all, token);
		} else if (*token == ':' && p < end) {
			take_raw(all, token, from_root(all, p));
			p += strlen(p) + 1;
		}
	}
}

static int fill_version(void *ctx, const struct object *o, struct err *e)
{
	struct touches *all = ctx;
	struct arena *a = &all->h->arena;
	const size_t len = strcspn(o->name, " ");
	struct table_look look = table_look(&all->by_blob, o->name, len, 0);
	const char *text = NULL;
	size_t i;

	(void)e;
	all->h->partial = all->h->partial || !o->p;
	while (o->p && table_next(&look, &i)) {
		struct version *v = all->versions[i];

		if (v->text || strcmp(v->blob, o->name) != 0)
			continue;
		text = text ? text : arena_copy(a, o->p, o->len);
		version_fill(v, text, o->len, a);
	}
	return 0;
}

int touches_load_texts(struct touches *all, struct err *e)
{
	struct buf names = {0};
	int r;

	for (size_t i = 0; i < all->nversions; i++) {
		if (!all->versions[i]->text)
			buf_addf(&names, "%s\n", all->versions[i]->blob);
	}
	r = objects_each(all->dir, &names, LAYOUT_FILE_MAX, fill_version, all,
			 e);
	buf_release(&names);
	return r;
}

static bool keep_all(void *ctx, struct buf *output)
{
	struct buf *out = ctx;

	buf_add(out, output->p, output->len);
	buf_cut(output, 0);
	return true;
}

/* Ask git, and read what it prints. */
static int ask_raw(struct touches *all, const char *const *words, struct err *e)
{
	struct buf out = {0};
	int r = git_ask_taking(all->dir, words, "", 0, keep_all, &out, e);

	if (r > 0)
		r = err_set(e, ERR_HELPER, "'git %s' failed", words[0]);
	if (!r)
		take_all(all, &out);
	buf_release(&out);
	return r;
}

/* All of them are asked for, since git is slower at matching names by a pattern
 * than we are at passing over what it prints. */
int touches_log(struct touches *all, const char *head, struct err *e)
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
				     knowledge(all),
				     NULL};

	return ask_raw(all, words, e);
}

int touches_diff(struct touches *all, const char *a, const char *b,
		 struct err *e)
{
	const char *const words[] = {
		"diff-tree",	"-r",	       "-z", "--raw", "--no-renames",
		"--no-abbrev",	"-O/dev/null", a,    b,	      "--",
		knowledge(all), NULL};

	add_step(all)->commit = b;
	return ask_raw(all, words, e);
}

const char *touches_commit(struct touches *all, const char *rev, struct err *e)
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

const char *touches_base(struct touches *all, const char *a, const char *b,
			 struct err *e)
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

/* Files of a folder of the work tree, on their way. */
struct walk {
	struct touches *all;
	const char *folder; /* below knowledge/ */
	const char *path;   /* the same as sentences call it */
	int dir;
	struct table *by_path; /* of what A has; see work_tree() */
};

static int walk_folder(struct touches *all, const char *folder, struct table *t,
		       struct err *e);

/* Add the file NAME, which holds TEXT, to the touches. */
static void add_file(struct walk *w, const char *name, const struct buf *text)
{
	struct touches *all = w->all;
	struct arena *a = &all->h->arena;
	struct version *v = arena_alloc(a, sizeof(*v));
	struct touch *t = NULL;
	struct table_look look;
	struct stat st;
	size_t i;

	v->path = arena_printf(a, "knowledge/%s%s%s", w->folder,
			       *w->folder ? "/" : "", name);
	if (version_kind(v->path) == VERSION_MEMORY)
		v->id = ids_of_name(name);
	if (!fstatat(w->dir, name, &st, AT_SYMLINK_NOFOLLOW))
		v->changed.sec = st.st_mtime;
	version_fill(v, arena_copy(a, buf_str(text), text->len), text->len, a);
	look = table_look(w->by_path, v->path, strlen(v->path), 0);
	while (table_next(&look, &i)) {
		if (!strcmp(all->items[i].was[0]->path, v->path))
			t = &all->items[i];
	}
	t = t ? t : add_touch(all, 1);
	t->now = v;
}

static int take_file(void *ctx, const char *name, enum file_kind kind)
{
	struct walk *w = ctx;
	struct touches *all = w->all;
	struct buf text = {0};
	struct arena a = {0};
	struct err why;
	const char *path = arena_printf(&a, "knowledge/%s%s%s", w->folder,
					*w->folder ? "/" : "", name);

	if (kind == FILE_FOLDER && *w->folder && *name != '.')
		walk_folder(all, arena_printf(&a, "%s/%s", w->folder, name),
			    w->by_path, NULL);
	if (kind == FILE_REGULAR && may_be_meant(all, path) &&
	    file_read(w->dir, name, path, LAYOUT_FILE_MAX, &text, &why) > 0)
		add_file(w, name, &text);
	buf_release(&text);
	arena_release(&a);
	return 0;
}

static int walk_folder(struct touches *all, const char *folder, struct table *t,
		       struct err *e)
{
	struct walk w = {.all = all, .folder = folder, .by_path = t};
	struct err why;
	int r;

	if (all->repo->fd < 0 ||
	    layout_open(all->repo, folder, &w.dir, &why) <= 0)
		return 0; /* what is no folder --check tells */
	r = file_walk(w.dir, folder, take_file, &w, e);
	close(w.dir);
	return r;
}

int touches_each_file(struct touches *all, const char *rev, const char *below,
		      touches_file_fn *fn, void *ctx, struct err *e)
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
		   from_root(all, tab + 1));
	}
	buf_release(&out);
	return r < 0 ? -1 : 0;
}

static void add_gone(void *ctx, const char *mode, const char *blob, size_t len,
		     const char *path)
{
	struct touches *all = ctx;

	if (!strncmp(mode, "100", 3) && may_be_meant(all, path))
		add_touch(all, 1)->was[0] = note(
			all, arena_strdup(&all->h->arena, path), blob, len);
}

/* Add what the commit REV has as gone. */
static int add_tree(struct touches *all, const char *rev, struct err *e)
{
	return touches_each_file(all, rev, "knowledge", add_gone, all, e);
}

int touches_tree(struct touches *all, const char *rev, struct err *e)
{
	add_step(all);
	return add_tree(all, rev, e);
}

int touches_work_tree(struct touches *all, const char *a, struct err *e)
{
	static const char *const folders[] = {"", "memories", "archive",
					      "articles", "files"};
	struct table by_path = {0};
	int r;

	add_step(all);
	r = a ? add_tree(all, a, e) : 0;
	for (size_t i = 0; i < all->n; i++) {
		const char *path = all->items[i].was[0]->path;

		table_put(&by_path, path, strlen(path), 0, i);
	}
	for (size_t i = 0; i < ARRAY_LEN(folders) && !r; i++)
		r = walk_folder(all, folders[i], &by_path, e);
	table_release(&by_path);
	return r ? -1 : 0;
}

void touches_release(struct touches *all)
{
	table_release(&all->by_blob);
	free(all->versions);
	free(all->items);
}
