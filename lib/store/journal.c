/* journal.c: the note of a journal has the lines of its operation, as they will be in
 * the log, and lines for files of the trash, which the log does not have. The contents
 * that the steps need are put into the log before the note is written.
 */
#include "store/journal.h"

#include "base/strings.h"
#include "oplog/oplog.h"
#include "store/change.h"
#include "store/journal-steps.h"
#include "store/operation.h"
#include "store/transfer.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define NOTE OPLOG_NOTE
#define SUFFIX_MAX 999

#define MEMORIES LAYOUT_KNOWLEDGE LAYOUT_MEMORIES "/"
#define DRAFTS LAYOUT_KNOWLEDGE LAYOUT_DRAFTS "/"

const struct buf *journal_text(struct arena *a, const char *p, size_t len)
{
	struct buf *text = arena_alloc(a, sizeof(*text));

	*text = (struct buf){.p = (char *)arena_copy(a, p, len), .len = len};
	return text;
}

int journal_read(struct journal *j, const char *path, const struct buf **text,
		 struct err *e)
{
	struct buf is = {0};
	struct layout_place p;
	int dir, r;

	if (!layout_parse(&j->s->repo, path, j->a, &p))
		return err_set(e, ERR_USAGE, "'%s' is outside the store", path);
	r = transfer_open(j->s, p.folder, &dir, e);
	if (r == 1) {
		r = file_read(dir, p.name, path, LAYOUT_ANY_MAX, &is, e);
		close(dir);
	}
	*text = r == 1 ? journal_text(j->a, buf_str(&is), is.len) : NULL;
	buf_release(&is);
	return r ? (r < 0 ? -1 : 0) : err_set(e, ERR_NO, "'%s' is gone", path);
}

void journal_add(struct journal *j, struct journal_step step)
{
	if (j->n == j->cap) {
		struct journal_step *old = j->steps;

		j->cap = 2 * j->cap + 8;
		j->steps = arena_alloc(j->a, j->cap * sizeof(*j->steps));
		if (j->n)
			memcpy(j->steps, old, j->n * sizeof(*old));
	}
	j->steps[j->n++] = step;
}

void journal_edit(struct journal *j, const char *path, const struct buf *was,
		  const struct buf *text)
{
	if (text != was)
		journal_add(j, (struct journal_step){
				       .path = path, .was = was, .text = text});
}

void journal_move(struct journal *j, const char *from, const char *path,
		  const struct buf *was, const struct buf *text)
{
	journal_add(j, (struct journal_step){
			       .path = path, .from = from, .text = text});
	journal_add(j, (struct journal_step){.path = from, .was = was});
}

struct journal_step *journal_find(const struct journal *j, const char *path)
{
	for (size_t i = 0; i < j->n; i++) {
		if (j->steps[i].text && !strcmp(j->steps[i].path, path))
			return &j->steps[i];
	}
	return NULL;
}

/* Return 1 if the file NAME of FOLDER exists, or a step of J creates it; 0; or -1.
 * FOLDER is open as DIR; -1: it is absent. */
static int is_taken(struct journal *j, int dir, const char *folder,
		    const char *name, struct err *e)
{
	if (journal_find(j, arena_printf(j->a, LAYOUT_KNOWLEDGE "%s/%s", folder,
					 name)))
		return 1;
	return dir < 0 ? 0
		       : file_exists(dir, name,
				     arena_printf(j->a, "%s/%s",
						  layout_path(&j->s->repo,
							      folder, j->a),
						  name),
				     e);
}

const char *journal_free_name(struct journal *j, const char *folder,
			      const char *name, struct err *e)
{
	const int stem = (int)strlen(name) - 3;
	const char *got = name;
	int dir, r = layout_open(&j->s->repo, folder, &dir, e);

	if (r < 0)
		return NULL;
	for (int i = 2; (r = is_taken(j, dir, folder, got, e)) == 1; i++) {
		got = arena_printf(j->a, "%.*s-%d.md", stem, name, i);
		if (i > SUFFIX_MAX) {
			r = err_set(e, ERR_SYSTEM,
				    "all names like '%s/%s' are taken",
				    layout_path(&j->s->repo, folder, j->a),
				    name);
			break;
		}
	}
	file_close(dir);
	return r < 0 ? NULL : got;
}

