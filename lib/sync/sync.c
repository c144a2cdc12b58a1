/* sync.c: git does the transport. What git says is never parsed: its exit status
 * and the names of refs and files tell what happened. */
#include "sync/sync.h"

#include "base/table.h"
#include "repair/repair.h"
#include "repair/resolve.h"
#include "repo/gitdir.h"
#include "sys/git.h"

#include <unistd.h>

#define TRIES 5 /* pushes, if others push meanwhile */

/* Files of one machine, below the root of the user: settings may name programs,
 * the rest records the conversations of this machine. */
static const char *const local_files[] = {
	"settings.json", "knowledge/ledger.json", "knowledge/digest.md"};

/* A sync in progress. */
struct job {
	struct sync *s;
	const char *root;   /* of the store */
	const char *top;    /* of the work tree */
	const char *prefix; /* of the store's files, below TOP: "" or "DIR/" */
	const char *theirs; /* the ref of the remote branch */
	struct buf out;	    /* of the last git command */
};

#define GIT(j, e, ...)                                                     \
	git_run((j)->top, (const char *const[]){__VA_ARGS__, NULL}, "", 0, \
		&(j)->out, e)

/* Run git with paths, each ended by NUL, as its input. */
#define GIT_PATHS(j, paths, e, ...)                                 \
	git_run((j)->top, (const char *const[]){__VA_ARGS__, NULL}, \
		(paths)->p, (paths)->len, &(j)->out, e)

/* Tell a person WHAT. CTX is a struct job: a repair_fn. */
static void say(void *ctx, const char *what)
{
	const struct job *j = ctx;

	if (j->s->say)
		j->s->say(j->s->ctx, what);
}

/* Fail unless git's status R is 0. WHAT is the task that failed. */
static int expect_zero(int r, const char *what, struct err *e)
{
	return r <= 0 ? r : err_set(e, ERR_HELPER, "git cannot %s", what);
}

/* Return the output of git as one line, in the arena. */
static const char *take_line(struct job *j)
{
	return arena_copy(&j->s->arena, buf_str(&j->out),
			  strcspn(buf_str(&j->out), "\n"));
}

/* Find the work tree of the store and the remote branch. */
static int find_remote(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	struct arena *a = &s->arena;
	const struct root *root = &s->store->repo.root;
	const bool user = root->scope == SCOPE_GLOBAL;
	struct gitdir g;
	int r = root->fd < 0 ? 0 : gitdir_find(&g, root->path, e);

	if (r < 0)
		return -1;
	if (r) {
		j->top = arena_strdup(a, g.top);
		gitdir_release(&g);
	}
	if (!r || (user && strcmp(j->top, root->path) != 0))
		return err_set(e, ERR_NO, "'%s' has no repository of its own",
			       root->path);
	j->root = root->path;
	j->prefix = user ? ""
			 : arena_printf(a, "%s/", j->root + strlen(j->top) + 1);
	if (expect_zero(GIT(j, e, "symbolic-ref", "--short", "HEAD"),
			"sync a detached HEAD", e) < 0)
		return -1;
	s->branch = take_line(j);
	r = git_option(j->top, false,
		       arena_printf(a, "branch.%s.remote", s->branch), &j->out,
		       e);
	if (r < 0)
		return -1;
	s->remote = r ? take_line(j) : "origin";
	r = git_option(j->top, false,
		       arena_printf(a, "remote.%s.url", s->remote), &j->out, e);
	if (r < 0)
		return -1;
	if (!r)
		return err_set(e, ERR_NO, "'%s' has no remote '%s'", j->top,
			       s->remote);
	j->theirs = arena_printf(a, "refs/remotes/%s/%s", s->remote, s->branch);
	return 0;
}

/* The paths of the memories that may be sent. A file that is broken is not among
 * them: it may be sensitive. */
struct open_memories {
	struct table by_path;
	const char **paths;
	size_t n, cap;
	struct arena arena;
};

static int add_open(void *ctx, const struct record *r)
{
	struct open_memories *m = ctx;

	if (record_marks(r) & MARK_SENSITIVE)
		return 0;
	m->paths = mem_grow(m->paths, m->n, &m->cap, sizeof(*m->paths));
	m->paths[m->n] = arena_strdup(&m->arena, r->path);
	table_put(&m->by_path, r->path, strlen(r->path), 0, m->n++);
	return 0;
}

