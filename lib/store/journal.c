/* journal.c: the record of a journal is its operation, line by line as the log will
 * have it, plus lines for files of the trash, which the log leaves out.  The bytes that
 * a step needs are kept in the log before the record is written.
 *
 * A step is taken by looking at the file: if it has the sum after, there is nothing
 * to do; if it has the sum before, the step is taken.  A file that moved and did not
 * get its new content yet has the sum before of the step of its old place.
 */
#include "store/journal.h"

#include "base/sha256.h"
#include "oplog/operations.h"
#include "oplog/oplog.h"
#include "store/change.h"
#include "store/operation.h"
#include "store/transfer.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define NOTE OPLOG_NOTE
#define NOTE_MAX ((size_t)16 * 1024 * 1024)
#define SUFFIX_MAX 999

#define TRASH LAYOUT_KNOWLEDGE LAYOUT_TRASH "/"
#define MEMORIES LAYOUT_KNOWLEDGE LAYOUT_MEMORIES "/"
#define DRAFTS LAYOUT_KNOWLEDGE LAYOUT_DRAFTS "/"

/* A directory that is to be synced. */
struct directory {
	int fd;
	const char *path;	      /* for error messages */
	const char *left;	      /* see sync_later() */
	struct write_hints_slip slip; /* of it, before that */
};

/* What became of a step. */
struct outcome {
	bool skipped; /* not taken: see skip_step() */
	bool copied;  /* the file moves, and was copied */
};

struct journal_run {
	struct store *s;
	struct arena *a;
	const struct journal *j;  /* NULL if another process wrote it */
	struct oplog_op op;	  /* one change per step */
	struct outcome *outcomes; /* as many */
	struct operations log;	  /* all, if another process wrote the note */
	bool back;		  /* take the steps back */
	bool logged;		  /* there is a log */
	bool noted;		  /* the steps need a note */
	bool written;		  /* the note is written */
	struct strings kept; /* sums of the bytes that it put into the log */
	struct directory *directories;
	size_t n, cap;
};

static bool starts_with(const char *path, const char *with)
{
	return path && !strncmp(path, with, strlen(with));
}

static const char *sum_of(struct arena *a, const struct buf *text)
{
	char *sum = text ? arena_alloc(a, SHA256_HEX) : NULL;

	return text ? sha256_of(buf_str(text), text->len, sum) : NULL;
}

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

/* Return 1 if the file NAME of FOLDER, which is open as DIR unless that is -1, exists
 * or is to come; 0; or -1. */
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
	if (dir >= 0)
		close(dir);
	return r < 0 ? NULL : got;
}

int journal_make_trash(struct journal *j, struct err *e)
{
	int fd;

	if (j->trash)
		return 0;
	if (layout_open(&j->s->repo, LAYOUT_TRASH, &fd, e) < 0)
		return -1;
	write_hints_before(&j->before, fd);
	if (fd >= 0)
		close(fd);
	if (trash_folders_new(j->s, j->a, &j->trash, &fd, e) < 0) {
		j->trash = NULL;
		return -1;
	}
	close(fd);
	return 0;
}

/* Return the change of PATH, or NULL. */
static const struct oplog_change *find_change(const struct oplog_op *op,
					      const char *path)
{
	for (size_t i = 0; path && i < op->n; i++) {
		if (!strcmp(op->changes[i].path, path))
			return &op->changes[i];
	}
	return NULL;
}

/* Return the change of the file to which the one at PATH moves, or NULL. */
static const struct oplog_change *find_target(const struct oplog_op *op,
					      const char *path)
{
	for (size_t i = 0; i < op->n; i++) {
		if (op->changes[i].from && !strcmp(op->changes[i].from, path))
			return &op->changes[i];
	}
	return NULL;
}

