/* check.c: directories are read in the order of file names, so that the list is
 * the same for everyone. A struct pass holds the state of the check; its
 * scratch arena is reset for each file.
 */
#include "repair/check.h"

#include "article/article.h"
#include "base/utf8.h"
#include "evidence/cites.h"
#include "history/history.h"
#include "repo/marks.h"
#include "repo/settings.h"
#include "store/ids.h"
#include "text/conflict.h"
#include "text/secrets.h"

#include <unistd.h>

/* A readable memory of memories/, which claims its id. */
struct claim {
	int64_t id;
	struct instant at;
	const char *folder; /* below knowledge/ */
	const char *name;
	bool kept; /* in the version that decides; see check.h */
};

/* A pass over the files: its position, and what it found. */
struct pass {
	struct store *store;
	struct secrets *secrets;
	struct check_faults *faults;
	struct buf path;    /* of the directory being read */
	const char *folder; /* the same below knowledge/ */
	bool numbered[100]; /* numbered directories of memories/ that exist */
	bool drafts; /* the directory is that of drafts, or the archive */
	struct arena names;
	struct file_list entries;
	const char *name;     /* the file being read, one of NAMES */
	struct arena scratch; /* of the file being read */
	struct arena claimed; /* names of claims, and their directories */
	struct claim *claims;
	size_t nclaims, capclaims;
};

/* Check the file PATH, which has TEXT. */
typedef void check_fn(struct pass *p, const char *path, const struct buf *text);

static const char *copy_string(struct check_faults *f, const char *s)
{
	const size_t size = strlen(s) + 1;

	return memcpy(spool_alloc(&f->texts, size), s, size);
}

/* Append REMEDY with PATH, at the end of a quoted command, replaced by the path. */
static void add_remedy(struct buf *out, const char *remedy, const char *path)
{
	static const char name[] = "PATH'";
	const char *at = strstr(remedy, name);

	buf_add(out, remedy, at ? (size_t)(at - remedy) : strlen(remedy));
	if (at) {
		buf_add_word(out, path);
		buf_adds(out, at + strlen(name) - 1);
	}
}

void check_add(struct check_faults *f, const char *kind, const char *path,
	       const char *text, const char *remedy)
{
	struct buf todo = {0};

	add_remedy(&todo, remedy, path);
	*MEM_ADD(f->items, f->n, f->cap) =
		(struct check_fault){kind,
				     copy_string(f, path),
				     NULL,
				     copy_string(f, text),
				     copy_string(f, buf_str(&todo)),
				     false};
	buf_release(&todo);
}

/* Call check_add() with a formatted text. */
static void PRINTF(5, 6)
	add_fault(struct pass *p, const char *kind, const char *path,
		  const char *remedy, const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	check_add(p->faults, kind, path, buf_str(&text), remedy);
	buf_release(&text);
}

#define FIX "'co knowledge --check --fix"

/* Return the remedy COMMAND, with the option for the store of P, and REST. It is
 * allocated in p->scratch. */
static const char *remedy_by(struct pass *p, const char *command,
			     const char *rest)
{
	const char *option = record_scope_option(p->store->repo.root.scope);

	return arena_printf(&p->scratch, "%s%s%s", command, option, rest);
}

/* Record that a memory has ID. Drafts are ignored: their ids are
 * provisional. */
static void add_claim(struct pass *p, const char *name, int64_t id,
		      struct instant at)
{
	if (p->drafts)
		return;
	*MEM_ADD(p->claims, p->nclaims, p->capclaims) = (struct claim){
		id, at, p->folder, arena_strdup(&p->claimed, name), false};
}

/* List the directory DIR into p->entries, sorted by name. PATH is its path. */
static int list_folder(struct pass *p, int dir, const char *path, struct err *e)
{
	buf_cut(&p->path, 0);
	buf_adds(&p->path, path);
	arena_reset(&p->names);
	return file_list(dir, path, &p->names, &p->entries, e);
}

static const char *join_path(struct pass *p, const char *name)
{
	return arena_printf(&p->scratch, "%s/%s", p->path.p, name);
}

