/* undo.c: all new contents are computed before any file changes. Then
 * journal_apply() performs all steps or none. */
#include "history/undo.h"

#include "base/sha256.h"
#include "base/strings.h"
#include "base/table.h"
#include "merge/merge.h"
#include "oplog/oplog.h"
#include "repo/marks.h"
#include "store/ids.h"
#include "store/journal.h"
#include "store/save.h"

/* An operation being undone. */
struct undo_job {
	struct undo *u;
	const struct operations *h;
	const struct oplog_op *op;
	bool made; /* OP made a memory */
	struct journal_step *steps;
	struct buf *texts; /* two per step: WAS and TEXT */
	size_t n;
	size_t conflicts;
};

/* Report that C conflicts: WHAT. Name the old content in the trash, if any.
 * Returns 0. */
static int report_conflict(struct undo_job *t, const struct oplog_change *c,
			   const char *what)
{
	struct store *s = t->u->store;
	struct buf text = {0}, was = {0};

	t->conflicts++;
	buf_addf(&text, "'%s/%s' %s", s->repo.root.path, c->path, what);
	if (c->trash && oplog_read_file(&s->repo, c->trash, &was, NULL) == 1)
		buf_addf(&text, ": its old text is at '%s/%s'",
			 s->repo.root.path, c->trash);
	buf_release(&was);
	err_warn(s->report, ERR_BUSY, "%s", text.p);
	buf_release(&text);
	return 0;
}

static bool is_memory(const char *path)
{
	const struct layout_directory *d = layout_directory_of(path);

	return d && (d->area == AREA_MEMORIES || d->area == AREA_DRAFTS);
}

/* Read the content with the hash SUM (not NULL) into OUT. Returns 1, 0 if it
 * is lost, or -1. */
static int read_content(struct undo_job *t, const char *sum, struct buf *out,
			struct err *e)
{
	return oplog_read_bytes(&t->u->store->repo, t->h, sum, out, e);
}

/* Remove the change C from NOW, which has changed since. Returns 1 and sets
 * TEXT, 0 if it conflicts, or -1. */
static int merge_change(struct undo_job *t, const struct oplog_change *c,
			const struct buf *now, struct buf *text, struct err *e)
{
	struct store *s = t->u->store;
	struct buf base = {0}, theirs = {0};
	struct merge m;
	struct record r;
	int got = read_content(t, c->after, &base, e);

	if (got == 1)
		got = read_content(t, c->before, &theirs, e);
	if (got != 1)
		goto out;
	m = (struct merge){{buf_str(&base), base.len},
			   {buf_str(now), now->len},
			   {buf_str(&theirs), theirs.len},
			   strrchr(c->path, '/') ? strrchr(c->path, '/') + 1
						 : c->path,
			   MERGE_MARK,
			   false};
	got = merge_documents(&m, text, NULL, e);
	got = got < 0 ? -1 : !got;
	if (got == 1 && is_memory(c->path) &&
	    record_read(&r, buf_str(now), now->len, c->path, SCOPE_PROJECT,
			&t->u->arena, NULL) == 0)
		got = save_check(s, c->path, buf_str(text), text->len, r.id,
				 NULL) == 0;
out:
	buf_release(&base);
	buf_release(&theirs);
	return got;
}

/* Return true if TEXT, restored as a memory at PATH, has an id that another
 * file uses. */
static bool is_taken(struct undo_job *t, const char *path,
		     const struct buf *text)
{
	const struct layout_directory *d = layout_directory_of(path);
	struct record r;

	return d && d->area == AREA_MEMORIES &&
	       record_read(&r, buf_str(text), text->len, path, SCOPE_PROJECT,
			   &t->u->arena, NULL) == 0 &&
	       ids_is_taken(t->u->store, AREA_MEMORIES, r.id, NULL) == 1;
}

/* Return true if OP made the memory at PATH, a path below the root; any memory if it is
 * NULL. */
