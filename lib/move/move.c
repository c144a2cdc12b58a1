/* move.c: see move.h. */
#include "move/move.h"

#include "evidence/cites.h"
#include "repo/settings.h"
#include "store/ids.h"
#include "store/journal.h"
#include "store/save.h"
#include "sys/file.h"

#include <fcntl.h>

/* Keys about the store or work tree that the memory leaves; they are removed. */
#define LEFT_HERE "formerly|supersedes|worktree"

static bool is_user(const struct store *s)
{
	return s->repo.root.scope == SCOPE_GLOBAL;
}

/* Return true if both stores are of the same project, perhaps in two work trees or
 * clones. */
static bool is_same_project(struct store *from, struct store *to)
{
	struct project x, y;

	return !is_user(from) && !is_user(to) &&
	       project_read(&x, from->repo.root.fd, from->repo.root.path) &&
	       project_read(&y, to->repo.root.fd, to->repo.root.path) &&
	       !strcmp(x.id, y.id);
}

int move_check(struct store *from, struct store *to, struct err *e)
{
	const struct root *x = &from->repo.root, *y = &to->repo.root;
	struct stat one, other;
	bool team;

	if (x->fd < 0 || y->fd < 0)
		return 0;
	if (fstat(x->fd, &one) < 0 || fstat(y->fd, &other) < 0)
		return err_sys(e, "cannot look at '%s'", y->path);
	if (one.st_dev == other.st_dev && one.st_ino == other.st_ino)
		return err_set(e, ERR_USAGE, "the memory is already in '%s'",
			       y->path);
	if (is_same_project(from, to))
		return err_set(e, ERR_USAGE,
			       "'%s' belongs to the same project: git copies "
			       "memories there",
			       y->path);
	return format_check(y->fd, y->path, is_user(to), &team, e);
}

int move_lock(struct store *from, struct store *to, struct err *e)
{
	struct store *first = from, *second = to;
	struct stat x, y;

	if (fstat(from->repo.fd, &x) < 0 || fstat(to->repo.fd, &y) < 0)
		return err_sys(e, "cannot look at '%s'", to->repo.path);
	if (x.st_dev > y.st_dev ||
	    (x.st_dev == y.st_dev && x.st_ino > y.st_ino)) {
		first = to;
		second = from;
	}
	if (store_lock(first, e) < 0)
		return -1;
	if (store_lock(second, e) == 0)
		return 0;
	store_unlock(first);
	return -1;
}

int move_begin(struct store *from, struct store *to, struct err *e)
{
	bool made;

	if (store_make(from, &made, e) < 0 || store_make(to, &made, e) < 0 ||
	    move_check(from, to, e) < 0)
		return -1;
	return move_lock(from, to, e);
}

void move_end(struct store *from, struct store *to)
{
	store_unlock(to);
	store_unlock(from);
}

/* A reference `[[7]]` or `[[g7]]` in a text. */
struct mention {
	const char *start, *end;
	int64_t id;
	bool user; /* with a g */
};

/* Set M to the next reference between P and END. Return false if there is none. */
static bool next_mention(const char *p, const char *end, struct mention *m)
{
	while ((p = memmem(p, (size_t)(end - p), "[[", 2))) {
		const char *digits = p + 2 + (p + 2 < end && p[2] == 'g');
		const char *q = digits;

		*m = (struct mention){.start = p, .user = digits[-1] == 'g'};
		for (; q < end && *q >= '0' && *q <= '9'; q++) {
			if (m->id <= SCHEMA_ID_MAX)
				m->id = 10 * m->id + *q - '0';
		}
		if (q > digits && end - q >= 2 && !memcmp(q, "]]", 2)) {
			m->end = q + 2;
			return true;
		}
		p += 2;
	}
	return false;
}

/* Append the text from P to END of the memory WAS of FROM, with its references
 * rewritten for TO, where the memory has ID. */
static int rewrite_references(struct store *from, struct store *to,
			      const struct record *was, int64_t id,
			      const char *p, const char *end, struct buf *out,
			      struct err *e)
{
	struct mention m;

