/* sync.c: git does the transport. What git says is never parsed: its exit status
 * and the names of refs and files tell what happened. */
#include "sync/sync.h"

#include "repair/repair.h"
#include "repo/gitdir.h"
#include "setup/sendable.h"
#include "sys/git.h"
#include "sys/lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 5 /* pushes, if others push meanwhile */
#define ASIDE_MAX 1000

/* A sync in progress. */
struct job {
	struct sync *s;
	const char *root;   /* of the store */
	const char *top;    /* of the work tree */
	const char *git;    /* its git directory */
	const char *prefix; /* of the store's files, below TOP: "" or "DIR/" */
	const char *theirs; /* the ref of the remote branch */
	int dir, lock;	    /* of run_alone() */
	struct buf out;	    /* of the last git command */
};

#define GIT(j, e, ...)                                                     \
	git_run((j)->top, (const char *const[]){__VA_ARGS__, NULL}, "", 0, \
		&(j)->out, e)

/* Run git with hooks of the user. */
#define GIT_LONG(j, e, ...)                                                  \
	git_run_long((j)->top, (const char *const[]){__VA_ARGS__, NULL}, "", \
		     0, &(j)->out, e)

/* Run git with paths, each ended by NUL, as its input. */
#define GIT_PATHS(j, paths, e, ...)                                      \
	git_run_long((j)->top, (const char *const[]){__VA_ARGS__, NULL}, \
		     (paths)->p, (paths)->len, &(j)->out, e)

/* A repair_fn: report WHAT to the person. CTX is a struct job. */
static void report_repair(void *ctx, const char *what)
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

/* Return the first line of git's output, in the arena. */
static const char *first_line(struct job *j)
{
	return arena_copy(&j->s->arena, buf_str(&j->out),
			  strcspn(buf_str(&j->out), "\n"));
}

/* Set the branch that is checked out. Return 0 or -1. */
static int find_branch(struct job *j, struct err *e)
{
	const int r = GIT(j, e, "symbolic-ref", "-q", "--short", "HEAD");

	if (r > 0)
		return err_set(e, ERR_HELPER,
			       "no branch is checked out in '%s': 'git switch "
			       "BRANCH' checks one out",
			       j->top);
	j->s->branch = first_line(j);
	return r;
}

/* Return the prefix of the store's files below the top, which may be "/", or the store
 * itself. */
static const char *prefix_of(const struct job *j, struct arena *a)
{
	const size_t len = j->top[1] ? strlen(j->top) : 0;

	return j->root[len] ? arena_printf(a, "%s/", j->root + len + 1) : "";
}