/* Report ENTRY as a file that does not belong here, for the reason WHAT. */
static void add_stray(struct pass *p, const struct file_entry *entry,
		      const char *what)
{
	const char *path = join_path(p, entry->name);
	bool link = entry->kind == FILE_LINK;

	if (link)
		what = "a link, which is never followed";
	add_fault(p, link ? "link" : "stray", path,
		  link ? "replace the link by what it points to"
		       : "move it elsewhere",
		  "'%s': %s", path, what);
}

/* If NAME is a numbered directory of memories, record it and return true. */
static bool is_numbered(struct pass *p, const char *name)
{
	if (strcmp(p->folder, layout_name(AREA_MEMORIES)) != 0 ||
	    !layout_is_numbered(name))
		return false;
	p->numbered[(name[0] - '0') * 10 + name[1] - '0'] = true;
	return true;
}

/* Return true if ENTRY is to be read. Report entries that are not regular files
 * or do not belong here. */
static bool may_read(struct pass *p, const struct file_entry *entry)
{
	if (entry->name[0] == '.')
		return false;
	if (entry->kind == FILE_FOLDER && is_numbered(p, entry->name))
		return false;
	if (entry->kind == FILE_FOLDER)
		add_stray(p, entry, "a directory among files");
	else if (entry->kind != FILE_REGULAR)
		add_stray(p, entry, "not a regular file");
	else if (!layout_is_memory(entry->name))
		add_stray(p, entry, "its name does not end in .md");
	else
		return true;
	return false;
}

/* Return the position of the byte OFFSET of TEXT, in the form that begins a
 * message. It is allocated in p->scratch. */
static const char *place_of(struct pass *p, const char *path,
			    const struct buf *text, size_t offset)
{
	struct frontmatter fm;
	int line, col;

	frontmatter_split(&fm, buf_str(text), text->len);
	frontmatter_place(&fm, offset, &line, &col);
	return arena_printf(&p->scratch, "'%s':%d:%d", path, line, col);
}

/* Report secrets, one per line. The message names the rule, not the secret. */
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
			  "take it out and revoke it: git keeps what was "
			  "committed",
			  "%s: looks like a secret: %s",
			  place_of(p, path, text, found.start), found.rule);
		from = found.end + strcspn(start + found.end, "\n");
	}
	if (r < 0)
		add_fault(p, "unreadable", path,
			  "look for secrets in it by hand", "%s", e.text);
}

/* Report secrets, text that is not UTF-8, hidden characters and conflict
 * markers. */
static void check_text(struct pass *p, const char *path, const struct buf *text)
{
	static const char bom[] = "\xEF\xBB\xBF";
	size_t bad = utf8_check(buf_str(text), text->len), skip, at, len, line;
	uint32_t c = 0;

	check_secrets(p, path, text);
	if (bad < text->len) {
		add_fault(p, "encoding", path, "convert the file to UTF-8",
			  "%s: not UTF-8", place_of(p, path, text, bad));
		return;
	}
	skip = strncmp(buf_str(text), bom, 3) ? 0 : 3;
	at = skip +
	     sanitize_find_hidden(buf_str(text) + skip, text->len - skip, &c);
	if (at < text->len)
		add_fault(p, "hidden", path,
			  "remove it, unless you know what it is for",
			  "%s: hidden character U+%04X",
			  place_of(p, path, text, at), (unsigned)c);
	len = text->len;
	conflict_ours(buf_str(text), &len, &p->scratch, &line);
	if (line)
		add_fault(p, "conflict", path,
			  remedy_by(p, "run 'co resolve",
				    "', or remove the markers with an editor"),
			  "'%s':%zu:1: an unresolved merge", path, line);
}

