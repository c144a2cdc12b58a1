/* setup-user.c: one list of steps serves both the plan and the setup. A step is
 * skipped if its result is there already. */
#include "sync/sync.h"

#include "agent/setup.h"
#include "repo/gitdir.h"
#include "repo/settings.h"
#include "setup/setup-git.h"
#include "sys/git.h"

#include <unistd.h>

/* A setup in progress: with PLAN, only that. */
struct job {
	const struct sync_setup *u;
	const char *root;
	bool exists; /* the repository does */
	struct sync_plan *plan;
	struct buf text; /* of the last git command */
	struct arena arena;
};

/* Plan or run the git command WORDS. */
static int run_git_step(struct job *j, const char *const *words, struct err *e)
{
	int r;

	if (j->plan) {
		struct buf *out = &j->plan->commands;

		buf_addf(out, "git -C '%s'", j->root);
		for (const char *const *w = words; *w; w++) {
			buf_addc(out, ' ');
			buf_add_word(out, *w);
		}
		buf_addc(out, '\n');
		return 0;
	}
	r = git_run(j->root, words, "", 0, &j->text, e);
	return r > 0 ? err_set(e, ERR_HELPER, "'git %s' failed in '%s'",
			       words[0], j->root)
		     : r;
}
#define STEP(j, e, ...) \
	run_git_step(j, (const char *const[]){__VA_ARGS__, NULL}, e)

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
	if (j->exists)
		return 0;
	if (j->plan) {
		buf_adds(&j->plan->text, "  - keep ");
		setup_add_path(&j->plan->text, j->root);
		buf_adds(&j->plan->text,
			 " as a repository with the branch main\n");
	}
	j->exists = !j->plan;
	return STEP(j, e, "init", "-q", "-b", "main");
}

/* Give git a name for commits if it has none. */
static int set_author(struct job *j, struct err *e)
{
	char host[256] = "localhost";
	const char *name = getlogin(), *address;
	int r;

	r = git_option(j->exists ? j->root : "/", false, "user.email", &j->text,
		       e);
	if (r)
		return r < 0 ? -1 : 0;
	gethostname(host, sizeof(host) - 1);
	if (!name || !*name)
		name = "user";
	address = arena_printf(&j->arena, "%s@%s", name, host);
	if (j->plan)
		buf_addf(&j->plan->text, "  - commit as %s <%s>\n", name,
			 address);
	if (set_option(j, "user.name", name, e) < 0)
		return -1;
	return set_option(j, "user.email", address, e);
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
	if (r && !strcmp(buf_str(&j->text), url))
		return 0;
	if (j->plan)
		buf_addf(&j->plan->text,
			 "  - exchange memories with %s at each 'co sync'\n",
			 url);
	return STEP(j, e, "remote", r ? "set-url" : "add", "--", "origin", url);
}

static int set_attributes(struct job *j, struct err *e)
{
	const struct root *root = &j->u->store->repo.root;
	const bool put = !j->u->removing;
	struct buf text = {0};
	int r;

	if (!j->plan)
		return setup_git_attributes_write(root, put, e) < 0 ? -1 : 0;
	r = setup_git_attributes_read(root, &text, e);
	if (r >= 0 && setup_git_attributes_edit(&text, put))
		buf_addf(&j->plan->commands,
			 "%s '%s/" SETUP_GIT_ATTRIBUTES "'\n",
			 put ? "write" : "take the lines of co out of",
			 j->root);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

static int set_driver(struct job *j, struct err *e)
{
	const bool removing = j->u->removing;
	const size_t before = j->plan ? j->plan->commands.len : 0;

	if (set_option(j, "merge.co.name", removing ? NULL : setup_git_name,
		       e) < 0 ||
	    set_option(j, "merge.co.driver", removing ? NULL : setup_git_driver,
		       e) < 0 ||
	    set_attributes(j, e) < 0)
		return -1;
	if (j->plan && j->plan->commands.len > before)
		buf_adds(&j->plan->text,
			 removing ? "  - merge memories as any other text; its "
				    "repository and commits stay\n"
				  : "  - merge memories field by field (merge "
				    "driver 'co')\n");
	return 0;
}

static int run_steps(struct job *j, struct err *e)
{
	const bool removing = j->u->removing;

	if (find_repository(j, e) < 0)
		return -1;
	if (removing)
		return j->exists ? set_driver(j, e) : 0;
	if (make_repository(j, e) < 0 || set_driver(j, e) < 0 ||
	    set_author(j, e) < 0)
		return -1;
	return set_remote(j, e);
}

static int run_job(const struct sync_setup *u, struct sync_plan *plan,
		   struct err *e)
{
	struct job j = {.u = u, .root = u->store->repo.root.path, .plan = plan};
	int r;

	if (u->url && (!*u->url || *u->url == '-'))
		return err_set(e, ERR_USAGE, "'%s' is not a URL", u->url);
	/* It would be in plain sight. */
	if (u->url && settings_has_password(u->url))
		return err_set(e, ERR_USAGE,
			       "the URL has a password: use a credential "
			       "helper of git, or ssh");
	r = git_check_user(j.root, e);
	if (r == 0)
		r = run_steps(&j, e);
	buf_release(&j.text);
	arena_release(&j.arena);
	return r;
}

int sync_setup_plan(const struct sync_setup *u, struct sync_plan *plan,
		    struct err *e)
{
	*plan = (struct sync_plan){0};
	buf_adds(&plan->text, "In the user store, git will\n");
	return run_job(u, plan, e);
}

int sync_setup_apply(const struct sync_setup *u, struct err *e)
{
	bool made;

	if (store_make(u->store, &made, e) < 0)
		return -1;
	return run_job(u, NULL, e);
}
