/* resolve.c: git is used for everything that concerns its index. Files are
 * written here, as any file of a store, before git is told that they are
 * merged. All writes are one operation of the log.
 *
 * git is run so that it starts no monitor and no hook of the repository's
 * configuration, even when it writes the index. When a file is added, its
 * filter is run, as by git add.
 *
 * A file that differs from what git wrote, and from the merge by co, was edited
 * by hand, even if it equals one side: a person took that side. Its text outside
 * of conflict markers is used for both sides of the merge, so that the result
 * contains it.
 */
#include "repair/repair.h"

#include "base/table.h"
#include "merge/merge.h"
#include "store/journal.h"
#include "store/save.h"
#include "sys/git.h"
#include "text/conflict.h"

#include <fcntl.h>
#include <unistd.h>

enum { BASE = 1, OURS, THEIRS, STAGES };

/* A file that is not merged. */
struct file {
	const char *path;	  /* from the root */
	const char *blob[STAGES]; /* NULL: that version has none */
	bool plain;		  /* all are regular files */
	struct buf text[STAGES];
	struct buf now; /* the file when resolve_file() read it */
	bool there;	/* else there was none */
};

/* What the commit of a side has, by path and by blob. */
struct entry {
	const char *path, *blob; /* in the tree's text */
};
struct tree {
	struct buf text; /* as ls-tree says it */
	struct entry *items;
	size_t n, cap;
	struct table by_path, by_blob;
};

struct merging {
	struct resolve *r;
	struct arena arena;
	struct file *files;
	size_t n, cap;
	struct tree tree[STAGES];  /* what the commit of that side has */
	const struct file *judged; /* the file whose `now` is set, or NULL */
	int left;
};

static int run_git(struct merging *m, struct buf *out, struct err *e,
		   const char *const *words)
{
	return git_ask(m->r->store->repo.root.path, words, "", 0, out, e);
}
#define GIT(m, out, e, ...) \
	run_git(m, out, e, (const char *const[]){__VA_ARGS__, NULL})

/* Add PATH to the index with its current content, or if GONE remove it from the
 * index. */
static int stage(struct merging *m, const char *path, bool gone, struct err *e)
{
	struct buf out = {0};
	int r = GIT(m, &out, e, "update-index",
		    gone ? "--force-remove" : "--add", "--", path);

	if (r > 0)
		r = err_set(e, ERR_HELPER, "git cannot %s '%s'",
			    gone ? "take out" : "add", path);
	buf_release(&out);
	return r;
}

/* Parse LINE of `git ls-files -u`: MODE BLOB STAGE, a tab, PATH. */
static void add_unmerged(struct merging *m, const char *line)
{
	const char *tab = strchr(line, '\t');
	const char *blob = line + strcspn(line, " ") + 1;
	const size_t len = strcspn(blob, " ");
	struct file *f = m->n ? &m->files[m->n - 1] : NULL;
	const int stage = tab ? tab[-1] - '0' : 0;

	if (stage < BASE || stage > THEIRS)
		return;
	if (!f || strcmp(f->path, tab + 1) != 0) {
		f = MEM_ADD(m->files, m->n, m->cap);
		*f = (struct file){.path = arena_strdup(&m->arena, tab + 1),
				   .plain = true};
	}
	f->blob[stage] = arena_copy(&m->arena, blob, len);
	f->plain = f->plain && !strncmp(line, "100", 3);
}

static int list_unmerged(struct merging *m, struct err *e)
{
	struct buf out = {0};
	const int r = GIT(m, &out, e, "ls-files", "-u", "-z", "--", ".");

	for (size_t at = 0; r == 0 && at < out.len;
	     at += strlen(out.p + at) + 1)
		add_unmerged(m, out.p + at);
	buf_release(&out);
	return r < 0 ? -1 : 0;
}

/* Set *FOUND to the name of the other side's commit during a merge, a
 * cherry-pick, a rebase or a revert; to NULL if there is none, as when a stash
 * is applied. Return 0 or -1. */
static int other_head(struct merging *m, const char **found, struct err *e)
{
	static const char *const heads[] = {"MERGE_HEAD", "CHERRY_PICK_HEAD",
					    "REBASE_HEAD", "REVERT_HEAD"};
	struct buf out = {0};
	int r = 1;

	*found = NULL;
	for (size_t i = 0; i < ARRAY_LEN(heads) && r > 0; i++) {
		r = GIT(m, &out, e, "rev-parse", "-q", "--verify", heads[i]);
		if (r == 0)
			*found = heads[i];
	}
	buf_release(&out);
	return r < 0 ? -1 : 0;
}

/* Return the entry of T with the path KEY, or if BY_BLOB the first with the
 * blob KEY. Return NULL if there is none. */
static const struct entry *entry_of(const struct tree *t, bool by_blob,
				    const char *key)
{
	struct table_look k = table_look(by_blob ? &t->by_blob : &t->by_path,
					 key, strlen(key), 0);
	size_t i;

	while (table_next(&k, &i)) {
		const struct entry *entry = &t->items[i];

		if (!strcmp(by_blob ? entry->blob : entry->path, key))
			return entry;
	}
	return NULL;
}