static int load_open(struct job *j, struct open_memories *m, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE};

	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		if (store_each_strict(j->s->store, areas[i], add_open, m, e) <
		    0)
			return -1;
	}
	return 0;
}

static void release_open(struct open_memories *m)
{
	free(m->paths);
	table_release(&m->by_path);
	arena_release(&m->arena);
}

static bool is_open(const struct open_memories *m, const char *path)
{
	struct table_look k = table_look(&m->by_path, path, strlen(path), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(m->paths[i], path))
			return true;
	}
	return false;
}

/* Return true if PATH, below the top, is in a directory of memories. */
static bool is_in_memories(const struct job *j, const char *path)
{
	const struct layout_directory *d =
		layout_directory_of(path + strlen(j->prefix));

	return d && d->ids;
}

/* Return true if PATH, below the top, is a local file of the user store. */
static bool is_local(const struct job *j, const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(local_files) && !*j->prefix; i++) {
		if (!strcmp(path, local_files[i]))
			return true;
	}
	return false;
}

/* Return true if the file of LINE, as git status --porcelain -z prints it, may be
 * sent. The removal of a memory may. */
static bool may_send(struct job *j, const struct open_memories *m,
		     const char *line)
{
	const char *path = line + 3, *slash = strrchr(path, '/');

	if (is_local(j, path) ||
	    !strncmp(slash ? slash + 1 : path, FILE_TEMP, strlen(FILE_TEMP)))
		return false;
	return line[0] == 'D' || line[1] == 'D' || !is_in_memories(j, path) ||
	       is_open(m, arena_printf(&j->s->arena, "%s/%s", j->top, path));
}

/* Append to OUT the changed files of the store that may be sent, each ended by
 * NUL. Returns their number or -1. */
static ssize_t list_changes(struct job *j, struct buf *out, struct err *e)
{
	struct open_memories m = {0};
	ssize_t n = 0;

	if (load_open(j, &m, e) < 0 ||
	    expect_zero(GIT(j, e, "status", "--porcelain", "-z", "-uall",
			    "--no-renames", "--", j->root),
			"list the changes", e) < 0)
		n = -1;
	for (const char *p = buf_str(&j->out), *end = p + j->out.len;
	     n >= 0 && p + 3 < end; p += strlen(p) + 1) {
		if (!may_send(j, &m, p))
			continue;
		buf_add(out, p + 3, strlen(p + 3) + 1);
		n++;
	}
	release_open(&m);
	return n;
}

/* Commit the changed files of the store with MESSAGE. */
static int commit_changes(struct job *j, const char *message, struct err *e)
{
	struct buf paths = {0};
	const ssize_t n = list_changes(j, &paths, e);
	int r = n < 0 ? -1 : 0;

	if (n > 0)
		r = expect_zero(GIT_PATHS(j, &paths, e, "add", "-A",
					  "--pathspec-from-file=-",
					  "--pathspec-file-nul"),
				"add the changes", e);
	if (n > 0 && !r)
		r = expect_zero(GIT_PATHS(j, &paths, e, "commit", "-q", "-m",
					  message, "--only",
					  "--pathspec-from-file=-",
					  "--pathspec-file-nul"),
				"commit the changes", e);
	buf_release(&paths);
	return r;
}

static const char *message_of(struct job *j)
{
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) < 0 || !*host)
		return "co: memories";
	return arena_printf(&j->s->arena, "co: memories of %s", host);
}

/* Return the number of names in the output of git, each ended by NUL. */
static size_t count_names(const struct job *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->out.len; i++)
		n += !j->out.p[i];
	return n;
}

/* Return 1 if REF exists, else 0, or -1. */
static int has_ref(struct job *j, const char *ref, struct err *e)
{
	const int r = GIT(j, e, "show-ref", "--verify", "-q", ref);

	return r < 0 ? -1 : !r;
}

/* Return 1 if git has an unfinished merge, else 0, or -1. */
static int is_merging(struct job *j, struct err *e)
{
	const int r = GIT(j, e, "rev-parse", "-q", "--verify", "MERGE_HEAD");

	return r < 0 ? -1 : !r;
}

