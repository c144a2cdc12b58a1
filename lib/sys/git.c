/* git.c: all functions unset the variables that git sets for its hooks, which
 * would redirect it to another repository. git_ask() also passes options that
 * override the repository's configuration. Both change the environment of this
 * process, so git commands run later are affected, too. */
#include "sys/git.h"

#include "sys/execpath.h"
#include "sys/file.h"

#include <sys/stat.h>
#include <unistd.h>

#define GIT_MS 60000
#define GIT_LONG_MS (20 * 60000)

static const char *const safe_options[] = {
	"--no-pager", "--no-replace-objects",
	"-c",	      "core.fsmonitor=false",
	"-c",	      "core.hooksPath=/dev/null",
	"-c",	      "log.showSignature=false",
	"-c",	      "i18n.logOutputEncoding=UTF-8",
	"-c",	      "log.showRoot=true",
	"-c",	      "diff.relative=false",
	NULL,
};

/* The value of GIT_ALLOW_PROTOCOL that the user has set, or NULL. Valid if
 * RESTRICTED. */
static char *allowed;
static bool restricted;

/* Unset the variables that redirect git to another repository than that of its
 * directory. */
static void leave_repository(void)
{
	static const char *const unset[] = {"GIT_DIR",
					    "GIT_WORK_TREE",
					    "GIT_COMMON_DIR",
					    "GIT_INDEX_FILE",
					    "GIT_PREFIX",
					    "GIT_NAMESPACE",
					    "GIT_OBJECT_DIRECTORY",
					    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
					    "GIT_QUARANTINE_PATH",
					    "GIT_SHALLOW_FILE",
					    "GIT_GRAFT_FILE",
					    "GIT_CONFIG",
					    "GIT_EXTERNAL_DIFF",
					    "GIT_LITERAL_PATHSPECS",
					    "GIT_GLOB_PATHSPECS",
					    "GIT_NOGLOB_PATHSPECS",
					    "GIT_ICASE_PATHSPECS"};

	for (size_t i = 0; i < ARRAY_LEN(unset); i++)
		unsetenv(unset[i]);
}

static void set_environment(void)
{
	setenv("GIT_OPTIONAL_LOCKS", "0", 1);
	setenv("GIT_NO_LAZY_FETCH", "1", 1);
	if (!restricted && getenv("GIT_ALLOW_PROTOCOL"))
		allowed = mem_strdup(getenv("GIT_ALLOW_PROTOCOL"));
	restricted = true;
	setenv("GIT_ALLOW_PROTOCOL", "", 1); /* for gits that ignore that */
}

/* Return git's exit status if it ran properly, else -1 with E set. WHAT is the
 * git command. If TAKE stopped the command, E is unchanged. */
static int check_result(const struct process *c, const char *what,
			struct err *e)
{
	const char *said = buf_str(&c->errors);
	const size_t first = strcspn(said, "\n");

	/* Skip a warning if more lines follow: it is not the reason. */
	if (!strncmp(said, "warning: ", strlen("warning: ")) && said[first] &&
	    said[first + 1])
		said += first + 1;
	/* The status of C is not that of git. */
	if (c->torn)
		return err_set(e, ERR_HELPER, "cannot read what 'git %s' says",
			       what);
	if (!c->late && !c->flooded && c->status < 128)
		return c->status;
	if (!c->late && c->flooded && c->take)
		return -1;
	if (c->late)
		return err_set(e, ERR_HELPER, "'git %s' did not end in time",
			       what);
	if (!*said)
		return err_set(e, ERR_HELPER, "'git %s' ended with status %d",
			       what, c->status);
	return err_set(e, ERR_HELPER, "'git %s' failed: %.*s", what,
		       (int)strcspn(said, "\n"), said);
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

static bool has_entry(struct buf *path, const char *name)
{
	const size_t len = path->len;
	bool is;

	buf_addf(path, "/%s", name);
	is = access(path->p, F_OK) == 0;
	buf_cut(path, len);
	return is;
}

/* Return true if git, searching upwards from DIR, would find a repository
 * without a worktree before a `.git`. A clone can contain such a directory,
 * whose configuration names programs. */
static bool is_in_bare(const char *dir)
{
	struct arena a = {0};
	const char *real = file_absolute(dir, &a, NULL);
	struct buf path = {0};
	bool bare = false;

	if (real)
		buf_adds(&path, real);
	for (; path.len > 1 && !bare && !has_entry(&path, ".git");
	     buf_cut(&path, (size_t)(strrchr(path.p, '/') - path.p)))
		bare = has_entry(&path, "HEAD") &&
		       (has_entry(&path, "objects") ||
			has_entry(&path, "commondir"));
	buf_release(&path);
	arena_release(&a);
	return bare;
}

static int run_git(struct process *c, const char *dir,
		   const char *const *options, const char *const *words,
		   const char *input, size_t len, int ms, process_take_fn *take,
		   void *ctx, struct err *e)
{
	const size_t before = count_words(options), n = count_words(words);
	struct buf path = {0};
	const char **argv;
	int r;

	leave_repository();
	if (is_in_bare(dir))
		return err_set(e, ERR_HELPER,
			       "git is not run in '%s': it is, or lies in, a "
			       "repository without a work tree, whose "
			       "configuration may name programs",
			       dir);
	if (!execpath_find(&path, "git", NULL)) {
		buf_release(&path);
		return err_set(e, ERR_HELPER, "no program 'git'");
	}
	argv = mem_alloc((before + n + 4) * sizeof(*argv));
	argv[0] = path.p;
	argv[1] = "-C";
	argv[2] = dir;
	memcpy(argv + 3, options, before * sizeof(*argv));
	memcpy(argv + 3 + before, words, n * sizeof(*argv));
	r = process_run_taking(c, argv, input, len, ms, take, ctx, e);
	if (!r)
		r = check_result(c, words[0], e);
	buf_release(&path);
	free(argv);
	return r;
}

static const char *const no_options[] = {NULL};

/* Replace OUT by the output of C if R, the result of run_git(), is no failure. Release C.
 * Returns R. */
static int collect(struct process *c, int r, struct buf *out)
{
	buf_cut(out, 0);
	if (r >= 0)
		buf_add(out, buf_str(&c->output), c->output.len);
	process_release(c);
	return r;
}

static int run_within(int ms, const char *dir, const char *const *words,
		      const char *input, size_t len, struct buf *out,
		      struct err *e)
{
	struct process c = {.undisturbed = true};

