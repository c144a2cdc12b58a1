/* verdict.c: two runs without a fault define what is right: the store before,
 * and the store and the answer after. */
#include "verdict.h"

#include "agent/setup.h"
#include "base/buf.h"
#include "sys/file.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Return the path of the store that the scenario changes. */
static const char *store_path(const struct trial *tr)
{
	for (const char *const *arg = tr->s->argv; *arg; arg++) {
		if (!strcmp(*arg, "--global"))
			return "home/.config/co-cli/knowledge/";
	}
	return "work/.co-cli/knowledge/";
}

/* Return the highest memory id of that store in T, found without the library.
 * Ids of articles do not count. */
static long highest(const struct trial *tr, const struct tree *t)
{
	long max = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *f = &t->files[i];
		const char *line = strstr(f->text, "\nid: ");
		const char *marker = strstr(f->path, "/trash/purged/");
		long id = 0;

		if (strncmp(f->path, store_path(tr), strlen(store_path(tr))) !=
			    0 ||
		    strstr(f->path, "/articles/"))
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

/* Return whether a replaced memory may exist twice for a while. */
static bool is_keeping(const struct scenario *s)
{
	return s->answer == ANSWER_KEPT || s->answer == ANSWER_KEPT_HEALED;
}

/* Return whether the next command completes an interrupted one. */
static bool is_healing(const struct scenario *s)
{
	return s->answer == ANSWER_HEALED || s->answer == ANSWER_HEALED_SEEN ||
	       s->answer == ANSWER_KEPT_HEALED;
}

/* Return whether the same command, run again, completes the rest. */
static bool is_repeatable(const struct scenario *s)
{
	return s->answer == ANSWER_LENIENT_AGAIN || s->answer == ANSWER_AGAIN ||
	       s->answer == ANSWER_TIDY_AGAIN;
}

static bool is_backup(const struct tree_file *f)
{
	const char *dot = strrchr(f->path, '.');

	return dot && !strcmp(dot, SETUP_BACKUP);
}

/* Return the text of F after its frontmatter, or all of it without one. */
static const char *body(const struct tree_file *f)
{
	const char *end = strstr(f->text, "\n---\n");

	return end && !strncmp(f->text, "---\n", 4) ? end + 5 : f->text;
}

/* Return how many files of T have the body of F, without backups. */
static size_t count(const struct tree *t, const struct tree_file *f)
{
	const char *text = body(f);
	const size_t len = f->len - (size_t)(text - f->text);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *other = &t->files[i];
		const char *p = body(other);

		n += !is_backup(other) &&
		     other->len - (size_t)(p - other->text) == len &&
		     !memcmp(p, text, len);
	}
	return n;
}

/* Return whether A and B have the same files. Of a draft only the path and the
 * body count, since it is changed in steps before it moves. */
static bool is_like(const struct tree *a, const struct tree *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct tree_file *x = &a->files[i], *y = &b->files[i];
		const bool draft = strstr(x->path, "/drafts/");

		if (strcmp(x->path, y->path) != 0 ||
		    (draft ? strcmp(body(x), body(y)) != 0
			   : !tree_same_text(x, y)))
			return false;
	}
	return true;
}

/* Return whether T has the files of WAS, and no other file outside the
 * trash. */
static bool has_kept(const struct tree *t, const struct tree *was)
{
	size_t same = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *f = &t->files[i];
		const struct tree_file *old = tree_find(was, f->path);

		if (old && tree_same_text(f, old))
			same++;
		else if (!strstr(f->path, "/trash/"))
			return false;
	}
	return same == was->n;
}

/* Return how many memories of T a search can find. */
static size_t count_memories(const struct tree *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += strstr(t->files[i].path, "/knowledge/memories/") != NULL;
	return n;
}

/* Return NULL if each file of T is an old or a new one, and none is doubled. */
static const char *check_files(const struct trial *tr, const struct tree *t)
{
	const struct tree *before = &tr->before, *after = &tr->good.tree;

	for (size_t i = 0; i < t->n; i++) {
		const struct tree_file *f = &t->files[i];
		const size_t was = count(before, f), will = count(after, f);

		if (count(t, f) > (was > will ? was : will) + is_keeping(tr->s))
			return "a file is doubled";
		/* A draft is changed in steps before it moves. */
		if (is_healing(tr->s) && strstr(f->path, "/drafts/"))
			continue;
		if (!tree_count(before, f) && !tree_count(after, f))
			return "a file is neither an old nor a new one";
	}
	return NULL;
}

/* Return NULL if T has every file that is both before and after, and enough
 * memories for a search. */
