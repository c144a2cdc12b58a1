/* operation.c: one that puts several files back is written to OPLOG_FOLDER/
 * unfinished, where no clone reaches, before it begins, line by line as it will stand in the log, and
 * what it needs is kept by then: so whoever takes the lock next can take each of
 * its steps, or see by the sums that it was taken.
 */
#include "store/operation.h"

#include "base/instant.h"
#include "base/sha256.h"
#include "oplog/adopt.h"
#include "oplog/lines.h"
#include "oplog/oplog.h"
#include "store/change.h"
#include "store/ids.h"
#include "store/transfer.h"
#include "store/trash-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#define NOTE OPLOG_NOTE
#define TRASH "knowledge/" LAYOUT_TRASH "/"
#define NOTE_MAX ((size_t)16 * 1024 * 1024)
#define FILE_MAX (LAYOUT_FILE_MAX * 16)

/* PATH as the log has it: below the root; in A.  NULL for what is no text of the
 * store's: its ledger, say, is worked out again. */
static const char *below_root(struct store *s, const char *path,
			      struct arena *a)
{
	const char *root = s->repo.root.path, *dot = strrchr(path, '.');
	const size_t len = strlen(root);
	struct layout_place p;

	if (!strncmp(path, root, len) && path[len] == '/') {
		path += len + 1;
		return !strcmp(path, "settings.json") ||
				       (dot && !strcmp(dot, ".md"))
			       ? path
			       : NULL;
	}
	if (layout_parse(&s->repo, path, a, &p) &&
	    !strcmp(p.folder, LAYOUT_SHARED))
		return arena_printf(a, "knowledge/" LAYOUT_DRAFTS "/%s",
				    p.name);
	return NULL;
}

static bool in_trash(const char *path)
{
	return path && !strncmp(path, TRASH, strlen(TRASH));
}

static const char *user(void)
{
	const char *name = getenv("USER");

	return name && *name ? name : "user";
}

/* Fill OP for what is done now; WHEN gets the time. */
static void describe(struct store *s, struct oplog_op *op,
		     char when[INSTANT_TEXT])
{
	struct change *c = s->change;

	*op = (struct oplog_op){
		.number = c->log.number,
		.at = instant_format(instant_now(), when),
		.command = s->command ? s->command : "co",
		.by = c->by ? c->by : user(),
		.worktree = shared_worktree(&s->repo.root),
		.other = c->other,
		.other_number = c->other_number,
	};
}

/* Say once that what is done cannot be undone, since E: no failure of what is
 * done, whatever the report makes of those. */
static void give_up(struct store *s, const struct err *e)
{
	struct err say;

	if (!s->change->unlogged) {
		err_set(&say, ERR_NONE,
			"not in the log, so 'co undo' cannot take it back: %s",
			e->text);
		err_report(s->report, &say);
	}
	s->change->unlogged = true;
}

/* Append C to the log, which was begun. */
static void add(struct store *s, struct oplog_change *c)
{
	char when[INSTANT_TEXT];
	struct oplog_op op;
	struct err e;

	describe(s, &op, when);
	op.changes = c;
	op.n = 1;
	if (lines_is_path(c->path) && oplog_add(&s->change->log, &op, &e) < 0)
		give_up(s, &e);
}

/* Begin the operation, or go on with it: false where there is no log. */
static bool begin(struct store *s)
{
	struct err e;

	if (s->change->unlogged)
		return false;
	if (oplog_begin(&s->change->log, &s->repo, &e) == 0)
		return true;
	give_up(s, &e);
	return false;
}

/* 1 if the file at PATH has the sum SUM, 0, -1.  The lock is ours. */
static int has_sum(struct store *s, const char *path, const char *sum,
		   struct err *e)
{
	struct arena a = {0};
	struct buf text = {0};
	struct layout_place p;
	char is[SHA256_HEX];
	int dir = -1, r = 0;

	if (layout_parse(&s->repo, path, &a, &p))
		r = transfer_open(s, p.folder, &dir, e);
	if (r == 1) {
		r = file_read(dir, p.name, path, FILE_MAX, &text, e);
		close(dir);
	}
	if (r == 1)
		r = !strcasecmp(sha256_of(buf_str(&text), text.len, is), sum);
	buf_release(&text);
	arena_release(&a);
	return r;
}