/* Parse LINE of `git ls-tree -r`: MODE TYPE BLOB, a tab, PATH. */
static void add_entry(struct tree *t, char *line)
{
	char *tab = strchr(line, '\t');
	struct entry entry;

	if (!tab)
		return;
	*tab = '\0';
	entry = (struct entry){tab + 1, strrchr(line, ' ') + 1};
	table_put(&t->by_path, entry.path, strlen(entry.path), 0, t->n);
	if (!entry_of(t, true, entry.blob))
		table_put(&t->by_blob, entry.blob, strlen(entry.blob), 0, t->n);
	*MEM_ADD(t->items, t->n, t->cap) = entry;
}

/* Return 1 if MERGE_HEAD names several commits. Ours is then the result of the
 * first ones, which is not a commit. */
static int is_octopus(struct merging *m, struct err *e)
{
	struct buf name = {0}, path = {0}, text = {0};
	int r = GIT(m, &name, e, "rev-parse", "--git-path", "MERGE_HEAD");

	if (r == 0 && name.len) {
		buf_cut(&name, name.len - 1);
		if (*name.p != '/')
			buf_addf(&path, "%s/", m->r->store->repo.root.path);
		buf_adds(&path, name.p);
		r = file_read_path(path.p, (size_t)64 * 1024, &text, e);
		if (r > 0)
			r = strchr(text.p, '\n') != strrchr(text.p, '\n');
	}
	buf_release(&name);
	buf_release(&path);
	buf_release(&text);
	return r;
}

/* Return 1 if the sides of the merge are HEAD and OTHER. That is not so for a
 * revert, nor if the index may differ from HEAD. Return 0 or -1 otherwise. */
static int are_sides(struct merging *m, const char *other, struct err *e)
{
	int r = 0;

	if (!other || !strcmp(other, "REVERT_HEAD"))
		return 0;
	if (!strcmp(other, "MERGE_HEAD"))
		r = is_octopus(m, e);
	return r < 0 ? -1 : !r;
}

static int load_tree(struct merging *m, int stage, const char *commit,
		     struct err *e)
{
	struct tree *t = &m->tree[stage];

	const int r = GIT(m, &t->text, e, "ls-tree", "-r", "-z", commit, ".");

	if (r)
		return r < 0 ? -1
			     : err_set(e, ERR_HELPER, "git cannot list '%s'",
				       commit);
	for (size_t at = 0, len; at < t->text.len; at += len + 1) {
		len = strlen(t->text.p + at);
		add_entry(t, t->text.p + at);
	}
	return 0;
}

static void release_tree(struct tree *t)
{
	table_release(&t->by_path);
	table_release(&t->by_blob);
	free(t->items);
	buf_release(&t->text);
}

/* Set the versions of F to those of the commits. If git took two memories for
 * one, its index has a mixture. */
static void choose_versions(struct merging *m, struct file *f)
{
	for (int s = BASE; s < STAGES; s++) {
		const struct entry *entry =
			entry_of(&m->tree[s], false, f->path);

		if (f->blob[s] && entry)
			f->blob[s] = entry->blob;
	}
}

static void release_texts(struct file *f)
{
	for (int s = BASE; s < STAGES; s++)
		buf_release(&f->text[s]);
	buf_release(&f->now);
}

static int load(struct merging *m, struct file *f, struct err *e)
{
	int r = 0;

	for (int s = BASE; s < STAGES && !r; s++) {
		if (f->blob[s])
			r = GIT(m, &f->text[s], e, "cat-file", "blob",
				f->blob[s]);
	}
	return r > 0 ? err_set(e, ERR_HELPER, "git has no '%s'", f->path) : r;
}

/* Split PATH into *FOLDER, relative to knowledge/, and *NAME. Return false if
 * it is not a text file of a store. */
static bool split_path(struct merging *m, const char *path, const char **folder,
		       const char **name)
{
	static const char knowledge[] = "knowledge/";
	const char *below = path + sizeof(knowledge) - 1;
	const char *slash = strrchr(path, '/');
	const struct layout_directory *top;

	if (strncmp(path, knowledge, sizeof(knowledge) - 1) != 0)
		return false;
	*name = slash + 1;
	*folder = slash < below ? ""
				: arena_copy(&m->arena, below,
					     (size_t)(slash - below));
	top = layout_top(*folder, strcspn(*folder, "/"));
	return layout_is_memory(*name) && !strstr(path, "/../") &&
	       (!**folder || (top && top->documents));
}

static int open_folder(struct repo *repo, const char *folder, int *dir,
		       struct err *e)
{
	bool made;

	if (repo->fd < 0 && repo_make(repo, &made, e) < 0)
		return -1;
	if (*folder)
		return layout_make(repo, folder, dir, e);
	return layout_open(repo, folder, dir, e) < 0 ? -1 : 0;
}

/* Return the absolute path of PATH, allocated in M's arena. */
static const char *full_path(struct merging *m, const char *path)
{
	return arena_printf(&m->arena, "%s/%s", m->r->store->repo.root.path,
			    path);
}

/* Read the current file PATH into TEXT. Return 1, 0 if there is none, or -1. */
static int read_file(struct merging *m, const char *path, struct buf *text,
		     struct err *e)
{
	const char *folder, *name;
	int dir, r;

	if (!split_path(m, path, &folder, &name))
		return err_set(e, ERR_DATA, "'%s' is not a file of a store",
			       path);
	r = layout_open(&m->r->store->repo, folder, &dir, e);
	if (r != 1)
		return r;
	r = file_read(dir, name, full_path(m, path), LAYOUT_FILE_MAX * 16, text,
		      e);
	close(dir);
	return r;
}

