/* check.c: folders are read in the order of names, so that two people see the
 * same list; what one folder needs is kept in a struct pass.
 */
#include "check.h"

#include "clean.h"
#include "file.h"
#include "schema.h"
#include "settings.h"
#include "utf8.h"

#include <unistd.h>

/* An entry of a folder. */
struct entry {
	const char *name;
	enum file_kind kind;
};

/* One pass: where it stands and what it found. */
struct pass {
	struct store *store;
	struct arena *arena;
	struct faults *faults;
	const char *path; /* of the folder being read */
	struct entry *entries;
	size_t n, cap;
	struct record *good; /* readable memories of memories/ */
	size_t ngood, goodcap;
};

static void add_fault(struct pass *p, const char *kind, const char *path,
		      const char *text, const char *remedy)
{
	struct faults *f = p->faults;

	f->items = mem_grow(f->items, f->n, &f->cap, sizeof(*f->items));
	f->items[f->n++] = (struct fault){kind, path, text, remedy};
}

static int note_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct pass *p = ctx;

	p->entries = mem_grow(p->entries, p->n, &p->cap, sizeof(*p->entries));
	p->entries[p->n++] = (struct entry){arena_strdup(p->arena, name), kind};
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* List the folder DIR, called PATH, by name. */
static int list(struct pass *p, int dir, const char *path, struct err *e)
{
	p->path = path;
	p->n = 0;
	if (file_walk(dir, path, note_entry, p, e) < 0)
		return -1;
	if (p->n)
		qsort(p->entries, p->n, sizeof(*p->entries), by_name);
	return 0;
}

static const char *join(struct pass *p, const char *name)
{
	return arena_printf(p->arena, "%s/%s", p->path, name);
}

static bool is_markdown(const char *name)
{
	size_t len = strlen(name);

	return len > 3 && !strcmp(name + len - 3, ".md");
}

/* Report what is no plain file, or does not belong; true if ENTRY can be read.
 */
static bool may_read(struct pass *p, const struct entry *entry)
{
	const char *path = join(p, entry->name);
	const char *what = NULL;

	if (!strcmp(entry->name, FILE_TEMP))
		add_fault(p, "leftover", path,
			  arena_printf(p->arena,
				       "'%s': left by a save that was killed",
				       path),
			  "nothing to do: the next save removes it");
	if (entry->name[0] == '.')
		return false;
	if (entry->kind == FILE_LINK)
		what = "a link is never followed";
	else if (entry->kind == FILE_FOLDER)
		what = "a folder holds no memory";
	else if (entry->kind == FILE_OTHER)
		what = "not a regular file";
	else if (!is_markdown(entry->name))
		what = "not a Markdown file (.md)";
	if (!what)
		return true;
	add_fault(p, entry->kind == FILE_LINK ? "link" : "stray", path,
		  arena_printf(p->arena, "'%s': %s", path, what),
		  entry->kind == FILE_LINK ? "put the file itself in its place"
					   : "move it out of the folder");
	return false;
}

/* Report bytes that are no UTF-8 and characters that nobody sees. */
static void check_text(struct pass *p, const char *path, const char *text,
		       size_t len)
{
	size_t bad = utf8_check(text, len), at;
	struct frontmatter fm;
	uint32_t c = 0;
	int line, col;

	frontmatter_split(&fm, text, len);
	if (bad < len) {
		frontmatter_place(&fm, bad, &line, &col);
		add_fault(p, "encoding", path,
			  arena_printf(p->arena, "'%s':%d:%d: not UTF-8", path,
				       line, col),
			  "convert the file to UTF-8");
		return;
	}
	at = len > 2 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
	at += clean_find_hidden(text + at, len - at, &c);
	if (at == len)
		return;
	frontmatter_place(&fm, at, &line, &col);
	add_fault(p, "hidden", path,
		  arena_printf(p->arena, "'%s':%d:%d: hidden character U+%04X",
			       path, line, col, (unsigned)c),
		  "remove it, unless you know what it is for");
}

