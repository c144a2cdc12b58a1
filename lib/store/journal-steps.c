/* journal-steps.c: the content of the file shows whether a step was performed. If it
 * has the sum `after`, there is nothing to do. If it has the sum `before`, the step is
 * performed now. A file that was moved but does not have its new content yet has the
 * sum `before` of the step for its old path.
 */
#include "store/journal-steps.h"

#include "base/strings.h"
#include "cache/write-hints.h"
#include "oplog/oplog.h"
#include "store/change.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A directory to sync. */
struct journal_directory {
	int fd;
	const char *path;	      /* for error messages */
	const char *left;	      /* see sync_later() */
	struct write_hints_slip slip; /* of it, before that */
};

const char *journal_sum(struct arena *a, const struct buf *text)
{
	char *sum = text ? arena_alloc(a, SHA256_HEX) : NULL;

	return text ? sha256_of(buf_str(text), text->len, sum) : NULL;
}
void journal_fill_tables(struct journal_run *run)
{
	for (size_t i = 0; i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];

		table_put(&run->by_path, c->path, strlen(c->path), 0, i);
		if (c->from)
			table_put(&run->by_from, c->from, strlen(c->from), 0,
				  i);
	}
}

void journal_release_tables(struct journal_run *run)
{
	table_release(&run->by_path);
	table_release(&run->by_from);
}

const struct oplog_change *journal_change_of(const struct journal_run *run,
					     const char *path)
{
	const struct oplog_change *first = NULL, *c;
	struct table_look look =
		table_look(&run->by_path, path, path ? strlen(path) : 0, 0);
	size_t i;

	while (path && table_next(&look, &i)) {
		c = &run->op.changes[i];
		if (!strcmp(c->path, path) && (!first || c < first))
			first = c;
	}
	return first;
}

const struct oplog_change *journal_target_of(const struct journal_run *run,
					     const char *path)
{
	const struct oplog_change *first = NULL, *c;
	struct table_look look =
		table_look(&run->by_from, path, strlen(path), 0);
	size_t i;

	while (table_next(&look, &i)) {
		c = &run->op.changes[i];
		if (!strcmp(c->from, path) && (!first || c < first))
			first = c;
	}
	return first;
}

const char *journal_directory_of(const char *path, struct arena *a,
				 const char **name)
{
	*name = strrchr(path, '/') + 1;
	path += strlen(LAYOUT_KNOWLEDGE);
	return *name > path ? arena_copy(a, path, (size_t)(*name - 1 - path))
			    : "";
}

/* The file of one step. */
struct place {
	struct journal_run *run;
	const struct oplog_change *c;
	const char *path; /* absolute */
	int dir;
	const char *name;
};

const char *journal_absolute(const struct journal_run *run, const char *path)
{
	return arena_printf(run->a, "%s/%s", run->s->repo.root.path, path);
}

/* Let sync_directories() sync DIR, which is about to change. LEFT is the path of DIR
 * below knowledge/ if the change takes a file out of it, else NULL. */
static void sync_later(struct journal_run *run, int dir, const char *path,
		       const char *left)
{
	struct journal_directory *d;
	struct stat st = {0};

	fstat(dir, &st);
	for (size_t i = 0; i < run->n; i++) {
		d = &run->directories[i];
		if (d->slip.folder.st_dev == st.st_dev &&
		    d->slip.folder.st_ino == st.st_ino) {
			d->left = left ? d->left : NULL;
			return;
		}
	}
	d = MEM_ADD(run->directories, run->n, run->cap);
	*d = (struct journal_directory){.fd = fcntl(dir, F_DUPFD_CLOEXEC, 0),
					.path = path,
					.left = left};
	write_hints_before(&d->slip, dir);
}

/* Sync the directories that changed, if OK. Close them. */
static int sync_directories(struct journal_run *run, bool ok, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct journal_directory *d = &run->directories[i];

		if (ok && !r && d->left)
			write_hints_gone(run->s->cache, &d->slip, d->left,
					 d->fd);
		if (ok && !r)
			r = file_sync_dir(d->fd, d->path, e);
		file_close(d->fd);
	}
	run->n = 0;
	return r;
}