/* Like read_file(), for a file that is to be changed. Return -1 with ERR_BUSY if
 * another program changed it after resolve_file() read it. */
static int read_again(struct merging *m, const char *path, struct buf *text,
		      struct err *e)
{
	const struct file *f = m->judged;
	const int r = read_file(m, path, text, e);

	if (r < 0 || !f || strcmp(f->path, path) != 0 ||
	    (f->there == (r == 1) && buf_equal(text, &f->now)))
		return r;
	return err_set(e, ERR_BUSY, "'%s' has changed meanwhile",
		       full_path(m, path));
}

/* Write TEXT to the file PATH. Return 1, 0 if NEW and the file exists, or
 * -1. */
static int write_file(struct merging *m, const char *path,
		      const struct buf *text, bool new, struct err *e)
{
	struct store *s = m->r->store;
	const char *folder, *name, *full = full_path(m, path);
	struct buf was = {0};
	int dir = -1, r = read_again(m, path, &was, e);

	if (r < 0 || (r == 1 && (new || buf_equal(&was, text))) ||
	    !split_path(m, path, &folder, &name))
		goto out;
	if (open_folder(&s->repo, folder, &dir, e) < 0) {
		r = -1;
		goto out;
	}
	operation_note(s, full, r ? &was : NULL, text, NULL);
	if (r)
		r = file_replace_from(s->repo.fd, dir, name, full, &was,
				      buf_str(text), text->len, NULL, e) < 0
			    ? -1
			    : 1;
	else
		r = file_create_from(s->repo.fd, dir, name, full,
				     root_file_mode(&s->repo.root),
				     buf_str(text), text->len, e);
	if (r != 1)
		operation_failed(s, full);
	close(dir);
	buf_release(&was);
	return r;
out:
	buf_release(&was);
	return r < 0 ? -1 : !new;
}

/* Write TEXT to PATH and add it to the index as merged. */
static int write_resolved(struct merging *m, const char *path,
			  const struct buf *text, const char *what,
			  struct err *e)
{
	int r = 0;

	if (!m->r->dry && (write_file(m, path, text, false, e) < 0 ||
			   stage(m, path, false, e) < 0))
		r = -1;
	if (!r)
		m->r->say(m->r->ctx, path, false, what);
	return r;
}

/* Return true if the file PATH contains TEXT. */
static bool file_has_text(struct merging *m, const char *path,
			  const struct buf *text)
{
	struct buf there = {0};
	const bool r = read_file(m, path, &there, NULL) == 1 &&
		       buf_equal(&there, text);

	buf_release(&there);
	return r;
}

/* Write TEXT as another memory to PATH, or if that name is taken to a similar
 * one, and add it to the index. If an earlier, interrupted run wrote it
 * already, that file is used. The file of F is not. */
static int write_other(struct merging *m, const struct file *f,
		       const char *path, const struct buf *text, struct err *e)
{
	const char *dot = strrchr(path, '.');
	const char *at = path;
	int r = 0;

	for (int i = 2; !m->r->dry && !r && i < 1000; i++) {
		if (strcmp(at, f->path) != 0)
			r = write_file(m, at, text, true, e);
		if (!r && strcmp(at, f->path) != 0 &&
		    file_has_text(m, at, text))
			r = 1;
		if (!r)
			at = arena_printf(
				&m->arena, "%.*s-%d%s",
				(int)(dot ? dot - path : (long)strlen(path)),
				path, i, dot ? dot : "");
	}
	if (r > 0)
		r = stage(m, at, false, e);
	if (r < 0)
		return -1;
	m->r->say(m->r->ctx, at, false, "has a file of its own again");
	return 0;
}

/* Write the version GOES of F to HOME or a similar name, and KEEPS to F's path,
 * reported as WHAT. F is written last: as long as it is what git wrote, an
 * interrupted run is repeated. */
static int write_both(struct merging *m, const struct file *f, int keeps,
		      int goes, const char *home, const char *what,
		      struct err *e)
{
	if (write_other(m, f, home, &f->text[goes], e) < 0)
		return -1;
	return write_resolved(m, f->path, &f->text[keeps], what, e);
}

/* Return what the command line for the store of M needs: see record_scope_option(). */
static const char *option_of(const struct merging *m)
{
	return record_scope_option(m->r->store->repo.root.scope);
}

/* Return WHAT and that co-resolve is to be run again, allocated in M. */
static const char *again(struct merging *m, const char *what)
{
	return arena_printf(&m->arena, "%s, then run 'co resolve%s' again",
			    what, option_of(m));
}

static int report_left(struct merging *m, const char *path, const char *what)
{
	m->left++;
	m->r->say(m->r->ctx, path, true, what);
	return 0;
}

/* Return the id of the memory TEXT, or 0. */
static int64_t id_of(const struct buf *text)
{
	struct arena a = {0};
	const struct value *id =
		frontmatter_get(buf_str(text), text->len, "id", &a);
	const int64_t n = id && id->kind == VALUE_INT ? id->u.i : 0;

	arena_release(&a);
	return n;
}

/* Return true if `created` is equal in the versions A and B of F. */
static bool same_age(const struct file *f, int a, int b)
{
	struct arena arena = {0};
	const struct value *x = frontmatter_get(
		buf_str(&f->text[a]), f->text[a].len, "created", &arena);
	const struct value *y = frontmatter_get(
		buf_str(&f->text[b]), f->text[b].len, "created", &arena);
	const bool r = x && y && value_equal(x, y);

	arena_release(&arena);
	return r;
}

