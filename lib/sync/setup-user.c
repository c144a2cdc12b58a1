/* setup-user.c: one list of steps serves both the plan and the setup. A step is
 * skipped if its result is there already. */
#include "sync/sync.h"

#include "repo/gitdir.h"
#include "repo/settings.h"
#include "setup/setup-git.h"
#include "sys/git.h"

#include <unistd.h>

/* A setup in progress: with OUT, only a plan. */
struct job {
	const struct sync_setup *u;
	const char *root;
	bool exists;	 /* the repository does */
	struct buf *out; /* of the plan, or NULL */
	struct buf text; /* of the last git command */
	struct arena arena;
};

/* Plan or run the git command WORDS. */
static int step(struct job *j, const char *const *words, struct err *e)
{
	int r;

	if (j->out) {
		buf_addf(j->out, "git -C '%s'", j->root);
		for (const char *const *w = words; *w; w++) {
			buf_addc(j->out, ' ');
			buf_add_word(j->out, *w);
		}
		buf_addc(j->out, '\n');
		return 0;
	}
	r = git_run(j->root, words, "", 0, &j->text, e);
	return r > 0 ? err_set(e, ERR_HELPER, "'git %s' failed in '%s'",
			       words[0], j->root)
		     : r;
}
#define STEP(j, e, ...) step(j, (const char *const[]){__VA_ARGS__, NULL}, e)

/* Set the git option KEY to VALUE, or remove it if VALUE is NULL. */
static int set_option(struct job *j, const char *key, const char *value,
		      struct err *e)
{
	int r = 0;

	if (j->exists)
		r = git_option(j->root, true, key, &j->text, e);
	if (r < 0)
		return -1;
	if (!value)
		return r ? STEP(j, e, "config", "--local", "--unset-all", key)
			 : 0;
	if (r && !strcmp(buf_str(&j->text), value))
		return 0;
	return STEP(j, e, "config", "--local", "--replace-all", key, value);
}

/* Find the repository of the store. */
static int find_repository(struct job *j, struct err *e)
{
	struct gitdir g;
	const int r = gitdir_find(&g, j->root, e);
	bool own;

	if (r <= 0)
		return r;
	own = !strcmp(g.top, j->root);
	if (!own)
		err_set(e, ERR_SYSTEM,
			"the user store lies in the repository '%s': "
			"commit and push it there",
			g.top);
	j->exists = true;
	gitdir_release(&g);
	return own ? 0 : -1;
}

static int make_repository(struct job *j, struct err *e)
{
	if (!j->exists && STEP(j, e, "init", "-q", "-b", "main") < 0)
		return -1;
	j->exists = j->exists || !j->out;
	return 0;
}

/* Give git a name for commits if it has none. */
static int set_author(struct job *j, struct err *e)
{
	char host[256] = "localhost";
	const char *name = getlogin();
	int r;

	r = git_option(j->exists ? j->root : "/", false, "user.email", &j->text,
		       e);
	if (r)
		return r < 0 ? -1 : 0;
	gethostname(host, sizeof(host) - 1);
	if (!name || !*name)
		name = "user";
	if (set_option(j, "user.name", name, e) < 0)
		return -1;
	return set_option(j, "user.email",
			  arena_printf(&j->arena, "%s@%s", name, host), e);
}

static int set_remote(struct job *j, struct err *e)
{
	const char *url = j->u->url;
	int r = 0;

	if (!url)
		return 0;
	if (j->exists)
		r = git_option(j->root, true, "remote.origin.url", &j->text, e);
	if (r < 0)
		return -1;
	if (!r)
		return STEP(j, e, "remote", "add", "--", "origin", url);
	return strcmp(buf_str(&j->text), url)
		       ? STEP(j, e, "remote", "set-url", "--", "origin", url)
		       : 0;
}

static int set_attributes(struct job *j, struct err *e)
{
	const struct root *root = &j->u->store->repo.root;
	const bool put = !j->u->removing;
	struct buf text = {0};
	int r;

	if (!j->out)
		return setup_git_attributes_write(root, put, e) < 0 ? -1 : 0;
	r = setup_git_attributes_read(root, &text, e);
	if (r >= 0 && setup_git_attributes_edit(&text, put))
		buf_addf(j->out, "%s '%s/" SETUP_GIT_ATTRIBUTES "'\n",
			 put ? "write" : "take the lines of co out of",
			 j->root);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

static int run(struct job *j, struct err *e)
{
	const bool removing = j->u->removing;

	if (find_repository(j, e) < 0)
		return -1;
	if (removing && !j->exists)
		return 0;
	if (make_repository(j, e) < 0 ||
	    set_option(j, "merge.co.name", removing ? NULL : setup_git_name,
		       e) < 0 ||
	    set_option(j, "merge.co.driver", removing ? NULL : setup_git_driver,
		       e) < 0 ||
	    set_attributes(j, e) < 0)
		return -1;
	if (removing)
		return 0;
	return set_author(j, e) < 0 ? -1 : set_remote(j, e);
}

static int run_job(const struct sync_setup *u, struct buf *out, struct err *e)
{
	struct job j = {.u = u, .root = u->store->repo.root.path, .out = out};
	int r;

	if (u->url && (!*u->url || *u->url == '-'))
		return err_set(e, ERR_USAGE, "'%s' is not a URL", u->url);
	/* It would be in plain sight. */
	if (u->url && settings_has_password(u->url))
		return err_set(e, ERR_USAGE,
			       "the URL has a password: use a credential "
			       "helper of git, or ssh");
	r = run(&j, e);
	buf_release(&j.text);
	arena_release(&j.arena);
	return r;
}

int sync_setup_plan(const struct sync_setup *u, struct buf *out, struct err *e)
{
	return run_job(u, out, e);
}

int sync_setup_apply(const struct sync_setup *u, struct err *e)
{
	bool made;

	if (store_make(u->store, &made, e) < 0)
		return -1;
	return run_job(u, NULL, e);
}