/* Create J's directory of the trash, if there is none yet. */
static int make_trash(struct journal *j, struct err *e)
{
	int fd;

	if (j->trash)
		return 0;
	if (layout_open(&j->s->repo, LAYOUT_TRASH, &fd, e) < 0)
		return -1;
	write_hints_before(&j->before, fd);
	file_close(fd);
	if (trash_folders_new(j->s, j->a, &j->trash, &fd, e) < 0) {
		j->trash = NULL;
		return -1;
	}
	close(fd);
	return 0;
}

static int open_log(struct store *s, int *dir, struct err *e)
{
	return layout_open(&s->repo, OPLOG_FOLDER, dir, e);
}

const char *journal_note_path(struct store *s, struct arena *a)
{
	return layout_path(&s->repo, OPLOG_FOLDER "/" NOTE, a);
}

bool journal_is_pending(struct store *s)
{
	struct arena a = {0};
	const char *path = journal_note_path(s, &a);
	/* A log that we may not open, as in a sandbox, counts as absent. */
	const bool is =
		path && !file_is_gone(AT_FDCWD, path, false) && errno != EACCES;

	arena_release(&a);
	return is;
}

static int drop_note(struct journal_run *run, struct err *e)
{
	int dir, r = open_log(run->s, &dir, e);

	if (r != 1)
		return r;
	/* A process that our lock does not stop may have finished it. */
	if (unlinkat(dir, NOTE, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'",
			    journal_note_path(run->s, run->a));
	else
		r = file_sync_dir(dir, journal_note_path(run->s, run->a), e);
	close(dir);
	return r;
}

static int write_note(struct journal_run *run, struct err *e)
{
	const char *path = journal_note_path(run->s, run->a);
	struct buf text = {0};
	int dir, r = open_log(run->s, &dir, e);

	if (r == 1) {
		lines_add(&text, &run->op);
		/* A note that cannot be read would stop the change halfway. */
		r = text.len > OPLOG_NOTE_MAX
			    ? err_set(e, ERR_SYSTEM,
				      "%zu files are too many for one change",
				      run->op.n)
			    : file_create(
				      dir, NOTE, path,
				      log_folder_file_mode(&run->s->repo.root),
				      text.p, text.len, e);
		if (!r)
			r = err_set(e, ERR_BUSY,
				    "'%s' exists: a change that was killed "
				    "must be finished first",
				    path);
		close(dir);
	} else if (!r) {
		r = err_set(e, ERR_SYSTEM, "there is no log");
	}
	buf_release(&text);
	run->written = r == 1;
	return r < 0 ? -1 : 0;
}

/* Set RUN's operation from the note. Return 1, 0 if it is gone or no journal wrote
 * it, or -1. */
static int read_note(struct journal_run *run, struct err *e)
{
	struct oplog_op *ops = NULL;
	struct buf text = {0};
	int dir, r = open_log(run->s, &dir, e);
	size_t n = 0;

	if (r == 1) {
		r = file_read(dir, NOTE, journal_note_path(run->s, run->a),
			      OPLOG_NOTE_MAX, &text, e);
		close(dir);
	}
	if (r == 1)
		ops = lines_parse(&text, OPLOG_NOW, run->a, &n);
	buf_release(&text);
	if (n == 1) {
		run->op = ops[0];
		run->outcomes =
			arena_alloc(run->a, run->op.n * sizeof(*run->outcomes));
		journal_fill_tables(run);
	}
	return r < 0 ? -1 : n == 1;
}

/* Return true if C goes into the log: its step was performed, and is not of the
 * trash. */
static bool is_for_log(const struct journal_run *run,
		       const struct oplog_change *c)
{
	return !journal_outcome_of(run, c)->skipped &&
	       !journal_begins(c->path, JOURNAL_TRASH);
}

/* Add the operation's changes to the log. */
static int log_changes(struct journal_run *run, struct err *e)
{
	struct oplog_op op = run->op;
	struct oplog *log = &run->s->change->log;

	op.awaits = NULL;
	op.n = 0;
	op.changes = arena_alloc(run->a, run->op.n * sizeof(*op.changes));
	for (size_t i = 0; i < run->op.n; i++) {
		if (is_for_log(run, &run->op.changes[i]))
			op.changes[op.n++] = run->op.changes[i];
	}
	if (log->number < op.number)
		log->number = op.number;
	return op.n ? oplog_add(log, &op, e) : 0;
}

/* Return true if an undo of OP needs the content with the sum SUM from the log. It
 * needs the old contents. It needs the new content of an edit, since it may merge
 * with that, and of an undo, which another undo may restore. */
static bool is_for_undo(const struct oplog_op *op, const char *sum)
{
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if (strings_equal(c->before, sum) ||
		    (strings_equal(c->after, sum) &&
		     (op->undoes || (c->before && !c->trash))))
			return true;
	}
	return false;
}