static int set_id(struct buf *text, int64_t id, struct err *e)
{
	const struct value v = value_int(id);

	return compose_keys(text, "", "id", &v, e) < 0 ? -1 : 0;
}

/* Decide whether the versions of F, whose ids differ, are one memory that was
 * renumbered by a repair. Then both sides have it under the same name, with the
 * `created` of the base; a memory that replaces another has a name of its own.
 * If so, give all versions the new id (the higher of two new ones, which is
 * free on either side) and return 1. Return 0 or -1 otherwise. */
static int unite_ids(struct merging *m, struct file *f, struct err *e)
{
	const int64_t ours = id_of(&f->text[OURS]);
	const int64_t theirs = id_of(&f->text[THEIRS]);
	const int64_t base = id_of(&f->text[BASE]);
	const int64_t id = ours == base	    ? theirs
			   : theirs == base ? ours
			   : ours > theirs  ? ours
					    : theirs;

	if (!base || !same_age(f, BASE, OURS) || !same_age(f, BASE, THEIRS) ||
	    !entry_of(&m->tree[OURS], false, f->path) ||
	    !entry_of(&m->tree[THEIRS], false, f->path))
		return 0;
	for (int s = BASE; s < STAGES; s++) {
		if (set_id(&f->text[s], id, e) < 0)
			return -1;
	}
	return 1;
}

/* Separate two memories that git took for one. The one that theirs has under
 * this name keeps it; ours is written under its original name. */
static int separate_memories(struct merging *m, struct file *f, struct err *e)
{
	const bool theirs_has = entry_of(&m->tree[THEIRS], false, f->path);
	const int keeps = theirs_has ? THEIRS : OURS;
	const int goes = theirs_has ? OURS : THEIRS;
	const struct entry *home =
		entry_of(&m->tree[goes], true, f->blob[goes]);

	return write_both(m, f, keeps, goes, home ? home->path : f->path,
			  "has its name for itself", e);
}

static struct merge_text text_of(const struct buf *text)
{
	return (struct merge_text){buf_str(text), text->len};
}

/* Return true if TEXT equals OTHER. The id is ignored if unite_ids() may have
 * changed it in F. */
static bool same_but_id(const struct file *f, const struct buf *text,
			const struct buf *other)
{
	const int64_t id = id_of(&f->text[OURS]);
	struct buf copy = {0};
	bool r;

	buf_add(&copy, buf_str(text), text->len);
	if (id && id_of(text) && id_of(text) != id)
		set_id(&copy, id, NULL);
	r = buf_equal(&copy, other);
	buf_release(&copy);
	return r;
}

/* Set OUT to what git or the merge driver wrote to F's file. Return 1, 0 if git
 * did not record it, as before version 2.34, or -1. */
static int load_written(struct merging *m, const struct file *f,
			struct buf *out, struct err *e)
{
	struct buf blob = {0};
	int r = GIT(m, &blob, e, "rev-parse", "-q", "--verify",
		    arena_printf(&m->arena, "AUTO_MERGE:./%s", f->path));

	if (r == 0 && blob.len) {
		buf_cut(&blob, blob.len - 1); /* its line end */
		r = GIT(m, out, e, "cat-file", "blob", blob.p);
	}
	buf_release(&blob);
	return r < 0 ? -1 : r == 0;
}

static int merge_texts(const struct file *f, const struct buf *ours,
		       const struct buf *theirs, const struct report *report,
		       struct buf *out, struct err *e)
{
	const struct merge merge = {text_of(&f->text[BASE]),
				    text_of(ours),
				    text_of(theirs),
				    f->path,
				    MERGE_MARK,
				    true};
	int r = merge_documents(&merge, out, report, e);

	if (r < 0 && e->code == ERR_DATA) {
		err_report(report, e);
		r = 1;
	}
	return r;
}

enum work { NOT_EDITED, EDITED, ONE_SIDE };

/* Return whether TEXT, the file of F, was edited after git wrote it, or -1.
 * ONE_SIDE: it is one side's text, and git does not tell who took that side. */
static int work_in(struct merging *m, const struct file *f,
		   const struct buf *text, struct err *e)
{
	const bool both = f->blob[OURS] && f->blob[THEIRS];
	struct buf merged = {0}, written = {0};
	int r = NOT_EDITED;

	if (both && merge_texts(f, &f->text[OURS], &f->text[THEIRS], NULL,
				&merged, e) < 0)
		r = -1;
	else if (!both || !same_but_id(f, text, &merged))
		r = load_written(m, f, &written, e);
	else
		goto out;
	if (r == 1)
		r = buf_equal(&written, text) ? NOT_EDITED : EDITED;
	else if (!r && !same_but_id(f, text, &f->text[OURS]) &&
		 !same_but_id(f, text, &f->text[THEIRS]))
		r = EDITED;
	else if (!r)
		r = both ? ONE_SIDE : NOT_EDITED;
out:
	buf_release(&merged);
	buf_release(&written);
	return r;
}

/* Write the merge of OURS and THEIRS. If there are no conflicts, add it to the
 * index and report MERGED; otherwise report LEFT. */