/* Report the memory at PATH, which cannot be parsed. WHY is the error. */
static void add_broken(struct pass *p, const char *path, const struct buf *text,
		       const struct err *why)
{
	const char *remedy = "correct it with 'co edit PATH'";
	struct frontmatter fm;

	frontmatter_split(&fm, buf_str(text), text->len);
	if (fm.present)
		add_fault(p, "frontmatter", path, remedy, "%s", why->text);
	else if (!strncmp(fm.text + fm.body, "---", 3))
		add_fault(p, "frontmatter", path, "end it with a line of ---",
			  "'%s':1:1: frontmatter is not closed", path);
	else
		add_fault(p, p->drafts ? "frontmatter" : "plain", path,
			  p->drafts
				  ? remedy
				  : remedy_by(p, FIX, "' gives it id and date"),
			  "'%s':1:1: no frontmatter", path);
}

static void add_malformed(void *ctx, const struct err *why)
{
	struct pass *p = ctx;

	add_fault(p, "cites", join_path(p, p->name),
		  "remove it, and cite it again with 'co cite ID PATH:10-20'",
		  "%s", why->text);
}

/* Report malformed keys that hide a memory or request its review. */
static void check_marks(struct pass *p, const struct record *r)
{
	for (const struct record_key *k = record_keys_first; k->name; k++) {
		const char *wrong = marks_fault(r->frontmatter, k->name);

		if (wrong)
			add_fault(p, "field", r->path, "co edit corrects it",
				  "'%s': Field '%s' %s", r->path, k->name,
				  wrong);
	}
}

/* Report malformed citations of R. */
static void check_cites(struct pass *p, const struct record *r)
{
	const struct report report = {add_malformed, p};
	struct cites cites;
	struct value v;

	if (cites_find(r, &p->scratch, &v) == 1)
		cites_read(&cites, &v, r->path, &p->scratch, &report);
}

/* Report R if it is in memories/ although it was replaced. In a team's store
 * replaced memories stay there, where git can merge them. */
static void check_replaced(struct pass *p, const struct record *r)
{
	if (strncmp(p->folder, LAYOUT_MEMORIES, 8) != 0 ||
	    store_is_team(p->store) ||
	    !(marks_of_map(r->frontmatter, instant_now()) & MARK_REPLACED))
		return;
	add_fault(p, "replaced", r->path, remedy_by(p, FIX, "' moves it there"),
		  "'%s': it was replaced, and is not in the archive", r->path);
}

static void check_memory(struct pass *p, const char *path,
			 const struct buf *text)
{
	struct record r;
	struct err e;

	if (!record_read(&r, buf_str(text), text->len, path,
			 p->store->repo.root.scope, &p->scratch, &e)) {
		add_claim(p, p->name, r.id, r.at);
		check_cites(p, &r);
		check_marks(p, &r);
		check_replaced(p, &r);
	} else {
		add_broken(p, path, text, &e);
	}
	check_text(p, path, text);
}

/* Check an article, whose fields differ from those of memories. */
static void check_article(struct pass *p, const char *path,
			  const struct buf *text)
{
	struct frontmatter fm;
	struct err e;

	if (frontmatter_parse(&fm, buf_str(text), text->len, path, &p->scratch,
			      &e) < 0 ||
	    schema_check(SCHEMA_ARTICLE, &fm, path, &e) < 0)
		add_fault(p, "frontmatter", path, "correct it with an editor",
			  "%s", e.text);
	check_text(p, path, text);
}

static void add_unreadable(struct pass *p, const char *path,
			   const struct err *why)
{
	struct check_faults *f = p->faults;

	add_fault(p, "unreadable", path, "see to it that it can be read", "%s",
		  why->text);
	f->items[f->n - 1].refused = why->code == ERR_SYSTEM;
}

/* Check the file p->name in DIR by CHECK. */
static void check_file(struct pass *p, int dir, check_fn *check,
		       struct buf *text)
{
	const char *file = join_path(p, p->name);
	struct err why;
	const int found =
		file_read(dir, p->name, file, STORE_FILE_MAX, text, &why);

	if (found > 0)
		check(p, file, text);
	else if (found < 0)
		add_unreadable(p, file, &why);
}

/* Check each file of the directory NAME of the store by CHECK. */
static int check_folder(struct pass *p, const char *name, check_fn *check,
			struct err *e)
{
	struct buf text = {0};
	struct err why;
	int dir, r;