/* Remove what the steps of RUN, which are DONE or were undone, no longer need:
 * contents that they put into the log, copies in the trash, and empty directories of
 * the trash. */
static void drop_leftovers(struct journal_run *run, bool done)
{
	for (size_t i = 0; i < run->kept.n; i++) {
		const char *sum = run->kept.items[i];

		if (!done || !is_for_undo(&run->op, sum))
			unlinkat(run->s->change->log.dir, sum, 0);
	}
	for (size_t i = 0; i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];
		const char *path = done ? c->from : c->trash, *name;
		int dir;

		if (journal_outcome_of(run, c)->skipped ||
		    !journal_begins(path, JOURNAL_TRASH))
			continue;
		if (!done && c->after &&
		    oplog_open_dir(&run->s->repo, path, run->a, &dir, &name,
				   NULL) == 1) {
			unlinkat(dir, name, 0);
			close(dir);
		}
		trash_folders_drop_empty(
			run->s, run->a,
			journal_directory_of(path, run->a, &name));
	}
}

/* Return true if OP was begun by the command that began the one of RUN. */
static bool is_of_same_command(const struct journal_run *run,
			       const struct oplog_op *op)
{
	return op->number >= run->op.number && !strcmp(op->at, run->op.at) &&
	       !strcmp(op->command, run->op.command);
}

/* Return true if the log has the operation of RUN already: the process was killed
 * before it removed the note. */
static bool is_logged(const struct journal_run *run)
{
	for (size_t k = 0; k < run->log.n; k++) {
		const struct oplog_op *op = &run->log.ops[k];

		for (size_t i = 0; i < op->n && is_of_same_command(run, op);
		     i++) {
			const struct oplog_change *c = &op->changes[i],
						  *step = journal_change_of(
							  run, c->path);

			if (step && is_for_log(run, step) &&
			    strings_equal(step->after, c->after))
				return true;
		}
	}
	return false;
}

/* Give the operation of RUN, whose process was killed, the next number, since others
 * may have been logged meanwhile. If the last one has the same number and command,
 * RUN continues it. */
static void renumber(struct journal_run *run)
{
	const struct oplog_op *last = run->log.n ? run->log.ops : NULL;

	if (!last || last->number != run->op.number ||
	    !is_of_same_command(run, last))
		run->op.number = run->s->change->log.number;
}

/* Log the steps, which were performed, and remove the note. If that fails, the
 * change is made nevertheless, so report the failure; the next writer tries again. */
static void finish_steps(struct journal_run *run)
{
	struct err e;
	bool logged = false;
	int r = 0;

	drop_leftovers(run, true);
	if (!run->noted)
		return;
	if (run->resumed) {
		logged = is_logged(run);
		renumber(run);
	}
	if (!logged)
		r = log_changes(run, &e);
	if (!r)
		r = drop_note(run, &e);
	if (r < 0)
		err_warn(run->s->report, ERR_NONE,
			 "the change is made, but not in the log yet: %s",
			 e.text);
}

/* Return true if the file at PATH, below the root, goes to the trash when it is
 * removed. The contents of other files go into the log. */
static bool goes_to_trash(const char *path)
{
	return journal_begins(path, MEMORIES) || journal_begins(path, DRAFTS) ||
	       journal_begins(path, LAYOUT_KNOWLEDGE LAYOUT_ARTICLES "/");
}

/* Create the file PATH in the trash with the old content of STEP. */
static int copy_to_trash(struct journal_run *run,
			 const struct journal_step *step, const char *path,
			 struct err *e)
{
	const char *name;
	int dir, r;