/* Split PATH into the directory, below knowledge/, and *NAME. */
static const char *directory_of(const char *path, struct arena *a,
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

/* Return what became of the step C of RUN. */
static struct outcome *outcome_of(const struct journal_run *run,
				  const struct oplog_change *c)
{
	return &run->outcomes[c - run->op.changes];
}

static const char *absolute(const struct journal_run *run, const char *path)
{
	return arena_printf(run->a, "%s/%s", run->s->repo.root.path, path);
}

/* Let sync_directories() sync DIR, which is about to change.  LEFT is the path of DIR
 * below knowledge/ if the change takes a file out of it, else NULL. */
static void sync_later(struct journal_run *run, int dir, const char *path,
		       const char *left)
{
	struct directory *d;
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
	run->directories = mem_grow(run->directories, run->n, &run->cap,
				    sizeof(*run->directories));
	d = &run->directories[run->n++];
	*d = (struct directory){.fd = fcntl(dir, F_DUPFD_CLOEXEC, 0),
				.path = path,
				.left = left};
	write_hints_before(&d->slip, dir);
}

/* If OK, sync the directories that changed.  Close them. */
static int sync_directories(struct journal_run *run, bool ok, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct directory *d = &run->directories[i];

		if (ok && !r && d->left)
			write_hints_gone(run->s->cache, &d->slip, d->left,
					 d->fd);
		if (ok && !r)
			r = file_sync_dir(d->fd, d->path, e);
		if (d->fd >= 0)
			close(d->fd);
	}
	run->n = 0;
	return r;
}

/* Open the directory FOLDER, below knowledge/, and make it if it is absent. */
static int make_directory(struct journal_run *run, const char *folder, int *dir,
			  struct err *e)
{
	const char *name;
	const char *top = starts_with(folder, LAYOUT_TRASH "/")
				  ? folder + strlen(LAYOUT_TRASH "/")
				  : NULL;

	/* Another machine may have removed it, since it was empty. */
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
		r = is.len == text->len &&
		    !memcmp(buf_str(&is), buf_str(text), is.len);
	buf_release(&is);
	return r;
}

/* Create the file NAME of DIR with TEXT.  Returns 1; 2 if it is so already; 0 if
 * another file is in the way; or -1. */
static int create_file(struct journal_run *run, int dir, const char *name,
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
	return directory_of(at->c->path, at->run->a, &name);
}

/* Remove the file.  If it moved, that is safe only if it was copied, or has both names.
 * Else a process that our lock does not reach moved it back, and it stays. */
static int remove_file(const struct place *at, struct err *e)
{
	struct journal_run *run = at->run;
	const struct oplog_change *target = find_target(&run->op, at->c->path);
	const char *name;
	struct stat st, there;
	bool copied = !target || outcome_of(run, target)->copied;
	int dir;

	if (!copied && operations_open(&run->s->repo, target->path, run->a,
				       &dir, &name, NULL) == 1) {
		copied = fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) ==
				 0 &&
			 fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
			 (st.st_dev != there.st_dev ||
			  st.st_ino == there.st_ino);
		close(dir);
	}
	return copied ? file_remove(at->dir, at->name, at->path, e) : 0;
}

/* Move the file, which has the content IS, to the place in the trash that its change
 * names. */
static int move_to_trash(const struct place *at, const struct buf *is,
			 struct err *e)
{
	struct journal_run *run = at->run;
	const char *name, *to = absolute(run, at->c->trash),
			  *folder = directory_of(at->c->trash, run->a, &name);
	struct err why;
	int dir, r, error, tries = 0;

	/* Another machine may remove the new directory, since it is empty. */
	do {
		if (make_directory(run, folder, &dir, e) < 0)
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
		r = create_file(run, dir, name, to, is, &why);
	if (r == 0)
		r = err_set(&why, ERR_SYSTEM, "'%s' is in the way", to);
	else if (r > 0 && error == EXDEV)
		r = file_remove(at->dir, at->name, at->path, &why);
	else if (error == ENOENT && has_text(dir, name, to, is, NULL) == 1)
		r = 0;
	if (r < 0 && e)
		*e = why;
	close(dir);
	return r < 0 ? -1 : 0;
}

/* Move the file from its old place, which its change names, and read it into IS.  Returns
 * 1, or 0 if it is not there or cannot be moved. */
static int move_from_source(const struct place *at, struct buf *is)
{
	struct journal_run *run = at->run;
	const struct oplog_change *c = at->c,
				  *source = find_change(&run->op, c->from);
	const char *name, *sum;
	int dir, r;

	if (!c->from || operations_open(&run->s->repo, c->from, run->a, &dir,
					&name, NULL) != 1)
		return 0;
	r = file_read(dir, name, c->from, LAYOUT_ANY_MAX, is, NULL) == 1;
	sum = sum_of(run->a, is);
	r = r && (!strcmp(sum, c->after) ||
		  (source && lines_same_sum(sum, source->before)));
	if (r) {
		sync_later(run, at->dir, at->path, NULL);
		sync_later(run, dir, absolute(run, c->from), NULL);
		r = file_rename(dir, name, at->dir, at->name, c->from, NULL) ==
		    1;
	}
	close(dir);
	return r;
}

/* Read the bytes with the sum SUM into OUT.  Returns 1, 0 if they are lost, or -1. */
static int find_bytes(const struct journal_run *run, const char *sum,
		      struct buf *out, struct err *e)
{
	const struct operations h = {(struct oplog_op *)&run->op, 1};

