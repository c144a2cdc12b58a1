/* operation.c: see operation.h. */
#include "store/operation.h"

#include "oplog/oplog.h"
#include "store/change.h"
#include "store/transfer.h"

#include <errno.h>
#include <strings.h>
#include <unistd.h>

const char *operation_path(struct store *s, const char *path, struct arena *a)
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
		return arena_printf(a, LAYOUT_KNOWLEDGE LAYOUT_DRAFTS "/%s",
				    p.name);
	return NULL;
}

static const char *user_name(void)
{
	const char *name = getenv("USER");

	return name && *name ? name : "user";
}

void operation_describe(struct store *s, struct oplog_op *op,
			char when[INSTANT_TEXT])
{
	struct change *c = s->change;

	*op = (struct oplog_op){
		.number = c->log.number,
		.at = instant_format(instant_now(), when),
		.command = s->command ? s->command : "co",
		.by = c->by ? c->by : user_name(),
		.worktree = shared_worktree(&s->repo.root),
		.other = c->other,
		.other_number = c->other_number,
	};
}

void operation_give_up(struct store *s, const struct err *e)
{
	if (!s->change->unlogged)
		s->change->why = *e;
	s->change->unlogged = true;
}

void operation_report(struct store *s)
{
	struct change *c = change_of(s);

	if (c->unreported && c->why.code != ERR_NONE) {
		err_warn(s->report, ERR_NONE,
			 "not in the log, so 'co undo' cannot undo it: %s",
			 c->why.text);
		c->why.code = ERR_NONE;
	}
	c->unreported = 0;
}

/* Append the change C to the log, after operation_begin(). */
static void append_change(struct store *s, struct oplog_change *c)
{
	char when[INSTANT_TEXT];
	struct oplog_op op;
	struct err e;

	operation_describe(s, &op, when);
	op.changes = c;
	op.n = 1;
	if (lines_is_path(c->path) && oplog_add(&s->change->log, &op, &e) < 0)
		operation_give_up(s, &e);
}

bool operation_begin(struct store *s)
{
	struct err e;

	if (s->change->unlogged)
		return false;
	if (oplog_begin(&s->change->log, &s->repo, &e) == 0)
		return true;
	operation_give_up(s, &e);
	return false;
}

int operation_change(struct store *s, const struct operation_change *c,
		     struct err *e)
{
	int r;

	operation_note(s, c->path, c->was, c->text, c->trash);
	if (!c->text) {
		r = file_remove(c->dir, c->name, c->path, e);
	} else if (c->was) {
		r = file_replace_unsynced(s->repo.fd, c->dir, c->name, c->path,
					  c->was, buf_str(c->text),
					  c->text->len, c->lost, e);
		if (r >= 0 && change_sync(s, c->dir, c->path, e) < 0)
			r = -1;
	} else {
		r = file_create_from(s->repo.fd, c->dir, c->name, c->path,
				     root_file_mode(&s->repo.root),
				     buf_str(c->text), c->text->len, e);
		r = r ? (r < 0 ? -1 : 0)
		      : err_set(e, ERR_BUSY, "'%s' has changed meanwhile",
				c->path);
	}
	if (r < 0)
		operation_failed(s, c->path);
	return r;
}

/* Return 1 if the file at PATH has the sum SUM, 0, or -1. The caller holds the lock. */
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
		r = file_read(dir, p.name, path, LAYOUT_ANY_MAX, &text, e);
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
			"'%s' has changed since you read it: "
			"'co-memory-show --json' shows it with its sha256",
			path);
	return r == 1 ? 0 : -1;
}

static const char *sum_of(const struct buf *text, char sum[SHA256_HEX])
{
	return text ? sha256_of(buf_str(text), text->len, sum) : NULL;
}

static bool keep_content(struct store *s, const char *sum,
			 const struct buf *text, bool durable)
{
	struct err e;

	if (oplog_keep(&s->change->log, &s->repo, sum, buf_str(text), text->len,
		       durable, &e) >= 0)
		return true;
	operation_give_up(s, &e);
	return false;
}

void operation_note(struct store *s, const char *path, const struct buf *was,
		    const struct buf *text, const char *trash)
{
	char before[SHA256_HEX], after[SHA256_HEX];
	struct arena a = {0};
	struct oplog_change c = {
		.path = operation_path(s, path, &a),
		.before = sum_of(was, before),
		.after = sum_of(text, after),
		.trash = trash ? operation_path(s, trash, &a) : NULL,
	};
	const bool keeps = was && !trash;

	operation_report(s); /* of the changes before this one */
	s->change->unreported++;
	/* The old content must be durable. The new one is also in the file, and only a
	 * merge needs it here. */
	if (c.path && operation_begin(s) &&
	    (!keeps || keep_content(s, before, was, true)) &&
	    (!keeps || !text || keep_content(s, after, text, false)))
		append_change(s, &c);
	arena_release(&a);
}

void operation_failed(struct store *s, const char *path)
{
	const int error = errno;
	struct arena a = {0};
	const char *below = operation_path(s, path, &a);

	s->change->unreported -= s->change->unreported > 0;
	if (below && s->change->log.ops >= 0 && !s->change->unlogged)
		oplog_fail(&s->change->log, below, NULL);
	arena_release(&a);
	errno = error; /* the caller's message needs it */
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

void operation_adopt(struct store *s)
{
	struct err e;

	/* If a new log were begun, the old one could never be moved. */
	if (!change_of(s)->unlogged && oplog_adopt(&s->repo, &e) < 0)
		operation_give_up(s, &e);
}
