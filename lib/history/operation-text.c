/* operation-text.c: a memory is in several files if it moves between areas, as an
 * accepted draft does. Only the file where it is afterwards is reported. */
#include "history/undo.h"

#include "base/date.h"
#include "base/table.h"
#include "base/utf8.h"
#include "history/hidden.h"
#include "repo/settings.h"
#include "store/ids.h"
#include "text/diff.h"
#include "text/markdown.h"
#include "text/sanitize.h"

#define PATHS_SHOWN 3
#define FILES_SHOWN 20
#define IDS_SHOWN 5	/* of a command */
#define LINE_SHOWN 60	/* bytes of a line of the context */
#define TIME_COLUMNS 18 /* of a list of operations */
#define SETTINGS "settings.json"

/* What happened to a file, in the words of users. */
struct touched_file {
	enum undo_effect effect;
	int64_t id;	  /* of a memory or draft, else 0 */
	const char *name; /* "memory g9", "the context", "setting KEY" */
	const char *line; /* the first line of the memory; of the context and
			   * items, what changed; or NULL */
	const char *more; /* its effect in other words, or NULL */
	const struct oplog_change *change; /* of an operation, else NULL */
};

/* Return the id of the memory at PATH, 0 for other files. */
static int64_t memory_id(const char *path)
{
	const struct layout_directory *d = layout_directory_of(path);

	return d && d->ids ? ids_of_name(strrchr(path, '/') + 1) : 0;
}

/* Return what users call the file at PATH of S, in A. */
static const char *name_of(const struct store *s, const char *path,
			   struct arena *a)
{
	const struct layout_directory *d = layout_directory_of(path);
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const int64_t id = memory_id(path);
	struct buf safe = {0};

	if (id)
		return arena_printf(
			a, "%s %s%lld",
			d->area == AREA_DRAFTS	  ? "draft"
			: d->area == AREA_ARCHIVE ? "archived memory"
						  : "memory",
			record_scope_prefix(s->repo.root.scope), (long long)id);
	if (!strcmp(layout_below_knowledge(path), "context.md"))
		return "the context";
	sanitize_line(&safe, base, strlen(base));
	path = arena_printf(a, "%s%s",
			    d && d->area == AREA_ARTICLES ? "article " : "",
			    buf_str(&safe));
	buf_release(&safe);
	return path;
}

/* Return the first line of the memory TEXT at PATH, in A. NULL if it is broken
 * or sensitive. */
static const char *first_line(const struct buf *text, const char *path,
			      struct arena *a)
{
	struct buf line = {0}, safe = {0};
	struct record r;

	if (record_read(&r, buf_str(text), text->len, path, SCOPE_PROJECT, a,
			NULL) < 0 ||
	    record_marks(&r) & MARK_SENSITIVE)
		return NULL;
	markdown_add_headline(&line, r.content, r.content_len,
			      MARKDOWN_HEADLINE);
	sanitize_line(&safe, buf_str(&line), line.len);
	path = arena_copy(a, buf_str(&safe), safe.len);
	buf_release(&line);
	buf_release(&safe);
	return path;
}

/* Append the body of the document TEXT, which may be NULL, to OUT. */
static void add_body(struct buf *out, const struct buf *text)
{
	struct frontmatter fm;
	const char *p;
	size_t len;

	if (!text)
		return;
	frontmatter_split(&fm, buf_str(text), text->len);
	frontmatter_content(&fm, &p, &len);
	buf_add(out, p, len);
	buf_addc(out, '\n');
}

/* Return the first line of NOW, a body, that WAS does not have, cut and in A.
 * Headings and empty lines do not count. NULL if there is none. */
static const char *new_line(const struct buf *was, const struct buf *now,
			    struct arena *a)
{
	size_t *kept = arena_alloc(a, (diff_count(now) + 1) * sizeof(*kept));
	struct buf safe = {0};
	const char *found = NULL;

	diff_keep(kept, was, now);
	for (size_t at = 0, i = 0; at < now->len && !found; i++) {
		const char *line = now->p + at;
		const size_t len = strcspn(line, "\n");

		at += len + 1;
		line += strspn(line, " \t");
		if (kept[i] == SIZE_MAX && *line != '#' &&
		    !strchr("\r\n", *line))
			found = line + (strncmp(line, "- ", 2) ? 0 : 2);
	}
	if (found) {
		const size_t len = strcspn(found, "\r\n");
		const size_t most = utf8_cut(found, len, LINE_SHOWN);

		sanitize_line(&safe, found, most < len ? most : len);
		found = arena_printf(a, "%s%s", buf_str(&safe),
				     most < len ? "..." : "");
	}
	buf_release(&safe);
	return found;
}