	for (size_t i = 0; run->j && i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];
		const struct journal_step *step = &run->j->steps[i];
		const struct buf *text =
			lines_same_sum(sum, run->back ? c->before : c->after)
				? step->text
			: lines_same_sum(sum, run->back ? c->after : c->before)
				? step->was
				: NULL;

		if (text) {
			buf_add(out, buf_str(text), text->len);
			return 1;
		}
	}
	return operations_bytes(&run->s->repo, &h, sum, out, e);
}

static int changed_meanwhile(const struct place *at, struct err *e)
{
	return err_set(e, ERR_BUSY, "'%s' has changed meanwhile", at->path);
}

/* Give the file, which has the content WAS or is absent, its content. */
static int write_text(const struct place *at, const struct buf *was,
		      struct err *e)
{
	struct journal_run *run = at->run;
	struct buf text = {0};
	int r = find_bytes(run, at->c->after, &text, e);

	if (r == 0) {
		r = err_set(e, ERR_DATA, "what '%s' was is nowhere any more",
			    at->path);
	} else if (r == 1 && was) {
		r = file_replace_from(run->s->repo.fd, at->dir, at->name,
				      at->path, was, buf_str(&text), text.len,
				      NULL, e);
	} else if (r == 1) {
		r = create_file(run, at->dir, at->name, at->path, &text, e);
		outcome_of(run, at->c)->copied = r == 1 && at->c->from;
		if (r == 0)
			r = changed_meanwhile(at, e);
	}
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Open the directory of the step's file, made if a file is to come.  Returns 1, 0 if it
 * is absent, or -1. */
static int open_place(struct place *at, struct err *e)
{
	const struct oplog_change *c = at->c;

	if (c->after && !c->before &&
	    strchr(c->path, '/') != strrchr(c->path, '/'))
		return make_directory(
			       at->run,
			       directory_of(c->path, at->run->a, &at->name),
			       &at->dir, e) < 0
			       ? -1
			       : 1;
	return operations_open(&at->run->s->repo, c->path, at->run->a, &at->dir,
			       &at->name, e);
}

/* Take the step C, unless it is taken. */
static int take_step(struct journal_run *run, const struct oplog_change *c,
		     struct err *e)
{
	struct place at = {.run = run, .c = c, .path = absolute(run, c->path)};
	const struct oplog_change *source = find_change(&run->op, c->from);
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
	sum = r == 1 ? sum_of(run->a, &is) : NULL;
	if (r < 0 || lines_same_sum(sum, c->after))
		r = r < 0 ? -1 : 0;
	else if (!lines_same_sum(sum, c->before) &&
		 !(source && lines_same_sum(sum, source->before)))
		r = starts_with(c->path, TRASH) && !c->after
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

/* Skip the step C, which conflicts as E says, and report that.  A caller gets the
 * error and takes its steps back.  The steps of a killed process are finished as far as
 * possible: a file that changed meanwhile stays as it is, and the others follow.
 * Returns 0, or -1 if the step cannot be skipped. */
static int skip_step(struct journal_run *run, const struct oplog_change *c,
		     const struct err *e)
{
	struct err say;

	if (run->j || (e->code != ERR_BUSY && e->code != ERR_DATA))
		return -1;
	outcome_of(run, c)->skipped = true;
	err_set(&say, ERR_NONE,
		"not all of a change that was killed is done: %s", e->text);
	err_report(run->s->report, &say);
	return 0;
}

/* Take the step C, or skip it. */
static int take_or_skip(struct journal_run *run, const struct oplog_change *c,
			struct err *e)
{
	const struct oplog_change *target =
		c->after ? NULL : find_target(&run->op, c->path);
	struct err why;