static const char *check_lost(const struct trial *tr, const struct tree *t)
{
	const struct tree *before = &tr->before, *after = &tr->good.tree;
	const size_t was = count_memories(before), will = count_memories(after);

	for (size_t i = 0; i < before->n; i++) {
		const struct tree_file *f = &before->files[i];

		if (tree_count(after, f) && !tree_count(t, f))
			return "a file is lost";
	}
	if (count_memories(t) < (was < will ? was : will))
		return "a memory is missing for a while";
	return NULL;
}

/* Return NULL if T, which is neither before nor after, is an allowed state
 * between. */
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

/* Return whether each line of LESS is a line of MORE. */
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

/* Return whether ERR has at least one line, and only lines of this suite. */
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

/* Return false if LINE, of LEN bytes, reports an error for a path that is
 * neither absolute, nor an operand or a value of S, nor its input. "-" is
 * standard input, "what '...' says", "run '...'" and "program '...'" are
 * commands, and the mark of co-digest-build has only a name. */
static bool names_path(const char *line, size_t len, const struct scenario *s)
{
	static const char cannot[] = ": cannot ";
	const char *at = memmem(line, len, cannot, strlen(cannot));

	if (!at)
		return true;
	at += strlen(cannot);
	at += strspn(at, "abcdefghijklmnopqrstuvwxyz ");
	if (strncmp(at, "'", 1) != 0 || at[1] == '/' ||
	    !strncmp(at - 5, "what '", 6) || !strncmp(at - 4, "run '", 5) ||
	    !strncmp(at - 8, "program '", 9) || !strncmp(at, "'-'", 3) ||
	    !strncmp(at, "'.digest-built'", 15))
		return true;
	for (const char *const *argv = s->argv + 1; *argv; argv++) {
		const char *value = strchr(*argv, '=');

		value = value ? value + 1 : *argv;
		if (!strncmp(at + 1, value, strlen(value)))
			return true;
	}
	return memmem(s->input, strlen(s->input), at + 1, strcspn(at + 1, "'"));
}

/* Return whether each line of ERR names paths completely. co-resolve names them
 * relative to the store, also in its answer. */
static bool names_paths(const char *err, const struct scenario *s)
{
	if (!strcmp(s->argv[0], "co-resolve"))
		return true;
	for (const char *p = err; *p; p += strcspn(p, "\n") + 1) {
		if (!names_path(p, strcspn(p, "\n"), s))
			return false;
		if (!strchr(p, '\n'))
			break;
	}
	return true;
}

/* Return whether the text that a person wrote in the editor (see main()) is
 * kept. */
static bool keeps_edit(const struct trial *tr, const struct run *r)
{
	char *state = world_path(&tr->world, "run/home/.local/state");
	struct tree t = {0};
	bool kept = true;

	if (access(state, F_OK) == 0)
		tree_read(&t, state);
	if (tree_find(&t, "edited") && !tree_equal(&r->tree, &tr->good.tree)) {
		kept = false;
		for (size_t i = 0; i < t.n; i++)
			kept |= strstr(t.files[i].text, "EDITED") != NULL;
	}
	tree_release(&t);
	free(state);
	return kept;
}

/* Return whether TEXT reports an error, or that getcwd() found no directory. */
static bool reports(const char *text)
{
	return strstr(text, "cannot ") ||
	       strstr(text, "the working directory was deleted");
}

/* Return whether R may print or do less, and reports that. */
static bool is_lenient(const struct trial *tr, const struct run *r)
{
	switch (tr->s->answer) {
	case ANSWER_AGAIN:
		return strstr(r->out, "keep:");
	case ANSWER_TIDY_AGAIN:
		return !strcmp(r->out, tr->good.out);
	case ANSWER_LENIENT:
	case ANSWER_LENIENT_AGAIN:
		return reports(r->out) || reports(r->err);
	default:
		return false;
	}
}

/* Return whether F made a sync of data fail. EINVAL means that a file system has no sync
 * of directories. wrap.c gives the syncs of caches another name. */
static bool was_sync(const struct fault *f)
{
	return f->was_hit && !strcmp(f->call, "fsync") && f->error &&
	       f->error != EINVAL;
}

/* Check the answer of R, which ended like a run without a fault. */
static const char *check_answer(const struct trial *tr, const struct run *r,
				const struct fault *f)
{
	const struct run *good = &tr->good;

	if (was_sync(f) && tr->s->answer != ANSWER_TIDY_AGAIN &&
	    !reports(r->out) && !reports(r->err))
		return "a failed sync was ignored";
	if (is_lenient(tr, r))
		return NULL;
	if (strcmp(r->out, good->out) != 0)
		return "a wrong answer";
	if (!tree_equal(&r->tree, &good->tree))
		return "exit 0, but it was not done";
	return NULL;
}

/* The caller of R must not be delayed: only the answer itself may be missing. A
 * process without memory just ends. */