static int merge(struct merging *m, const struct file *f,
		 const struct buf *ours, const struct buf *theirs,
		 const char *merged, const char *left, struct err *e)
{
	struct buf out = {0};
	int r = merge_texts(f, ours, theirs, m->r->report, &out, e);

	if (r > 0 && !m->r->dry)
		r = write_file(m, f->path, &out, false, e) < 0 ? -1 : 1;
	if (r > 0) {
		m->r->choice = true;
		r = report_left(m, f->path, left);
	} else if (!r)
		r = write_resolved(m, f->path, &out, merged, e);
	buf_release(&out);
	return r;
}

/* Resolve the rest of F. SIDES are the two versions of the file that was edited
 * by hand; its resolved parts are in both. */
static int resolve_rest(struct merging *m, const struct file *f,
			struct buf sides[2], struct err *e)
{
	const int64_t id = id_of(&f->text[OURS]);

	if (m->r->side != RESOLVE_MERGE)
		return write_resolved(
			m, f->path, &sides[m->r->side == RESOLVE_THEIRS],
			m->r->side == RESOLVE_OURS
				? "keeps what you resolved by hand, the "
				  "rest is ours"
				: "keeps what you resolved by hand, the "
				  "rest is theirs",
			e);
	for (int i = 0; i < 2; i++) {
		if (id && id_of(&sides[i]) && id_of(&sides[i]) != id &&
		    set_id(&sides[i], id, e) < 0)
			return -1;
	}
	return merge(m, f, &sides[0], &sides[1],
		     "keeps what you resolved by hand, the rest is merged",
		     again(m, "keeps what you resolved by hand: edit the lines "
			      "that are still marked"),
		     e);
}

static bool is_memory(struct merging *m, const struct file *f,
		      const struct buf *text, struct err *e)
{
	struct arena a = {0};
	struct record r;
	const bool is =
		record_read(&r, buf_str(text), text->len, full_path(m, f->path),
			    m->r->store->repo.root.scope, &a, e) == 0;

	arena_release(&a);
	return is;
}

/* Add TEXT, which a person wrote, to the index as F. If a side is a memory and TEXT is
 * not, no search would find it any more: leave it to the person. */
static int take_by_hand(struct merging *m, const struct file *f,
			const struct buf *text, struct err *e)
{
	struct err why;

	if (is_memory(m, f, text, &why) ||
	    (!is_memory(m, f, &f->text[OURS], NULL) &&
	     !is_memory(m, f, &f->text[THEIRS], NULL)))
		return write_resolved(m, f->path, text, "is resolved already",
				      e);
	err_report(m->r->report, &why);
	return report_left(m, f->path,
			   again(m,
				 "was changed by hand, and is not a memory any "
				 "more: correct it"));
}

/* If F's file was edited by hand, keep the edits and resolve the rest. APART: F
 * is two memories, and only a person can assign the edits. Return 1, 0 if it
 * was not edited, or -1. */
static int settle_by_hand(struct merging *m, const struct file *f, bool apart,
			  struct err *e)
{
	const struct buf *text = &f->now;
	struct buf sides[2] = {{0}, {0}};
	int marked, r = f->there ? work_in(m, f, text, e) : NOT_EDITED;

	/* Each of two memories is kept, and an option is an answer. */
	if (r == ONE_SIDE && (apart || m->r->side != RESOLVE_MERGE))
		r = NOT_EDITED;
	if (r != EDITED && r != ONE_SIDE)
		goto out;
	marked = conflict_sides(buf_str(text), text->len, &sides[0], &sides[1]);
	if (r == ONE_SIDE)
		r = report_left(
			m, f->path,
			arena_printf(&m->arena,
				     "has the text of one side: 'git add' "
				     "it, or run "
				     "'co resolve%s --ours' or '--theirs'",
				     option_of(m)));
	else if (!marked)
		r = take_by_hand(m, f, text, e);
	else if (marked < 0 || apart || !f->blob[OURS] || !f->blob[THEIRS])
		r = report_left(m, f->path,
				again(m, "was changed by hand, and stays: edit "
					 "the marked lines"));
	else
		r = resolve_rest(m, f, sides, e);
	r = r < 0 ? -1 : 1;
out:
	buf_release(&sides[0]);
	buf_release(&sides[1]);
	return r;
}

/* Return true if F is two different memories with one id and one name. With a
 * random id they are one memory if `created` is equal: git has no base version
 * when branches that merged each other are merged again. */
static bool are_apart(const struct file *f)
{
	struct frontmatter ours, theirs;
	const char *p, *q;
	size_t n, k;

	if (id_of(&f->text[OURS]) >= LAYOUT_DRAWN && same_age(f, OURS, THEIRS))
		return false;
	frontmatter_split(&ours, buf_str(&f->text[OURS]), f->text[OURS].len);
	frontmatter_split(&theirs, buf_str(&f->text[THEIRS]),
			  f->text[THEIRS].len);
	frontmatter_content(&ours, &p, &n);
	frontmatter_content(&theirs, &q, &k);
	return id_of(&f->text[OURS]) && !record_same_text(p, n, q, k);
}

static int forget(struct merging *m, struct file *f, struct err *e)
{
	if (!m->r->dry && stage(m, f->path, true, e) < 0)
		return -1;
	m->r->say(m->r->ctx, f->path, false, "is forgotten by both");
	return 0;
}

static int resolve_file(struct merging *m, struct file *f, struct err *e);