static void keep_good(struct pass *p, const struct record *r)
{
	p->good = mem_grow(p->good, p->ngood, &p->goodcap, sizeof(*p->good));
	p->good[p->ngood] = record_copy(r, p->arena);
	p->good[p->ngood].path = arena_strdup(p->arena, r->path);
	p->ngood++;
}

static bool is_unclosed(const struct frontmatter *fm)
{
	return !fm->present && fm->len >= fm->body + 3 &&
	       !memcmp(fm->text + fm->body, "---", 3);
}

static void check_memory(struct pass *p, const char *path,
			 const struct buf *text)
{
	struct frontmatter fm;
	struct record r;
	struct err e;

	frontmatter_split(&fm, buf_str(text), text->len);
	if (!record_read(&r, buf_str(text), text->len, path,
			 p->store->root.scope, p->arena, &e))
		keep_good(p, &r);
	else if (is_unclosed(&fm))
		add_fault(p, "frontmatter", path,
			  arena_printf(p->arena,
				       "'%s':1:1: frontmatter is not closed",
				       path),
			  "end it with a line of ---");
	else if (!fm.present)
		add_fault(p, "plain", path,
			  arena_printf(p->arena, "'%s':1:1: no frontmatter",
				       path),
			  "'co knowledge --check --fix' gives it id and date");
	else
		add_fault(p, "frontmatter", path,
			  arena_strdup(p->arena, e.text),
			  "correct it with an editor");
}

/* Check the memories of the folder NAME of the store. */
static int check_folder(struct pass *p, const char *name, struct err *e)
{
	const char *path =
		arena_printf(p->arena, "%s/%s", p->store->path, name);
	struct buf text = {0};
	struct err bad;
	int dir, r = file_open_dir(p->store->fd, name, path, &dir, e);

	if (r <= 0)
		return r;
	r = list(p, dir, path, e);
	for (size_t i = 0; !r && i < p->n; i++) {
		const char *file = join(p, p->entries[i].name);

		if (!may_read(p, &p->entries[i]))
			continue;
		if (file_read(dir, p->entries[i].name, file, STORE_FILE_MAX,
			      &text, &bad) < 0) {
			add_fault(p, "unreadable", file,
				  arena_strdup(p->arena, bad.text),
				  "see to it that it can be read");
			continue;
		}
		check_memory(p, file, &text);
		check_text(p, file, buf_str(&text), text.len);
	}
	close(dir);
	buf_release(&text);
	return r;
}

/* By id; the one that stays first, then those that move, in order. */
static int by_claim(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	order = instant_cmp(x->at, y->at);
	return order ? order : strcmp(x->path, y->path);
}

static void check_doubles(struct pass *p)
{
	if (p->ngood)
		qsort(p->good, p->ngood, sizeof(*p->good), by_claim);
	for (size_t i = 1; i < p->ngood; i++) {
		if (p->good[i].id != p->good[i - 1].id)
			continue;
		add_fault(p, "double-id", p->good[i].path,
			  arena_printf(p->arena,
				       "'%s': id %lld is also that of '%s'",
				       p->good[i].path,
				       (long long)p->good[i].id,
				       p->good[i - 1].path),
			  "'co knowledge --check --fix' renumbers it");
	}
}

/* What may lie in knowledge/ beside each other. */
static bool belongs(const struct entry *entry)
{
	static const char *const files[] = {
		"context.md", "facts.md",     "decisions.md", "questions.md",
		"tasks.md",   "playbooks.md", "digest.md",    "ledger.json"};
	static const char *const folders[] = {
		"memories", "drafts",	   "trash",  "articles",
		"files",    "attachments", "prompts"};

	for (size_t i = 0; entry->kind == FILE_REGULAR && i < ARRAY_LEN(files);
	     i++) {
		if (!strcmp(entry->name, files[i]))
			return true;
	}
	for (size_t i = 0; entry->kind == FILE_FOLDER && i < ARRAY_LEN(folders);
	     i++) {
		if (!strcmp(entry->name, folders[i]))
			return true;
	}
	return entry->name[0] == '.' && entry->kind == FILE_REGULAR;
}

