/* lines-json.c: no line is trusted, since another program may have written the log. A sum
 * must have the form of one, and each path must be in the store.
 */
#include "oplog/lines-json.h"

#include "base/sha256.h"
#include "base/strings.h"
#include "base/table.h"
#include "format/json-read.h"
#include "repo/layout.h"

int64_t lines_number(const char *p, size_t len)
{
	static const char head[] = "{\"op\":";
	int64_t n = 0;

	if (len < sizeof(head) || memcmp(p, head, sizeof(head) - 1) != 0 ||
	    p[len - 1] != '}')
		return 0;
	for (p += sizeof(head) - 1; *p >= '0' && *p <= '9'; p++) {
		if (n > LINES_NUMBER_MAX)
			return 0;
		n = n * 10 + (*p - '0');
	}
	return n <= LINES_NUMBER_MAX ? n : 0;
}

/* The combined changes of a file in the last operation. */
struct pending {
	struct oplog_change c;
	const char *prior; /* the sum before the last of them */
};

/* The state of lines_parse(). */
struct reading {
	struct arena *a;
	const char *segment;
	struct oplog_op *ops; /* the oldest first */
	size_t n, cap;
	struct pending *changes; /* of the last operation */
	size_t nchanges, room;
	struct table paths; /* of these changes */
};

bool lines_is_path(const char *path)
{
	if (!strcmp(path, "settings.json"))
		return true;
	if (strncmp(path, LAYOUT_KNOWLEDGE, strlen(LAYOUT_KNOWLEDGE)) != 0)
		return false;
	for (const char *p = path;; p++) {
		if (!*p || *p == '/' || *p == '.')
			return false;
		p += strcspn(p, "/");
		if (!*p)
			return true;
	}
}

/* Set *SUM to the sum at KEY of V, NULL for null. Return false if it is neither. */
static bool parse_sum(const struct value *v, const char *key, const char **sum)
{
	const struct value *s = value_get(v, key);

	*sum = value_text(v, key);
	if (!*sum)
		return s && s->kind == VALUE_NULL;
	return strlen(*sum) == SHA256_HEX - 1 &&
	       strspn(*sum, "0123456789abcdef") == SHA256_HEX - 1;
}

/* Return the path at KEY of V, or NULL if there is none that begins with BELOW. */
static const char *path_below(const struct value *v, const char *key,
			      const char *below)
{
	const char *path = value_text(v, key);

	return path && lines_is_path(path) &&
			       !strncmp(path, below, strlen(below))
		       ? path
		       : NULL;
}

static const char *text_of(const struct value *v, const char *key)
{
	const char *s = value_text(v, key);

	return s ? s : "";
}

/* Set OP and C from the line of LEN bytes at P, and *FAILED to whether it cancels a
 * change. Return false if the line is damaged. */
static bool parse_line(const char *p, size_t len, struct arena *a,
		       struct oplog_op *op, struct oplog_change *c,
		       bool *failed)
{
	struct value v;
	const struct value *flag;

	*op = (struct oplog_op){.n = 1};
	*c = (struct oplog_change){0};
	if (!len || json_parse(p, len, a, &v, NULL) < 0)
		return false;
	op->number = value_positive(&v, "op");
	op->at = text_of(&v, "at");
	op->command = text_of(&v, "command");
	op->by = text_of(&v, "by");
	op->worktree = value_text(&v, "worktree");
	op->other = value_text(&v, "other");
	op->other_number = value_positive(&v, "other_op");
	op->awaits = value_text(&v, "awaits");
	op->undoes = value_positive(&v, "undoes");
	flag = value_get(&v, "failed");
	*failed = value_is_true(flag);
	c->path = value_text(&v, "path");
	c->trash = path_below(&v, "trash", LAYOUT_KNOWLEDGE LAYOUT_TRASH "/");
	c->from = path_below(&v, "from", LAYOUT_KNOWLEDGE);
	return op->number && c->path && lines_is_path(c->path) &&
	       (*failed || (parse_sum(&v, "before", &c->before) &&
			    parse_sum(&v, "after", &c->after)));
}

/* Return the change of PATH in the last operation, or NULL. */
static struct pending *find_change(struct reading *rd, const char *path)
{
	struct table_look k = table_look(&rd->paths, path, strlen(path), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(rd->changes[i].c.path, path))
			return &rd->changes[i];
	}
	return NULL;
}