static bool has_made(const struct oplog_op *op, const char *path)
{
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];

		if (!c->before && is_memory(c->path) &&
		    (!path || !strcmp(c->path, path)))
			return true;
	}
	return false;
}

/* A memory that OP replaced, and the path of another one that replaces it, too. */
struct successor {
	struct undo_job *job;
	int64_t id;
	const char *path;
};

/* For store_each(): set the path of CTX and return 1 if R is that other one. */
static int find_successor(void *ctx, const struct record *r)
{
	struct successor *c = ctx;
	struct arena *a = &c->job->u->arena;
	struct value v;

	if (record_find_key(r, "supersedes", a, &v) != 1 ||
	    !value_has_int(&v, c->id) ||
	    has_made(c->job->op, operation_path(c->job->u->store, r->path, a)))
		return 0;
	c->path = arena_strdup(a, r->path);
	return 1;
}

/* Return true if TEXT at PATH, or nothing if it is empty, is no current memory. Set *ID
 * to its id if it can be read. */
static bool is_past(struct undo_job *t, const char *path,
		    const struct buf *text, int64_t *id)
{
	struct record r;

	if (record_read(&r, buf_str(text), text->len, path, SCOPE_PROJECT,
			&t->u->arena, NULL) < 0)
		return !text->len;
	*id = r.id;
	return marks_now(&r.keys) & MARK_REPLACED;
}

/* If TEXT, a memory that the operation replaced, would be current again though another
 * memory replaces it, too, set *PATH to that one. WAS is its text now, or empty. Return
 * 0, or -1 if a memory cannot be read. */
static int find_other_successor(struct undo_job *t,
				const struct oplog_change *c,
				const struct buf *was, const struct buf *text,
				const char **path, struct err *e)
{
	const struct layout_directory *d = layout_directory_of(c->path);
	struct successor other = {.job = t};
	int r;

	if (!d || d->area != AREA_MEMORIES || !t->made ||
	    !is_past(t, c->path, was, &other.id) ||
	    is_past(t, c->path, text, &other.id))
		return 0;
	r = store_each_strict(t->u->store, AREA_MEMORIES, find_successor,
			      &other, e);
	*path = other.path;
	return r < 0 ? -1 : 0;
}

/* Add a step for the file of C, if it must change. Returns 0 or -1. */
static int add_step(struct undo_job *t, const struct oplog_change *c,
		    struct err *e)
{
	struct journal_step *step = &t->steps[t->n];
	struct buf *was = &t->texts[t->n * 2], *text = was + 1;
	char sum[SHA256_HEX];
	const char *now = NULL, *other = NULL;
	bool merged = false;
	int r = oplog_read_file(&t->u->store->repo, c->path, was, e);

	if (r < 0)
		return -1;
	if (r == 1)
		now = sha256_of(buf_str(was), was->len, sum);
	if (strings_equal(now, c->before))
		return 0;
	if (!strings_equal(now, c->after)) {
		if (!now)
			return report_conflict(t, c, "is gone since");
		if (!c->before || !c->after || !strrchr(c->path, '/'))
			return report_conflict(t, c, "has changed since");
		r = merge_change(t, c, was, text, e);
		if (r <= 0)
			return r < 0 ? -1
				     : report_conflict(
					       t, c,
					       "has changed since, in the "
					       "same lines");
		if (buf_equal(text, was))
			return 0;
		merged = true;
	} else if (c->before) {
		r = read_content(t, c->before, text, e);
		if (r < 0)
			return -1;
		if (r == 0)
			return err_set(e, ERR_SYSTEM,
				       "the old text of '%s/%s' is lost",
				       t->u->store->repo.root.path, c->path);
		if (!now && is_taken(t, c->path, text))
			return report_conflict(
				t, c,
				"cannot come back: another memory has its "
				"id");
		if (find_other_successor(t, c, was, text, &other, e) < 0)
			return -1;
		if (other)
			return report_conflict(
				t, c,
				arena_printf(&t->u->arena,
					     "cannot come back: '%s' replaces "
					     "it, too; forget the new memory "
					     "instead",
					     other));
	}
	*step = (struct journal_step){
		.path = c->path,
		.from = now ? NULL : c->trash,
		.accepted = c->from && layout_is_accepted(c->from),
		.was = now ? was : NULL,
		.text = merged || c->before ? text : NULL,
	};
	t->n++;
	return 0;
}

