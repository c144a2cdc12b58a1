/* check.c: folders are read in the order of names, so that two people see the
 * same list; what one folder needs is kept in a struct pass, what one file
 * needs is forgotten with the next.
 */
#include "porcelain/check.h"

#include "base/utf8.h"
#include "repo/schema.h"
#include "repo/settings.h"
#include "sys/file.h"
#include "text/sanitize.h"
#include "text/secrets.h"

#include <unistd.h>

/* An entry of a folder. */
struct entry {
	const char *name;
	enum file_kind kind;
};

/* A readable memory of memories/, which claims its id. */
struct claim {
	int64_t id;
	struct instant at;
	const char *name;
};

/* One pass: where it stands and what it found. */
struct pass {
	struct store *store;
	struct secrets *secrets;
	struct faults *faults;
	struct buf path; /* of the folder being read */
	bool drafts;	 /* that is the one */
	struct arena names;
	struct entry *entries;
	size_t n, cap;
	const char *name;     /* of the file being read, one of NAMES */
	struct arena scratch; /* of the file being read */
	struct claim *claims;
	size_t nclaims, capclaims;
};

/* What a file of a folder is held to. */
typedef void check_fn(struct pass *p, const char *path, const struct buf *text);

static const char *keep(struct pass *p, const char *s)
{
	const size_t size = strlen(s) + 1;

	return memcpy(spool_alloc(&p->faults->texts, size), s, size);
}

/* REMEDY is kept as it is, the others are copied. */
static void add_fault(struct pass *p, const char *kind, const char *path,
		      const char *text, const char *remedy)
{
	struct faults *f = p->faults;

	f->items = mem_grow(f->items, f->n, &f->cap, sizeof(*f->items));
	f->items[f->n++] = (struct fault){kind,		 keep(p, path), NULL,
					  keep(p, text), remedy,	false};
}

static int note_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct pass *p = ctx;

	p->entries = mem_grow(p->entries, p->n, &p->cap, sizeof(*p->entries));
	p->entries[p->n++] =
		(struct entry){arena_strdup(&p->names, name), kind};
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
	buf_cut(&p->path, 0);
	buf_adds(&p->path, path);
	arena_reset(&p->names);
	p->n = 0;
	if (file_walk(dir, path, note_entry, p, e) < 0)
		return -1;
	if (p->n)
		qsort(p->entries, p->n, sizeof(*p->entries), by_name);
	return 0;
}

static const char *join(struct pass *p, const char *name)
{
	return arena_printf(&p->scratch, "%s/%s", p->path.p, name);
}

/* Report ENTRY, which is no file of ours for the reason WHAT. */
static void add_stray(struct pass *p, const struct entry *entry,
		      const char *what)
{
	const char *path = join(p, entry->name);
	bool link = entry->kind == FILE_LINK;

	if (link)
		what = "a link, which is never followed";
	add_fault(p, link ? "link" : "stray", path,
		  arena_printf(&p->scratch, "'%s': %s", path, what),
		  link ? "put the file itself in its place"
		       : "move it elsewhere");
}

/* Report what is no plain file, or does not belong; true if ENTRY can be read.
 */
static bool may_read(struct pass *p, const struct entry *entry)
{
	const size_t len = strlen(entry->name);

	if (entry->name[0] == '.')
		return false;
	if (entry->kind == FILE_FOLDER)
		add_stray(p, entry, "a folder among files");
	else if (entry->kind != FILE_REGULAR)
		add_stray(p, entry, "not a regular file");
	else if (len < 4 || strcmp(entry->name + len - 3, ".md") != 0)
		add_stray(p, entry, "its name does not end in .md");
	else
		return true;
	return false;
}

/* The place of the byte at OFFSET of TEXT, as sentences begin. */
static const char *place(struct pass *p, const char *path,
			 const struct buf *text, size_t offset)
{
	struct frontmatter fm;
	int line, col;

	frontmatter_split(&fm, buf_str(text), text->len);
	frontmatter_place(&fm, offset, &line, &col);
	return arena_printf(&p->scratch, "'%s':%d:%d", path, line, col);
}

/* The offset of the first line that git leaves where it could not merge, or
 * the length of TEXT. */
static size_t find_conflict(const struct buf *text)
{
	static const char mark[] = "<<<<<<< ";
	const char *start = buf_str(text), *p = start;

	while ((p = memmem(p, text->len - (size_t)(p - start), mark,
			   sizeof(mark) - 1))) {
		if (p == start || p[-1] == '\n')
			return (size_t)(p - start);
		p++;
	}
	return text->len;
}

/* Report secrets, one a line: what one looks like stays between us. */
static void check_secrets(struct pass *p, const char *path,
			  const struct buf *text)
{
	const char *start = buf_str(text);
	struct secret found;
	size_t from = 0;
	struct err e;
	int r;

	while ((r = secrets_find(p->secrets, start, text->len, from, &found,
				 &e)) > 0) {
		add_fault(p, "secret", path,
			  arena_printf(&p->scratch,
				       "%s: looks like a secret: %s",
				       place(p, path, text, found.start),
				       found.rule),
			  "take it out and revoke it: git keeps what was "
			  "committed");
		from = found.end + strcspn(start + found.end, "\n");
	}
	if (r < 0)
		add_fault(p, "unreadable", path, e.text,
			  "look for secrets in it by hand");
}