static void say_left(void *ctx, const char *path, bool left, const char *what)
{
	struct job *j = ctx;

	if (left)
		say(j, arena_printf(&j->s->arena, "%s %s", path, what));
}

/* Set LEFT to the number of files with conflicts, in the store or outside. */
static int count_conflicts(struct job *j, struct err *e)
{
	if (expect_zero(
		    GIT(j, e, "diff", "--name-only", "-z", "--diff-filter=U"),
		    "list the conflicts", e) < 0)
		return -1;
	j->s->left = count_names(j);
	return 0;
}

/* Resolve the conflicts of the merge in progress and commit it. Returns 1, 0 if
 * files are left to a person, or -1. */
static int finish_merge(struct job *j, struct err *e)
{
	struct resolve r = {
		.store = j->s->store,
		.say = say_left,
		.ctx = j,
		.report = j->s->store->report,
	};

	if (count_conflicts(j, e) < 0)
		return -1;
	if (j->s->left && resolve_merge(&r, e) < 0)
		return -1;
	if (j->s->left && count_conflicts(j, e) < 0)
		return -1;
	if (j->s->left)
		return 0;
	return expect_zero(GIT(j, e, "commit", "-q", "--no-edit"),
			   "commit the merge", e) < 0
		       ? -1
		       : 1;
}

/* Merge the remote branch. Returns as finish_merge(). */
static int merge_theirs(struct job *j, struct err *e)
{
	int r = GIT(j, e, "merge", "-q", "--no-edit",
		    "--allow-unrelated-histories", j->theirs);

	if (r <= 0)
		return r < 0 ? -1 : 1;
	r = is_merging(j, e);
	if (r == 0)
		return err_set(e, ERR_HELPER,
			       "git cannot merge '%s/%s': 'git -C %s merge "
			       "%s/%s' says why",
			       j->s->remote, j->s->branch, j->top, j->s->remote,
			       j->s->branch);
	return r < 0 ? -1 : finish_merge(j, e);
}

/* Return the path of the directory with the files that are counted. */
static const char *knowledge_of(struct job *j)
{
	return arena_printf(&j->s->arena, "%s/knowledge", j->root);
}

/* Return the number of files of the store that differ between the revisions of
 * RANGE, or -1. */
static ssize_t count_files(struct job *j, const char *range, struct err *e)
{
	if (expect_zero(GIT(j, e, "diff", "--name-only", "-z", "--no-renames",
			    range, "--", knowledge_of(j)),
			"compare commits", e) < 0)
		return -1;
	return (ssize_t)count_names(j);
}

/* Return the number of commits that only we have and that change files outside
 * the store, or -1. */