	for (; next_mention(p, end, &m); p = m.end) {
		const bool users = m.user || is_user(from);

		buf_add(out, p, (size_t)(m.start - p));
		if (m.id == was->id && users == is_user(from))
			buf_addf(out, "[[%s%lld]]",
				 m.user && is_user(to) ? "g" : "",
				 (long long)id);
		else if (users)
			buf_addf(out, "[[g%lld]]", (long long)m.id);
		else
			return err_set(e, ERR_DATA,
				       "'%s': its text names memory %lld, "
				       "which is another memory there: remove "
				       "[[%lld]] with 'co edit'",
				       was->path, (long long)m.id,
				       (long long)m.id);
	}
	buf_add(out, p, (size_t)(end - p));
	return 0;
}

/* Return 0 if the keys of R can be correct in another store, or -1. */
static int check_keys(const struct record *r, struct arena *a, struct err *e)
{
	struct cites cites = {0};
	struct value v;

	if (r->conflict)
		return err_set(e, ERR_DATA,
			       "'%s':%zu:1: an unresolved merge: run 'co "
			       "resolve%s' first",
			       r->path, r->conflict,
			       record_scope_option(r->scope));
	if (value_get(r->frontmatter, "replaces"))
		return err_set(e, ERR_DATA,
			       "'%s' replaces a memory of this store: accept "
			       "or reject it first, with 'co review%s'",
			       r->path, record_scope_option(r->scope));
	if (cites_find(r, a, &v) == 1)
		cites_read(&cites, &v, r->path, a, NULL);
	for (size_t i = 0; i < cites.n; i++) {
		if (!cites.items[i].url && !cites.items[i].commit)
			return err_set(e, ERR_DATA,
				       "'%s' cites '%s', a file of this "
				       "project: remove it from 'cites' with "
				       "'co edit'",
				       r->path, cites.items[i].path);
	}
	return 0;
}

int move_text(struct store *from, struct store *to, const struct record *was,
	      int64_t id, struct buf *out, struct err *e)
{
	const struct value is = value_int(id);
	const char *path = was->path;
	struct arena a = {0};
	struct buf text = {0};
	struct frontmatter fm;
	int result = -1;

	if (check_keys(was, &a, e) < 0)
		goto out;
	buf_add(&text, was->bytes, was->nbytes);
	if (compose_keys(&text, path, "id", &is, e) < 0 ||
	    compose_keys(&text, path, LEFT_HERE, NULL, e) < 0)
		goto out;
	frontmatter_split(&fm, buf_str(&text), text.len);
	buf_add(out, text.p, fm.body);
	result = rewrite_references(from, to, was, id, text.p + fm.body,
				    text.p + text.len, out, e);
out:
	buf_release(&text);
	arena_release(&a);
	return result;
}

/* Search AREA of TO for the file that WAS, of FROM, would become there. Return 1
 * with the file in R; 0 if no file has the same content; or -1, with ERR_DATA if one
 * has it that differs in other respects. */
static int find_there(struct store *from, struct store *to,
		      const struct record *was, enum area area, struct arena *a,
		      struct record *r, struct err *e)
{
	struct buf text = {0};
	int found = duplicates_find_exact(to, area, was->content,
					  was->content_len, a, r, e);

	if (found == 1)
		found = store_read(to, r->path, a, r, e);
	if (found == 1 && move_text(from, to, was, r->id, &text, e) < 0)
		found = -1;
	if (found == 1 &&
	    (text.len != r->nbytes || memcmp(text.p, r->bytes, text.len) != 0))
		found = err_set(e, ERR_DATA,
				"'%s' has the same text: 'co forget' one of "
				"the two",
				r->path);
	buf_release(&text);
	return found;
}

/* Write the memory WAS, at P, to TO, and then perform J, which removes it from FROM.
 * If the process is killed, it is removed only if the file in TO exists. */