int operation_expected(struct store *s, const char *path, struct err *e)
{
	const char *sum = s->change ? s->change->expect : NULL;
	int r;

	if (!sum)
		return 0;
	r = has_sum(s, path, sum, e);
	if (r == 0)
		err_set(e, ERR_BUSY,
			"'%s' is not what was expected any more: look at it "
			"again, with its sha256, by 'co-memory-show --json'",
			path);
	return r == 1 ? 0 : -1;
}

static const char *sum_of(const struct buf *text, char sum[SHA256_HEX])
{
	return text ? sha256_of(buf_str(text), text->len, sum) : NULL;
}

static bool keep(struct store *s, const char *sum, const struct buf *text,
		 bool durable)
{
	struct err e;

	if (oplog_keep(&s->change->log, &s->repo, sum, buf_str(text), text->len,
		       durable, &e) == 0)
		return true;
	give_up(s, &e);
	return false;
}

/* As operation_note_replaced(); without TRASH as operation_note(). */
static void note_change(struct store *s, const char *path,
			const struct buf *was, const struct buf *text,
			const char *trash)
{
	char before[SHA256_HEX], after[SHA256_HEX];
	struct arena a = {0};
	struct oplog_change c = {
		.path = below_root(s, path, &a),
		.before = sum_of(was, before),
		.after = sum_of(text, after),
		.trash = trash ? below_root(s, trash, &a) : NULL,
	};
	const bool keeps = was && !trash;

	/* What is overwritten is kept for good; what is written stands in its
	 * file, and is wanted here for merges alone. */
	if (c.path && begin(s) && (!keeps || keep(s, before, was, true)) &&
	    (!keeps || !text || keep(s, after, text, false)))
		add(s, &c);
	arena_release(&a);
}

void operation_note(struct store *s, const char *path, const struct buf *was,
		    const struct buf *text)
{
	note_change(s, path, was, text, NULL);
}

void operation_note_replaced(struct store *s, const char *path,
			     const struct buf *was, const struct buf *text,
			     const char *trash)
{
	note_change(s, path, was, text, trash);
}

void operation_note_removal(struct store *s, int dir, const char *name,
			    const char *path, const char *trash)
{
	char before[SHA256_HEX];
	struct arena a = {0};
	struct buf was = {0};
	struct oplog_change c = {.path = below_root(s, path, &a),
				 .trash = below_root(s, trash, &a)};

	if (c.path && file_read(dir, name, path, FILE_MAX, &was, NULL) == 1 &&
	    begin(s)) {
		c.before = sum_of(&was, before);
		add(s, &c);
	}
	buf_release(&was);
	arena_release(&a);
}

void operation_note_move(struct store *s, int dir, const char *name,
			 const char *from, const char *path)
{
	char sum[SHA256_HEX];
	struct arena a = {0};
	struct buf was = {0};
	struct oplog_change to = {.path = below_root(s, path, &a)};
	struct oplog_change gone = {.path = below_root(s, from, &a)};

	if (!to.path || !gone.path ||
	    file_read(dir, name, from, FILE_MAX, &was, NULL) != 1 || !begin(s))
		goto out;
	to.after = gone.before = sum_of(&was, sum);
	if (in_trash(gone.path))
		to.from = gone.path;
	else
		add(s, &gone);
	add(s, &to);
out:
	buf_release(&was);
	arena_release(&a);
}

void operation_failed(struct store *s, const char *path)
{
	const int error = errno;
	struct arena a = {0};
	const char *below = below_root(s, path, &a);

	if (below && s->change->log.ops >= 0 && !s->change->unlogged)
		oplog_fail(&s->change->log, below, NULL);
	arena_release(&a);
	errno = error; /* it says why */
}

void operation_by(struct store *s, const char *source)
{
	change_of(s)->by = source;
}

void operation_other(struct store *s, const char *other, int64_t number)
{
	struct change *c = change_of(s);

	c->other = other;
	c->other_number = number;
}

int64_t operation_number(const struct store *s)
{
	return s->change ? s->change->log.number : 0;
}

void operation_skip(struct store *s)
{
	change_of(s)->unlogged = true;
}

void operation_end(struct store *s)
{
	struct change *c = change_of(s);

	c->log.number = 0;
	c->by = c->other = NULL;
	c->other_number = 0;
}