/* Return the blob of PATH in the index, allocated in M's arena. Return NULL if
 * there is none, or if PATH has conflicts. */
static const char *staged(struct merging *m, const char *path)
{
	struct buf out = {0};
	const char *blob = NULL;

	if (GIT(m, &out, NULL, "ls-files", "-s", "-z", "--", path) == 0 &&
	    out.len && strlen(out.p) + 1 == out.len && strstr(out.p, " 0\t")) {
		const char *start = out.p + strcspn(out.p, " ") + 1;

		blob = arena_copy(&m->arena, start, strcspn(start, " "));
	}
	buf_release(&out);
	return blob;
}

/* Move the conflict of the file PATH to the path of F in the index. */
static int move_stages(struct merging *m, const struct file *f,
		       const char *path, struct err *e)
{
	const char *const words[] = {"update-index", "-z", "--index-info",
				     NULL};
	struct buf top = {0}, out = {0}, stages = {0};
	int r = GIT(m, &top, e, "rev-parse", "--show-prefix");

	if (top.len)
		buf_cut(&top, top.len - 1); /* its line end */
	for (int s = BASE; s < STAGES; s++)
		buf_addf(&stages, "100644 %s %d\t%s%s%c", f->blob[s], s,
			 buf_str(&top), f->path, '\0');
	if (!r)
		r = GIT(m, &out, e, "update-index", "--force-remove", "--",
			path, f->path);
	if (!r)
		r = git_ask(m->r->store->repo.root.path, words, stages.p,
			    stages.len, &out, e);
	if (r > 0)
		r = err_set(e, ERR_HELPER, "git cannot move '%s'", path);
	buf_release(&top);
	buf_release(&out);
	buf_release(&stages);
	return r;
}

static int remove_file(struct merging *m, const char *path, const char *folder,
		       const char *name, struct err *e)
{
	struct store *s = m->r->store;
	const char *full = full_path(m, path);
	struct buf was = {0};
	int dir, r = read_again(m, path, &was, e);

	if (r == 1)
		r = layout_open(&s->repo, folder, &dir, e);
	if (r == 1) {
		const struct operation_change c = {
			.dir = dir, .name = name, .path = full, .was = &was};

		r = operation_change(s, &c, e);
		close(dir);
	}
	buf_release(&was);
	return r < 0 ? -1 : 0;
}

/* If one side changed F and the other replaced it, apply both to the file in
 * the archive, as git does if it detects the rename. Return 1, 0 if neither
 * side replaced it, or -1. */
static int resolve_archived(struct merging *m, const struct file *f,
			    const char *folder, const char *name, struct err *e)
{
	const int changed = f->blob[OURS] ? OURS : THEIRS;
	const int replaced = f->blob[OURS] ? THEIRS : OURS;
	struct file at = {.plain = true};
	int r;

	at.path = arena_printf(&m->arena, "knowledge/%s/%s", LAYOUT_ARCHIVE,
			       name);
	at.blob[BASE] = f->blob[BASE];
	at.blob[changed] = f->blob[changed];
	at.blob[replaced] = staged(m, at.path);
	if (!layout_is_memories(folder) || !at.blob[replaced])
		return 0;
	r = load(m, &at, e);
	if (!r && id_of(&at.text[OURS]) &&
	    id_of(&at.text[OURS]) == id_of(&at.text[THEIRS])) {
		if (!m->r->dry)
			r = remove_file(m, f->path, folder, name, e);
		if (!r && !m->r->dry)
			r = move_stages(m, &at, f->path, e);
		if (!r)
			r = resolve_file(m, &at, e) < 0 ? -1 : 1;
	}
	m->judged = NULL;
	release_texts(&at);
	return r;
}

/* Move a memory that only one side added back to its path in that side's
 * commit. git moves it to the archive if all other files of its directory were
 * replaced. Return 1, 0 if it is at its path, or -1. */
static int move_home(struct merging *m, const struct file *f,
		     const char *folder, const char *name, struct err *e)
{
	const int side = f->blob[OURS] ? OURS : THEIRS;
	const struct entry *home =
		entry_of(&m->tree[side], false, f->path)
			? NULL
			: entry_of(&m->tree[side], true, f->blob[side]);
	struct buf there = {0};
	bool taken;

	if (!home)
		return 0;
	taken = read_file(m, home->path, &there, e) == 1 &&
		!buf_equal(&there, &f->text[side]);
	buf_release(&there);
	if (taken) {
		report_left(
			m, f->path,
			arena_printf(&m->arena,
				     "belongs at %s, where another text is: "
				     "'git add' one of them and 'git rm' the "
				     "other",
				     home->path));
		return 1;
	}
	/* Write the new place first: an unfinished run can be repeated. */
	if (write_resolved(m, home->path, &f->text[side], "is there", e) < 0)
		return -1;
	if (!m->r->dry && (remove_file(m, f->path, folder, name, e) < 0 ||
			   stage(m, f->path, true, e) < 0))
		return -1;
	return 1;
}

/* Merge F, and take SIDE, which the user chose, where both changed something.
 * Without a common version, or if F cannot be merged, take all of SIDE. */
static int write_side(struct merging *m, const struct file *f, int side,
		      struct err *e)
{
	const bool ours = side == OURS;
	const struct buf *whole = &f->text[side];
	const struct merge merge = {
		text_of(&f->text[BASE]),	  text_of(&f->text[OURS]),
		text_of(&f->text[THEIRS]),	  f->path,
		ours ? MERGE_OURS : MERGE_THEIRS, true};
	struct buf out = {0};
	int r;