	/* A file goes only if it is at its new place. */
	if (target && outcome_of(run, target)->skipped) {
		outcome_of(run, c)->skipped = true;
		return 0;
	}
	if (take_step(run, c, &why) == 0 || skip_step(run, c, &why) == 0)
		return 0;
	if (e)
		*e = why;
	return -1;
}

/* Take all steps: first those that create or change files, then those that remove
 * them. */
static int take_steps(struct journal_run *run, struct err *e)
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

/* Take back the steps, since one failed. */
static int take_back(const struct journal_run *run)
{
	struct journal_run back = *run;
	const struct oplog_change *target;
	int r;

	back.back = true;
	back.directories = NULL;
	back.n = back.cap = 0;
	back.op.changes =
		arena_alloc(run->a, run->op.n * sizeof(*back.op.changes));
	for (size_t i = 0; i < run->op.n; i++) {
		const struct oplog_change *c = &run->op.changes[i];

		back.op.changes[i] = (struct oplog_change){
			c->path, c->after, c->before,
			starts_with(c->from, TRASH) ? c->from : NULL, c->trash};
		if (!c->after && (target = find_target(&run->op, c->path)))
			back.op.changes[i].from = target->path;
	}
	r = take_steps(&back, NULL);
	free(back.directories);
	return r;
}

static int open_log(struct store *s, int *dir, struct err *e)
{
	return layout_open(&s->repo, OPLOG_FOLDER, dir, e);
}

static const char *note_path(struct store *s, struct arena *a)
{
	return layout_path(&s->repo, OPLOG_FOLDER "/" NOTE, a);
}

bool journal_is_pending(struct store *s)
{
	struct arena a = {0};
	const char *path = note_path(s, &a);
	/* A log that is closed to us, as in a sandbox, counts as absent. */
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
	/* Where our lock does not reach a process, that may have finished it. */
	if (unlinkat(dir, NOTE, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'", note_path(run->s, run->a));
	else
		r = file_sync_dir(dir, note_path(run->s, run->a), e);
	close(dir);
	return r;
}

static int write_note(struct journal_run *run, struct err *e)
{
	const char *path = note_path(run->s, run->a);
	struct buf text = {0};
	int dir, r = open_log(run->s, &dir, e);

	if (r == 1) {
		lines_add(&text, &run->op);
		r = file_create(dir, NOTE, path,
				log_folder_file_mode(&run->s->repo.root),
				text.p, text.len, e);
		if (!r)
			r = err_set(e, ERR_BUSY,
				    "'%s' is in the way: a change that was "
				    "killed must be finished first",
				    path);
		close(dir);
	} else if (!r) {
		r = err_set(e, ERR_SYSTEM, "there is no log");
	}
	buf_release(&text);
	run->written = r == 1;
	return r < 0 ? -1 : 0;
}

/* Return 1 if the note can be read, and sets RUN's operation; 0; or -1. */
static int read_note(struct journal_run *run, struct err *e)
{
	struct oplog_op *ops = NULL;
	struct buf text = {0};
	int dir, r = open_log(run->s, &dir, e);
	size_t n = 0;

	if (r == 1) {
		r = file_read(dir, NOTE, note_path(run->s, run->a), NOTE_MAX,
			      &text, e);
		close(dir);
	}
	if (r == 1)
		ops = lines_parse(&text, OPLOG_NOW, run->a, &n);
	buf_release(&text);
	if (n == 1) {
		run->op = ops[0];
		run->outcomes =
			arena_alloc(run->a, run->op.n * sizeof(*run->outcomes));
	}
	return r < 0 ? -1 : n == 1;
}

/* Return true if C is logged: its step is taken, and it is not of the trash. */
static bool is_for_log(const struct journal_run *run,
		       const struct oplog_change *c)
{
	return !outcome_of(run, c)->skipped && !starts_with(c->path, TRASH);
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

/* Return true if an undo of OP needs the bytes with the sum SUM from the log.  A new file
 * has its content itself, but an undo may merge with the content that an edit left, and
 * an undo of an undo brings back a file. */
static bool is_for_undo(const struct oplog_op *op, const char *sum)
{
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if (lines_same_sum(c->before, sum) ||
		    (lines_same_sum(c->after, sum) &&
		     (op->undoes || (c->before && !c->trash))))
			return true;
	}
	return false;
}

/* Remove what the steps that are DONE, or taken back, no longer need: bytes that they put
 * into the log, copies in the trash, and empty directories of the trash. */
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

		if (outcome_of(run, c)->skipped || !starts_with(path, TRASH))
			continue;
		if (!done && c->after &&
		    operations_open(&run->s->repo, path, run->a, &dir, &name,
				    NULL) == 1) {
			unlinkat(dir, name, 0);
			close(dir);
		}
		trash_folders_drop_empty(run->s, run->a,
					 directory_of(path, run->a, &name));
	}
}

/* Return true if OP was begun by the command that began the one of RUN. */
static bool is_of_command(const struct journal_run *run,
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

		for (size_t i = 0; i < op->n && is_of_command(run, op); i++) {
			const struct oplog_change *c = &op->changes[i],
						  *step = find_change(&run->op,
								      c->path);

			if (step && is_for_log(run, step) &&
			    lines_same_sum(step->after, c->after))
				return true;
		}
	}
	return false;
}

/* Number the operation of RUN, which was killed, as the next one, since others may have
 * been logged meanwhile.  If the last one has its number and command, continue that. */
static void renumber(struct journal_run *run)
{
	const struct oplog_op *last = run->log.n ? run->log.ops : NULL;

	if (!last || last->number != run->op.number ||
	    !is_of_command(run, last))
		run->op.number = run->s->change->log.number;
}

/* Log the steps, which are taken, and remove the note.  If that fails, the change is
 * made all the same, so the failure is reported, and the next writer tries again. */
static void finish_steps(struct journal_run *run)
{
	struct err e, say;
	bool logged = false;
	int r = 0;

	drop_leftovers(run, true);
	if (!run->noted)
		return;
	if (!run->j) {
		logged = is_logged(run);
		renumber(run);
	}
	if (!logged)
		r = log_changes(run, &e);
	if (!r)
		r = drop_note(run, &e);
	if (r < 0) {
		err_set(&say, ERR_NONE,
			"the change is made, but not in the log yet: %s",
			e.text);
		err_report(run->s->report, &say);
	}
}

/* Return true if the file at PATH, below the root, goes to the trash when it is removed;
 * the log keeps the bytes of others. */
static bool goes_to_trash(const char *path)
{
	return starts_with(path, MEMORIES) || starts_with(path, DRAFTS) ||
	       starts_with(path, LAYOUT_KNOWLEDGE LAYOUT_ARTICLES "/");
}

/* Put the content of STEP into the trash, at PATH. */
static int copy_to_trash(struct journal_run *run,
			 const struct journal_step *step, const char *path,
			 struct err *e)
{
	const char *name;
	int dir, r;