/* Return the heading above the line of TEXT that contains LINE, without its marks, in A;
 * or NULL. */
static const char *heading_above(const struct buf *text, const char *line,
				 struct arena *a)
{
	const char *end = strstr(buf_str(text), line), *p = buf_str(text);
	const char *heading = NULL;
	struct buf safe = {0};

	for (; end && p < end; p += strcspn(p, "\n") + 1) {
		if (*p == '#')
			heading = p + strspn(p, "# ");
	}
	if (!heading)
		return NULL;
	sanitize_line(&safe, heading, strcspn(heading, "\r\n"));
	heading = arena_copy(a, buf_str(&safe), safe.len);
	buf_release(&safe);
	return heading;
}

/* Return what changed from WAS to TEXT, documents without an id or NULL, as "without
 * 'X'", "with 'X'", "'X' instead of 'Y'", or "'X' under 'HEADING'" of a line that moved,
 * in A; or NULL. */
static const char *changed_line(const struct buf *was, const struct buf *text,
				struct arena *a)
{
	struct buf old = {0}, new = {0};
	const char *gone, *come, *heading = NULL, *r = NULL;

	add_body(&old, was);
	add_body(&new, text);
	gone = new_line(&new, &old, a);
	come = new_line(&old, &new, a);
	if (gone && come && !strcmp(gone, come))
		heading = heading_above(&new, come, a);
	if (heading)
		r = arena_printf(a, "'%s' under '%s'", come, heading);
	else if (gone && come)
		r = arena_printf(a, "'%s' instead of '%s'", come, gone);
	else if (gone || come)
		r = arena_printf(a, "%s '%s'", gone ? "without" : "with",
				 gone ? gone : come);
	buf_release(&old);
	buf_release(&new);
	return r;
}

/* Return true if the file at PATH is the context or has items. */
static bool has_lines(const char *path)
{
	const char *below = layout_below_knowledge(path);

	return below != path && !strchr(below, '/');
}

/* Append the file at PATH to U. */
static struct touched_file *add_file(struct undo_text *u, const char *path,
				     enum undo_effect effect)
{
	u->files = mem_grow(u->files, u->n, &u->cap, sizeof(*u->files));
	u->files[u->n] = (struct touched_file){
		.effect = effect,
		.id = memory_id(path),
		.name = name_of(u->store, path, &u->arena),
	};
	return &u->files[u->n++];
}

/* Return the value that S sets for KEY, in A; "unset" if it sets none. */
static const char *value_of(const struct settings *s, const char *key,
			    struct arena *a)
{
	struct buf safe = {0};
	const char *text;

	if (!strcmp(settings_origin(s, key), "default"))
		return "unset";
	text = settings_str(s, key);
	sanitize_line(&safe, text, strlen(text));
	text = arena_copy(a, buf_str(&safe), safe.len);
	buf_release(&safe);
	return text;
}

/* Add each setting that differs in WAS and TEXT. Return false if none does. */
static bool add_settings(struct undo_text *u, const struct buf *was,
			 const struct buf *text)
{
	const bool project = u->store->repo.root.scope == SCOPE_PROJECT;
	struct arena *a = &u->arena;
	const struct settings *old = settings_of_text(was, project, a),
			      *new = settings_of_text(text, project, a);
	const size_t before = u->n;

	for (const struct settings_key *k = settings_keys; k->name; k++) {
		const char *from = value_of(old, k->name, a),
			   *to = value_of(new, k->name, a);
		struct touched_file *f;

		if (!strcmp(from, to))
			continue;
		f = add_file(u, SETTINGS, UNDO_REVERTED);
		f->name = arena_printf(a, "setting %s", k->name);
		f->more = arena_printf(a, "%s, not %s", to, from);
	}
	return u->n > before;
}

void undo_text_add(void *ctx, const struct undo_file *c)
{
	static const struct buf none;
	struct undo_text *u = ctx;
	struct touched_file *f;

	if (!strcmp(c->path, SETTINGS) &&
	    add_settings(u, c->was ? c->was : &none, c->text ? c->text : &none))
		return;
	f = add_file(u, c->path, c->effect);
	if (!f->id && has_lines(c->path))
		f->line = changed_line(c->was, c->text, &u->arena);
	if (!f->id)
		return;
	f->line = first_line(c->text ? c->text : c->was, c->path, &u->arena);
	/* Only the log has its text. */
	if (c->effect == UNDO_REMOVED &&
	    layout_directory_of(c->path)->area == AREA_ARCHIVE)
		f->more = "removed";
	if (c->text && c->was && !first_line(c->was, c->path, &u->arena))
		f->line = NULL;
}