	r = layout_open(&p->store->repo, name, &dir, &why);
	/* A file in place of a directory is reported by check_top(). */
	if (r == 0 || (r < 0 && why.code == ERR_DATA))
		return 0;
	if (r < 0)
		return err_take(e, &why);
	p->folder = name;
	r = list_folder(p, dir, layout_path(&p->store->repo, name, &p->scratch),
			e);
	for (size_t i = 0; !r && i < p->entries.n; i++) {
		progress_step(p->store->progress, name, i, p->entries.n);
		arena_reset(&p->scratch);
		p->name = p->entries.items[i].name;
		if (may_read(p, &p->entries.items[i]))
			check_file(p, dir, check, &text);
	}
	close(dir);
	buf_release(&text);
	return r;
}

/* Check memories/ and its numbered directories. */
static int check_memories(struct pass *p, struct err *e)
{
	int r = check_folder(p, layout_name(AREA_MEMORIES), check_memory, e);

	for (unsigned i = 0; i < ARRAY_LEN(p->numbered) && !r; i++) {
		if (p->numbered[i])
			r = check_folder(
				p,
				arena_printf(&p->claimed, "%s/%02u",
					     layout_name(AREA_MEMORIES), i),
				check_memory, e);
	}
	return r;
}

/* Compare by id. Of equal ids, the memory that keeps it is first, then the
 * others in the order in which they get new ones. */
static int by_claim(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int order;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->kept != y->kept)
		return x->kept ? -1 : 1;
	order = instant_cmp(x->at, y->at);
	return order ? order : strcmp(x->name, y->name);
}

static const char *path_of(struct pass *p, const struct claim *c)
{
	return arena_printf(&p->scratch, "%s/%s/%s", p->store->repo.path,
			    c->folder, c->name);
}

static bool is_kept(struct pass *p, const struct claim *c)
{
	const struct buf *kept = p->faults->kept;
	const char *path = path_of(p, c) + strlen(p->store->repo.path) + 1;

	for (size_t at = 0; at < kept->len; at += strlen(kept->p + at) + 1) {
		if (!strcmp(kept->p + at, path))
			return true;
	}
	return false;
}

/* Set `kept` of each duplicate that is in p->faults->kept. */
static void mark_kept(struct pass *p)
{
	struct claim *c = p->claims;

	for (size_t i = 0; i < p->nclaims; i++)
		c[i].kept = ((i && c[i - 1].id == c[i].id) ||
			     (i + 1 < p->nclaims && c[i + 1].id == c[i].id)) &&
			    is_kept(p, &c[i]);
}

/* Report memories in another numbered directory than that of their id. */
static void check_places(struct pass *p)
{
	for (size_t i = 0; i < p->nclaims; i++) {
		const struct claim *c = &p->claims[i];
		const char *path, *folder;

		arena_reset(&p->scratch);
		folder = layout_numbered(c->id, &p->scratch);
		if (!strchr(c->folder, '/') || c->id < LAYOUT_DRAWN ||
		    !strcmp(c->folder, folder))
			continue;
		path = path_of(p, c);
		add_fault(p, "folder", path, remedy_by(p, FIX, "' moves it"),
			  "'%s': id %lld belongs to %s/", path,
			  (long long)c->id, folder);
	}
}

/* Report C, whose id the file OTHER has, too. */
static void add_double(struct pass *p, const struct claim *c, const char *other)
{
	const char *path = path_of(p, c);

	add_fault(p, "double-id", path, remedy_by(p, FIX, "' renumbers it"),
		  "'%s': id %lld is also that of '%s'", path, (long long)c->id,
		  other);
	p->faults->items[p->faults->n - 1].other =
		copy_string(p->faults, other);
}

/* Report duplicate ids, and memories in the wrong directory. ARCHIVE is NULL if
 * it cannot be read. */