static int check_top(struct pass *p, struct err *e)
{
	if (list(p, p->store->fd, p->store->path, e) < 0)
		return -1;
	for (size_t i = 0; i < p->n; i++) {
		const char *path = join(p, p->entries[i].name);
		bool link = p->entries[i].kind == FILE_LINK;

		if (belongs(&p->entries[i]))
			continue;
		add_fault(p, link ? "link" : "stray", path,
			  arena_printf(p->arena, "'%s': %s", path,
				       link ? "a link is never followed"
					    : "does not belong here"),
			  link ? "put the file itself in its place"
			       : "move it elsewhere");
	}
	return 0;
}

/* Articles have fields of their own. */
static int check_articles(struct pass *p, struct err *e)
{
	const char *path =
		arena_printf(p->arena, "%s/articles", p->store->path);
	struct buf text = {0};
	struct frontmatter fm;
	struct err bad;
	int dir, r = file_open_dir(p->store->fd, "articles", path, &dir, e);

	if (r <= 0)
		return r;
	r = list(p, dir, path, e);
	for (size_t i = 0; !r && i < p->n; i++) {
		const char *file = join(p, p->entries[i].name);

		if (!may_read(p, &p->entries[i]))
			continue;
		if (file_read(dir, p->entries[i].name, file, STORE_FILE_MAX,
			      &text, &bad) < 0 ||
		    frontmatter_parse(&fm, buf_str(&text), text.len, file,
				      p->arena, &bad) < 0 ||
		    schema_check(SCHEMA_ARTICLE, &fm, file, &bad) < 0)
			add_fault(p, "frontmatter", file,
				  arena_strdup(p->arena, bad.text),
				  "correct it with an editor");
		else
			check_text(p, file, text.p, text.len);
	}
	close(dir);
	buf_release(&text);
	return r;
}

/* The loader's and the settings' own complaints are faults of their files. */
static void take_complaint(void *ctx, const struct err *e)
{
	struct pass *p = ctx;

	add_fault(p, "context", p->path, arena_strdup(p->arena, e->text),
		  "see co-memory(5), or co-settings(5)");
}

static void check_context(struct pass *p)
{
	const struct report complaints = {take_complaint, p};
	const struct root *root = &p->store->root;
	struct buf text = {0};
	struct context c;

	p->path = arena_printf(p->arena, "%s/context.md", p->store->path);
	context_load(&c, CONTEXT_WANT(root->scope), &complaints);
	context_budgets(&c, &complaints);
	context_release(&c);
	if (file_read(p->store->fd, "context.md", p->path, CONTEXT_FILE_MAX,
		      &text, NULL) == 1)
		check_text(p, p->path, buf_str(&text), text.len);
	buf_release(&text);
	p->path = arena_printf(p->arena, "%s/settings.json", root->path);
	settings_load(root->scope == SCOPE_GLOBAL ? root->fd : -1, root->path,
		      root->scope == SCOPE_GLOBAL ? -1 : root->fd, root->path,
		      p->arena, &complaints);
}

int check_store(struct store *s, struct arena *a, struct faults *out,
		struct err *e)
{
	struct pass p = {.store = s, .arena = a, .faults = out};
	int r = -1;

	if (s->fd < 0)
		return 0;
	if (check_folder(&p, "memories", e) < 0)
		goto out;
	check_doubles(&p);
	p.ngood = 0; /* a draft's id is provisional: it doubles nothing */
	if (check_folder(&p, "drafts", e) < 0 || check_articles(&p, e) < 0 ||
	    check_top(&p, e) < 0)
		goto out;
	check_context(&p);
	r = 0;
out:
	free(p.entries);
	free(p.good);
	return r;
}