	return collect(&c,
		       run_git(&c, dir, no_options, words, input, len, ms, NULL,
			       NULL, e),
		       out);
}

int git_run(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e)
{
	return run_within(GIT_MS, dir, words, input, len, out, e);
}

int git_run_long(const char *dir, const char *const *words, const char *input,
		 size_t len, struct buf *out, struct err *e)
{
	return run_within(GIT_LONG_MS, dir, words, input, len, out, e);
}

int git_check_user(const char *dir, struct err *e)
{
	struct stat st;

	return geteuid() != 0 || stat(dir, &st) < 0 || st.st_uid == 0
		       ? 0
		       : err_set(e, ERR_SYSTEM,
				 "git is not run in '%s': its owner is another "
				 "user; run this as that user",
				 dir);
}

int git_explain_lack(const char *dir, const char *command, struct err *e)
{
	const struct err why = *e;
	struct buf out = {0};

	if (GIT_ASK(dir, &out, NULL, "config", "--get-regexp",
		    "^(remote\\..*\\.promisor|extensions\\.partialclone)$") ==
	    0)
		err_set(e, ERR_HELPER,
			"%s: '%s' fetches what this partial clone has not",
			why.text, command);
	buf_release(&out);
	return -1;
}

int git_option(const char *dir, bool local, const char *key, struct buf *value,
	       struct err *e)
{
	const int r = git_run(
		dir,
		local ? (const char *const[]){"config", "--local", "--get", key,
					      NULL}
		      : (const char *const[]){"config", "--get", key, NULL},
		"", 0, value, e);

	if (r > 1)
		return err_set(e, ERR_DATA, "git cannot tell '%s'", key);
	if (r == 0 && value->len)
		buf_cut(value, value->len - 1);
	return r < 0 ? -1 : !r;
}

/* Make ssh fail where it would ask a person: in the background it would wait for the
 * terminal for ever. Returns 0 or -1. */
static int silence_ssh(const char *dir, struct err *e)
{
	struct buf command = {0};
	int r = 1;

	if (!getenv("GIT_SSH_COMMAND") && !getenv("GIT_SSH"))
		r = git_option(dir, false, "core.sshCommand", &command, e);
	if (r == 0)
		setenv("GIT_SSH_COMMAND", "ssh -oBatchMode=yes", 1);
	buf_release(&command);
	return r < 0 ? -1 : 0;
}

int git_transfer(const char *dir, const char *const *words, struct buf *out,
		 struct err *e)
{
	struct process c = {0};

	if (restricted) {
		unsetenv("GIT_NO_LAZY_FETCH");
		unsetenv("GIT_ALLOW_PROTOCOL");
		if (allowed)
			setenv("GIT_ALLOW_PROTOCOL", allowed, 1);
	}
	setenv("GIT_TERMINAL_PROMPT", "0", 1);
	if (silence_ssh(dir, e) < 0)
		return -1;
	return collect(&c,
		       run_git(&c, dir, no_options, words, "", 0, GIT_LONG_MS,
			       NULL, NULL, e),
		       out);
}

int git_ask(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e)
{
	struct process c = {0};

	set_environment();
	return collect(&c,
		       run_git(&c, dir, safe_options, words, input, len, GIT_MS,
			       NULL, NULL, e),
		       out);
}

int git_ask_taking(const char *dir, const char *const *words, const char *input,
		   size_t len, process_take_fn *take, void *ctx, struct err *e)
{
	struct process c = {0};
	int r;

	set_environment();
	r = run_git(&c, dir, safe_options, words, input, len, GIT_LONG_MS, take,
		    ctx, e);
	process_release(&c);
	return r;
}