static struct undo_file describe_step(const struct journal_step *step)
{
	return (struct undo_file){
		.path = step->path,
		.effect = !step->text  ? UNDO_REMOVED
			  : !step->was ? UNDO_RESTORED
				       : UNDO_REVERTED,
		.was = step->was,
		.text = step->text,
	};
}

/* Return the operation that OP undid or, through undos of undos, redid. NULL if
 * H does not have it. */
static const struct oplog_op *origin_of(const struct operations *h,
					const struct oplog_op *op)
{
	while (op && op->undoes)
		op = oplog_find(h, op->undoes);
	return op;
}

/* Return true if OP undid something that was not itself an undo. */
static bool is_undo(const struct operations *h, const struct oplog_op *op)
{
	bool is = false;

	for (; op && op->undoes; op = oplog_find(h, op->undoes))
		is = !is;
	return is;
}

/* Changes of an operation, and steps that create a file. An operation may have a
 * hundred thousand. */
struct undo_tables {
	struct table trash;	    /* changes by their path in the trash */
	struct table moved;	    /* changes of a file that moved, by path */
	struct table created, text; /* steps by path, and by text */
};

static void fill_tables(struct undo_tables *b, const struct undo_job *t)
{
	for (size_t i = 0; i < t->op->n; i++) {
		const struct oplog_change *c = &t->op->changes[i];

		if (c->trash)
			table_put(&b->trash, c->trash, strlen(c->trash), 0, i);
		if (c->from)
			table_put(&b->moved, c->path, strlen(c->path), 0, i);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct journal_step *s = &t->steps[i];

		if (!s->text || s->was)
			continue;
		table_put(&b->created, s->path, strlen(s->path), 0, i);
		table_put(&b->text, buf_str(s->text), s->text->len, 0, i);
	}
}

static void release_tables(struct undo_tables *b)
{
	table_release(&b->trash);
	table_release(&b->moved);
	table_release(&b->created);
	table_release(&b->text);
}

/* Return true if the operation of T moved a file to PATH in the trash. */
static bool has_trash(const struct undo_tables *b, const struct undo_job *t,
		      const char *path)
{
	struct table_look look = table_look(&b->trash, path, strlen(path), 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (!strcmp(t->op->changes[i].trash, path))
			return true;
	}
	return false;
}

/* Return the first step that creates the file from which the operation of T moved the
 * one of GONE, or that creates one with its text; or the number of steps. */
static size_t find_return(const struct undo_tables *b, const struct undo_job *t,
			  const struct journal_step *gone)
{
	const char *path = gone->path, *from;
	struct table_look look = table_look(&b->text, buf_str(gone->was),
					    gone->was->len, 0),
			  moved = table_look(&b->moved, path, strlen(path), 0);
	size_t i, k, first = t->n;

	while (table_next(&look, &i)) {
		if (i < first && buf_equal(t->steps[i].text, gone->was))
			first = i;
	}
	while (table_next(&moved, &k)) {
		from = t->op->changes[k].from;
		look = table_look(&b->created, from, strlen(from), 0);
		while (!strcmp(t->op->changes[k].path, path) &&
		       table_next(&look, &i)) {
			if (i < first && !strcmp(t->steps[i].path, from))
				first = i;
		}
	}
	return first;
}

/* A file that is removed moves back to where it came from, or to where the same
 * bytes are restored: older logs do not record where an accepted draft came
 * from. */
static void pair_moves(const struct undo_tables *b, struct undo_job *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct journal_step *gone = &t->steps[i];
		const size_t k = gone->text || !gone->was
					 ? t->n
					 : find_return(b, t, gone);

		if (k < t->n)
			t->steps[k].from = gone->path;
	}
}