/* The place of one step. */
struct spot {
	struct store *s;
	struct arena *a;
	const struct oplog_change *c;
	const char *path; /* absolute */
	int dir;
	const char *name;
};

#define MEMORIES "knowledge/" LAYOUT_MEMORIES "/"
#define DRAFTS "knowledge/" LAYOUT_DRAFTS "/"
#define ARTICLES "knowledge/" LAYOUT_ARTICLES "/"

static bool begins(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

/* True if the file at PATH goes to the trash; of others the bytes are kept. */
static bool has_trash(const char *path)
{
	return begins(path, MEMORIES) || begins(path, DRAFTS) ||
	       begins(path, ARTICLES);
}

/* The folder of PATH, in the trash, below knowledge/; *NAME is the file's. */
static const char *trash_folder(const char *path, struct arena *a,
				const char **name)
{
	*name = strrchr(path, '/') + 1;
	path += strlen("knowledge/");
	return arena_copy(a, path, (size_t)(*name - 1 - path));
}

/* Take the file away: to the trash, where its line says so; its bytes are kept
 * else. */
static int take_away(const struct spot *at, struct err *e)
{
	const char *trash = at->c->trash, *name;
	int dir, r;

	if (!trash)
		return file_remove(at->dir, at->name, at->path, e);
	trash = trash_folder(trash, at->a, &name);
	if (layout_make(&at->s->repo, trash, &dir, e) < 0)
		return -1;
	r = file_put_away(at->dir, at->name, dir, name, at->path, e);
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "'%s' is in the way in '%s'", name,
			    trash);
	if (r == 1)
		r = file_sync_dir(dir, layout_path(&at->s->repo, trash, at->a),
				  e) < 0
			    ? -1
			    : file_sync_dir(at->dir, at->path, e);
	close(dir);
	return r;
}

/* Write TEXT, where the file is WAS. */
static int put(const struct spot *at, const struct buf *was,
	       const struct buf *text, struct err *e)
{
	const int temp = at->s->repo.fd;
	int r;

	if (was)
		return file_replace_from(temp, at->dir, at->name, at->path, was,
					 buf_str(text), text->len, NULL, e) < 0
			       ? -1
			       : 0;
	r = file_create_from(temp, at->dir, at->name, at->path,
			     root_file_mode(&at->s->repo.root), buf_str(text),
			     text->len, e);
	return r ? (r < 0 ? -1 : 0)
		 : err_set(e, ERR_BUSY, "'%s' has changed meanwhile", at->path);
}

/* Move the file from where its line says that it lies: 1, 0 where it does not, or
 * cannot be moved, -1. */
static int fetch(const struct spot *at, struct err *e)
{
	const struct oplog_change *c = at->c;
	struct buf is = {0};
	char sum[SHA256_HEX];
	const char *name;
	int dir, r;

	if (!c->from || operations_open(&at->s->repo, c->from, at->a, &dir,
					&name, NULL) != 1)
		return 0;
	r = file_read(dir, name, c->from, FILE_MAX, &is, NULL) == 1 &&
	    !strcmp(sum_of(&is, sum), c->after) &&
	    file_rename(dir, name, at->dir, at->name, c->from, NULL) == 1;
	if (r && (file_sync_dir(at->dir, at->path, e) < 0 ||
		  file_sync_dir(dir,
				arena_printf(at->a, "%s/%s",
					     at->s->repo.root.path, c->from),
				e) < 0))
		r = -1;
	close(dir);
	buf_release(&is);
	return r;
}

/* Bring a draft that lies in the git dir to the work tree, from where the next
 * writer moves it back. */
static int hold_draft(const struct spot *at, struct err *e)
{
	const char *shared = shared_path(&at->s->repo.root);
	const char *path;
	struct layout_place p;
	struct stat st;

	if (!shared || !begins(at->c->path, DRAFTS))
		return 0;
	path = arena_printf(at->a, "%s/%s", shared,
			    at->c->path + strlen(DRAFTS));
	if (lstat(path, &st) < 0 ||
	    !layout_parse(&at->s->repo, path, at->a, &p))
		return 0;
	return transfer_in(at->s, &p, at->a, &path, NULL, e);
}

