/* verdict.c: what is right is told by two runs without a fault: the store
 * before, and the store and the answer after.
 */
#include "verdict.h"

#include "agent/setup.h"
#include "base/buf.h"
#include "sys/file.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the store that the scenario changes is. */
static const char *store_path(const struct trial *tr)
{
	for (const char *const *arg = tr->s->argv; *arg; arg++) {
		if (!strcmp(*arg, "--global"))
			return "home/.config/co-cli/knowledge/";
	}
	return "work/.co-cli/knowledge/";
}

/* The highest id of that store in T, told without our library. */
static long highest(const struct trial *tr, const struct tree *t)
{
	long max = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *f = &t->files[i];
		const char *line = strstr(f->text, "\nid: ");
		const char *marker = strstr(f->path, "/trash/purged/");
		long id = 0;

		if (strncmp(f->path, store_path(tr), strlen(store_path(tr))) !=
		    0)
			continue;
		if (marker)
			id = strtol(marker + strlen("/trash/purged/"), NULL,
				    10);
		else if (line)
			id = strtol(line + strlen("\nid: "), NULL, 10);
		max = id > max ? id : max;
	}
	return max;
}

/* True if what is replaced may stand in the trash before. */
static bool is_keeping(const struct scenario *s)
{
	return s->answer == ANSWER_KEPT || s->answer == ANSWER_KEPT_HEALED;
}

/* True if the next command finishes what was begun. */
static bool is_healing(const struct scenario *s)
{
	return s->answer == ANSWER_HEALED || s->answer == ANSWER_KEPT_HEALED;
}

static bool is_backup(const struct tree_file *f)
{
	const char *dot = strrchr(f->path, '.');

	return dot && !strcmp(dot, SETUP_BACKUP);
}

/* How many files of T, those that are kept beside others aside, have the content
 * of F. */
static size_t count(const struct tree *t, const struct tree_file *f)
{
	size_t n = tree_count(t, f);

	for (size_t i = 0; i < t->n; i++)
		n -= is_backup(&t->files[i]) && t->files[i].len == f->len &&
		     !memcmp(t->files[i].text, f->text, f->len);
	return n;
}

/* NULL if each file of T is an old or a new one, and none is lost or doubled. */
static const char *check_files(const struct trial *tr, const struct tree *t)
{
	const struct tree *before = &tr->before, *after = &tr->good.tree;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *f = &t->files[i];
		const size_t was = tree_count(before, f);
		const size_t will = tree_count(after, f);

		/* A draft becomes what it is to be in steps, before it moves. */
		if (is_healing(tr->s) && strstr(f->path, "/drafts/"))
			continue;
		if (!was && !will)
			return "a file is neither an old nor a new one";
		if (count(t, f) > (was > will ? was : will) + is_keeping(tr->s))
			return "a file is doubled";
	}
	for (size_t i = 0; i < before->n; i++) {
		const struct tree_file *f = &before->files[i];

		if (tree_count(after, f) && !tree_count(t, f))
			return "a file is lost";
	}
	return NULL;
}

/* NULL if T, which is neither before nor after, is what may lie between. */
static const char *check_between(struct trial *tr, struct tree *t)
{
	const char *what = check_files(tr, t);

	if (what)
		return what;
	for (size_t i = 0; i < tr->nbetween; i++) {
		if (tree_equal(t, &tr->between[i]))
			return NULL;
	}
	if (tr->nbetween == tr->s->between || tr->nbetween == BETWEEN_MAX)
		return "the store is neither as before nor as after";
	tr->between[tr->nbetween++] = *t;
	*t = (struct tree){0};
	return NULL;
}

/* True if each line of LESS is one of MORE's. */
static bool is_part(const char *less, const char *more)
{
	while (*less) {
		const size_t len = strcspn(less, "\n");
		const char *at = more;

		while (*at && (strncmp(at, less, len) != 0 ||
			       (at[len] != '\n' && at[len])))
			at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0);
		if (!*at && len)
			return false;
		less += len + (less[len] != 0);
	}
	return true;
}