int journal_make_directory(struct journal_run *run, const char *folder,
			   int *dir, struct err *e)
{
	const char *name;
	const char *top = journal_begins(folder, LAYOUT_TRASH "/")
				  ? folder + strlen(LAYOUT_TRASH "/")
				  : NULL;

	/* A process on another machine may have removed it while it was empty. */
	if (top) {
		name = arena_copy(run->a, folder,
				  (size_t)(top - folder) + strcspn(top, "/"));
		if (trash_folders_open(run->s, name, dir, e) < 0)
			return -1;
		close(*dir);
	}
	return layout_make(&run->s->repo, folder, dir, e);
}

/* Return 1 if the file NAME of DIR has the content TEXT, 0, or -1. */
static int has_text(int dir, const char *name, const char *path,
		    const struct buf *text, struct err *e)
{
	struct buf is = {0};
	int r = file_read(dir, name, path, LAYOUT_ANY_MAX, &is, e);

	if (r == 1)
		r = buf_equal(&is, text);
	buf_release(&is);
	return r;
}

int journal_create_file(struct journal_run *run, int dir, const char *name,
			const char *path, const struct buf *text, struct err *e)
{
	const int r = file_create_from(run->s->repo.fd, dir, name, path,
				       root_file_mode(&run->s->repo.root),
				       buf_str(text), text->len, e);

	return r ? r : 2 * has_text(dir, name, path, text, e);
}

/* Return the directory of the step's file, below knowledge/, or LAYOUT_SHARED. */
static const char *left_directory(const struct place *at)
{
	const char *name;
	struct stat st = {0}, shared = {0};

	if (fstat(at->run->s->change->shared_fd, &shared) == 0 &&
	    fstat(at->dir, &st) == 0 && st.st_dev == shared.st_dev &&
	    st.st_ino == shared.st_ino)
		return LAYOUT_SHARED;
	return journal_directory_of(at->c->path, at->run->a, &name);
}

/* Remove the file AT. If its step is part of a move, remove it only if the file was
 * copied to its new path, or another file is there. Otherwise keep it: a process
 * that our lock does not stop has moved it back. */
static int remove_file(const struct place *at, struct err *e)
{
	struct journal_run *run = at->run;
	const struct oplog_change *target = journal_target_of(run, at->c->path);
	const char *name;
	struct stat st, there;
	bool copied = !target || journal_outcome_of(run, target)->copied;
	int dir;

	if (!copied && oplog_open_dir(&run->s->repo, target->path, run->a, &dir,
				      &name, NULL) == 1) {
		copied = fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) ==
				 0 &&
			 fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
			 (st.st_dev != there.st_dev ||
			  st.st_ino == there.st_ino);
		close(dir);
	}
	return copied ? file_remove(at->dir, at->name, at->path, e) : 0;
}

/* Move the file AT, which has the content IS, to the path in the trash that its change
 * names. */
static int move_to_trash(const struct place *at, const struct buf *is,
			 struct err *e)
{
	struct journal_run *run = at->run;
	const char *name,
		*to = journal_absolute(run, at->c->trash),
		*folder = journal_directory_of(at->c->trash, run->a, &name);
	struct err why;
	int dir, r, error, tries = 0;

	/* A process on another machine may remove the new directory while it is
	 * empty. */
	do {
		if (journal_make_directory(run, folder, &dir, e) < 0)
			return -1;
		sync_later(run, dir, to, NULL);
		sync_later(run, at->dir, at->path, left_directory(at));
		r = file_put_away(at->dir, at->name, dir, name, at->path, &why);
		error = r < 0 ? errno : 0;
		if (error != ENOENT || tries)
			break;
		close(dir);
	} while (!tries++);
	if (error == EXDEV)
		r = journal_create_file(run, dir, name, to, is, &why);
	if (r == 0)
		r = err_set(&why, ERR_SYSTEM, "'%s' already exists", to);
	else if (r > 0 && error == EXDEV)
		r = file_remove(at->dir, at->name, at->path, &why);
	else if (error == ENOENT && has_text(dir, name, to, is, NULL) == 1)
		r = 0;
	close(dir);
	return r < 0 ? err_take(e, &why) : 0;
}