	if (make_directory(run, directory_of(path, run->a, &name), &dir, e) < 0)
		return -1;
	r = create_file(run, dir, name, absolute(run, path), step->was, e);
	close(dir);
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_SYSTEM, "'%s' is in the way",
			   absolute(run, path));
}

static int keep_bytes(struct journal_run *run, const char *sum,
		      const struct buf *text, struct err *e)
{
	const int r = oplog_keep(&run->s->change->log, &run->s->repo, sum,
				 buf_str(text), text->len, true, e);

	if (r == 1)
		strings_add(&run->kept, sum);
	return r < 0 ? -1 : 0;
}

/* Choose where the file of step I goes, and keep the bytes that it needs. */
static int prepare_step(struct journal *j, size_t i, struct err *e)
{
	struct journal_run *run = j->run;
	struct journal_step *step = &j->steps[i];
	struct oplog_change *c = &run->op.changes[i];
	const struct oplog_change *source = find_change(&run->op, c->from);
	const struct oplog_change *target = find_target(&run->op, c->path);
	const bool of_trash = starts_with(c->path, TRASH);

	if (lines_same_sum(c->before, c->after))
		return 0;
	if (step->to_trash ||
	    (!c->after && !target && goes_to_trash(c->path))) {
		if (journal_make_trash(j, e) < 0)
			return -1;
		step->trash = c->trash =
			arena_printf(run->a, LAYOUT_KNOWLEDGE "%s%s", j->trash,
				     starts_with(c->path, MEMORIES)
					     ? strrchr(c->path, '/')
					     : c->path + strlen("knowledge"));
		if (c->after && copy_to_trash(run, step, c->trash, e) < 0)
			return -1;
	}
	/* A process that finishes the note needs the new content, and an undo merges
	 * with that of an edit.  A file that moves as it is needs no other copy. */
	if ((run->noted || (run->logged && c->before && !c->trash)) &&
	    c->after && !(source && lines_same_sum(source->before, c->after)) &&
	    keep_bytes(run, c->after, step->text, e) < 0)
		return -1;
	if (!run->logged || !c->before || c->trash || of_trash ||
	    (target && lines_same_sum(target->after, c->before)))
		return 0;
	return keep_bytes(run, c->before, step->was, e);
}