	if (f->blob[BASE] && merge_documents(&merge, &out, NULL, e) == 0 &&
	    !buf_equal(&out, whole))
		r = write_resolved(
			m, f->path, &out,
			ours ? "is merged, with our side where both changed "
			       "it"
			     : "is merged, with their side where both changed "
			       "it",
			e);
	else
		r = write_resolved(m, f->path, whole,
				   ours ? "has our side" : "has their side", e);
	buf_release(&out);
	return r;
}

/* Return true if a side of F has a NUL byte. git does not merge such files. */
static bool is_binary(const struct file *f)
{
	for (int s = BASE; s < STAGES; s++) {
		if (f->text[s].len &&
		    memchr(f->text[s].p, '\0', f->text[s].len))
			return true;
	}
	return false;
}

/* Return true if TEXT, in the file of F, which is_binary(), is a person's: git leaves
 * ours there, and the merge driver both sides between markers. */
static bool is_by_hand(const struct file *f, const struct buf *text)
{
	struct buf sides[2] = {{0}, {0}};
	const int marked =
		conflict_sides(buf_str(text), text->len, &sides[0], &sides[1]);

	buf_release(&sides[0]);
	buf_release(&sides[1]);
	return !marked && !buf_equal(text, &f->text[OURS]) &&
	       !buf_equal(text, &f->text[THEIRS]);
}

/* Resolve F, which is_binary(): only a person can choose a side. */
static int resolve_binary(struct merging *m, const struct file *f, int side,
			  struct err *e)
{
	if (f->there && is_by_hand(f, &f->now))
		return write_resolved(m, f->path, &f->now,
				      "is resolved already", e);
	if (m->r->side != RESOLVE_MERGE)
		return write_resolved(
			m, f->path, &f->text[side],
			side == OURS ? "has our side" : "has their side", e);
	return report_left(m, f->path,
			   arena_printf(&m->arena,
					"has NUL bytes, so it is not merged: "
					"'co resolve%s --ours' or '--theirs' "
					"takes one side",
					option_of(m)));
}

static int resolve_file(struct merging *m, struct file *f, struct err *e)
{
	const bool ours = f->blob[OURS], theirs = f->blob[THEIRS];
	const int side = m->r->side == RESOLVE_OURS ? OURS : THEIRS;
	const char *folder, *name;
	bool parts = false, apart;
	int r;

	if (!f->plain || !split_path(m, f->path, &folder, &name))
		return report_left(
			m, f->path,
			"is not a text of the store: resolve it with "
			"git");
	if (load(m, f, e) < 0)
		return -1;
	r = read_file(m, f->path, &f->now, e);
	if (r < 0)
		return -1;
	f->there = r == 1;
	m->judged = f;
	if (!ours && !theirs)
		return forget(m, f, e);
	if (ours && theirs && is_binary(f))
		return resolve_binary(m, f, side, e);
	if (ours && theirs && id_of(&f->text[OURS]) &&
	    id_of(&f->text[THEIRS]) &&
	    id_of(&f->text[OURS]) != id_of(&f->text[THEIRS])) {
		r = unite_ids(m, f, e);
		if (r < 0)
			return -1;
		parts = r == 0;
	}
	apart = ours && theirs && !f->blob[BASE] && are_apart(f) &&
		(m->r->side == RESOLVE_MERGE || !same_age(f, OURS, THEIRS));
	r = settle_by_hand(m, f, parts || apart, e);
	if (r)
		return r < 0 ? -1 : 0;
	if (parts)
		return separate_memories(m, f, e);
	if (apart)
		return write_both(m, f, OURS, THEIRS, f->path, "has our side",
				  e);
	if (ours && theirs && m->r->side != RESOLVE_MERGE)
		return write_side(m, f, side, e);
	if (ours && theirs)
		return merge(m, f, &f->text[OURS], &f->text[THEIRS],
			     "is merged",
			     again(m, "was changed by both sides: edit the "
				      "marked lines"),
			     e);
	r = f->blob[BASE] ? resolve_archived(m, f, folder, name, e)
			  : move_home(m, f, folder, name, e);
	if (r)
		return r < 0 ? -1 : 0;
	return write_resolved(
		m, f->path, &f->text[ours ? OURS : THEIRS],
		!f->blob[BASE] ? "is there"
		: ours	       ? "stays, since we changed it: 'co forget' "
				 "forgets it"
			       : "stays, since they changed it: 'co "
				 "forget' forgets it",
		e);
}

static bool is_unmerged(const struct merging *m, const char *path)
{
	for (size_t i = 0; i < m->n; i++) {
		if (!strcmp(m->files[i].path, path))
			return true;
	}
	return false;
}

/* Report the files that were added to the index with conflict markers. git no
 * longer lists them as conflicts. */