	if (journal_make_directory(run,
				   journal_directory_of(path, run->a, &name),
				   &dir, e) < 0)
		return -1;
	r = journal_create_file(run, dir, name, journal_absolute(run, path),
				step->was, e);
	close(dir);
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_SYSTEM, "'%s' already exists",
			   journal_absolute(run, path));
}

static int keep_content(struct journal_run *run, const char *sum,
			const struct buf *text, struct err *e)
{
	const int r = oplog_keep(&run->s->change->log, &run->s->repo, sum,
				 buf_str(text), text->len, true, e);

	if (r == 1)
		strings_add(&run->kept, sum);
	return r < 0 ? -1 : 0;
}

/* Choose the path in the trash of the file of step I, if it goes there, and put the
 * contents that the step needs into the log. */
static int prepare_step(struct journal *j, size_t i, struct err *e)
{
	struct journal_run *run = j->run;
	struct journal_step *step = &j->steps[i];
	struct oplog_change *c = &run->op.changes[i];
	const struct oplog_change *source = journal_change_of(run, c->from);
	const struct oplog_change *target = journal_target_of(run, c->path);
	const bool of_trash = journal_begins(c->path, JOURNAL_TRASH);

	if (strings_equal(c->before, c->after))
		return 0;
	if (step->to_trash ||
	    (!c->after && !target && goes_to_trash(c->path))) {
		if (make_trash(j, e) < 0)
			return -1;
		step->trash = c->trash = arena_printf(
			run->a, LAYOUT_KNOWLEDGE "%s%s%s", j->trash,
			step->accepted ? "/" LAYOUT_ACCEPTED : "",
			step->accepted || journal_begins(c->path, MEMORIES)
				? strrchr(c->path, '/')
				: c->path + strlen("knowledge"));
		if (c->after && copy_to_trash(run, step, c->trash, e) < 0)
			return -1;
	}
	/* A process that finishes the note needs the new content, and an undo may merge
	 * with that of an edit. A file that moves unchanged needs no copy. */
	if ((run->noted || (run->logged && c->before && !c->trash)) &&
	    c->after && !(source && strings_equal(source->before, c->after)) &&
	    keep_content(run, c->after, step->text, e) < 0)
		return -1;
	if (!run->logged || !c->before || c->trash || of_trash ||
	    (target && strings_equal(target->after, c->before)))
		return 0;
	return keep_content(run, c->before, step->was, e);
}

/* If there is a step for a draft, take the lock of the drafts in the git directory: the
 * draft may be there. */
static int lock_drafts(struct journal_run *run, struct err *e)
{
	int dir, r = 0;

	for (size_t i = 0; i < run->op.n && !r; i++) {
		if (journal_begins(run->op.changes[i].path, DRAFTS))
			r = transfer_open(run->s, LAYOUT_SHARED, &dir, e);
	}
	if (r == 1)
		close(dir);
	return r < 0 ? -1 : 0;
}

int journal_begin(struct journal *j, const char *awaits, struct err *e)
{
	struct store *s = j->s;
	struct journal_run *run = arena_alloc(j->a, sizeof(*run));
	struct oplog_op *op = &run->op;
	struct err why;
	int r;

	if (j->undoes) /* as another operation */
		change_of(s)->log.number = 0;
	*run = (struct journal_run){.s = s,
				    .a = j->a,
				    .steps = j->steps,
				    .logged = operation_begin(s)};
	run->noted = run->logged && (j->n > 1 || awaits || j->undoes);
	j->run = run;
	operation_describe(s, op, arena_alloc(j->a, INSTANT_TEXT));
	op->undoes = j->undoes;
	op->awaits = awaits;
	op->segment = OPLOG_NOW;
	op->n = j->n;
	op->changes = arena_alloc(j->a, (j->n + 1) * sizeof(*op->changes));
	run->outcomes = arena_alloc(j->a, (j->n + 1) * sizeof(*run->outcomes));
	for (size_t i = 0; i < j->n; i++) {
		const struct journal_step *step = &j->steps[i];

		op->changes[i] = (struct oplog_change){
			.path = step->path,
			.from = step->from,
			.before = journal_sum(j->a, step->was),
			.after = journal_sum(j->a, step->text),
		};
	}
	journal_fill_tables(run);
	r = lock_drafts(run, e);
	for (size_t i = 0; i < j->n && !r; i++)
		r = prepare_step(j, i, e);
	if (!r && run->noted)
		r = write_note(run, e);
	else if (!r && run->logged && log_changes(run, &why) < 0)
		operation_give_up(s, &why);
	if (r < 0)
		journal_end(j, false, NULL);
	return r;
}