static const char *check_always(const struct trial *tr, const struct run *r,
				const struct fault *f)
{
	/* The answer comes through a pipe from another process. */
	const bool missing = !*r->out && (!strcmp(f->call, "write") ||
					  !strcmp(f->call, "read"));

	if (f->memory && f->stays && explains(r->err))
		return NULL;
	if (r->status != tr->good.status ||
	    (!missing && strcmp(r->out, tr->good.out) != 0))
		return "the caller is delayed";
	return NULL;
}

/* Return whether F was a full disk. A call that waits for another program may
 * have been hit instead. */
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

/* Check the status and the messages of R. */
static const char *check_status(const struct trial *tr, const struct run *r,
				const struct fault *f)
{
	const int status = WEXITSTATUS(r->status);

	if (WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGALRM)
		return "it hangs";
	if (!WIFEXITED(r->status))
		return "it crashed";
	if (!names_paths(r->err, tr->s))
		return "a path is named by its end only";
	if (tr->s->answer == ANSWER_ALWAYS)
		return check_always(tr, r, f);
	if (r->status == tr->good.status)
		return check_answer(tr, r, f);
	if (tr->s->answer == ANSWER_AGAIN && was_full(f) && status != 4 &&
	    !strstr(r->err, "cannot run"))
		return "a full disk is not status 4";
	if (status == 3 && is_lenient(tr, r))
		return NULL;
	if (status < 3 || status > 6)
		return "the status has another meaning";
	/* If standard error fails, there is no line. */
	if (!explains(r->err) &&
	    !(!*r->err && *tr->good.err && !strcmp(f->call, "write")))
		return "no clear line names the reason";
	return tr->s->answer <= ANSWER_KEPT_HEALED &&
			       !is_part(r->out, tr->good.out)
		       ? "a wrong answer"
		       : NULL;
}

/* Return whether T, without its file NEW, is as before or as after, or is a
 * state between several steps. */
static bool is_healed(const struct trial *tr, const struct tree *t,
		      const struct tree_file *new)
{
	const size_t at = (size_t)(new - t->files);
	struct tree rest = {.n = t->n - 1};
	bool healed;

	rest.files = mem_alloc(t->n * sizeof(*rest.files));
	memcpy(rest.files, t->files, at * sizeof(*rest.files));
	memcpy(rest.files + at, new + 1, (rest.n - at) * sizeof(*rest.files));
	healed = is_like(&rest, &tr->before) ||
		 is_like(&rest, &tr->good.tree) ||
		 (is_keeping(tr->s) && has_kept(&rest, &tr->before)) ||
		 (tr->s->between > 8 && !check_files(tr, &rest));
	free(rest.files);
	return healed;
}

/* Return the file of T that a save of "the next" made in a team's store at
 * STORE, or NULL. Set *ID to the drawn id. */
static const struct tree_file *find_drawn(const struct tree *t,
					  const char *store, long *id)
{
	const size_t len = strlen(store);
	char rest[16];

	for (size_t i = 0; i < t->n; i++) {
		const char *path = t->files[i].path;

		if (!strncmp(path, store, len) &&
		    sscanf(path + len, "memories/%*2d/%6ld-the-next.%3s", id,
			   rest) == 2 &&
		    *id >= 100000)
			return &t->files[i];
	}
	return NULL;
}

/* Return whether PATH is in the user store or its log, and the scenario is
 * about the project store, whose saves do not change it. */
static bool is_in_other_store(const struct trial *tr, const char *path)
{
	return (strstr(path, "/.config/co-cli/") ||
		strstr(path, "%2F.config%2Fco-cli/")) &&
	       !strncmp(store_path(tr), "work", 4);
}

/* Let the next writer of the user store complete the operation that R->tree
 * shows. */
static void finish_other(const struct trial *tr, struct run *r)
{
	static const char *const argv[] = {"co-knowledge-check", "--fix",
					   "--global", NULL};
	const char *const none[] = {NULL};
	char *run;

	if (!r->tree.note || !is_in_other_store(tr, r->tree.note))
		return;
	world_start(&tr->world, tr->bin, argv, "", none);
	run = world_path(&tr->world, "run");
	tree_release(&r->tree);
	tree_read(&r->tree, run);
	free(run);
}