/* Perform the steps of J, and what U has to do before them. Return 0 or -1. */
static int apply_undo(struct undo *u, struct journal *j, struct err *e)
{
	if (journal_begin(j, u->awaits, e) < 0)
		return -1;
	u->number = operation_number(u->store);
	if (!u->between || u->between(u->between_ctx, e) == 0)
		return journal_end(j, true, e);
	journal_end(j, false, NULL);
	return -1;
}

/* Undo OP, an operation of H. Returns as undo_number(). */
static int undo_operation(struct undo *u, const struct operations *h,
			  const struct oplog_op *op, struct err *e)
{
	struct undo_job t = {
		.u = u, .h = h, .op = op, .made = has_made(op, NULL)};
	const bool half = u->defer_moves && op->other;
	struct undo_tables tables = {0};
	struct journal j = {
		.s = u->store, .a = &u->arena, .undoes = op->number};
	int r = 0;

	t.steps = mem_alloc((op->n + 1) * sizeof(*t.steps));
	t.texts = mem_alloc((op->n + 1) * 2 * sizeof(*t.texts));
	for (size_t i = 0; i < op->n && !r; i++) {
		buf_cut(&t.texts[t.n * 2], 0);
		buf_cut(&t.texts[t.n * 2 + 1], 0);
		r = add_step(&t, &op->changes[i], e);
	}
	if (!r && t.conflicts)
		r = err_set(e, ERR_BUSY,
			    "cannot undo operation %lld: %s changed since",
			    (long long)op->number,
			    t.conflicts == 1 ? "a file has" : "files have");
	fill_tables(&tables, &t);
	pair_moves(&tables, &t);
	for (size_t i = 0; i < t.n; i++) {
		journal_add(&j, t.steps[i]);
		/* A file that is restored from the trash is not needed there. */
		if (t.steps[i].from && has_trash(&tables, &t, t.steps[i].from))
			journal_add(&j, (struct journal_step){
						.path = t.steps[i].from,
						.was = t.steps[i].text});
	}
	if (!r && t.n && !u->dry && !half) {
		r = apply_undo(u, &j, e);
		ids_drop(u->store);
	}
	u->origin = origin_of(h, op);
	u->back = !is_undo(h, op);
	for (size_t i = 0; i < t.n && !r && !half; i++) {
		const struct undo_file f = describe_step(&t.steps[i]);

		u->fn(u->ctx, &f);
	}
	for (size_t i = 0; i < (op->n + 1) * 2; i++)
		buf_release(&t.texts[i]);
	release_tables(&tables);
	free(t.texts);
	free(t.steps);
	return r < 0 ? -1 : t.n && half ? 2 : t.n > 0;
}

/* Call oplog_read() after moving a log from another directory. */
static int adopt_and_read(struct store *s, size_t want, struct arena *a,
			  struct operations *h, struct err *e)
{
	return oplog_adopt(&s->repo, e) < 0
		       ? -1
		       : oplog_read(&s->repo, want, a, h, e);
}

/* Undo the operation NUMBER as undo_number() does. The log is read in parts until the
 * operation is found. Each is twice as long as the last, since it is read from its start.
 * The caller holds the lock. */
static int number_locked(struct undo *u, int64_t number,
			 const struct oplog_op **op, struct err *e)
{
	struct operations h = {0};
	size_t want;

	*op = NULL;
	do {
		want = 2 * h.n + 1;
		if (adopt_and_read(u->store, want, &u->arena, &h, e) < 0)
			return -1;
		*op = oplog_find(&h, number);
	} while (!*op && h.n >= want);
	if (!*op)
		return err_set(e, ERR_NO,
			       "no operation %lld: 'co undo%s --list' lists "
			       "them",
			       (long long)number,
			       record_scope_option(u->store->repo.root.scope));
	if ((*op)->undone)
		return err_set(e, ERR_NO, "operation %lld is undone already",
			       (long long)number);
	return undo_operation(u, &h, *op, e);
}

int undo_number(struct undo *u, int64_t number, const struct oplog_op **op,
		struct err *e)
{
	int r;

