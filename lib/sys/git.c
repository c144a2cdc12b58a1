/* git.c: see git.h.
 *
 * A question runs with options that win over the repository's configuration,
 * and without the variables that a hook of git's has, which would point the
 * question elsewhere.  The environment is that of this process: what it runs
 * later is asked in the same way.
 */
#include "sys/git.h"

#include "base/mem.h"
#include "sys/execpath.h"
#include "sys/file.h"

#include <stdlib.h>
#include <unistd.h>

#define GIT_MS 60000
#define GIT_TAKING_MS (20 * 60000)

static const char *const safely[] = {
	"--no-pager", "--no-replace-objects",
	"-c",	      "core.fsmonitor=false",
	"-c",	      "core.hooksPath=/dev/null",
	"-c",	      "log.showSignature=false",
	"-c",	      "i18n.logOutputEncoding=UTF-8",
	"-c",	      "log.showRoot=true",
	"-c",	      "diff.relative=false",
	NULL,
};

static void set_environment(void)
{
	static const char *const gone[] = {"GIT_DIR",
					   "GIT_WORK_TREE",
					   "GIT_COMMON_DIR",
					   "GIT_INDEX_FILE",
					   "GIT_PREFIX",
					   "GIT_NAMESPACE",
					   "GIT_EXTERNAL_DIFF",
					   "GIT_LITERAL_PATHSPECS",
					   "GIT_GLOB_PATHSPECS",
					   "GIT_NOGLOB_PATHSPECS",
					   "GIT_ICASE_PATHSPECS"};

	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		unsetenv(gone[i]);
	setenv("GIT_OPTIONAL_LOCKS", "0", 1);
	setenv("GIT_NO_LAZY_FETCH", "1", 1);
	setenv("GIT_ALLOW_PROTOCOL", "", 1); /* for gits that do not know it */
}

static int judge(const struct process *c, const char *what, struct err *e)
{
	const char *said = buf_str(&c->errors);
	const size_t first = strcspn(said, "\n");

	/* What it warns of is not why it failed, where it says more. */
	if (!strncmp(said, "warning: ", strlen("warning: ")) && said[first] &&
	    said[first + 1])
		said += first + 1;
	/* Its status is not to be taken for one of git's. */
	if (c->torn)
		return err_set(e, ERR_HELPER, "cannot read what 'git %s' says",
			       what);
	if (!c->late && !c->flooded && c->status < 128)
		return c->status;
	if (!c->late && c->flooded && c->take)
		return -1;
	return err_set(e, ERR_HELPER, "'git %s' failed: %.*s", what,
		       (int)strcspn(said, "\n"), said);
}

static size_t count(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

/* Is there a NAME in the folder PATH? */
static bool has(struct buf *path, const char *name)
{
	const size_t len = path->len;
	bool is;

	buf_addf(path, "/%s", name);
	is = access(path->p, F_OK) == 0;
	buf_cut(path, len);
	return is;
}

/* True if git would take DIR, or a folder above it, for a repository without a
 * work tree before it comes to a `.git`.  A clone can bring such a folder, and
 * its configuration names programs. */
static bool is_in_bare(const char *dir)
{
	struct arena a = {0};
	const char *real = file_absolute(dir, &a, NULL);
	struct buf path = {0};
	bool bare = false;

	if (real)
		buf_adds(&path, real);
	for (; path.len > 1 && !bare && !has(&path, ".git");
	     buf_cut(&path, (size_t)(strrchr(path.p, '/') - path.p)))
		bare = has(&path, "HEAD") &&
		       (has(&path, "objects") || has(&path, "commondir"));
	buf_release(&path);
	arena_release(&a);
	return bare;
}

/* Run git in DIR with OPTIONS and WORDS. */
static int run(struct process *c, const char *dir, const char *const *options,
	       const char *const *words, const char *input, size_t len,
	       process_take_fn *take, void *ctx, struct err *e)
{
	const size_t before = count(options), n = count(words);
	struct buf path = {0};
	const char **argv;
	int r;

	if (is_in_bare(dir))
		return err_set(
			e, ERR_HELPER,
			"git is not run in '%s': it holds, or lies in, a "
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
	r = process_run_taking(c, argv, input, len,
			       take ? GIT_TAKING_MS : GIT_MS, take, ctx, e);
	if (!r)
		r = judge(c, words[0], e);
	buf_release(&path);
	free(argv);
	return r;
}

static int run_kept(const char *dir, const char *const *options,
		    const char *const *words, const char *input, size_t len,
		    struct buf *out, struct err *e)
{
	struct process c = {0};
	int r;

	buf_cut(out, 0);
	r = run(&c, dir, options, words, input, len, NULL, NULL, e);
	if (r >= 0)
		buf_add(out, buf_str(&c.output), c.output.len);
	process_release(&c);
	return r;
}

int git_run(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e)
{
	static const char *const none[] = {NULL};

	return run_kept(dir, none, words, input, len, out, e);
}

int git_ask(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e)
{
	set_environment();
	return run_kept(dir, safely, words, input, len, out, e);
}

int git_ask_taking(const char *dir, const char *const *words, const char *input,
		   size_t len, process_take_fn *take, void *ctx, struct err *e)
{
	struct process c = {0};
	int r;

	set_environment();
	r = run(&c, dir, safely, words, input, len, take, ctx, e);
	process_release(&c);
	return r;
}
