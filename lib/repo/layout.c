/* layout.c: a path that a person gave is resolved without realpath(). Its directory is
 * opened, and links are followed. It must be a directory of the store, by device and
 * inode. The result then has the store's own path for it.
 */
#include "repo/layout.h"

#include "base/ascii.h"
#include "repo/gitdir.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const struct layout_directory directories[] = {
	{LAYOUT_MEMORIES, AREA_MEMORIES, .top = true, .ids = true,
	 .documents = true, .unswept = true},
	{LAYOUT_ARCHIVE, AREA_ARCHIVE, .top = true, .ids = true,
	 .documents = true},
	{LAYOUT_DRAFTS, AREA_DRAFTS, .top = true, .ids = true, .apart = true,
	 .unswept = true},
	{LAYOUT_SHARED, AREA_DRAFTS, .ids = true},
	{LAYOUT_TRASH, AREA_TRASH, .top = true, .ids = true, .apart = true},
	{LAYOUT_TRASH "/" LAYOUT_PURGED, AREA_TRASH, .ids = true},
	{LAYOUT_ARTICLES, AREA_ARTICLES, .top = true, .documents = true,
	 .unswept = true},
	{"files", AREA_ANY, .top = true, .documents = true, .unswept = true},
	{"attachments", AREA_ANY, .top = true, .unswept = true},
	{"prompts", AREA_ANY, .top = true, .unswept = true},
};

const struct layout_directory *layout_directory(size_t i)
{
	return i < ARRAY_LEN(directories) ? &directories[i] : NULL;
}

const struct layout_directory *layout_top(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(directories); i++) {
		if (directories[i].top &&
		    !strncmp(directories[i].name, name, len) &&
		    !directories[i].name[len])
			return &directories[i];
	}
	return NULL;
}

const char *layout_below_knowledge(const char *path)
{
	static const char knowledge[] = "knowledge/";

	return strncmp(path, knowledge, strlen(knowledge)) != 0
		       ? path
		       : path + strlen(knowledge);
}

const struct layout_directory *layout_directory_of(const char *path)
{
	const char *below = layout_below_knowledge(path);
	const char *slash = below == path ? NULL : strchr(below, '/');

	return slash ? layout_top(below, (size_t)(slash - below)) : NULL;
}

const char *layout_name(enum area area)
{
	size_t i = 0;

	while (directories[i].area != area)
		i++;
	return directories[i].name;
}

const char *const layout_categories[LAYOUT_CATEGORIES] = {
	"facts.md", "decisions.md", "questions.md", "playbooks.md", "tasks.md"};

bool layout_is_numbered(const char *name)
{
	return ascii_is_digit(name[0]) && ascii_is_digit(name[1]) && !name[2];
}

int layout_number(const char *folder)
{
	static const char above[] = LAYOUT_MEMORIES "/";
	const char *name = folder + sizeof(above) - 1;

	if (strncmp(folder, above, sizeof(above) - 1) != 0 ||
	    !layout_is_numbered(name))
		return -1;
	return (name[0] - '0') * 10 + name[1] - '0';
}

bool layout_is_memories(const char *folder)
{
	return layout_number(folder) >= 0 || !strcmp(folder, LAYOUT_MEMORIES);
}

/* A memory with a counted id, from before the store became a team's, is not in a
 * numbered directory. */
const char *layout_numbered(int64_t id, struct arena *a)
{
	if (id < LAYOUT_DRAWN)
		return layout_name(AREA_MEMORIES);
	while (id > 99)
		id /= 10;
	return arena_printf(a, "%s/%02d", layout_name(AREA_MEMORIES), (int)id);
}

bool layout_is_apart(const char *name)
{
	return name[0] == '.' || !strcmp(name, LAYOUT_PURGED) ||
	       !strcmp(name, LAYOUT_ARTICLES);
}

/* Return true if the file at PATH is directly in a directory with the name FOLDER. */
static bool is_directly_in(const char *path, const char *folder)
{
	const size_t len = strlen(folder);
	const char *name = strrchr(path, '/');

	return name && (size_t)(name - path) > len &&
	       name[-1 - (int)len] == '/' && !memcmp(name - len, folder, len);
}

bool layout_is_article(const char *path)
{
	return is_directly_in(path, LAYOUT_ARTICLES);
}