	if (store_lock(u->store, e) < 0)
		return -1;
	r = number_locked(u, number, op, e);
	store_unlock(u->store);
	return r;
}

bool undo_is_next(const struct operations *h, const struct oplog_op *op,
		  bool redo)
{
	return !op->undone && is_undo(h, op) == redo;
}

/* Undo the newest operation as undo_newest() does. The caller holds the
 * lock. */
static int newest_locked(struct undo *u, bool redo, const struct oplog_op **op,
			 struct err *e)
{
	struct operations h = {0};
	size_t seen = 0, want;
	int r = 0;

	do {
		want = 2 * h.n + 1;
		if (adopt_and_read(u->store, want, &u->arena, &h, e) < 0)
			return -1;
		for (; seen < h.n && !r; seen++) {
			*op = &h.ops[seen];
			if (redo && !(*op)->undoes && !u->later)
				u->later = (*op)->number;
			if (!undo_is_next(&h, *op, redo))
				continue;
			if (u->later) {
				u->blocked = (*op)->number;
				return 0;
			}
			r = undo_operation(u, &h, *op, e);
			u->skipped += !r;
			u->last_skipped = r ? u->last_skipped : (*op)->number;
		}
	} while (!r && h.n >= want);
	return r;
}

int undo_newest(struct undo *u, bool redo, const struct oplog_op **op,
		struct err *e)
{
	int r;

	if (u->store->repo.fd < 0)
		return 0;
	if (store_lock(u->store, e) < 0)
		return -1;
	r = newest_locked(u, redo, op, e);
	store_unlock(u->store);
	return r;
}

bool undo_took_back(const struct undo *u, const char *name)
{
	return u->back && u->origin && !strcmp(u->origin->command, name);
}

int undo_last(struct undo_last *l, struct store *s, bool redo, struct arena *a)
{
	struct operations h = {0};

	*l = (struct undo_last){0};
	if (s->repo.fd < 0)
		return 0;
	if (undo_log(s, 1, a, &h, NULL) < 0)
		return -1;
	l->newest = h.n ? h.ops : NULL;
	l->written = h.written;
	for (size_t i = 0; i < h.n && !l->next; i++) {
		if (redo && !h.ops[i].undoes)
			break;
		if (undo_is_next(&h, &h.ops[i], redo))
			l->next = &h.ops[i];
	}
	return 0;
}

bool undo_is_later(const struct undo_last *l, const struct undo_last *other)
{
	int order;

	if (!l->next || !other->newest)
		return l->next;
	order = strcmp(l->next->at, other->newest->at);
	/* The log has seconds, and the time of its file is that of the last
	 * line. */
	if (!order && l->next == l->newest)
		order = l->written.tv_sec != other->written.tv_sec
				? (l->written.tv_sec > other->written.tv_sec)
				: l->written.tv_nsec > other->written.tv_nsec;
	return order > 0;
}

bool undo_other_half(const struct oplog_op *op, struct buf *out)
{
	struct arena a = {0};
	size_t project;

	if (!op->other)
		return false;
	project = root_project_length(op->other);
	buf_adds(out, "co ");
	if (project) {
		buf_adds(out, "-C ");
		buf_add_quoted(out, arena_copy(&a, op->other, project));
		buf_addc(out, ' ');
	}
	buf_adds(out, "undo");
	if (!project)
		buf_adds(out, " --global");
	if (op->other_number)
		buf_addf(out, " %lld", (long long)op->other_number);
	else
		buf_adds(out, " --list");
	arena_release(&a);
	return true;
}

int undo_log(struct store *s, size_t want, struct arena *a,
	     struct operations *h, struct err *e)
{
	int r;

	shared_warn_moved(&s->repo.root, s->report);
	if (!oplog_may_adopt(&s->repo))
		return oplog_read(&s->repo, want, a, h, e);
	r = store_lock(s, e);
	if (!r) {
		r = adopt_and_read(s, want, a, h, e);
		store_unlock(s);
	}
	return r;
}