/* Report bytes that are no UTF-8, characters that nobody sees, and what a
 * merge left behind. */
static void check_text(struct pass *p, const char *path, const struct buf *text)
{
	static const char bom[] = "\xEF\xBB\xBF";
	size_t bad = utf8_check(buf_str(text), text->len), skip, at;
	uint32_t c = 0;

	check_secrets(p, path, text);
	if (bad < text->len) {
		add_fault(p, "encoding", path,
			  arena_printf(&p->scratch, "%s: not UTF-8",
				       place(p, path, text, bad)),
			  "convert the file to UTF-8");
		return;
	}
	skip = strncmp(buf_str(text), bom, 3) ? 0 : 3;
	at = skip +
	     sanitize_find_hidden(buf_str(text) + skip, text->len - skip, &c);
	if (at < text->len)
		add_fault(p, "hidden", path,
			  arena_printf(&p->scratch,
				       "%s: hidden character U+%04X",
				       place(p, path, text, at), (unsigned)c),
			  "remove it, unless you know what it is for");
	at = find_conflict(text);
	if (at < text->len)
		add_fault(p, "conflict", path,
			  arena_printf(&p->scratch, "%s: an unresolved merge",
				       place(p, path, text, at)),
			  "choose what shall stand, with an editor");
}

/* A draft's id is provisional: it doubles nothing. */
static void add_claim(struct pass *p, const struct record *r)
{
	if (p->drafts)
		return;
	p->claims = mem_grow(p->claims, p->nclaims, &p->capclaims,
			     sizeof(*p->claims));
	p->claims[p->nclaims++] = (struct claim){r->id, r->at, p->name};
}

/* Report the memory at PATH, which cannot be read for the reason WHY. */
static void add_broken(struct pass *p, const char *path, const struct buf *text,
		       const struct err *why)
{
	const char *remedy = "correct it with 'co edit PATH'";
	struct frontmatter fm;

	frontmatter_split(&fm, buf_str(text), text->len);
	if (fm.present)
		add_fault(p, "frontmatter", path, why->text, remedy);
	else if (!strncmp(fm.text + fm.body, "---", 3))
		add_fault(p, "frontmatter", path,
			  arena_printf(&p->scratch,
				       "'%s':1:1: frontmatter is not closed",
				       path),
			  "end it with a line of ---");
	else
		add_fault(p, p->drafts ? "frontmatter" : "plain", path,
			  arena_printf(&p->scratch, "'%s':1:1: no frontmatter",
				       path),
			  p->drafts ? remedy
				    : "'co knowledge --check --fix' gives it "
				      "id and date");
}

static void check_memory(struct pass *p, const char *path,
			 const struct buf *text)
{
	struct record r;
	struct err e;

	if (!record_read(&r, buf_str(text), text->len, path,
			 p->store->repo.root.scope, &p->scratch, &e))
		add_claim(p, &r);
	else
		add_broken(p, path, text, &e);
	check_text(p, path, text);
}

/* Articles have fields of their own. */
static void check_article(struct pass *p, const char *path,
			  const struct buf *text)
{
	struct frontmatter fm;
	struct err e;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, &p->scratch,
			      &e) < 0 ||
	    schema_check(SCHEMA_ARTICLE, &fm, path, &e) < 0)
		add_fault(p, "frontmatter", path, e.text,
			  "correct it with an editor");
	check_text(p, path, text);
}

static void add_unreadable(struct pass *p, const char *path,
			   const struct err *why)
{
	struct faults *f = p->faults;

	add_fault(p, "unreadable", path, why->text,
		  "see to it that it can be read");
	f->items[f->n - 1].refused = why->code == ERR_SYSTEM;
}

/* Hold each file of the folder NAME of the store to CHECK. */
static int check_folder(struct pass *p, const char *name, check_fn *check,
			struct err *e)
{
	const char *path;
	struct buf text = {0};
	struct err why;
	int dir, r = layout_open(&p->store->repo, name, &dir, &why);

	/* What is no folder is reported by check_top(). */
	if (r == 0 || (r < 0 && why.code == ERR_DATA))
		return 0;
	if (r < 0) {
		*e = why;
		return -1;
	}
	path = layout_path(&p->store->repo, name, &p->scratch);
	r = list(p, dir, path, e);
	for (size_t i = 0; !r && i < p->n; i++) {
		const char *file;
		int found;

		arena_reset(&p->scratch);
		p->name = p->entries[i].name;
		file = join(p, p->name);
		if (!may_read(p, &p->entries[i]))
			continue;
		found = file_read(dir, p->name, file, STORE_FILE_MAX, &text,
				  &why);
		if (found > 0)
			check(p, file, &text);
		else if (found < 0)
			add_unreadable(p, file, &why);
	}
	close(dir);
	buf_release(&text);
	return r;
}