static int write_there(struct store *to, struct journal *j,
		       const struct record *was, const struct layout_place *p,
		       struct record *r, struct err *e)
{
	struct store_new n = {.file = p->name, .draft = p->draft};
	struct buf text = {0};
	const char *path;
	int64_t id;
	int result = -1;

	if (store_next_id(to, &id, e) < 0 ||
	    move_text(j->s, to, was, id, &text, e) < 0)
		goto out;
	path = save_path(to, n.draft, p->name, id, j->a);
	if (journal_begin(j, path, e) < 0)
		goto out;
	n.content = text.p;
	n.len = text.len;
	result = save_memory(to, &n, j->a, r, e);
	if (result < 0)
		journal_end(j, false, NULL);
	else
		result = journal_end(j, true, e);
out:
	buf_release(&text);
	return result;
}

int move_one(struct store *from, struct store *to, const struct record *was,
	     struct arena *a, struct record *r, struct err *e)
{
	struct journal j = {.s = from, .a = a};
	struct journal_step step = {.to_trash = true};
	const char *path = was->path;
	struct layout_place p;
	int there;

	if (!layout_parse(&from->repo, path, a, &p) ||
	    (p.area != AREA_MEMORIES && p.area != AREA_DRAFTS))
		return err_set(e, ERR_USAGE,
			       "'%s' is not a memory or a draft: only these "
			       "can move",
			       path);
	if (p.area == AREA_DRAFTS && shared_path(&from->repo.root) &&
	    shared_path(&to->repo.root) &&
	    !strcmp(shared_path(&from->repo.root), shared_path(&to->repo.root)))
		return err_set(e, ERR_USAGE, "both stores share the draft '%s'",
			       path);
	there = find_there(from, to, was, p.area, a, r, e);
	step.path = operation_path(from, path, a);
	if (there < 0 || journal_read(&j, path, &step.was, e) < 0)
		return -1;
	journal_add(&j, step);
	/* Each log has the number of the operation in the other. */
	if (!there) {
		operation_other(to, from->repo.root.path, 0);
		operation_begin(to);
	}
	operation_other(from, to->repo.root.path,
			there ? 0 : operation_number(to));
	if (there ? journal_apply(&j, e) < 0
		  : write_there(to, &j, was, &p, r, e) < 0)
		return -1;
	ids_take(from, p.area, was->id, path);
	return there;
}

/* The context of add_references(). */
struct finding {
	struct store *s;
	struct move_references *out;
	struct arena *a;
};

static void add_reference(const struct finding *f, int64_t id,
			  const struct record *r, const char **path)
{
	struct move_references *out = f->out;

	if (!*path)
		*path = arena_strdup(f->a, r->path);
	*MEM_ADD(out->items, out->n, out->cap) =
		(struct move_reference){.id = id, .path = *path};
}

static int add_references(void *ctx, const struct record *r)
{
	const struct finding *f = ctx;
	const char *p = r->content, *end = p + r->content_len;
	const char *path = NULL;
	const struct value *item;
	struct arena a = {0};
	struct mention m;
	struct value v;

	if (record_keys_find(&r->keys, "replaces", &a, &v) == 1) {
		for (size_t i = 0; (item = value_item_or_self(&v, i)); i++) {
			if (item->kind == VALUE_INT)
				add_reference(f, item->u.i, r, &path);
		}
	}
	arena_release(&a);
	for (; next_mention(p, end, &m); p = m.end) {
		if (!m.user || is_user(f->s))
			add_reference(f, m.id, r, &path);
	}
	return 0;
}

static int compare_references(const void *a, const void *b)
{
	const struct move_reference *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return strcmp(x->path, y->path);
}

int move_find_references(struct store *s, struct move_references *out,
			 struct arena *a, struct err *e)
{
	struct finding f = {s, out, a};

	if (store_each(s, AREA_MEMORIES, add_references, &f, e) < 0 ||
	    store_each(s, AREA_DRAFTS, add_references, &f, e) < 0)
		return -1;
	MEM_SORT(out->items, out->n, compare_references);
	return 0;
}