/* Tell the cache about J's directory of the trash, for the next save. */
static void note_trash(struct journal *j)
{
	int trash = -1, fd = -1;

	if (layout_open(&j->s->repo, LAYOUT_TRASH, &trash, NULL) == 1 &&
	    layout_open(&j->s->repo, j->trash, &fd, NULL) == 1)
		write_hints_removed(j->s->cache, &j->before, trash, j->trash,
				    fd);
	file_close(fd);
	file_close(trash);
}

int journal_end(struct journal *j, bool go, struct err *e)
{
	struct journal_run *run = j->run;
	bool undone = !go;
	int r = 0;

	if (go) {
		r = journal_take_steps(run, e);
		undone = r < 0 && journal_take_back(run) == 0;
		if (!r)
			finish_steps(run);
		else if (run->logged && !run->noted)
			operation_failed(
				j->s, journal_absolute(run, j->steps[0].path));
	}
	j->s->change->unreported += go && !r;
	if (go && !r && j->trash)
		note_trash(j);
	if (undone && run->written)
		drop_note(run, NULL);
	if (undone)
		drop_leftovers(run, false);
	if (j->undoes)
		operation_end(j->s);
	if (j->undoes || undone)
		transfer_out(j->s); /* drafts that came back */
	if (j->trash)
		trash_folders_drop_empty(j->s, j->a, j->trash);
	journal_release_tables(run);
	free(run->directories);
	free(run->kept.items);
	j->run = NULL;
	return r;
}

int journal_apply(struct journal *j, struct err *e)
{
	if (!j->n)
		return 0;
	return journal_begin(j, NULL, e) < 0 ? -1 : journal_end(j, true, e);
}

/* Return 1 if a file that RUN creates exists: its steps were begun; else 0, or -1. */
static int has_begun(struct journal_run *run, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < run->op.n && r == 0; i++) {
		const struct oplog_change *c = &run->op.changes[i];
		const char *path = journal_absolute(run, c->path);

		if (!c->before && c->after)
			r = file_exists(AT_FDCWD, path, path, e);
	}
	return r;
}

/* Perform or drop the steps of RUN's note. A file that changed since stays as it is.
 * Return 0, or -1, and then the note stays. */
static int finish_note(struct journal_run *run, struct err *e)
{
	int r = oplog_begin(&run->s->change->log, &run->s->repo, e);

	if (!r)
		r = oplog_read(&run->s->repo, SIZE_MAX, run->a, &run->log, e);
	if (r < 0)
		return -1;
	r = run->op.awaits
		    ? file_exists(AT_FDCWD, run->op.awaits, run->op.awaits, e)
		    : 1;
	if (r == 0)
		r = has_begun(run, e);
	if (r == 0) {
		r = drop_note(run, e);
		drop_leftovers(run, false);
		return r;
	}
	if (r < 0 || lock_drafts(run, e) < 0 || journal_take_steps(run, e) < 0)
		return -1;
	finish_steps(run);
	return 0;
}

void journal_resume(struct store *s)
{
	struct arena a = {0};
	struct journal_run run = {.s = s,
				  .a = &a,
				  .resumed = true,
				  .logged = true,
				  .noted = true};
	struct err e;
	int r;

	if (!journal_is_pending(s))
		return;
	change_of(s);
	r = read_note(&run, &e);
	if (r == 1)
		r = finish_note(&run, &e);
	else if (r == 0) /* no journal wrote it */
		r = drop_note(&run, &e);
	if (r < 0)
		err_warn(s->report, ERR_NONE,
			 "a change that was killed cannot be finished yet: %s",
			 e.text);
	operation_end(s);
	journal_release_tables(&run);
	free(run.directories);
	arena_release(&a);
}