/* Save one more memory without a fault. It must get the next id, or in a team's
 * store a drawn one, and nothing else may change. */
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
	const long once = highest(tr, &tr->before), now = highest(tr, was);
	long id = (once > now ? once : now) + 1;

	if (world_start(&tr->world, tr->bin, argv, "the next", none) != 0)
		what = arena_printf(&a, "the next save fails: %s",
				    world_text(&tr->world, "err", &a));
	tree_read(&t, run);
	path = arena_printf(&a, "%smemories/%03ld-the-next.md", store_path(tr),
			    id);
	new = tree_find(&t, path);
	/* Completing the interrupted command may add a memory, too. */
	if (!new &&is_healing(tr->s)) {
		id = highest(tr, &tr->good.tree) + 1;
		path = arena_printf(&a, "%smemories/%03ld-the-next.md",
				    store_path(tr), id);
		new = tree_find(&t, path);
	}
	if (!new)
		new = find_drawn(&t, store_path(tr), &id);
	snprintf(line, sizeof(line), "---\nid: %ld\n", id);
	if (!what && (!new || strncmp(new->text, line, strlen(line)) != 0))
		what = "the next save has another id";
	/* A completed store is compared below, file by file. */
	if (!what && !is_healing(tr->s) && t.n != was->n + 1)
		what = "the next save changes more";
	if (!what && ((t.litter && strstr(t.litter, "co-cli") &&
		       !is_in_other_store(tr, t.litter)) ||
		      t.torn))
		what = arena_printf(&a, "litter: '%s'",
				    t.litter ? t.litter : t.torn);
	if (!what && t.note)
		what = arena_printf(&a, "not finished: '%s'", t.note);
	if (!what && is_healing(tr->s) && !is_healed(tr, &t, new))
		what = "the next save finishes nothing";
	/* Print it before it is removed. */
	if (what)
		printf("%s\n", what);
	tree_release(&t);
	arena_release(&a);
	free(run);
	return what ? "the next command reports a problem" : NULL;
}

/* List the operations if the next command completes an interrupted one, and the
 * drafts if that list does. Return the fault, or NULL. */
static const char *check_lists(const struct trial *tr)
{
	static const char *const operations[] = {"co-operation-list", NULL};
	static const char *const drafts[] = {"co-review", "--list", NULL};
	const char *const none[] = {NULL};
	const char *what = NULL;
	struct tree t;
	char *run;
	int status;

	if (!is_healing(tr->s))
		return NULL;
	status = world_start(&tr->world, tr->bin, operations, "", none);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		return "the operations cannot be listed";
	if (tr->s->answer != ANSWER_HEALED_SEEN)
		return NULL;
	if (world_start(&tr->world, tr->bin, drafts, "", none) != 0)
		return "the drafts cannot be listed";
	run = world_path(&tr->world, "run");
	tree_read(&t, run);
	if (!is_like(&t, &tr->before) && !is_like(&t, &tr->good.tree))
		what = "the list of drafts finishes nothing";
	tree_release(&t);
	free(run);
	return what;
}

/* Run the command of R again without a fault. It must leave the state of one
 * run without a fault. Its status does not count, since there may be nothing to
 * do. */
static const char *check_again(const struct trial *tr, struct run *r)
{
	const char *const none[] = {NULL};
	char *run = world_path(&tr->world, "run");

	world_start(&tr->world, tr->bin, tr->s->argv, tr->s->input, none);
	tree_release(&r->tree);
	tree_read(&r->tree, run);
	free(run);
	return tree_equal(&r->tree, &tr->good.tree) &&
			       r->tree.marks == tr->good.tree.marks
		       ? NULL
		       : "the same command, run again, does not complete it";
}

static const char *check_litter(const struct run *r, const struct fault *f)
{
	/* A process without memory just ends. A process that cannot remove a
	 * file leaves it. */
	if (r->tree.torn)
		return "a .gitignore is torn";
	if (r->tree.litter && !f->memory && !f->stays &&
	    strcmp(f->call, "unlinkat") != 0)
		return "a temporary is left";
	return NULL;
}

/* Return NULL unless R reported success before it was killed. A refresh first
 * prints what it found. */
static const char *check_promise(const struct trial *tr, const struct run *r)
{
	if (tr->s->answer > ANSWER_LOOSE || !*r->out ||
	    !strcmp(tr->s->argv[0], "co-refresh") ||
	    strcmp(r->out, tr->good.out) != 0 ||
	    tree_equal(&r->tree, &tr->good.tree))
		return NULL;
	return "it reported success too early";
}

const char *verdict(struct trial *tr, struct run *r, const struct fault *f)
{
	const bool killed = f->at && !f->error;
	const char *what = NULL;

	if (!killed)
		what = check_status(tr, r, f);
	else if (!is_part(r->out, tr->good.out))
		what = "a wrong answer";
	else
		what = check_promise(tr, r);
	if (!what && !killed)
		what = check_litter(r, f);
	if (!what && !keeps_edit(tr, r))
		what = "the edit is lost";
	if (!what)
		what = check_lost(tr, &r->tree);
	if (!what)
		what = check_lists(tr);
	if (!what && is_repeatable(tr->s))
		what = check_again(tr, r);
	if (!what)
		finish_other(tr, r);
	if (!what)
		what = check_next(tr, &r->tree);
	if (!what && !tree_equal(&r->tree, &tr->before) &&
	    !tree_equal(&r->tree, &tr->good.tree))
		what = check_between(tr, &r->tree);
	return what;
}