static ssize_t count_foreign(struct job *j, struct err *e)
{
	const char *range = arena_printf(&j->s->arena, "%s..HEAD", j->theirs);
	ssize_t n = 0;

	if (expect_zero(GIT(j, e, "rev-list", "--no-merges", range, "--", ".",
			    arena_printf(&j->s->arena, ":(exclude,literal)%s",
					 j->prefix)),
			"list commits", e) < 0)
		return -1;
	for (const char *p = buf_str(&j->out); (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

/* Check that the remote branch has nothing in a user store that we would follow
 * or run: a link, a submodule, or a local file. Returns 0 or -1. */
static int check_theirs(struct job *j, struct err *e)
{
	if (*j->prefix)
		return 0;
	if (expect_zero(
		    GIT(j, e, "ls-tree", "-r", "-z", "--full-tree", j->theirs),
		    "list the files of the remote", e) < 0)
		return -1;
	for (const char *p = buf_str(&j->out), *end = p + j->out.len; p < end;
	     p += strlen(p) + 1) {
		const char *tab = strchr(p, '\t');

		if (!tab || strncmp(p, "100", 3) != 0 || is_local(j, tab + 1))
			return err_set(e, ERR_DATA,
				       "'%s' of the remote is a link or a "
				       "file of one machine: remove it there",
				       tab ? tab + 1 : p);
	}
	return 0;
}

/* Add the number of files that the remote branch changed to RECEIVED. */
static int count_received(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	ssize_t n = count_files(
		j, arena_printf(&s->arena, "HEAD...%s", j->theirs), NULL);

	if (n < 0)
		n = count_files(j, j->theirs, e); /* no common history */
	s->received += n < 0 ? 0 : (size_t)n;
	return n < 0 ? -1 : 0;
}

/* Merge what was fetched into the store. Returns as finish_merge(). */
static int receive(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	int r;

	if (check_theirs(j, e) < 0 || count_received(j, e) < 0)
		return -1;
	r = merge_theirs(j, e);
	if (r != 1)
		return r;
	/* Ids in the remote branch are published: ours change. */
	if (repair_store(s->store, j->theirs, false, say, j, e) < 0)
		return -1;
	return commit_changes(j, "co: new ids after a merge", e) < 0 ? -1 : 1;
}

static int fetch(struct job *j, struct err *e)
{
	return expect_zero(
		git_transfer(j->top,
			     (const char *const[]){"fetch", "-q", "--",
						   j->s->remote, NULL},
			     &j->out, e),
		"fetch", e);
}

/* Push HEAD. Returns 1, 0 if the remote refused, or -1. */
static int push(struct job *j, struct err *e)
{
	const char *to =
		arena_printf(&j->s->arena, "HEAD:refs/heads/%s", j->s->branch);
	const int r =
		git_transfer(j->top,
			     (const char *const[]){"push", "-q", "--",
						   j->s->remote, to, NULL},
			     &j->out, e);

	return r < 0 ? -1 : !r;
}

/* Set the number of files to send. Returns 1 if there is something to push, else
 * 0, or -1. */
static int count_sent(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	const int known = has_ref(j, j->theirs, e);
	ssize_t n;

	if (known < 0)
		return -1;
	if (!known) {
		if (expect_zero(
			    GIT(j, e, "ls-files", "-z", "--", knowledge_of(j)),
			    "list files", e) < 0)
			return -1;
		s->sent = count_names(j);
		return 1;
	}
	n = count_files(j, arena_printf(&s->arena, "%s..HEAD", j->theirs), e);
	if (n < 0)
		return -1;
	s->sent = (size_t)n;
	if (expect_zero(GIT(j, e, "rev-list", "-n1",
			    arena_printf(&s->arena, "%s..HEAD", j->theirs)),
			"list commits", e) < 0)
		return -1;
	if (!j->out.len)
		return 0;
	n = *j->prefix ? count_foreign(j, e) : 0;
	s->foreign = n < 0 ? 0 : (size_t)n;
	return n < 0 ? -1 : !n;
}

/* Fetch, merge and push until the remote has what we have. Returns as
 * sync_run(). */
static int exchange(struct job *j, struct err *e)
{
	for (int i = 0; i < TRIES; i++) {
		int r = fetch(j, e);

		if (!r)
			r = has_ref(j, j->theirs, e);
		if (r < 0)
			return -1;
		if (r && (r = receive(j, e)) != 1)
			return r;
		r = count_sent(j, e);
		if (r <= 0)
			return r < 0 ? -1 : 1;
		r = push(j, e);
		if (r)
			return r;
	}
	return err_set(e, ERR_HELPER,
		       "the remote '%s' refused the commits, or others sent "
		       "theirs first: try again",
		       j->s->remote);
}

/* Count what a sync would do. */
static int exchange_dry(struct job *j, struct err *e)
{
	struct buf paths = {0};
	const ssize_t changed = list_changes(j, &paths, e);
	int r = changed < 0 ? -1 : fetch(j, e);

	buf_release(&paths);
	if (!r)
		r = has_ref(j, j->theirs, e);
	if (r < 0 || (r && count_received(j, e) < 0))
		return -1;
	if (GIT(j, NULL, "rev-parse", "-q", "--verify", "HEAD") == 0 &&
	    count_sent(j, e) < 0)
		return -1;
	j->s->sent += (size_t)changed;
	return 1;
}

int sync_run(struct sync *s, struct err *e)
{
	struct job j = {.s = s};
	int r = find_remote(&j, e);

	if (r == 0 && s->dry) {
		r = exchange_dry(&j, e);
		goto out;
	}
	if (r == 0)
		r = is_merging(&j, e);
	if (r == 1)
		r = finish_merge(&j, e);
	else if (r == 0)
		r = 1;
	if (r == 1)
		r = commit_changes(&j, message_of(&j), e) < 0 ? -1
							      : exchange(&j, e);
out:
	buf_release(&j.out);
	return r;
}

void sync_release(struct sync *s)
{
	arena_release(&s->arena);
}