/* Return true if F is removed and another file of U has its memory. */
static bool is_moved(const struct undo_text *u, const struct table *kept,
		     const struct touched_file *f)
{
	struct table_look k = table_look(kept, NULL, 0, (uint64_t)f->id);
	size_t i;

	if (!f->id || f->effect != UNDO_REMOVED)
		return false;
	while (table_next(&k, &i)) {
		if (u->files[i].id == f->id)
			return true;
	}
	return false;
}

/* Remove the files of U that is_moved() names. */
static void drop_moved(struct undo_text *u)
{
	struct table kept = {0};
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct touched_file *f = &u->files[i];

		if (f->id && f->effect != UNDO_REMOVED)
			table_put(&kept, NULL, 0, (uint64_t)f->id, i);
	}
	for (size_t i = 0; i < u->n; i++) {
		if (is_moved(u, &kept, &u->files[i]))
			u->files[i].name = NULL;
	}
	for (size_t i = 0; i < u->n; i++) {
		if (u->files[i].name)
			u->files[n++] = u->files[i];
	}
	u->n = n;
	table_release(&kept);
}

static void add_effect(struct buf *out, const struct touched_file *f, bool dry,
		       bool redo)
{
	static const char *const effects[] = {
		[UNDO_REMOVED] = "in the trash",
		[UNDO_RESTORED] = "back",
		[UNDO_REVERTED] = "changed back",
	};
	const char *effect = f->more ? f->more : effects[f->effect];

	if (redo && !f->more && f->effect == UNDO_REVERTED)
		effect = "changed again";
	if (!f->id && f->effect == UNDO_REMOVED)
		effect = "removed";
	buf_addf(out, "%s %s %s", f->name, dry ? "would be" : "is", effect);
	if (f->line)
		buf_addf(out, " (%s)", f->line);
	buf_addc(out, '\n');
}

void undo_text_release(struct undo_text *u)
{
	free(u->files);
	arena_release(&u->arena);
}

/* Return the id in the name of PATH if the memory is in HIDDEN, else 0. The
 * rest of the name is derived from its text. */
static int64_t hidden_id(const char *path, const struct hidden *hidden)
{
	const char *slash = strrchr(path, '/');
	const int64_t id = slash ? ids_of_name(slash + 1) : 0;

	return hidden_has(hidden, id) ? id : 0;
}

/* Return the length of PATH to show; only up to the number if it is in
 * HIDDEN. */
static size_t shown_length(const char *path, const struct hidden *hidden)
{
	const char *name;

	if (!hidden_id(path, hidden))
		return strlen(path);
	name = strrchr(path, '/') + 1;
	return (size_t)(name - path) + strspn(name, "0123456789");
}

/* Append OP to OUT as a line of text. */
static void add_line(struct buf *out, const struct oplog_op *op,
		     const struct hidden *hidden)
{
	buf_addf(out, "%lld  ", (long long)op->number);
	sanitize_line(out, op->at, strlen(op->at));
	buf_adds(out, "  ");
	sanitize_line(out, op->command, strlen(op->command));
	if (op->undoes)
		buf_addf(out, " of %lld", (long long)op->undoes);
	if (op->undone)
		buf_adds(out, " (undone)");
	for (size_t i = 0; i < op->n && i < PATHS_SHOWN; i++) {
		const struct oplog_change *c = &op->changes[i];
		const char *path = layout_below_knowledge(c->path);

		buf_adds(out, i ? ", " : "  ");
		buf_addc(out, !c->before ? '+' : !c->after ? '-' : '~');
		sanitize_line(out, path, shown_length(path, hidden));
	}
	if (op->n > PATHS_SHOWN)
		buf_addf(out, ", %zu more", op->n - PATHS_SHOWN);
	buf_addc(out, '\n');
}