/* True if ERR is lines of ours, at least one. */
static bool explains(const char *err)
{
	if (!*err)
		return false;
	for (const char *p = err; *p; p += strcspn(p, "\n") + 1) {
		if (strncmp(p, "co-", 3) && strncmp(p, "co: ", 4) &&
		    strncmp(p, "hint: ", 6) && strncmp(p, "WARNING", 7))
			return false;
		if (!strchr(p, '\n'))
			return false;
	}
	return true;
}

/* True unless what a person wrote in the editor (see main()) is lost. */
static bool keeps_edit(const struct trial *tr, const struct run *r)
{
	char *cache = world_path(&tr->world, "run/home/.cache");
	struct tree t = {0};
	bool kept = true;

	if (access(cache, F_OK) == 0)
		tree_read(&t, cache);
	if (tree_find(&t, "edited") && !tree_equal(&r->tree, &tr->good.tree)) {
		kept = false;
		for (size_t i = 0; i < t.n; i++)
			kept |= strstr(t.files[i].text, "EDITED") != NULL;
	}
	tree_release(&t);
	free(cache);
	return kept;
}

/* True if R may say or do less, and says so. */
static bool is_lenient(const struct trial *tr, const struct run *r)
{
	if (tr->s->answer == ANSWER_AGAIN)
		return strstr(r->out, "keep:");
	return tr->s->answer == ANSWER_LENIENT &&
	       (strstr(r->out, "cannot ") || strstr(r->err, "cannot "));
}

/* What R says when it ends as a run without a fault does. */
static const char *check_answer(const struct trial *tr, const struct run *r)
{
	const struct run *good = &tr->good;

	if (is_lenient(tr, r))
		return NULL;
	if (strcmp(r->out, good->out) != 0)
		return "a wrong answer";
	if (!tree_equal(&r->tree, &good->tree))
		return "exit 0, but it was not done";
	return NULL;
}

/* Who waits for R goes on: nothing but the answer itself can be missing; who has
 * no memory just ends. */
static const char *check_always(const struct trial *tr, const struct run *r,
				const struct fault *f)
{
	/* It comes through a pipe, from who makes it. */
	const bool missing = !*r->out && (!strcmp(f->call, "write") ||
					  !strcmp(f->call, "read"));

	if (f->memory && f->stays && explains(r->err))
		return NULL;
	if (r->status != tr->good.status ||
	    (!missing && strcmp(r->out, tr->good.out) != 0))
		return "who waits is held up";
	return NULL;
}

/* True if F was a disk without room; a call that waits for another program may
 * have been hit in place of the one that was meant. */
static bool was_full(const struct fault *f)
{
	static const char list[] =
		" create mkdirat mkdtemp write fsync close renameat renameat2 "
		"linkat ";
	struct buf word = {0};
	bool full;

	buf_addf(&word, " %s ", f->call);
	full = f->error == ENOSPC && strstr(list, word.p);
	buf_release(&word);
	return full;
}

/* R's status, and what it says. */
static const char *check_status(const struct trial *tr, const struct run *r,
				const struct fault *f)
{
	const int status = WEXITSTATUS(r->status);

	if (WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGALRM)
		return "it hangs";
	if (!WIFEXITED(r->status))
		return "it crashed";
	if (tr->s->answer == ANSWER_ALWAYS)
		return check_always(tr, r, f);
	if (r->status == tr->good.status)
		return check_answer(tr, r);
	if (tr->s->answer == ANSWER_AGAIN && was_full(f) && status != 4 &&
	    !strstr(r->err, "cannot run"))
		return "a full disk is not status 4";
	if (status == 3 && is_lenient(tr, r))
		return NULL;
	if (status < 3 || status > 6)
		return "the status has another meaning";
	/* Where standard error itself fails there is no line. */
	if (!explains(r->err) &&
	    !(!*r->err && *tr->good.err && !strcmp(f->call, "write")))
		return "no clear line says why";
	return tr->s->answer <= ANSWER_KEPT_HEALED &&
			       !is_part(r->out, tr->good.out)
		       ? "a wrong answer"
		       : NULL;
}

/* True if T, but for its file NEW, is as before or as after, or what may lie
 * between the steps of several; or as it WAS, where there was nothing to finish
 * (a note of it would be found). */