/* Open the folder of C's file, made where it is absent. */
static int open_spot(struct spot *at, struct err *e)
{
	const char *path = at->c->path, *slash = strrchr(path, '/');
	int r;

	if (hold_draft(at, e) < 0)
		return -1;
	r = operations_open(&at->s->repo, path, at->a, &at->dir, &at->name, e);
	if (r == 0 && slash > path + strlen("knowledge/")) {
		path += strlen("knowledge/");
		at->name = slash + 1;
		r = layout_make(&at->s->repo,
				arena_copy(at->a, path, (size_t)(slash - path)),
				&at->dir, e);
		return r;
	}
	return r < 0 ? -1 : 0;
}

/* Take the step C, unless it is taken.  H has its bytes. */
static int take_step(struct store *s, const struct operations *h,
		     const struct oplog_change *c, struct arena *a,
		     struct err *e)
{
	struct spot at = {.s = s, .a = a, .c = c, .dir = -1};
	struct buf is = {0}, text = {0};
	char sum[SHA256_HEX];
	const char *now;
	int r;

	at.path = arena_printf(a, "%s/%s", s->repo.root.path, c->path);
	if (open_spot(&at, e) < 0)
		return -1;
	r = file_read(at.dir, at.name, at.path, FILE_MAX, &is, e);
	now = r == 1 ? sum_of(&is, sum) : NULL;
	if (r < 0)
		goto out;
	if (lines_same_sum(now, c->after)) {
		r = 0;
	} else if (!lines_same_sum(now, c->before)) {
		r = err_set(e, ERR_BUSY, "'%s' has changed meanwhile", at.path);
	} else if (!c->after) {
		r = take_away(&at, e);
	} else if (now || (r = fetch(&at, e)) == 0) {
		r = operations_bytes(&s->repo, h, c->after, &text, e);
		if (r == 0)
			r = err_set(e, ERR_DATA,
				    "what '%s' was is nowhere any more",
				    at.path);
		else if (r == 1)
			r = put(&at, now ? &is : NULL, &text, e);
	} else if (r == 1) {
		r = 0;
	}
out:
	close(at.dir);
	buf_release(&is);
	buf_release(&text);
	return r;
}

/* Take the steps of OP: first what comes, then what goes, since one may be made
 * of the other. */