void move_references_to(const struct move_references *all,
			const struct record *r, struct strings *out)
{
	size_t i = 0, end = all->n;
	const char *last = r->path;

	while (i < end) {
		const size_t middle = i + (end - i) / 2;

		if (all->items[middle].id < r->id)
			i = middle + 1;
		else
			end = middle;
	}
	for (; i < all->n && all->items[i].id == r->id; i++) {
		const char *path = all->items[i].path;

		if (strcmp(path, last) != 0 && strcmp(path, r->path) != 0 &&
		    !file_is_gone(AT_FDCWD, path, false))
			strings_add(out, path);
		last = path;
	}
}

/* Return true if NAME is the id of P, or the name of its directory. */
static bool is_called(const struct known_project *p, const char *name)
{
	return !strcmp(p->id, name) || !strcmp(strrchr(p->path, '/') + 1, name);
}

/* Return 0, or -1 if the id of P is ambiguous: another directory of ALL, not in a work
 * tree of the same clone, has it too. */
static int check_unambiguous(const struct known_projects *all,
			     const struct known_project *p, struct err *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct known_project *q = &all->items[i];

		if (!strcmp(q->id, p->id) && known_project_stands(q) &&
		    !known_project_is_same(q->path, p->path))
			return err_set(
				e, ERR_USAGE,
				"two directories have the project id '%s': "
				"name '%s' or '%s'",
				p->id, p->path, q->path);
	}
	return 0;
}

/* Open the known project NAME. Of several work trees of one clone, open the one that
 * was written to last. Return 1; 0 if there is none; or -1. If there is one that
 * cannot be opened, return 0 and set *GONE to it. */
static int open_known(struct store *s, const char *name, const struct report *r,
		      struct arena *a, struct known_project *gone,
		      struct err *e)
{
	const struct known_project *found = NULL;
	struct known_projects all;
	int opened = 0;

	if (known_projects_read(&all, a, e) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		struct known_project *p = &all.items[i];

		if (!is_called(p, name))
			continue;
		if (found && strcmp(found->id, p->id) != 0) {
			if (opened)
				store_close(s);
			return err_set(e, ERR_USAGE,
				       "two projects are called '%s': name "
				       "'%s' or '%s'",
				       name, found->path, p->path);
		}
		found = opened ? found : p;
		if (!opened)
			opened = store_open_known(s, p, r, e);
		if (opened < 0)
			return -1;
	}
	if (opened && check_unambiguous(&all, found, e) < 0) {
		store_close(s);
		return -1;
	}
	if (found && !opened)
		*gone = *found;
	return opened;
}

int move_open_target(struct store *s, const char *name, const struct report *r,
		     struct arena *a, struct err *e)
{
	struct known_project gone = {0};
	int found = 0;
	char *path;

	if (!strcmp(name, "global"))
		return store_open(s, SCOPE_GLOBAL, r, e);
	if (!strchr(name, '/') && *name != '.')
		found = open_known(s, name, r, a, &gone, e);
	if (found)
		return found < 0 ? -1 : 0;
	path = realpath(name, NULL);
	/* The manuals call it the user store. */
	if (!path && !gone.path && !strcmp(name, "user"))
		return store_open(s, SCOPE_GLOBAL, r, e);
	if (!path && gone.path && gone.gone)
		return err_set(e, ERR_USAGE,
			       "the project '%s' is no longer at '%s': give "
			       "its directory",
			       name, gone.path);
	if (!path && gone.path)
		return err_set(e, ERR_USAGE,
			       "the project '%s' at '%s' does not share its "
			       "memories: give its directory to move there",
			       name, gone.path);
	if (!path)
		return err_set(
			e, ERR_USAGE,
			"'%s' is neither a directory nor a known project: "
			"'co move --to=global' means the user store, '--to=.' "
			"this project",
			name);
	found = store_open_at(s, path, r, e);
	free(path);
	if (!found)
		err_set(e, ERR_USAGE,
			"'%s' has no store: 'co -C %s init' makes one", name,
			name);
	return found == 1 ? 0 : -1;
}