static void check_doubles(struct pass *p, const struct ids *archive)
{
	const struct claim *stays = p->claims;

	MEM_SORT(p->claims, p->nclaims, by_claim);
	if (p->faults->kept) {
		mark_kept(p);
		MEM_SORT(p->claims, p->nclaims, by_claim);
	}
	for (size_t i = 0; i < p->nclaims; i++) {
		const struct claim *c = &p->claims[i];
		const struct id_entry *gone =
			archive ? ids_find(archive, c->id, NULL) : NULL;

		if (c->id != stays->id)
			stays = c;
		arena_reset(&p->scratch);
		if (gone && !gone->guessed)
			add_double(p, c, gone->path);
		else if (c != stays)
			add_double(p, c, path_of(p, stays));
	}
	check_places(p);
	p->nclaims = 0;
}

/* Return true if ENTRY may be in knowledge/. */
static bool belongs(const struct file_entry *entry)
{
	static const char files[] = "facts.md decisions.md questions.md "
				    "tasks.md playbooks.md digest.md "
				    "ledger.json";

	if (!strcmp(entry->name, "context.md"))
		return true; /* check_context() says what else it is */
	if (entry->kind == FILE_FOLDER)
		return layout_top(entry->name, strlen(entry->name));
	if (entry->kind != FILE_REGULAR)
		return false;
	return entry->name[0] == '.' ||
	       strings_word_is_in(files, entry->name, strlen(entry->name));
}

static int check_top(struct pass *p, struct err *e)
{
	if (list_folder(p, p->store->repo.fd, p->store->repo.path, e) < 0)
		return -1;
	for (size_t i = 0; i < p->entries.n; i++) {
		if (!belongs(&p->entries.items[i]))
			add_stray(p, &p->entries.items[i],
				  "does not belong here");
	}
	return 0;
}

/* A log_folder_fn: report a log that is not used and whose store is gone or has
 * another log. */
static int report_log(void *ctx, const struct log_folder *f, struct err *e)
{
	struct pass *p = ctx;
	struct buf remedy = {0};

	(void)e;
	if (f->proven || (!f->replaced && !identity_is_gone(&f->was)))
		return 0;
	buf_adds(&remedy, "remove it if it is not needed: rm -r ");
	buf_add_quoted(&remedy, f->path);
	add_fault(p, "log", f->path, remedy.p,
		  "'%s' is not used: nothing proves that the log "
		  "of '%s' is this store's",
		  f->path, f->was.path);
	buf_release(&remedy);
	return 0;
}

/* Report the directories of one work tree that git tracks. */
static int check_tracked(struct pass *p, struct err *e)
{
	const struct layout_directory *d;
	struct repo *repo = &p->store->repo;
	struct buf remedy = {0};
	int r = 0;

	for (size_t i = 0; r >= 0 && (d = layout_directory(i)); i++) {
		const char *path;

		r = d->apart ? layout_is_tracked(repo, d->name, e) : 0;
		if (r != 1)
			continue;
		path = layout_path(repo, d->name, &p->scratch);
		buf_cut(&remedy, 0);
		buf_adds(&remedy, "take it out of git: git -C ");
		buf_add_quoted(&remedy, repo->root.path);
		buf_adds(&remedy, " rm -rq --cached ");
		buf_add_quoted(&remedy, path);
		add_fault(p, "tracked", path, remedy.p,
			  "'%s': git tracks files in it, so what "
			  "a clone brought may be among what was "
			  "written here",
			  path);
	}
	buf_release(&remedy);
	return r < 0 ? -1 : 0;
}

/* The complaints of a reader about its file. */
struct complaints {
	struct pass *pass;
	const char *kind, *path, *remedy;
};

static bool has_text(const struct check_faults *f, const char *text)
{
	for (size_t i = 0; i < f->n; i++) {
		if (!strcmp(f->items[i].text, text))
			return true;
	}
	return false;
}

static void add_complaint(void *ctx, const struct err *e)
{
	const struct complaints *c = ctx;
	const char *text = e->text;

	/* The context reads memories, which are checked as well. */
	if (e->code == ERR_SYSTEM) {
		if (!has_text(c->pass->faults, text))
			add_unreadable(c->pass, c->path, e);
		return;
	}
	if (!strncmp(text, "WARNING: ", 9) || !strncmp(text, "ERROR: ", 7))
		text = strchr(text, ' ') + 1;
	add_fault(c->pass, c->kind, c->path, c->remedy, "%s", text);
}