bool layout_is_draft(const char *path)
{
	return is_directly_in(path, LAYOUT_DRAFTS) || layout_is_accepted(path);
}

bool layout_is_accepted(const char *path)
{
	return is_directly_in(path, LAYOUT_ACCEPTED);
}

bool layout_is_memory(const char *name)
{
	const size_t len = strlen(name);

	return len > 3 && name[0] != '.' && !strcmp(name + len - 3, ".md");
}

/* Open FOLDER, below knowledge/. MAKE: create missing directories. */
static int open_folder(struct repo *repo, const char *folder, bool make,
		       int *fd, struct err *e)
{
	return file_open_below(repo->fd, repo->path, folder,
			       make ? root_dir_mode(&repo->root) : 0, fd, e);
}

/* Return the path of FOLDER below LAYOUT_LOG, "" for the log itself; NULL if FOLDER is
 * not in the log. */
static const char *below_log(const char *folder)
{
	const size_t len = strlen(LAYOUT_LOG);

	if (strncmp(folder, LAYOUT_LOG, len) != 0)
		return NULL;
	return folder[len] == '/' ? folder + len + 1 : folder + len;
}

/* Open the directory of the operation log, or the directory BELOW in it. */
static int open_log(struct repo *repo, const char *below, int *fd,
		    struct err *e)
{
	int log, r = log_folder_open(&repo->root, false, &log, e);

	if (r != 1 || !*below) {
		*fd = log;
		return r;
	}
	r = file_open_below(log, log_folder_path(&repo->root), below, 0, fd, e);
	close(log);
	return r;
}

int layout_open(struct repo *repo, const char *folder, int *fd, struct err *e)
{
	*fd = -1;
	if (below_log(folder))
		return open_log(repo, below_log(folder), fd, e);
	if (!strcmp(folder, LAYOUT_SHARED))
		return shared_open(&repo->root, false, fd, e);
	if (repo->fd < 0)
		return 0;
	if (*folder)
		return open_folder(repo, folder, false, fd, e);
	*fd = file_open(repo->fd, ".", O_RDONLY | O_DIRECTORY, 0);
	return *fd < 0 ? err_sys(e, "cannot open '%s'", repo->path) : 1;
}

int layout_list(struct repo *repo, const char *folder, struct arena *a,
		struct file_list *list, struct err *e)
{
	int dir, r = layout_open(repo, folder, &dir, e);

	list->n = 0;
	if (r != 1)
		return r;
	r = file_list(dir, layout_path(repo, folder, a), a, list, e);
	close(dir);
	return r;
}

int layout_stat(struct repo *repo, const char *folder, struct stat *st)
{
	if (!strcmp(folder, LAYOUT_SHARED))
		folder = shared_path(&repo->root);
	if (folder && fstatat(repo->fd, folder, st, AT_SYMLINK_NOFOLLOW) == 0)
		return 1;
	return !folder || errno == ENOENT ? 0 : -1;
}

int layout_is_tracked(struct repo *repo, const char *folder, struct err *e)
{
	struct buf path = {0};
	struct gitdir g;
	/* The root may be a repository itself, as the user's and a submodule are. */
	int found = gitdir_find(&g, repo->root.path, e);

	if (found != 1)
		return found;
	buf_addf(&path, "%s/%s",
		 repo->path + (g.top[1] ? strlen(g.top) : 0) + 1, folder);
	found = gitdir_tracks(&g, path.p, e);
	buf_release(&path);
	gitdir_release(&g);
	return found;
}

const char *layout_path(struct repo *repo, const char *folder, struct arena *a)
{
	if (!strcmp(folder, LAYOUT_SHARED))
		return arena_strdup(a, shared_path(&repo->root));
	if (below_log(folder))
		return log_folder_path(&repo->root)
			       ? arena_printf(a, "%s%s",
					      log_folder_path(&repo->root),
					      folder + strlen(LAYOUT_LOG))
			       : NULL;
	return arena_printf(a, "%s/%s", repo->path, folder);
}

/* Hide the contents of DIR from git. */
static int hide_from_git(struct repo *repo, int dir, const char *folder,
			 struct err *e)
{
	struct buf path = {0};
	struct stat st;
	int r;