/* If there is a step for a draft, take the lock of the git directory's drafts: it may
 * lie there. */
static int lock_drafts(struct journal_run *run, struct err *e)
{
	int dir, r = 0;

	for (size_t i = 0; i < run->op.n && !r; i++) {
		if (starts_with(run->op.changes[i].path, DRAFTS))
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
	*run = (struct journal_run){
		.s = s, .a = j->a, .j = j, .logged = operation_begin(s)};
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
			.before = sum_of(j->a, step->was),
			.after = sum_of(j->a, step->text),
		};
	}
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

/* Let the next save know J's directory of the trash. */
static void note_trash(struct journal *j)
{
	int trash = -1, fd = -1;

	if (layout_open(&j->s->repo, LAYOUT_TRASH, &trash, NULL) == 1 &&
	    layout_open(&j->s->repo, j->trash, &fd, NULL) == 1)
		write_hints_removed(j->s->cache, &j->before, trash, j->trash,
				    fd);
	if (fd >= 0)
		close(fd);
	if (trash >= 0)
		close(trash);
}

int journal_end(struct journal *j, bool go, struct err *e)
{
	struct journal_run *run = j->run;
	bool undone = !go;
	int r = 0;

	if (go) {
		r = take_steps(run, e);
		undone = r < 0 && take_back(run) == 0;
		if (!r)
			finish_steps(run);
		else if (run->logged && !run->noted)
			operation_failed(j->s, absolute(run, j->steps[0].path));
	}
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

/* Finish the note of RUN.  A file that changed since stays as it is.  Returns 0, or -1:
 * the note stays. */
static int finish_note(struct journal_run *run, struct err *e)
{
	int r = oplog_begin(&run->s->change->log, &run->s->repo, e);

	if (!r)
		r = operations_read(&run->s->repo, SIZE_MAX, run->a, &run->log,
				    e);
	if (r < 0)
		return -1;
	r = run->op.awaits
		    ? file_exists(AT_FDCWD, run->op.awaits, run->op.awaits, e)
		    : 1;
	if (r == 0) {
		r = drop_note(run, e);
		drop_leftovers(run, false);
		return r;
	}
	if (r < 0 || lock_drafts(run, e) < 0 || take_steps(run, e) < 0)
		return -1;
	finish_steps(run);
	return 0;
}

void journal_resume(struct store *s)
{
	struct arena a = {0};
	struct journal_run run = {
		.s = s, .a = &a, .logged = true, .noted = true};
	struct err e, say;
	int r;

	if (!journal_is_pending(s))
		return;
	change_of(s);
	r = read_note(&run, &e);
	if (r == 1)
		r = finish_note(&run, &e);
	else if (r == 0) /* no journal wrote it */
		r = drop_note(&run, &e);
	if (r < 0) {
		err_set(&say, ERR_NONE,
			"a change that was killed cannot be finished yet: %s",
			e.text);
		err_report(s->report, &say);
	}
	operation_end(s);
	free(run.directories);
	arena_release(&a);
}