static void check_context(struct pass *p)
{
	const enum scope scope = p->store->repo.root.scope;
	struct complaints c = {
		p, "context",
		arena_printf(&p->scratch, "%s/context.md", p->store->repo.path),
		remedy_by(p, "change it with 'co context --edit", "'")};
	const struct report report = {add_complaint, &c};
	const size_t before = p->faults->n;
	struct buf text = {0};
	struct context context;
	struct err why;
	int found;

	context_load(&context, CONTEXT_WANT(scope), &report);
	context_budgets(&context, &report);
	context_release(&context);
	found = (scope == SCOPE_GLOBAL ? file_read_followed : file_read)(
		p->store->repo.fd, "context.md", c.path, CONTEXT_FILE_MAX,
		&text, &why);
	if (found > 0)
		check_text(p, c.path, &text);
	else if (found < 0 && p->faults->n == before)
		add_complaint(&c, &why);
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
	const struct report report = {add_complaint, &c};

	settings_load(user ? root->fd : -1, root->path, user ? -1 : root->fd,
		      root->path, &p->scratch, &report);
}

static void add_found(void *ctx, const char *kind, const char *path,
		      const char *text, const char *remedy)
{
	add_fault(ctx, kind, path, remedy, "%s", text);
}

/* Return true if a fault is a file to which the system denied access. */
static bool is_refused(const struct check_faults *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->items[i].refused)
			return true;
	}
	return false;
}

static bool has_fault(const struct check_faults *f, const char *kind,
		      const char *path)
{
	for (size_t i = 0; i < f->n; i++) {
		if (!strcmp(f->items[i].kind, kind) && f->items[i].path &&
		    !strcmp(f->items[i].path, path))
			return true;
	}
	return false;
}

/* Drop "replaced" for each memory whose chain has a fault: since nothing
 * replaced it, it must not move to the archive. */
static void drop_replaced(struct check_faults *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->items[i].kind, "replaced") != 0 ||
		    !has_fault(f, "chain", f->items[i].path))
			f->items[n++] = f->items[i];
	}
	f->n = n;
}

int check_store(struct store *s, struct check_faults *out, struct err *e)
{
	struct pass p = {.store = s, .faults = out};
	struct err why;
	int r = -1;

	if (s->repo.fd < 0)
		return 0;
	shared_warn_moved(&s->repo.root, s->report);
	p.secrets = secrets_new();
	if (check_memories(&p, e) < 0)
		goto out;
	check_doubles(&p, ids_load(s, AREA_ARCHIVE, NULL));
	p.drafts = true;
	if (check_folder(&p, LAYOUT_DRAFTS, check_memory, e) < 0 ||
	    check_folder(&p, LAYOUT_SHARED, check_memory, e) < 0 ||
	    check_folder(&p, LAYOUT_ARCHIVE, check_memory, e) < 0 ||
	    check_folder(&p, LAYOUT_ARTICLES, check_article, e) < 0 ||
	    attachment_check(s, add_found, &p, e) < 0 || check_top(&p, e) < 0)
		goto out;
	log_folder_each_other(&s->repo.root, report_log, &p, NULL);
	if (check_tracked(&p, e) < 0)
		goto out;
	/* A file in place of a directory was reported by check_top(). */
	if (history_check_chains(s, add_found, &p, &why) < 0 &&
	    why.code == ERR_SYSTEM && !is_refused(out)) {
		*e = why;
		goto out;
	}
	drop_replaced(out);
	check_context(&p);
	check_settings(&p);
	r = 0;
out:
	secrets_free(p.secrets);
	free(p.claims);
	buf_release(&p.path);
	arena_release(&p.names);
	arena_release(&p.scratch);
	arena_release(&p.claimed);
	return r;
}

void check_release(struct check_faults *f)
{
	free(f->items);
	spool_release(&f->texts);
	*f = (struct check_faults){0};
}