static bool is_healed(const struct trial *tr, const struct tree *was,
		      const struct tree *t, const struct tree_file *new)
{
	const size_t at = (size_t)(new - t->files);
	struct tree rest = {.n = t->n - 1};
	bool healed;

	rest.files = mem_alloc(t->n * sizeof(*rest.files));
	memcpy(rest.files, t->files, at * sizeof(*rest.files));
	memcpy(rest.files + at, new + 1, (rest.n - at) * sizeof(*rest.files));
	healed = tree_equal(&rest, &tr->before) ||
		 tree_equal(&rest, &tr->good.tree) || tree_equal(&rest, was) ||
		 (tr->s->between > 8 && !check_files(tr, &rest));
	free(rest.files);
	return healed;
}

/* Save a memory more, without a fault: it gets the id behind all others, and
 * nothing else changes. */
static const char *check_next(const struct trial *tr, const struct tree *was)
{
	const bool global = !strncmp(store_path(tr), "home", 4);
	const char *const argv[] = {"co-memory-save",
				    global ? "--global" : NULL, NULL};
	const char *const none[] = {NULL};
	const char *what = NULL;
	struct arena a = {0};
	struct tree t;
	const struct tree_file *new;
	const char *path;
	char line[64], *run = world_path(&tr->world, "run");
	const long id = highest(tr, was) + 1;

	if (world_start(&tr->world, tr->bin, argv, "the next", none) != 0)
		what = arena_printf(&a, "the next save fails: %s",
				    world_text(&tr->world, "err", &a));
	tree_read(&t, run);
	path = arena_printf(&a, "%smemories/%03ld-the-next.md", store_path(tr),
			    id);
	snprintf(line, sizeof(line), "---\nid: %ld\n", id);
	new = tree_find(&t, path);
	if (!what && (!new || strncmp(new->text, line, strlen(line)) != 0))
		what = "the next save has another id";
	/* What is finished is looked at below, file by file. */
	if (!what && !is_healing(tr->s) && t.n != was->n + 1)
		what = "the next save changes more";
	if (!what && ((t.litter && strstr(t.litter, "co-cli")) || t.torn))
		what = arena_printf(&a, "litter: '%s'",
				    t.litter ? t.litter : t.torn);
	if (!what && t.note)
		what = arena_printf(&a, "not finished: '%s'", t.note);
	if (!what && is_healing(tr->s) && !is_healed(tr, was, &t, new))
		what = "the next save finishes nothing";
	/* It is printed before it is gone. */
	if (what)
		printf("%s\n", what);
	tree_release(&t);
	arena_release(&a);
	free(run);
	return what ? "so the next command is not at ease" : NULL;
}

/* The same command once more, without a fault, after R: it leaves what one alone
 * leaves.  Its status tells nothing: there may be nothing to do by then. */
static const char *check_again(const struct trial *tr, struct run *r)
{
	const char *const none[] = {NULL};
	char *run = world_path(&tr->world, "run");

	world_start(&tr->world, tr->bin, tr->s->argv, tr->s->input, none);
	tree_release(&r->tree);
	tree_read(&r->tree, run);
	free(run);
	return tree_equal(&r->tree, &tr->good.tree)
		       ? NULL
		       : "the same once more does not make it whole";
}

static const char *check_litter(const struct run *r, const struct fault *f)
{
	/* Who has no memory just ends; who cannot remove, leaves. */
	if (r->tree.torn)
		return "a .gitignore is torn";
	if (r->tree.litter && !f->memory && !f->stays &&
	    strcmp(f->call, "unlinkat") != 0)
		return "a temporary is left";
	return NULL;
}

const char *verdict(struct trial *tr, struct run *r, const struct fault *f)
{
	const bool killed = f->at && !f->error;
	const char *what = NULL;

	if (!killed)
		what = check_status(tr, r, f);
	else if (!is_part(r->out, tr->good.out))
		what = "a wrong answer";
	if (!what && !killed)
		what = check_litter(r, f);
	if (!what && !keeps_edit(tr, r))
		what = "the edit is lost";
	if (!what && tr->s->answer == ANSWER_AGAIN)
		what = check_again(tr, r);
	if (!what)
		what = check_next(tr, &r->tree);
	if (!what && !tree_equal(&r->tree, &tr->before) &&
	    !tree_equal(&r->tree, &tr->good.tree))
		what = check_between(tr, &r->tree);
	return what;
}