/* Fail if a file of the store that git reads is a FIFO or the like: git would wait. */
static int check_git_files(const struct root *root, struct err *e)
{
	static const char *const names[] = {".gitattributes", ".gitignore"};
	struct stat st;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (fstatat(root->fd, names[i], &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
			continue;
		return err_set(e, ERR_DATA,
			       "'%s/%s' is not a regular file: remove it",
			       root->path, names[i]);
	}
	return 0;
}

/* Fail if git ignores the store. A file that git has is not ignored. */
static int check_hidden(struct job *j, struct err *e)
{
	const int r = GIT(
		j, e, "check-ignore", "-q", "--",
		arena_printf(&j->s->arena, "%s/" LAYOUT_KNOWLEDGE, j->root));

	j->s->hidden = r == 0;
	if (r)
		return r < 0 ? -1 : 0;
	return err_set(e, ERR_NO,
		       "git ignores '%s', as after 'co init --private'",
		       j->root);
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
		j->git = arena_strdup(a, g.dir);
		gitdir_release(&g);
	}
	if (!r || (user && strcmp(j->top, root->path) != 0))
		return err_set(e, ERR_NO, "'%s' has no repository of its own",
			       root->path);
	if (user && git_check_user(root->path, e) < 0)
		return -1;
	j->root = arena_strdup(a, root->path);
	j->prefix = prefix_of(j, a);
	if (check_git_files(root, e) < 0 || check_hidden(j, e) < 0 ||
	    find_branch(j, e) < 0)
		return -1;
	r = git_option(j->top, false,
		       arena_printf(a, "branch.%s.remote", s->branch), &j->out,
		       e);
	if (r < 0)
		return -1;
	s->remote = r ? first_line(j) : "origin";
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

/* Return the pathspec of PATH and nothing else, whatever characters it has. */
static const char *literal_pathspec(struct job *j, const char *path)
{
	return arena_printf(&j->s->arena, ":(literal)%s", path);
}

/* Load the files that may be sent into M, and write the changed files of the store to the
 * output of J. Return 0 or -1. */
static int read_changes(struct job *j, struct sendable *m, struct err *e)
{
	if (sendable_load(m, j->s->store, j->top, j->prefix, e) < 0)
		return -1;
	return expect_zero(GIT(j, e, "status", "--porcelain", "-z", "-uall",
			       "--no-renames", "--",
			       literal_pathspec(j, j->root)),
			   "list the changes", e);
}

/* The pathspecs of the changed files of the store that may be sent, each ended by NUL. */
struct changes {
	struct buf add, commit; /* for git add, and for git commit */
	size_t counted; /* those of the files that count_sent() counts */
};

static void changes_release(struct changes *c)
{
	buf_release(&c->add);
	buf_release(&c->commit);
}

/* Add the file of LINE, as git status prints it, to C. git refuses a pathspec without a
 * match: git add that of a file that only HEAD has, and then git commit that of a file
 * that only the index had. */
static void add_change(struct job *j, struct changes *c, const char *line)
{
	const char *spec = literal_pathspec(j, line + 3);

	if (strncmp(line, "D ", 2) != 0)
		buf_add(&c->add, spec, strlen(spec) + 1);
	if (strncmp(line, "AD", 2) != 0)
		buf_add(&c->commit, spec, strlen(spec) + 1);
}

/* Set C to the changed files. Return 0 or -1. Release C in any case. */
static int list_changes(struct job *j, struct changes *c, struct err *e)
{
	const char *counted =
		arena_printf(&j->s->arena, "%sknowledge/", j->prefix);
	struct sendable m = {0};
	const int r = read_changes(j, &m, e);

	*c = (struct changes){0};
	for (const char *p = buf_str(&j->out), *end = p + j->out.len;
	     r == 0 && p + 3 < end; p += strlen(p) + 1) {
		if (!sendable_allows(&m, p))
			continue;
		add_change(j, c, p);
		c->counted += !strncmp(p + 3, counted, strlen(counted));
	}
	sendable_release(&m);
	return r;
}

/* Commit the files of PATHS with MESSAGE. That they are as in HEAD is not an error: git
 * rm --cached leaves the file where it was. Return 0 or -1. */
static int commit_paths(struct job *j, const struct buf *paths,
			const char *message, struct err *e)
{
	const int r =
		GIT_PATHS(j, paths, e, "commit", "-q", "-m", message, "--only",
			  "--pathspec-from-file=-", "--pathspec-file-nul");

	if (r == 1 &&
	    GIT_PATHS(j, paths, NULL, "commit", "--dry-run", "--porcelain",
		      "--only", "--pathspec-from-file=-",
		      "--pathspec-file-nul") == 1)
		return 0;
	return expect_zero(r,
			   arena_printf(&j->s->arena,
					"commit the changes: 'git -C %s "
					"commit' says why",
					j->top),
			   e);
}

/* Set C to the changed files of the store, and add them to git. Return 0 or -1. Release C
 * in any case. */
static int add_changes(struct job *j, struct changes *c, struct err *e)
{
	if (list_changes(j, c, e) < 0)
		return -1;
	return c->add.len ? expect_zero(GIT_PATHS(j, &c->add, e, "add", "-A",
						  "--pathspec-from-file=-",
						  "--pathspec-file-nul"),
					"add the changes", e)
			  : 0;
}

/* Commit the changed files of the store with MESSAGE. The caller holds the lock. */
static int commit_changes(struct job *j, const char *message, struct err *e)
{
	struct changes c;
	int r = add_changes(j, &c, e);

	if (c.commit.len && !r)
		r = commit_paths(j, &c.commit, message, e);
	changes_release(&c);
	return r;
}

/* Let writers and other syncs wait until unlock() or, if this process is killed, until
 * its git has ended. Returns 0 or -1. */
static int lock_for_git(struct job *j, struct err *e)
{
	if (store_lock(j->s->store, e) < 0)
		return -1;
	store_pass_lock(j->s->store, true);
	lock_pass(j->dir, j->lock, true);
	return 0;
}

static void unlock(struct job *j)
{
	lock_pass(j->dir, j->lock, false);
	store_pass_lock(j->s->store, false);
	store_unlock(j->s->store);
}

/* Do commit_changes() while writers wait: a memory that becomes sensitive meanwhile would
 * be committed. */
static int lock_and_commit(struct job *j, const char *message, struct err *e)
{
	int r = lock_for_git(j, e);

	if (r < 0)
		return -1;
	r = commit_changes(j, message, e);
	unlock(j);
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

/* Return 1 if git has an unfinished merge of the remote branch, as a killed sync
 * leaves it; 0 if it has none; or -1, also for a merge of another branch: a person
 * finishes that. */
static int is_merging_theirs(struct job *j, struct err *e)
{
	int r = is_merging(j, e);

	if (r == 1)
		r = has_ref(j, j->theirs, e);
	else
		return r;
	if (r == 1)
		r = GIT(j, e, "merge-base", "--is-ancestor", "MERGE_HEAD",
			j->theirs) == 0;
	if (r)
		return r;
	return err_set(e, ERR_SYSTEM,
		       "a merge that is not of '%s/%s' is in progress in '%s': "
		       "'git commit' finishes it",
		       j->s->remote, j->s->branch, j->top);
}

static void report_file(void *ctx, const char *path, bool left,
			const char *what)
{
	struct job *j = ctx;

	(void)left;
	report_repair(j, arena_printf(&j->s->arena, "%s %s", path, what));
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

/* Append the names in git's output to NAMES. Each ends with NUL. */
static void add_names(struct job *j, struct strings *names)
{
	for (const char *p = buf_str(&j->out), *end = p + j->out.len; p < end;
	     p += strlen(p) + 1)
		strings_add(names, arena_strdup(&j->s->arena, p));
}

/* Set NAMES to the files of the store, below the top, whose versions in the index and in
 * REVISION differ. Returns 0 or -1. */
static int list_staged(struct job *j, const char *revision,
		       struct strings *names, struct err *e)
{
	if (expect_zero(GIT(j, e, "diff", "--cached", "--name-only", "-z",
			    "--no-renames", "--diff-filter=AMT", revision, "--",
			    literal_pathspec(j, j->root)),
			"list the added files", e) < 0)
		return -1;
	add_names(j, names);
	return 0;
}

/* Fail: PATH, which may not be sent, is in the index of the merge. The message has the
 * command that takes it out. If the remote branch changed the file, that change stays. */
static int refuse_staged(struct job *j, const char *path, struct err *e)
{
	const bool theirs = GIT(j, NULL, "diff", "--quiet", "HEAD...MERGE_HEAD",
				"--", literal_pathspec(j, path)) == 1;
	struct buf command = {0};

	buf_adds(&command, "git -C ");
	buf_add_word(&command, j->top);
	buf_adds(&command, theirs ? " reset -q MERGE_HEAD " : " reset -q ");
	buf_add_word(&command, path);
	err_set(e, ERR_DATA,
		"'%s' stays on this machine, but was added to git: '%s' takes "
		"it out",
		path, command.p);
	buf_release(&command);
	return -1;
}

/* Fail if a file that may not be sent is in the index, unless one side of the merge has
 * it so. A person may have added all files to settle a conflict. */
static int check_staged(struct job *j, struct err *e)
{
	struct sendable m = {0};
	struct strings ours = {0}, theirs = {0};
	int r = sendable_load(&m, j->s->store, j->top, j->prefix, e);

	if (r == 0)
		r = list_staged(j, "HEAD", &ours, e);
	if (r == 0)
		r = list_staged(j, "MERGE_HEAD", &theirs, e);
	for (size_t i = 0; i < ours.n && r == 0; i++) {
		const char *path = ours.items[i];

		if (!sendable_allows(
			    &m, arena_printf(&j->s->arena, "A  %s", path)) &&
		    strings_has(&theirs, path))
			r = refuse_staged(j, path, e);
	}
	free(ours.items);
	free(theirs.items);
	sendable_release(&m);
	return r;
}

/* Commit the merge in progress, which has no conflict. The caller holds the lock. Ids are
 * repaired first, since a hook may refuse them. Returns 1 or -1. */
static int commit_merge(struct job *j, struct err *e)
{
	struct changes c = {0};
	int r = repair_store(j->s->store, j->theirs, false, report_repair, j,
			     e);

	if (r == 0)
		r = add_changes(j, &c, e);
	changes_release(&c);
	if (r == 0)
		r = check_staged(j, e);
	if (r == 0)
		r = expect_zero(GIT_LONG(j, e, "commit", "-q", "--no-edit"),
				arena_printf(&j->s->arena,
					     "commit the merge: 'git -C %s "
					     "commit' says why",
					     j->top),
				e);
	return r < 0 ? -1 : 1;
}

/* Resolve the conflicts of the merge in progress and commit it. Returns 1, 0 if
 * files are left to a person, or -1. */
static int finish_merge(struct job *j, struct err *e)
{
	struct resolve r = {
		.store = j->s->store,
		.say = report_file,
		.ctx = j,
		.report = j->s->store->report,
	};
	int done;

	if (count_conflicts(j, e) < 0)
		return -1;
	if (j->s->left && repair_merge(&r, e) < 0)
		return -1;
	if (j->s->left && count_conflicts(j, e) < 0)
		return -1;
	if (j->s->left)
		return 0;
	if (lock_for_git(j, e) < 0)
		return -1;
	done = commit_merge(j, e);
	unlock(j);
	return done;
}

/* Open the store again if git removed its directory. git does so when it has no file,
 * and may then make another. */
static int reopen_store(struct store *s, struct err *e)
{
	const enum scope scope = s->repo.root.scope;
	const struct report *report = s->report;
	struct stat was, is;

	if (s->repo.fd < 0 || fstat(s->repo.fd, &was) < 0 ||
	    (stat(s->repo.path, &is) == 0 && was.st_dev == is.st_dev &&
	     was.st_ino == is.st_ino))
		return 0;
	store_close(s);
	return store_open(s, scope, report, e);
}

/* Finish the merge of the remote branch. R is the exit status of git merge, or -1.
 * Returns as finish_merge(). */
static int end_merge(struct job *j, int r, struct err *e)
{
	if (r >= 0 && reopen_store(j->s->store, e) < 0)
		return -1;
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

#define ANY "--diff-filter=ADMT"

/* Return the pathspec of the directory with the files that are counted. */
static const char *knowledge_of(struct job *j)
{
	return literal_pathspec(
		j, arena_printf(&j->s->arena, "%s/knowledge", j->root));
}

/* Return the number of files of the store that differ between the revisions of
 * RANGE, by FILTER of git diff, or -1. */
static ssize_t count_files(struct job *j, const char *filter, const char *range,
			   struct err *e)
{
	if (expect_zero(GIT(j, e, "diff", "--name-only", "-z", "--no-renames",
			    filter, range, "--", knowledge_of(j)),
			"compare commits", e) < 0)
		return -1;
	return (ssize_t)count_names(j);
}

/* Return the number of commits that no branch of the remote has and that change
 * files outside the store, or -1. */
static ssize_t count_foreign(struct job *j, struct err *e)
{
	const char *known =
		arena_printf(&j->s->arena, "--remotes=%s", j->s->remote);
	ssize_t n = 0;

	if (expect_zero(GIT(j, e, "rev-list", "--no-merges", "--full-history",
			    "HEAD", "--not", known, "--", ".",
			    arena_printf(&j->s->arena, ":(exclude,literal)%s",
					 j->prefix)),
			"list commits", e) < 0)
		return -1;
	for (const char *p = buf_str(&j->out); (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

/* Find in COMMIT of a user store what other machines would follow or run: a link, a
 * submodule, or a local file. Set *PATH to it, or to NULL. Returns 0 or -1. */
static int find_refused(struct job *j, const char *commit, const char **path,
			struct err *e)
{
	*path = NULL;
	if (j->s->store->repo.root.scope != SCOPE_GLOBAL)
		return 0;
	if (expect_zero(GIT(j, e, "ls-tree", "-r", "-z", "--full-tree", commit),
			"list the files of a commit", e) < 0)
		return -1;
	for (const char *p = buf_str(&j->out), *end = p + j->out.len; p < end;
	     p += strlen(p) + 1) {
		const char *tab = strchr(p, '\t');

		if (!tab || strncmp(p, "100", 3) != 0 ||
		    sendable_is_local(tab + 1)) {
			*path = tab ? tab + 1 : p;
			return 0;
		}
	}
	return 0;
}

/* Fail if the remote branch has what find_refused() finds. */
static int check_theirs(struct job *j, struct err *e)
{
	const char *path;

	if (find_refused(j, j->theirs, &path, e) < 0)
		return -1;
	return path ? err_set(e, ERR_DATA,
			      "'%s' of the remote is a link or a file of one "
			      "machine: remove it there",
			      path)
		    : 0;
}

/* Fail if HEAD, which a person may have committed, has what find_refused() finds. */
static int check_ours(struct job *j, struct err *e)
{
	struct buf command = {0};
	const char *path;

	if (find_refused(j, "HEAD", &path, e) < 0)
		return -1;
	if (!path)
		return 0;
	buf_adds(&command, "git -C ");
	buf_add_word(&command, j->top);
	buf_adds(&command, " rm --cached ");
	buf_add_word(&command, path);
	err_set(e, ERR_DATA,
		"'%s' is a link or a file of this machine, but git has it: "
		"'%s' takes it out",
		path, command.p);
	buf_release(&command);
	return -1;
}

/* Add the number of files that the remote branch changed to RECEIVED. */
static int count_received(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	ssize_t n = count_files(
		j, ANY, arena_printf(&s->arena, "HEAD...%s", j->theirs), NULL);

	if (n < 0) /* no common history: those that are not as here */
		n = count_files(j, "--diff-filter=DM", j->theirs, e);
	s->received += n < 0 ? 0 : (size_t)n;
	return n < 0 ? -1 : 0;
}

/* Files that stay on this machine and that the remote branch changed, too. git would
 * overwrite them, so it would refuse to merge; during the merge they have another
 * name. That of a file that git knows ends with ASIDE, so that the next sync gives the
 * file its name back if this one is killed. */
struct aside {
	struct arena *arena;
	struct aside_file *files;
	size_t n, cap;
};

struct aside_file {
	const char *path;  /* below the top */
	const char *name;  /* in its directory */
	const char *aside; /* during the merge */
	int dir;
	bool known; /* to git: then it gets its name back */
};

#define SUFFIX ".md"
#define ASIDE ".co-aside" SUFFIX

/* Set F to the file at PATH, below the top. Return 1; 0 if it is not in a directory of
 * the store; or -1. The caller closes F's dir. */
static int find_place(struct job *j, struct aside *x, const char *path,
		      struct aside_file *f, struct err *e)
{
	struct layout_place p;
	int r;

	*f = (struct aside_file){.path = path};
	if (!layout_parse(&j->s->store->repo,
			  arena_printf(x->arena, "%s/%s", j->top, path),
			  x->arena, &p))
		return 0;
	r = layout_open(&j->s->store->repo, p.folder, &f->dir, e);
	f->name = p.name;
	return r;
}

/* Rename the file WAS of F to the first of its names with -2, -3 and so on that is free,
 * and set F's aside to that. Return 0 or -1. */
static int rename_numbered(struct arena *a, struct aside_file *f,
			   const char *was, struct err *e)
{
	const int stem = (int)(strlen(f->name) - strlen(SUFFIX));

	for (int i = 2, done = 0; !done; i++) {
		f->aside = arena_printf(a, "%.*s-%d" SUFFIX, stem, f->name, i);
		done = i < ASIDE_MAX
			       ? file_rename(f->dir, was, f->dir, f->aside,
					     f->path, e)
			       : err_set(e, ERR_SYSTEM,
					 "no name is free for '%s'", f->path);
		if (done < 0)
			return -1;
	}
	return file_sync_dir(f->dir, f->path, e);
}

/* Rename F, which git knows, for the time of the merge. Return 0 or -1. */
static int rename_known(struct arena *a, struct aside_file *f, struct err *e)
{
	const char *aside =
		arena_printf(a, "%.*s" ASIDE,
			     (int)(strlen(f->name) - strlen(SUFFIX)), f->name);
	const int r = file_rename(f->dir, f->name, f->dir, aside, f->path, e);

	if (r == 0)
		return err_set(e, ERR_SYSTEM, "'%s' exists already", aside);
	f->aside = r < 0 ? NULL : aside;
	return r < 0 ? -1 : file_sync_dir(f->dir, f->path, e);
}

/* Rename the file at PATH, below the top. It is known to git if KNOWN. */
static int move_aside(struct job *j, struct aside *x, const char *path,
		      bool known, struct err *e)
{
	struct aside_file f;
	int r = find_place(j, x, path, &f, e);

	if (r != 1)
		return r;
	f.known = known;
	r = known ? rename_known(x->arena, &f, e)
		  : rename_numbered(x->arena, &f, f.name, e);
	*MEM_ADD(x->files, x->n, x->cap) = f;
	if (!known && r == 0)
		report_repair(j, arena_printf(x->arena,
					      "%s stays here as %s: the remote "
					      "has another with its name",
					      path, f.aside));
	return r;
}

/* Add the files to X that a killed sync left aside. Return 0 or -1. */
static int find_left_aside(struct job *j, struct aside *x, struct err *e)
{
	if (expect_zero(GIT(j, e, "ls-files", "-o", "-z", "--",
			    literal_pathspec(j, j->root)),
			"list the files", e) < 0)
		return -1;
	for (const char *p = buf_str(&j->out), *end = p + j->out.len; p < end;
	     p += strlen(p) + 1) {
		const char *mark = strstr(p, ASIDE);
		struct aside_file f;
		int r;

		if (!mark || mark[strlen(ASIDE)] ||
		    !sendable_has_marks(j->prefix, p))
			continue;
		r = find_place(j, x,
			       arena_printf(x->arena, "%.*s" SUFFIX,
					    (int)(mark - p), p),
			       &f, e);
		if (r < 0)
			return -1;
		f.known = true;
		f.aside = arena_strdup(x->arena, file_name_of(p));
		if (r == 1)
			*MEM_ADD(x->files, x->n, x->cap) = f;
	}
	return 0;
}

/* Move the files aside that stay here and that are among THEIRS, the names of what the
 * remote branch changed. */
static int move_all_aside(struct job *j, struct aside *x,
			  const struct strings *theirs, struct err *e)
{
	struct sendable m = {0};
	int r;

	if (!theirs->n)
		return 0;
	r = read_changes(j, &m, e);
	for (const char *p = buf_str(&j->out), *end = p + j->out.len;
	     !r && p + 3 < end; p += strlen(p) + 1) {
		if (p[0] != 'D' && p[1] != 'D' &&
		    sendable_has_marks(j->prefix, p + 3) &&
		    strings_has(theirs, p + 3) && !sendable_allows(&m, p))
			r = move_aside(j, x, arena_strdup(x->arena, p + 3),
				       p[0] != '?', e);
	}
	sendable_release(&m);
	return r;
}

/* Return 1 if the file at PATH, below the top, has a conflict, or a text that git does
 * not have; else 0, or -1. */
static int is_changed(struct job *j, const char *path, struct err *e)
{
	int r = GIT(j, e, "diff", "--name-only", "-z", "--diff-filter=MTU",
		    "--", literal_pathspec(j, path));

	/* git diff leaves out a file that git does not know. */
	if (r == 0 && !j->out.len)
		r = GIT(j, e, "ls-files", "-o", "-z", "--",
			literal_pathspec(j, path));
	return expect_zero(r, "compare files", e) < 0 ? -1 : j->out.len > 0;
}

/* Give F its name back, in place of what the remote branch has there. One with a conflict
 * gets a numbered name: to settle that must not add it to git. Return 0 or -1. */
static int move_back(struct job *j, struct aside_file *f, struct err *e)
{
	const int changed = is_changed(j, f->path, e);

	if (changed)
		return changed < 0
			       ? -1
			       : rename_numbered(&j->s->arena, f, f->aside, e);
	if (renameat(f->dir, f->aside, f->dir, f->name) < 0)
		return err_sys(e, "cannot move '%s'", f->path);
	return file_sync_dir(f->dir, f->path, e);
}

/* Give the files of X that git knows their names back. Their contents stay as they are
 * here, whatever the remote branch has. */
static int move_all_back(struct job *j, struct aside *x, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < x->n; i++) {
		struct aside_file *f = &x->files[i];

		if (f->known && f->aside && !r)
			r = move_back(j, f, e);
		close(f->dir);
	}
	free(x->files);
	return r;
}

/* Commit the changed files, move aside into X what stays here and is among THEIRS, and
 * run git merge. Return its exit status, or -1. Writers wait: git would refuse to merge
 * a file that changes meanwhile, and then reset it to its text before the merge. */
static int begin_merge(struct job *j, struct aside *x,
		       const struct strings *theirs, struct err *e)
{
	int r = lock_for_git(j, e);

	if (r < 0)
		return -1;
	/* What changed during the fetch would stop git. */
	r = commit_changes(j, message_of(j), e);
	if (r == 0)
		r = move_all_aside(j, x, theirs, e);
	/* A memory that was forgotten and a new one are no renamed file, however alike. */
	if (r == 0)
		r = GIT_LONG(j, e, "merge", "-q", "--no-edit", "-X",
			     "find-renames=100%", "--allow-unrelated-histories",
			     j->theirs);
	unlock(j);
	return r;
}

/* Merge the remote branch, which changed the files with the names THEIRS. Returns as
 * finish_merge(). */
static int merge_around(struct job *j, const struct strings *theirs,
			struct err *e)
{
	struct aside x = {.arena = &j->s->arena};
	struct err why;
	int r = begin_merge(j, &x, theirs, e);

	r = end_merge(j, r, e);
	if (move_all_back(j, &x, &why) < 0 && r >= 0)
		r = err_take(e, &why);
	return r;
}

/* Finish what a killed sync left: a merge if MERGING, and files that are aside. Returns
 * as finish_merge(). */
static int finish_killed(struct job *j, bool merging, struct err *e)
{
	struct aside x = {.arena = &j->s->arena};
	struct err why;
	int r = find_left_aside(j, &x, e) < 0 ? -1 : 1;

	if (r == 1 && merging)
		r = finish_merge(j, e);
	if (move_all_back(j, &x, &why) < 0 && r >= 0)
		r = err_take(e, &why);
	return r;
}

/* Merge what was fetched into the store. Returns as finish_merge(). */
static int receive(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	struct strings theirs = {0};
	int r;

	if (check_theirs(j, e) < 0 || count_received(j, e) < 0)
		return -1;
	add_names(j, &theirs);
	r = merge_around(j, &theirs, e);
	free(theirs.items);
	if (r != 1)
		return r;
	/* Ids in the remote branch are published: ours change. */
	if (repair_store(s->store, j->theirs, false, report_repair, j, e) < 0)
		return -1;
	return lock_and_commit(j, "co: new ids after a merge", e) < 0 ? -1 : 1;
}

/* Fetch the branches of the remote. For a user store, forget those that the remote has
 * no longer: an emptied remote gets all again. In a project, somebody has deleted the
 * branch. A branch that is not yet merged stays, since the remote may have lost it. */
static int fetch(struct job *j, struct err *e)
{
	const char *prune = "--quiet";

	if (j->s->store->repo.root.scope == SCOPE_GLOBAL)
		prune = GIT(j, NULL, "merge-base", "--is-ancestor", j->theirs,
			    "HEAD") == 0
				? "--prune"
				: "--no-prune";
	return expect_zero(
		git_transfer(j->top,
			     (const char *const[]){"fetch", "-q", prune, "--",
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
	const char *range = arena_printf(&s->arena, "%s..HEAD", j->theirs);
	ssize_t n = known;

	if (known == 1)
		n = count_files(j, ANY, range, e);
	else if (known == 0)
		n = expect_zero(
			GIT(j, e, "ls-files", "-z", "--", knowledge_of(j)),
			"list files", e);
	if (n < 0)
		return -1;
	s->sent = known ? (size_t)n : count_names(j);
	if (known && expect_zero(GIT(j, e, "rev-list", "-n1", range),
				 "list commits", e) < 0)
		return -1;
	if (known && !j->out.len)
		return 0;
	n = *j->prefix ? count_foreign(j, e) : 0;
	s->foreign = n < 0 ? 0 : (size_t)n;
	return n < 0 ? -1 : !n;
}

/* Set *COMMIT to that of the remote branch. Return 1; 0 if there is none, and then
 * *COMMIT is ""; or -1. */
static int find_theirs(struct job *j, const char **commit, struct err *e)
{
	const int r = GIT(j, e, "rev-parse", "-q", "--verify", j->theirs);

	*commit = r == 0 ? first_line(j) : "";
	return r < 0 ? -1 : !r;
}

/* Fetch, merge and push until the remote has what we have. A push that is refused
 * though nobody else has pushed is not tried again. Returns as sync_run(). */
static int exchange(struct job *j, struct err *e)
{
	const char *was = NULL, *now = "";

	for (int i = 0; i < TRIES; i++) {
		int r = fetch(j, e);

		if (!r)
			r = find_theirs(j, &now, e);
		if (r < 0)
			return -1;
		if (was && !strcmp(was, now))
			return err_set(e, ERR_HELPER,
				       "the remote '%s' refused the push: "
				       "'git -C %s push %s HEAD:%s' says why",
				       j->s->remote, j->top, j->s->remote,
				       j->s->branch);
		was = now;
		if (r && (r = receive(j, e)) != 1)
			return r;
		r = count_sent(j, e);
		if (r <= 0)
			return r < 0 ? -1 : 1;
		if (check_ours(j, e) < 0)
			return -1;
		r = push(j, e);
		j->s->pushed = r == 1;
		if (r)
			return r;
	}
	return err_set(e, ERR_HELPER,
		       "others pushed to '%s' before each of %d tries: sync "
		       "again",
		       j->s->remote, TRIES);
}

/* Count what a sync would do. */
static int exchange_dry(struct job *j, struct err *e)
{
	struct sync *s = j->s;
	struct changes c;
	int r = list_changes(j, &c, e);

	s->pushed = c.commit.len;
	changes_release(&c);
	if (!r)
		r = fetch(j, e);
	if (!r)
		r = has_ref(j, j->theirs, e);
	if (r < 0 || (r && count_received(j, e) < 0))
		return -1;
	r = 0;
	if (GIT(j, NULL, "rev-parse", "-q", "--verify", "HEAD") == 0)
		r = count_sent(j, e);
	if (r < 0)
		return -1;
	s->pushed |= r == 1;
	s->sent += c.counted;
	return 1;
}

/* Commit, fetch, merge and push. Returns as sync_run(). */
static int run_locked(struct job *j, struct err *e)
{
	/* Another sync may have merged since the store was opened. */
	int r = reopen_store(j->s->store, e);

	if (r == 0)
		r = is_merging_theirs(j, e);
	if (r >= 0)
		r = finish_killed(j, r == 1, e);
	if (r == 1)
		r = lock_and_commit(j, message_of(j), e) < 0 ? -1
							     : exchange(j, e);
	return r;
}

/* Do run_locked(). Another sync of the work tree waits meanwhile: it would take the
 * files that are aside for those of a killed one. */
static int run_alone(struct job *j, struct err *e)
{
	int r;

	/* git may remove the directories of the store and make others. store_lock(),
	 * which locks the root to make missing directories, would wait for this process. */
	j->dir = file_open(AT_FDCWD, j->git, O_RDONLY | O_DIRECTORY, 0);
	if (j->dir < 0)
		return err_sys(e, "cannot open '%s'", j->git);
	r = lock_take(j->dir, j->git, &j->lock, e);
	if (r == 0) {
		r = run_locked(j, e);
		lock_release(j->dir, j->lock);
	}
	close(j->dir);
	return r;
}

int sync_run(struct sync *s, struct err *e)
{
	struct job j = {.s = s};
	int r = find_remote(&j, e);

	if (r == 0)
		r = s->dry ? exchange_dry(&j, e) : run_alone(&j, e);
	buf_release(&j.out);
	return r;
}

void sync_release(struct sync *s)
{
	arena_release(&s->arena);
}