/* Move the file AT from its old path, which its change names, and read it into IS.
 * Return 1, or 0 if it is not there or cannot be moved. */
static int move_from_source(const struct place *at, struct buf *is)
{
	struct journal_run *run = at->run;
	const struct oplog_change *c = at->c,
				  *source = journal_change_of(run, c->from);
	const char *name, *sum;
	int dir, r;

	if (!c->from || oplog_open_dir(&run->s->repo, c->from, run->a, &dir,
				       &name, NULL) != 1)
		return 0;
	r = file_read(dir, name, c->from, LAYOUT_ANY_MAX, is, NULL) == 1;
	sum = journal_sum(run->a, is);
	r = r && (!strcmp(sum, c->after) ||
		  (source && strings_equal(sum, source->before)));
	if (r) {
		sync_later(run, at->dir, at->path, NULL);
		sync_later(run, dir, journal_absolute(run, c->from), NULL);
		r = file_rename(dir, name, at->dir, at->name, c->from, NULL) ==
		    1;
	}
	close(dir);
	return r;
}

/* Append the content with the sum SUM to OUT, from the steps or the log. Return 1, 0 if
 * it is lost, or -1. */
static int find_bytes(const struct journal_run *run, const char *sum,
		      struct buf *out, struct err *e)
{
	const struct operations h = {.ops = (struct oplog_op *)&run->op,
				     .n = 1};

	for (size_t i = 0; !run->resumed && i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];
		const struct journal_step *step = &run->steps[i];
		const struct buf *text =
			strings_equal(sum, run->back ? c->before : c->after)
				? step->text
			: strings_equal(sum, run->back ? c->after : c->before)
				? step->was
				: NULL;

		if (text) {
			buf_add(out, buf_str(text), text->len);
			return 1;
		}
	}
	return oplog_read_bytes(&run->s->repo, &h, sum, out, e);
}

static int changed_meanwhile(const struct place *at, struct err *e)
{
	return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", at->path);
}

/* Write the new content of the file AT, which has the content WAS; NULL: it is
 * absent. */
static int write_text(const struct place *at, const struct buf *was,
		      struct err *e)
{
	struct journal_run *run = at->run;
	struct buf text = {0};
	int r = find_bytes(run, at->c->after, &text, e);

	if (r == 0) {
		r = err_set(e, ERR_DATA, "the content of '%s' is lost",
			    at->path);
	} else if (r == 1 && was) {
		r = file_replace_from(run->s->repo.fd, at->dir, at->name,
				      at->path, was, buf_str(&text), text.len,
				      NULL, e);
	} else if (r == 1) {
		r = journal_create_file(run, at->dir, at->name, at->path, &text,
					e);
		journal_outcome_of(run, at->c)->copied = r == 1 && at->c->from;
		if (r == 0)
			r = changed_meanwhile(at, e);
	}
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Open the directory of the file AT. Create it if the step creates a file. Return 1,
 * 0 if it is absent, or -1. */
static int open_place(struct place *at, struct err *e)
{
	const struct oplog_change *c = at->c;

	if (c->after && !c->before &&
	    strchr(c->path, '/') != strrchr(c->path, '/'))
		return journal_make_directory(at->run,
					      journal_directory_of(c->path,
								   at->run->a,
								   &at->name),
					      &at->dir, e) < 0
			       ? -1
			       : 1;
	return oplog_open_dir(&at->run->s->repo, c->path, at->run->a, &at->dir,
			      &at->name, e);
}

/* Perform the step C, unless it was performed already. */
static int take_step(struct journal_run *run, const struct oplog_change *c,
		     struct err *e)
{
	struct place at = {
		.run = run, .c = c, .path = journal_absolute(run, c->path)};
	const struct oplog_change *source = journal_change_of(run, c->from);
	struct buf is = {0};
	const char *sum;
	int r = open_place(&at, e);