/* By id; the one that stays first, then those that move, in order. */
static int by_claim(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int order;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	order = instant_cmp(x->at, y->at);
	return order ? order : strcmp(x->name, y->name);
}

static void check_doubles(struct pass *p)
{
	const struct claim *stays = p->claims;

	if (p->nclaims)
		qsort(p->claims, p->nclaims, sizeof(*p->claims), by_claim);
	for (size_t i = 1; i < p->nclaims; i++) {
		const struct claim *c = &p->claims[i];
		const char *path, *other;

		if (c->id != stays->id) {
			stays = c;
			continue;
		}
		arena_reset(&p->scratch);
		path = join(p, c->name);
		other = join(p, stays->name);
		add_fault(p, "double-id", path,
			  arena_printf(&p->scratch,
				       "'%s': id %lld is also that of '%s'",
				       path, (long long)c->id, other),
			  "'co knowledge --check --fix' renumbers it");
		p->faults->items[p->faults->n - 1].other = keep(p, other);
	}
	p->nclaims = 0;
}

/* What may lie in knowledge/ beside each other. */
static bool belongs(const struct entry *entry)
{
	static const char *const files[] = {
		"facts.md",	"decisions.md", "questions.md", "tasks.md",
		"playbooks.md", "digest.md",	"ledger.json"};
	static const char *const folders[] = {
		"memories", "drafts",	   "trash",  "articles",
		"files",    "attachments", "prompts"};
	const bool folder = entry->kind == FILE_FOLDER;
	const char *const *names = folder ? folders : files;
	const size_t n = folder ? ARRAY_LEN(folders) : ARRAY_LEN(files);

	if (!strcmp(entry->name, "context.md"))
		return true; /* check_context() says what else it is */
	if (!folder && entry->kind != FILE_REGULAR)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(entry->name, names[i]))
			return true;
	}
	return entry->name[0] == '.' && !folder;
}

static int check_top(struct pass *p, struct err *e)
{
	if (list(p, p->store->repo.fd, p->store->repo.path, e) < 0)
		return -1;
	for (size_t i = 0; i < p->n; i++) {
		if (!belongs(&p->entries[i]))
			add_stray(p, &p->entries[i], "does not belong here");
	}
	return 0;
}

/* The complaints of a reader about its file. */
struct complaints {
	struct pass *pass;
	const char *kind, *path, *remedy;
};

static void take_complaint(void *ctx, const struct err *e)
{
	const struct complaints *c = ctx;
	const char *text = e->text;

	if (!strncmp(text, "WARNING: ", 9) || !strncmp(text, "ERROR: ", 7))
		text = strchr(text, ' ') + 1;
	add_fault(c->pass, c->kind, c->path, text, c->remedy);
}

static void check_context(struct pass *p)
{
	const enum scope scope = p->store->repo.root.scope;
	struct complaints c = {
		p, "context",
		arena_printf(&p->scratch, "%s/context.md", p->store->repo.path),
		scope == SCOPE_GLOBAL
			? "change it with 'co context --edit --global'"
			: "change it with 'co context --edit'"};
	const struct report report = {take_complaint, &c};
	const size_t before = p->faults->n;
	struct buf text = {0};
	struct context context;
	struct err why;
	int found;

	context_load(&context, CONTEXT_WANT(scope), &report);
	context_budgets(&context, &report);
	context_release(&context);
	found = file_read(p->store->repo.fd, "context.md", c.path,
			  CONTEXT_FILE_MAX, &text, &why);
	if (found > 0)
		check_text(p, c.path, &text);
	else if (found < 0 && p->faults->n == before)
		take_complaint(&c, &why);
	buf_release(&text);
}

static void check_settings(struct pass *p)
{
	const struct root *root = &p->store->repo.root;
	const bool user = root->scope == SCOPE_GLOBAL;
	struct complaints c = {
		p, "settings",
		arena_printf(&p->scratch, "%s/settings.json", root->path),
		"change it: see co-settings(5)"};
	const struct report report = {take_complaint, &c};

	settings_load(user ? root->fd : -1, root->path, user ? -1 : root->fd,
		      root->path, &p->scratch, &report);
}

int check_store(struct store *s, struct faults *out, struct err *e)
{
	struct pass p = {.store = s, .faults = out};
	int r = -1;

	if (s->repo.fd < 0)
		return 0;
	p.secrets = secrets_new();
	if (check_folder(&p, "memories", check_memory, e) < 0)
		goto out;
	check_doubles(&p);
	p.drafts = true;
	if (check_folder(&p, "drafts", check_memory, e) < 0 ||
	    check_folder(&p, LAYOUT_SHARED, check_memory, e) < 0 ||
	    check_folder(&p, "articles", check_article, e) < 0 ||
	    check_top(&p, e) < 0)
		goto out;
	check_context(&p);
	check_settings(&p);
	r = 0;
out:
	secrets_free(p.secrets);
	free(p.entries);
	free(p.claims);
	buf_release(&p.path);
	arena_release(&p.names);
	arena_release(&p.scratch);
	return r;
}

void check_release(struct faults *f)
{
	free(f->items);
	spool_release(&f->texts);
	*f = (struct faults){0};
}