static int take_steps(struct store *s, struct oplog_op *op, struct err *e)
{
	const struct operations h = {op, 1};
	struct arena a = {0};
	int r = 0;

	for (int goes = 0; goes < 2; goes++) {
		for (size_t i = 0; i < op->n && !r; i++) {
			if (goes == !op->changes[i].after)
				r = take_step(s, &h, &op->changes[i], &a, e);
		}
	}
	arena_release(&a);
	ids_drop(s);
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

static int drop_note(struct store *s, struct err *e)
{
	struct arena a = {0};
	int dir, r = open_log(s, &dir, e);

	if (r != 1)
		return r;
	r = file_remove(dir, NOTE, note_path(s, &a), e);
	close(dir);
	arena_release(&a);
	return r;
}

static int write_note(struct store *s, const struct oplog_op *op, struct err *e)
{
	struct buf text = {0};
	struct arena a = {0};
	const char *path = note_path(s, &a);
	int dir, r = open_log(s, &dir, e);

	if (r == 1) {
		lines_add(&text, op);
		r = file_create(dir, NOTE, path,
				log_folder_file_mode(&s->repo.root), text.p,
				text.len, e);
		if (!r)
			r = err_set(e, ERR_BUSY, "'%s' is in the way", path);
		close(dir);
	} else if (!r) {
		r = err_set(e, ERR_SYSTEM, "there is no log");
	}
	buf_release(&text);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

/* What C brought back is not needed in the trash any more. */
static void drop_trash(struct store *s, const struct oplog_change *c,
		       struct arena *a)
{
	const char *name;
	struct buf is = {0};
	char sum[SHA256_HEX];
	int dir;

	if (!in_trash(c->from) ||
	    operations_open(&s->repo, c->from, a, &dir, &name, NULL) != 1)
		return;
	if (file_read(dir, name, c->from, FILE_MAX, &is, NULL) == 1 &&
	    !strcmp(sum_of(&is, sum), c->after))
		file_remove(dir, name, c->from, NULL);
	close(dir);
	buf_release(&is);
	trash_folders_drop_empty(s, a, trash_folder(c->from, a, &name));
}

/* Log OP, which was done, and forget that it was unfinished. */
static int finish(struct store *s, const struct oplog_op *op, struct err *e)
{
	struct change *c = s->change;
	struct arena a = {0};
	int r = 0;

	for (size_t i = 0; i < op->n; i++) {
		drop_trash(s, &op->changes[i], &a);
		/* It stands in its file, and is wanted to undo an undo. */
		if (op->changes[i].after && !op->undoes)
			unlinkat(c->log.dir, op->changes[i].after, 0);
	}
	arena_release(&a);
	if (c->log.number <= op->number) {
		c->log.number = op->number;
		r = oplog_add(&c->log, op, e);
	}
	operation_end(s);
	return r < 0 ? -1 : drop_note(s, e);
}

static int read_note(struct store *s, struct arena *a, struct oplog_op *op,
		     struct err *e)
{
	struct oplog_op *ops = NULL;
	struct buf text = {0};
	int dir, r = open_log(s, &dir, e);
	size_t n = 0;

	if (r == 1) {
		r = file_read(dir, NOTE, note_path(s, a), NOTE_MAX, &text, e);
		close(dir);
	}
	if (r == 1)
		ops = lines_parse(&text, OPLOG_NOW, a, &n);
	buf_release(&text);
	if (n == 1)
		*op = ops[0];
	return r < 0 ? -1 : n == 1;
}

/* Take over the log that an older co kept, or say once that it is not believed. */
static void adopt(struct store *s)
{
	struct change *c = change_of(s);
	struct err e, say;

	if (c->unlogged || c->refused_log || adopt_old(&s->repo, &e) >= 0)
		return;
	/* A new log would keep the old one from ever being taken over. */
	if (e.code != ERR_DATA) {
		give_up(s, &e);
		return;
	}
	err_set(&say, ERR_NONE, "%s: 'co knowledge --check' says more", e.text);
	err_report(s->report, &say);
	c->refused_log = true;
}

void operation_resume(struct store *s)
{
	struct change *c = change_of(s);
	struct oplog_op op;
	struct arena a = {0};
	struct stat st;
	const char *path;
	int r;

	adopt(s);
	path = note_path(s, &a);
	r = path && lstat(path, &st) == 0;
	arena_release(&a);
	if (!r)
		return;
	r = read_note(s, &a, &op, NULL);
	if (r == 0) /* none of ours */
		drop_note(s, NULL);
	if (r == 1 && oplog_begin(&c->log, &s->repo, NULL) == 0) {
		struct err e = {.code = ERR_NONE};

		/* What somebody changed since stays as they left it; so does
		 * what somebody took the bytes of. */
		r = take_steps(s, &op, &e);
		if (r == 0 || e.code == ERR_BUSY || e.code == ERR_DATA)
			finish(s, &op, NULL);
	}
	operation_end(s);
	arena_release(&a);
}

/* The one of the N STEPS that brings what STEP takes away, as where a draft was
 * accepted; N for none. */
static size_t goal_of(const struct operation_step *step,
		      const struct operation_step *steps, size_t n)
{
	for (size_t i = 0; i < n && !step->text; i++) {
		const struct buf *text = steps[i].text;

		if (text && !steps[i].was && text->len == step->was->len &&
		    !memcmp(buf_str(text), buf_str(step->was), text->len))
			return i;
	}
	return n;
}

/* Put TEXT into the trash, at PATH below the root. */
static int copy_to_trash(struct store *s, const char *path,
			 const struct buf *text, struct arena *a, struct err *e)
{
	const char *whole = arena_printf(a, "%s/%s", s->repo.root.path, path);
	const char *name;
	int dir, r;

	if (layout_make(&s->repo, trash_folder(path, a, &name), &dir, e) < 0)
		return -1;
	r = file_create_from(s->repo.fd, dir, name, whole,
			     root_file_mode(&s->repo.root), buf_str(text),
			     text->len, e);
	close(dir);
	if (r == 0)
		r = err_set(e, ERR_SYSTEM, "'%s' is in the way", whole);
	return r < 0 ? -1 : 0;
}

/* Fill C by STEP, and keep the bytes that it needs.  *FOLDER is that of the trash,
 * once one is needed. */
static int prepare(struct store *s, const struct operation_step *step,
		   bool moves, struct arena *a, struct oplog_change *c,
		   const char **folder, struct err *e)
{
	struct oplog *l = &s->change->log;
	char sum[SHA256_HEX];
	int fd;

	*c = (struct oplog_change){.path = step->path, .from = step->from};
	if (step->was)
		c->before = arena_strdup(a, sum_of(step->was, sum));
	if (step->text)
		c->after = arena_strdup(a, sum_of(step->text, sum));
	if (c->after && oplog_keep(l, &s->repo, c->after, buf_str(step->text),
				   step->text->len, true, e) < 0)
		return -1;
	if ((c->after && !step->to_trash) || moves || !has_trash(c->path))
		return c->before ? oplog_keep(l, &s->repo, c->before,
					      buf_str(step->was),
					      step->was->len, true, e)
				 : 0;
	if (!*folder) {
		if (trash_folders_new(s, a, folder, &fd, e) < 0)
			return -1;
		close(fd);
	}
	c->trash = arena_printf(a, "knowledge/%s%s", *folder,
				begins(c->path, MEMORIES)
					? strrchr(c->path, '/')
					: c->path + strlen("knowledge"));
	return c->after ? copy_to_trash(s, c->trash, step->was, a, e) : 0;
}

/* What OP, which was not done, put into the trash beside what stays, and into the
 * log, is not needed there. */
static void drop_copies(struct store *s, const struct oplog_op *op,
			struct arena *a)
{
	const char *name;
	int dir;

	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if (c->after && !op->undoes)
			unlinkat(s->change->log.dir, c->after, 0);
		if (!c->after || !c->trash ||
		    operations_open(&s->repo, c->trash, a, &dir, &name, NULL) !=
			    1)
			continue;
		file_remove(dir, name, c->trash, NULL);
		close(dir);
		trash_folders_drop_empty(s, a,
					 trash_folder(c->trash, a, &name));
	}
}

/* One of the steps of OP failed: take back those before it. */
static int take_back(struct store *s, const struct oplog_op *op,
		     struct arena *a)
{
	struct oplog_op back = *op;

	back.changes = arena_alloc(a, op->n * sizeof(*back.changes));
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		back.changes[i] = (struct oplog_change){
			c->path, c->after, c->before,
			in_trash(c->from) ? c->from : NULL, c->trash};
		for (size_t k = 0; k < op->n && !c->after; k++) {
			if (op->changes[k].from &&
			    !strcmp(op->changes[k].from, c->path))
				back.changes[i].from = op->changes[k].path;
		}
	}
	return take_steps(s, &back, NULL);
}