	if (r == 0 && c->after)
		r = changed_meanwhile(&at, e);
	if (r != 1)
		return r;
	r = file_read(at.dir, at.name, at.path, LAYOUT_ANY_MAX, &is, e);
	if (r == 0 && c->after && !c->before)
		r = move_from_source(&at, &is);
	sum = r == 1 ? journal_sum(run->a, &is) : NULL;
	if (r < 0 || strings_equal(sum, c->after))
		r = r < 0 ? -1 : 0;
	else if (!strings_equal(sum, c->before) &&
		 !(source && strings_equal(sum, source->before)))
		r = journal_begins(c->path, JOURNAL_TRASH) && !c->after
			    ? 0
			    : changed_meanwhile(&at, e);
	else
		r = c->after   ? write_text(&at, sum ? &is : NULL, e)
		    : c->trash ? move_to_trash(&at, &is, e)
			       : remove_file(&at, e);
	close(at.dir);
	buf_release(&is);
	return r;
}

/* If RUN finishes the steps of a killed process, skip the step C, which failed with
 * the conflict E, and report that: a file that changed meanwhile stays as it is.
 * Return 0, or -1 if the step cannot be skipped. Then the caller fails and undoes
 * its steps. */
static int skip_step(struct journal_run *run, const struct oplog_change *c,
		     const struct err *e)
{
	if (!run->resumed || (e->code != ERR_BUSY && e->code != ERR_DATA))
		return -1;
	journal_outcome_of(run, c)->skipped = true;
	err_warn(run->s->report, ERR_NONE,
		 "a change that was killed is finished only in part: %s",
		 e->text);
	return 0;
}

/* Perform the step C, or skip it. */
static int take_or_skip(struct journal_run *run, const struct oplog_change *c,
			struct err *e)
{
	const struct oplog_change *target =
		c->after ? NULL : journal_target_of(run, c->path);
	struct err why;

	/* A file that moves is removed only if it is at its new path. */
	if (target && journal_outcome_of(run, target)->skipped) {
		journal_outcome_of(run, c)->skipped = true;
		return 0;
	}
	if (take_step(run, c, &why) == 0 || skip_step(run, c, &why) == 0)
		return 0;
	return err_take(e, &why);
}

int journal_take_steps(struct journal_run *run, struct err *e)
{
	const struct oplog_op *op = &run->op;
	int r = 0;

	for (int goes = 0; goes < 2 && !r; goes++) {
		for (size_t i = 0; i < op->n && !r; i++) {
			const struct oplog_change *c =
				&op->changes[run->back ? op->n - 1 - i : i];

			if (goes == !c->after)
				r = take_or_skip(run, c, e);
		}
		if (sync_directories(run, !r, e) < 0)
			r = -1;
	}
	return r;
}

int journal_take_back(const struct journal_run *run)
{
	struct journal_run back = *run;
	const struct oplog_change *target;
	int r;

	back.back = true;
	back.directories = NULL;
	back.n = back.cap = 0;
	back.by_path = back.by_from = (struct table){0};
	back.op.changes =
		arena_alloc(run->a, run->op.n * sizeof(*back.op.changes));
	for (size_t i = 0; i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];

		back.op.changes[i] = (struct oplog_change){
			c->path, c->after, c->before,
			journal_begins(c->from, JOURNAL_TRASH) ? c->from : NULL,
			c->trash};
		if (!c->after && (target = journal_target_of(run, c->path)))
			back.op.changes[i].from = target->path;
	}
	journal_fill_tables(&back);
	r = journal_take_steps(&back, NULL);
	journal_release_tables(&back);
	free(back.directories);
	return r;
}