	if (fstatat(dir, ".gitignore", &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	buf_addf(&path, "%s/%s/.gitignore", repo->path, folder);
	r = file_create_from(repo->fd, dir, ".gitignore", path.p,
			     root_file_mode(&repo->root), "*\n", 2, e);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

int layout_make(struct repo *repo, const char *folder, int *fd, struct err *e)
{
	const size_t len = strcspn(folder, "/");
	const struct layout_directory *top = layout_top(folder, len);
	int r;

	if (!strcmp(folder, LAYOUT_SHARED)) {
		r = shared_open(&repo->root, true, fd, e);
		return r == 0  ? err_set(e, ERR_SYSTEM, "there is no git dir")
		       : r < 0 ? -1
			       : 0;
	}
	if (top && top->apart) {
		if (open_folder(repo, top->name, true, fd, e) < 0)
			return -1;
		r = hide_from_git(repo, *fd, top->name, e);
		if (!r && !folder[len])
			return 0;
		close(*fd);
		*fd = -1;
		if (r < 0)
			return -1;
	}
	r = open_folder(repo, folder, true, fd, e);
	return r < 0 ? -1 : 0;
}

/* Return the area of FOLDER, a path below knowledge/; AREA_ANY if it has none.
 * FOLDER may be from an untrusted path, so it must have exactly a name that we use. */
static enum area area_of(const char *folder)
{
	const struct layout_directory *top;
	const char *removal;
	size_t len, n;

	if (layout_is_memories(folder))
		return AREA_MEMORIES;
	len = strcspn(folder, "/");
	removal = folder + len + 1;
	top = layout_top(folder, len);
	if (!top || (top->area == AREA_TRASH) != (folder[len] == '/'))
		return AREA_ANY;
	if (top->area != AREA_TRASH)
		return top->area;
	n = strcspn(removal, "/");
	if (!n || removal[0] == '.' ||
	    (removal[n] && strcmp(removal + n, "/" LAYOUT_DRAFTS) != 0 &&
	     strcmp(removal + n, "/" LAYOUT_ACCEPTED) != 0 &&
	     strcmp(removal + n, "/" LAYOUT_ARCHIVE) != 0 &&
	     strcmp(removal + n, "/" LAYOUT_ARTICLES) != 0))
		return AREA_ANY;
	return AREA_TRASH;
}

/* Return true if the directory of PATH, which ends at SLASH, is LAYOUT_SHARED. */
static bool is_in_shared(struct repo *repo, const char *path, const char *slash)
{
	const size_t len = (size_t)(slash - path);
	const char *shared;

	/* For most paths, git need not be consulted. */
	if (len < strlen("/" LAYOUT_DRAFTS) ||
	    memcmp(slash - 7, "/" LAYOUT_DRAFTS, 7) != 0)
		return false;
	shared = shared_path(&repo->root);
	return shared && strlen(shared) == len && !memcmp(shared, path, len);
}

bool layout_parse(struct repo *repo, const char *path, struct arena *a,
		  struct layout_place *p)
{
	const size_t len = strlen(repo->path);
	const char *slash = strrchr(path, '/'), *below = path + len + 1;
	const char *part = NULL; /* of a removal */

	if (!slash || !layout_is_memory(slash + 1))
		return false;
	if (is_in_shared(repo, path, slash)) {
		*p = (struct layout_place){.area = AREA_DRAFTS,
					   .draft = true,
					   .folder = LAYOUT_SHARED,
					   .name = arena_strdup(a, slash + 1)};
		return true;
	}
	if (strncmp(path, repo->path, len) != 0 || path[len] != '/' ||
	    slash < below)
		return false;
	p->folder = arena_copy(a, below, (size_t)(slash - below));
	p->name = arena_strdup(a, slash + 1);
	p->area = area_of(p->folder);
	if (p->area == AREA_TRASH)
		part = strchr(p->folder + strlen(LAYOUT_TRASH "/"), '/');
	p->draft = p->area == AREA_DRAFTS ||
		   (part && (!strcmp(part + 1, LAYOUT_DRAFTS) ||
			     !strcmp(part + 1, LAYOUT_ACCEPTED)));
	p->article = p->area == AREA_ARTICLES ||
		     (part && !strcmp(part + 1, LAYOUT_ARTICLES));
	p->archived = p->area == AREA_ARCHIVE ||
		      (part && !strcmp(part + 1, LAYOUT_ARCHIVE));
	return p->area != AREA_ANY;
}

int layout_read(struct repo *repo, const char *path, struct arena *a,
		struct layout_place *p, struct buf *text, struct err *e)
{
	int dir, r;

	if (!layout_parse(repo, path, a, p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	r = layout_open(repo, p->folder, &dir, e);
	if (r != 1)
		return r;
	r = file_read(dir, p->name, path, LAYOUT_FILE_MAX, text, e);
	close(dir);
	return r;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Append to NAME the name that the directory ST has in DIR ("/NAME"). Return 1, 0 if it
 * is not in DIR, or -1. */
static int add_own_name(int dir, const struct stat *st, struct buf *name,
			struct err *e)
{
	struct file_list in;
	struct arena a = {0};
	struct stat one;
	int r = file_list(dir, "..", &a, &in, e);

	for (size_t i = 0; i < in.n && !r; i++) {
		if (in.items[i].kind != FILE_FOLDER)
			continue;
		if (fstatat(dir, in.items[i].name, &one, AT_SYMLINK_NOFOLLOW) ==
		    0)
			r = same_file(&one, st);
		else if (errno != ENOENT)
			r = err_sys(e, "cannot look at '%s'", in.items[i].name);
		if (r > 0)
			buf_addf(name, "/%s", in.items[i].name);
	}
	arena_release(&a);
	return r;
}

/* Append to NAME the path of the directory FD below TOP ("/TIMESTAMP-N"). Return 1;
 * 0 if FD is not below TOP; or -1. UP is the depth of FD. */
static int name_below(int fd, int up, const struct stat *top, struct buf *name,
		      struct err *e)
{
	struct stat st, above;
	int dir, r = 0;

	dir = file_open(fd, "..", O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return errno == EACCES ? 0 : err_sys(e, "cannot open '..'");
	if (fstat(fd, &st) < 0 || fstat(dir, &above) < 0)
		r = err_sys(e, "cannot look at '..'");
	else if (same_file(&above, top))
		r = 1;
	else if (up > 1)
		r = name_below(dir, up - 1, top, name, e);
	if (r == 1)
		r = add_own_name(dir, &st, name, e);
	close(dir);
	return r;
}

/* Set FOLDER to the directory of REPO that the open directory FD is. Return 1, 0 if
 * it is none, or -1. */
static int name_directory(struct repo *repo, int fd, const char *path,
			  struct buf *folder, struct err *e)
{
	struct stat st, own;
	int r = 0;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "cannot look at '%s'", path);
	if (layout_stat(repo, LAYOUT_SHARED, &own) == 1 &&
	    same_file(&st, &own)) {
		buf_adds(folder, LAYOUT_SHARED);
		return 1;
	}
	if (repo->fd < 0)
		return 0;
	for (size_t i = 0; !r && i < ARRAY_LEN(directories); i++) {
		const char *name = directories[i].name;
		const enum area area = directories[i].area;

		if (!directories[i].top || area == AREA_ANY)
			continue;
		if (fstatat(repo->fd, name, &own, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno == ENOENT)
				continue;
			return err_sys(e, "cannot look at '%s/%s'", repo->path,
				       name);
		}
		buf_cut(folder, 0);
		buf_adds(folder, name);
		r = area != AREA_TRASH && same_file(&st, &own);
		if (!r && area == AREA_TRASH)
			r = name_below(fd, 2, &own, folder, e);
		else if (!r && area == AREA_MEMORIES)
			r = name_below(fd, 1, &own, folder, e);
	}
	return r;
}

/* Return 1 if the directory DIR of the store has the memory NAME, 0 if not, or -1. */
static int find_memory(int dir, const char *operand, const char *name,
		       struct err *e)
{
	struct stat st;

	if (!layout_is_memory(name))
		return err_set(e, ERR_USAGE,
			       "'%s' is not a memory: its name does not end in "
			       "'.md'",
			       operand);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : err_sys(e, "cannot open '%s'", operand);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_DATA,
			       "refusing '%s': it is not a "
			       "regular file",
			       operand);
	return 1;
}

/* Like layout_find(), for a path of any form. */
static int find_anyhow(struct repo *repo, const char *operand, struct arena *a,
		       const char **path, struct layout_place *p, struct err *e)
{
	const char *slash = strrchr(operand, '/');
	const char *name = slash ? slash + 1 : operand;
	const char *dir =
		slash ? arena_copy(a, operand, (size_t)(name - operand)) : ".";
	struct buf folder = {0};
	int r, fd = file_open(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return err_sys(e, "cannot open '%s'", dir);
	r = name_directory(repo, fd, dir, &folder, e);
	if (r == 1)
		r = find_memory(fd, operand, name, e);
	else if (r == 0 && !slash && *name &&
		 faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		r = err_set(e, ERR_USAGE,
			    "'%s' is not an id or a file of the store",
			    operand);
	else if (r == 0)
		r = err_set(e, ERR_USAGE, "'%s' is outside the store", operand);
	if (r == 1) {
		*path = arena_printf(a, "%s/%s", layout_path(repo, folder.p, a),
				     name);
		if (!layout_parse(repo, *path, a, p))
			r = err_set(e, ERR_USAGE, "'%s' is outside the store",
				    operand);
	}
	buf_release(&folder);
	close(fd);
	return r;
}

int layout_find(struct repo *repo, const char *operand, struct arena *a,
		const char **path, struct layout_place *p, struct err *e)
{
	int r, fd;

	/* A path that we printed needs no search for its directory. */
	if (!layout_parse(repo, operand, a, p))
		return find_anyhow(repo, operand, a, path, p, e);
	r = layout_open(repo, p->folder, &fd, e);
	if (r != 1)
		return r;
	r = find_memory(fd, operand, p->name, e);
	*path = arena_strdup(a, operand);
	close(fd);
	return r;
}

/* The state of layout_walk(). */
struct walking {
	struct repo *repo;
	layout_fn *fn;
	void *ctx;
	struct err *e;
	struct buf path; /* of the current directory, then of the file */
	int dir;
	int depth;     /* levels of subdirectories that are left */
	bool numbered; /* only numbered subdirectories count */
};

static int walk_folder(struct walking *w, const char *name);

static int walk_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct walking *w = ctx;
	const size_t len = w->path.len;
	struct layout_file f = {w->dir, name, NULL, kind};
	int r;

	if (kind == FILE_FOLDER && w->depth &&
	    (w->numbered ? layout_is_numbered(name) : !layout_is_apart(name)))
		return walk_folder(w, name);
	if (!layout_is_memory(name))
		return 0;
	buf_addc(&w->path, '/');
	buf_adds(&w->path, name);
	f.path = w->path.p;
	r = w->fn(w->ctx, &f, w->e);
	buf_cut(&w->path, len);
	return r;
}

static int walk_folder(struct walking *w, const char *name)
{
	const size_t len = w->path.len;
	const int above = w->dir;
	int r;

	buf_addf(&w->path, "/%s", name);
	r = file_open_dir(above, name, w->path.p, &w->dir, w->e);
	if (r == 1) {
		/* walk_entry() changes W's path, so the walk gets a copy. */
		char *path = mem_strdup(w->path.p);

		w->depth--;
		r = file_walk(w->dir, path, walk_entry, w, w->e);
		w->depth++;
		free(path);
		close(w->dir);
	}
	w->dir = above;
	buf_cut(&w->path, len);
	return r;
}

/* Walk over the drafts in the git directory. */
static int walk_shared(struct walking *w)
{
	struct walking shared = *w;
	int r = layout_open(w->repo, LAYOUT_SHARED, &shared.dir, w->e);

	if (r != 1)
		return r;
	shared.depth = 0;
	buf_adds(&shared.path, shared_path(&w->repo->root));
	r = file_walk(shared.dir, shared_path(&w->repo->root), walk_entry,
		      &shared, w->e);
	buf_release(&shared.path);
	close(shared.dir);
	return r;
}

int layout_walk(struct repo *repo, enum area area, layout_fn *fn, void *ctx,
		struct err *e)
{
	struct walking w = {.repo = repo,
			    .fn = fn,
			    .ctx = ctx,
			    .e = e,
			    .dir = repo->fd,
			    .numbered = area == AREA_MEMORIES};
	int r = area == AREA_DRAFTS ? walk_shared(&w) : 0;

	if (repo->fd < 0 || r)
		return r;
	/* The area, and in the trash the removals and their directories. */
	w.depth = area == AREA_TRASH ? 3 : area == AREA_MEMORIES ? 2 : 1;
	buf_adds(&w.path, repo->path);
	r = walk_folder(&w, layout_name(area));
	buf_release(&w.path);
	return r;
}