int operation_apply(struct store *s, int64_t undoes,
		    const struct operation_step *steps, size_t n, struct err *e)
{
	char when[INSTANT_TEXT];
	struct oplog_op op;
	struct arena a = {0};
	const char *folder = NULL;
	bool undone = false;
	int r = 0;

	change_of(s)->log.number = 0;
	if (oplog_begin(&s->change->log, &s->repo, e) < 0)
		return -1;
	describe(s, &op, when);
	op.undoes = undoes;
	op.segment = OPLOG_NOW;
	op.n = n;
	op.changes = arena_alloc(&a, n * sizeof(*op.changes));
	memset(op.changes, 0, n * sizeof(*op.changes));
	for (size_t i = 0; i < n && !r; i++)
		r = prepare(s, &steps[i], goal_of(&steps[i], steps, n) < n, &a,
			    &op.changes[i], &folder, e);
	for (size_t i = 0; i < n; i++) {
		const size_t goal = goal_of(&steps[i], steps, n);

		if (goal < n)
			op.changes[goal].from = steps[i].path;
	}
	if (!r)
		r = write_note(s, &op, e);
	if (!r) {
		r = take_steps(s, &op, e);
		undone = r < 0 && take_back(s, &op, &a) == 0;
		if (undone)
			drop_note(s, NULL);
		if (!r)
			r = finish(s, &op, e);
	} else {
		undone = true;
	}
	if (undone)
		drop_copies(s, &op, &a);
	operation_end(s);
	transfer_out(s); /* drafts that came back go where drafts are */
	if (folder)
		trash_folders_drop_empty(s, &a, folder);
	arena_release(&a);
	return r;
}