static int leave_added(struct merging *m, struct err *e)
{
	struct buf listed = {0}, text = {0};
	const char *last = "";
	int r = GIT(m, &listed, e, "ls-files", "--resolve-undo", "-z", "--",
		    ".");

	for (size_t at = 0; r >= 0 && at < listed.len;
	     at += strlen(listed.p + at) + 1) {
		const char *tab = strchr(listed.p + at, '\t');
		const char *folder, *name;
		struct arena a = {0};
		size_t len, line = 0;

		if (!tab || !strcmp(tab + 1, last))
			continue;
		last = tab + 1;
		if (is_unmerged(m, last) ||
		    !split_path(m, last, &folder, &name) ||
		    (m->r->wanted && !m->r->wanted(m->r->ctx, last)))
			continue;
		buf_cut(&text, 0);
		r = read_file(m, last, &text, e);
		if (r < 0 && e->code == ERR_DATA) {
			/* The other files may still have conflicts. */
			err_report(m->r->report, e);
			r = 0;
		}
		len = text.len;
		conflict_ours(buf_str(&text), &len, &a, &line);
		arena_release(&a);
		if (r == 1 && line)
			r = report_left(
				m, last,
				arena_printf(&m->arena,
					     "was added to git with its "
					     "markers: edit the marked lines "
					     "and 'git add' it, or 'git "
					     "checkout --merge' it and run "
					     "'co resolve%s'",
					     option_of(m)));
	}
	buf_release(&listed);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

static int resolve_locked(struct resolve *r, struct err *e)
{
	struct merging m = {.r = r};
	const char *other = NULL;
	int result = list_unmerged(&m, e);

	if (!result)
		result = other_head(&m, &other, e);
	if (!result)
		result = leave_added(&m, e);
	if (!result && !m.n && !other && !m.left)
		result = err_set(e, ERR_NO, "no merge is in progress");
	if (!result && m.n)
		result = are_sides(&m, other, e);
	if (result > 0)
		result = load_tree(&m, OURS, "HEAD", e) < 0 ||
					 load_tree(&m, THEIRS, other, e) < 0
				 ? -1
				 : 0;
	for (size_t i = 0; i < m.n && !result; i++) {
		if (r->wanted && !r->wanted(r->ctx, m.files[i].path))
			continue;
		choose_versions(&m, &m.files[i]);
		result = resolve_file(&m, &m.files[i], e);
		if (result < 0 && e->code == ERR_DATA) {
			err_report(r->report, e);
			result = report_left(
				&m, m.files[i].path,
				"stays as it is: resolve it with git");
		} else if (result < 0 && e->code == ERR_BUSY) {
			result = report_left(
				&m, m.files[i].path,
				again(&m, "has changed meanwhile: look "
					  "at it"));
		}
	}
	for (size_t i = 0; i < m.n; i++)
		release_texts(&m.files[i]);
	for (int s = BASE; s < STAGES; s++)
		release_tree(&m.tree[s]);
	free(m.files);
	arena_release(&m.arena);
	return result < 0 ? -1 : m.left;
}

int repair_merge(struct resolve *r, struct err *e)
{
	int left;

	if (r->dry)
		return resolve_locked(r, e);
	if (store_lock(r->store, e) < 0)
		return -1;
	left = resolve_locked(r, e);
	store_unlock(r->store);
	return left;
}

/* Append to OUT, as input of update-index, the removal of the resolved entry of
 * each path in LISTED, the output of ls-files. Return the number of paths. */
static int add_removals(struct buf *out, const struct buf *listed)
{
	const char *last = "";
	int n = 0;

	for (size_t at = 0; at < listed->len;
	     at += strlen(listed->p + at) + 1) {
		const char *line = listed->p + at, *tab = strchr(line, '\t');
		const char *blob = line + strcspn(line, " ") + 1;

		if (!tab || !strcmp(tab, last))
			continue;
		buf_adds(out, "0 ");
		for (size_t i = strcspn(blob, " "); i > 0; i--)
			buf_addc(out, '0');
		buf_addf(out, "%s%c", tab, '\0');
		last = tab;
		n++;
	}
	return n;
}

int repair_reopen_merge(struct store *s, const struct oplog_op *op,
			struct err *e)
{
	static const char *const update[] = {"update-index", "-z",
					     "--index-info", NULL};
	static const char *const list[] = {"ls-files", "--resolve-undo",
					   "--full-name", "-z", "--"};
	struct resolve asked = {.store = s};
	struct merging m = {.r = &asked};
	struct buf listed = {0}, input = {0}, out = {0};
	const char *head, **words;
	int n = 0, r = other_head(&m, &head, e);

	if (r < 0 || !head)
		goto out;
	words = arena_alloc(&m.arena,
			    (ARRAY_LEN(list) + op->n + 1) * sizeof(*words));
	memcpy(words, list, sizeof(list));
	for (size_t i = 0; i < op->n; i++)
		words[ARRAY_LEN(list) + i] = op->changes[i].path;
	words[ARRAY_LEN(list) + op->n] = NULL;
	r = run_git(&m, &listed, e, words);
	if (!r)
		n = add_removals(&input, &listed);
	buf_add(&input, buf_str(&listed), listed.len);
	if (n)
		r = git_ask(s->repo.root.path, update, input.p, input.len, &out,
			    e);
	if (r > 0)
		r = err_set(e, ERR_HELPER,
			    "git cannot take its conflicts back");
	/* Files that were left marked were never resolved. */
	words[1] = "--unmerged";
	if (!r && !n)
		r = run_git(&m, &listed, e, words);
	if (!r && !n)
		n = add_removals(&input, &listed);
out:
	arena_release(&m.arena);
	buf_release(&listed);
	buf_release(&input);
	buf_release(&out);
	return r < 0 ? -1 : n;
}