/* End the last operation: store the changes that changed something in it, or drop it if
 * there are none. */
static void close_op(struct reading *rd)
{
	struct oplog_op *op = rd->n ? &rd->ops[rd->n - 1] : NULL;

	if (op) {
		op->changes =
			arena_alloc(rd->a, rd->nchanges * sizeof(*op->changes));
		op->n = 0;
		for (size_t i = 0; i < rd->nchanges; i++) {
			const struct oplog_change *c = &rd->changes[i].c;

			if (!strings_equal(c->before, c->after))
				op->changes[op->n++] = *c;
		}
		rd->n -= op->n == 0;
	}
	rd->nchanges = 0;
	table_release(&rd->paths);
}

static void add_change(struct reading *rd, const struct oplog_change *c,
		       bool failed)
{
	struct pending *same = find_change(rd, c->path);

	if (failed) {
		if (same)
			same->c.after = same->prior;
	} else if (same) {
		same->prior = same->c.after;
		same->c.after = c->after;
		same->c.trash = c->trash;
	} else {
		table_put(&rd->paths, c->path, strlen(c->path), 0,
			  rd->nchanges);
		*MEM_ADD(rd->changes, rd->nchanges, rd->room) =
			(struct pending){*c, c->before};
	}
}

static void add_line(struct reading *rd, const char *p, size_t len)
{
	struct oplog_change c;
	struct oplog_op op;
	bool failed;

	if (!parse_line(p, len, rd->a, &op, &c, &failed))
		return;
	if (!rd->n || rd->ops[rd->n - 1].number != op.number ||
	    (!rd->nchanges && !failed)) {
		close_op(rd);
		if (failed)
			return;
		op.segment = rd->segment;
		*MEM_ADD(rd->ops, rd->n, rd->cap) = op;
	}
	add_change(rd, &c, failed);
}

static void read_lines(struct reading *rd, const struct buf *text)
{
	const char *line;
	size_t at = 0, len;

	while (buf_next_line(text, &at, &line, &len))
		add_line(rd, line, len);
	close_op(rd);
}

struct oplog_op *lines_parse(const struct buf *text, const char *segment,
			     struct arena *a, size_t *n)
{
	struct reading rd = {.a = a, .segment = segment};
	struct oplog_op *ops = NULL;

	read_lines(&rd, text);
	*n = rd.n;
	if (rd.n) {
		ops = arena_alloc(a, rd.n * sizeof(*ops));
		memcpy(ops, rd.ops, rd.n * sizeof(*ops));
	}
	table_release(&rd.paths);
	free(rd.ops);
	free(rd.changes);
	return ops;
}

bool lines_change(const char *p, size_t len, struct arena *a,
		  struct oplog_change *c)
{
	struct oplog_op op;
	bool failed;

	return parse_line(p, len, a, &op, c, &failed);
}

static void write_line(struct buf *out, const struct oplog_op *op,
		       const struct oplog_change *c)
{
	json_write_open(out, NULL, '{');
	json_write_int(out, "op", op->number);
	json_write_text(out, "at", op->at);
	json_write_text(out, "command", op->command);
	json_write_text(out, "by", op->by);
	json_write_given(out, "worktree", op->worktree);
	json_write_given(out, "other", op->other);
	if (op->other && op->other_number)
		json_write_int(out, "other_op", op->other_number);
	json_write_given(out, "awaits", op->awaits);
	if (op->undoes)
		json_write_int(out, "undoes", op->undoes);
	json_write_text(out, "path", c->path);
	json_write_text(out, "before", c->before);
	json_write_text(out, "after", c->after);
	json_write_given(out, "trash", c->trash);
	json_write_given(out, "from", c->from);
	json_write_end(out);
}

void lines_add(struct buf *out, const struct oplog_op *op)
{
	for (size_t i = 0; i < op->n; i++)
		write_line(out, op, &op->changes[i]);
}

void lines_add_failure(struct buf *out, int64_t number, const char *path)
{
	json_write_open(out, NULL, '{');
	json_write_int(out, "op", number);
	json_write_text(out, "path", path);
	json_write_bool(out, "failed", true);
	json_write_end(out);
}