/* Append OP to OUT as a line of JSON; see co-json(5). */
static void add_json(struct buf *out, const struct oplog_op *op,
		     const struct hidden *hidden)
{
	json_write_open(out, NULL, '{');
	json_write_int(out, "op", op->number);
	json_write_text(out, "at", op->at);
	json_write_text(out, "command", op->command);
	json_write_text(out, "by", op->by);
	json_write_text(out, "worktree", op->worktree);
	json_write_text(out, "other", op->other);
	if (op->undoes)
		json_write_int(out, "undoes", op->undoes);
	else
		json_write_text(out, "undoes", NULL);
	json_write_bool(out, "undone", op->undone);
	json_write_open(out, "changes", '[');
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];
		const int64_t id = hidden_id(c->path, hidden);

		json_write_open(out, NULL, '{');
		if (id)
			json_write_int(out, "id", id);
		json_write_text(out, "path", id ? NULL : c->path);
		json_write_text(out, "before", c->before);
		json_write_text(out, "after", c->after);
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
	json_write_end(out);
}

/* Append the time of OP; LOCAL: as date_clock() does. */
static void add_time(struct buf *out, const struct oplog_op *op, bool local)
{
	char clock[DATE_CLOCK];
	struct instant at;

	if (local && instant_parse(op->at, strlen(op->at), &at))
		buf_adds(out, date_clock(at, clock));
	else
		sanitize_line(out, op->at, strlen(op->at));
}

/* Append the command of OP without its prefix. The log has no options, but a
 * co-forget that restored a file was run with --undo. */
static void add_command(struct buf *out, const struct oplog_op *op)
{
	const size_t prefix =
		strncmp(op->command, "co-", 3) != 0 &&
				strncmp(op->command, "co ", 3) != 0
			? 0
			: 3;

	sanitize_line(out, op->command + prefix, strlen(op->command) - prefix);
	if (!strcmp(op->command, "co-forget") && op->n &&
	    !op->changes[0].before)
		buf_adds(out, " --undo");
}

/* Put the changes of OP whose memories or drafts existed before into T, by their ids. */
static void put_ids(struct table *t, const struct oplog_op *op)
{
	for (size_t i = 0; i < op->n; i++) {
		const int64_t id = memory_id(op->changes[i].path);

		if (id && op->changes[i].before)
			table_put(t, &id, sizeof(id), 0, i);
	}
}

/* Return true if T, filled by put_ids() for OP, has ID. */
static bool has_id(const struct table *t, const struct oplog_op *op, int64_t id)
{
	struct table_look k = table_look(t, &id, sizeof(id), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (memory_id(op->changes[i].path) == id)
			return true;
	}
	return false;
}

/* Append the ids of the memories or drafts of OP, a command of U whose operands they
 * were. Append nothing if they need not have been: OP made a memory too, or changed a
 * memory because of a draft. */
static void add_ids(struct buf *out, const struct undo_text *u,
		    const struct oplog_op *op)
{
	const size_t start = out->len;
	bool drafts = false, memories = false;
	struct table before = {0};
	int64_t last = 0;
	size_t n = 0;

	put_ids(&before, op);
	for (size_t i = 0; i < op->n; i++) {
		const struct oplog_change *c = &op->changes[i];
		const int64_t id = memory_id(c->path);

		if (id && !has_id(&before, op, id))
			drafts = memories = true;
		if (!id || !c->before || id == last)
			continue;
		if (layout_directory_of(c->path)->area == AREA_DRAFTS)
			drafts = true;
		else
			memories = true;
		last = id;
		if (++n <= IDS_SHOWN)
			buf_addf(out, " %s%lld",
				 record_scope_prefix(u->store->repo.root.scope),
				 (long long)id);
	}
	table_release(&before);
	if (drafts && memories)
		buf_cut(out, start);
	else if (n > IDS_SHOWN)
		buf_adds(out, " ...");
}

void undo_text_name(const struct undo_text *u, const struct oplog_op *op,
		    bool local, struct buf *out)
{
	buf_adds(out, "'co ");
	add_command(out, op);
	if (u->ids)
		add_ids(out, u, op);
	buf_adds(out, "' of ");
	add_time(out, op, local);
}

void undo_text_undone(struct undo_text *u, const char *verb,
		      const struct oplog_op *op, bool dry, bool local,
		      struct buf *out)
{
	buf_addf(out, "✓ %s", verb);
	if (op) {
		buf_addc(out, ' ');
		undo_text_name(u, op, local, out);
	}
	drop_moved(u);
	buf_adds(out, u->n == 1 ? ": " : ":\n");
	for (size_t i = 0; i < u->n && i < FILES_SHOWN; i++) {
		buf_adds(out, u->n == 1 ? "" : "  ");
		add_effect(out, &u->files[i], dry, u->redo);
	}
	if (u->n > FILES_SHOWN)
		buf_addf(out, "  and %zu more\n", u->n - FILES_SHOWN);
}

/* Append what C, a change of an operation of H, changed in the context or in
 * items. */
static void add_changed_line(struct buf *out, struct undo_text *u,
			     const struct operations *h,
			     const struct oplog_change *c)
{
	struct buf was = {0}, text = {0};
	const char *line = NULL;

	if ((!c->before || oplog_read_bytes(&u->store->repo, h, c->before, &was,
					    NULL) == 1) &&
	    (!c->after ||
	     oplog_read_bytes(&u->store->repo, h, c->after, &text, NULL) == 1))
		line = changed_line(&was, &text, &u->arena);
	if (line)
		buf_addf(out, ": %s", line);
	buf_release(&was);
	buf_release(&text);
}

/* Append the first file of OP, an operation of H, with its line and the number
 * of other files. */
static void add_files(struct buf *out, struct undo_text *u,
		      const struct operations *h, const struct hidden *hidden,
		      const struct oplog_op *op)
{
	static const char signs[] = {[UNDO_REMOVED] = '-',
				     [UNDO_RESTORED] = '+',
				     [UNDO_REVERTED] = '~'};
	const struct touched_file *f = u->files;
	const struct oplog_change *c;
	struct buf text = {0};

	u->n = 0;
	for (size_t i = 0; i < op->n; i++) {
		c = &op->changes[i];
		add_file(u, c->path,
			 !c->after    ? UNDO_REMOVED
			 : !c->before ? UNDO_RESTORED
				      : UNDO_REVERTED)
			->change = c;
	}
	drop_moved(u);
	f = u->files;
	c = f->change;
	buf_addf(out, "%c%s", signs[f->effect], f->name);
	if (!f->id && has_lines(c->path))
		add_changed_line(out, u, h, c);
	if (f->id && !hidden_has(hidden, f->id) &&
	    oplog_read_bytes(&u->store->repo, h,
			     c->after ? c->after : c->before, &text,
			     NULL) == 1) {
		const char *line = first_line(&text, c->path, &u->arena);

		if (line)
			buf_addf(out, ": %s", line);
	}
	if (u->n > 1)
		buf_addf(out, ", %zu more", u->n - 1);
	buf_release(&text);
}

/* Append OP, an operation of H, as a line for people. NEXT: 'co undo' undoes
 * it. */
static void add_text(struct buf *out, struct undo_text *u,
		     const struct operations *h, const struct hidden *hidden,
		     const struct oplog_op *op, bool next, bool local)
{
	size_t column;

	buf_addf(out, "%c %lld  ", next ? '*' : ' ', (long long)op->number);
	column = out->len + TIME_COLUMNS;
	add_time(out, op, local);
	buf_adds(out, "  ");
	while (out->len < column)
		buf_addc(out, ' ');
	add_command(out, op);
	if (op->undoes)
		buf_addf(out, " of %lld", (long long)op->undoes);
	buf_adds(out, op->undone ? " (undone)  " : "  ");
	add_files(out, u, h, hidden, op);
	buf_addc(out, '\n');
}

/* Append the newest MOST operations of H for people. */
static void list_text(struct store *s, const struct operations *h,
		      const struct hidden *hidden, size_t most, bool local,
		      struct buf *out)
{
	struct undo_text u = {.store = s};
	bool found = false;

	for (size_t i = 0; i < h->n && i < most; i++) {
		const bool next = !found && undo_is_next(h, &h->ops[i], false);

		add_text(out, &u, h, hidden, &h->ops[i], next, local);
		found = found || next;
	}
	undo_text_release(&u);
}

int undo_list(struct store *s, size_t most, enum operation_form form,
	      bool local, struct buf *out, struct err *e)
{
	struct hidden hidden = {0};
	struct arena a = {0};
	struct operations h;
	int r = undo_log(s, most, &a, &h, e);

	if (!r)
		r = hidden_load(&hidden, s, e);
	if (!r && form == OPERATION_TEXT)
		list_text(s, &h, &hidden, most, local, out);
	for (size_t i = 0; !r && form != OPERATION_TEXT && i < h.n && i < most;
	     i++)
		(form == OPERATION_JSON ? add_json : add_line)(out, &h.ops[i],
							       &hidden);
	hidden_release(&hidden);
	arena_release(&a);
	return r;
}
