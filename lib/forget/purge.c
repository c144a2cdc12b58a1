/* purge.c: the store of each other work tree of the clone is opened after
 * changing to its directory.
 */
#include "forget/purge.h"

#include "article/article.h"
#include "cache/cache.h"
#include "conversation/conversation-index.h"
#include "history/history.h"
#include "oplog/oplog.h"
#include "overview/browse.h"
#include "repo/gitdir.h"
#include "shown/shown.h"
#include "store/ids.h"
#include "store/trash.h"
#include "sys/dirs.h"
#include "sys/editor.h"
#include "sys/git.h"
#include "transcript/listing.h"
#include "transcript/unsaved.h"

#include <fcntl.h>
#include <unistd.h>

/* Return the id in TEXT, or else in the file name NAME; 0 for none. */
static int64_t id_of(const char *name, const struct buf *text)
{
	struct arena a = {0};
	const struct value *v =
		frontmatter_get(buf_str(text), text->len, "id", &a);
	const int64_t id =
		v && v->kind == VALUE_INT ? v->u.i : ids_of_name(name);

	arena_release(&a);
	return id;
}

bool purge_article_has(struct purge_article *article,
		       const struct value *frontmatter)
{
	const char *source = value_text(frontmatter, "source"),
		   *file = value_text(frontmatter, "attachment");

	/* A memory may say that it is from there as well. */
	if (!source || strcmp(source, article->source) != 0 ||
	    (!value_get(frontmatter, "fetched") &&
	     !value_get(frontmatter, ARTICLE_DRAFTS_KEY)))
		return false;
	if (file && !strings_has(&article->attachments, file))
		strings_add(&article->attachments,
			    arena_strdup(&article->arena, file));
	return true;
}

/* Call purge_article_has() for the frontmatter of TEXT. */
static bool is_of_article(struct purge_article *article, const struct buf *text)
{
	struct frontmatter fm;
	struct arena a = {0};
	const bool is = frontmatter_parse(&fm, buf_str(text), text->len, "", &a,
					  NULL) == 0 &&
			purge_article_has(article, &fm.data);

	arena_release(&a);
	return is;
}

/* Files to be removed. */
struct picking {
	const struct purge *p;
	struct store *s;
	struct arena a;
	struct strings paths;
	struct traces *add; /* or NULL: they get the texts instead */
	int64_t *ids;	    /* of these memories */
	size_t nids, cap;
};

/* Return true if NAME is not derived from a text, like that of a sensitive
 * memory: other memories with the id have it too. */
static bool is_common_name(const char *name)
{
	return !strcmp(name + strspn(name, "0123456789"), "-memory.md");
}

void purge_add_name(struct traces *t, const char *name)
{
	if (!is_common_name(name) || !t->wanted.n)
		traces_add_name(t, name);
}

/* Return true if the file NAME with TEXT contains a trace. */
static bool has_trace(const struct purge *p, const char *name,
		      const struct buf *text)
{
	return traces_match(p->traces, buf_str(text), text->len) ||
	       (!is_common_name(name) &&
		traces_match(p->traces, name, strlen(name)));
}

/* Return true if TEXT, which is not in the memories or the archive of the
 * store, is a version of the memory that is purged. */
static bool is_of_memory(const struct picking *k, const struct buf *text)
{
	return k->s == k->p->s &&
	       purge_memory_has(&k->p->memory, buf_str(text), text->len);
}

/* Return true if the memory at PATH with TEXT must be deleted. Another memory
 * may have its id: in another work tree, in the trash, or after a merge. So a
 * file with the id must also be the one that was named, contain a trace, or
 * have the `created` of the memory. */
static bool must_delete(const struct picking *k, const char *path,
			const struct buf *text)
{
	const struct purge *p = k->p;
	const char *name = strrchr(path, '/') + 1, *named = p->memory.path;
	struct layout_place place;
	struct arena a = {0};
	bool live;

	if (p->article)
		return is_of_article(p->article, text);
	if (p->path || (p->id && id_of(name, text) != p->id))
		return false;
	if (p->id && named && k->s == p->s && !strcmp(path, named))
		return true;
	if (!k->add && has_trace(p, name, text))
		return true;
	live = layout_parse(&k->s->repo, path, &a, &place) &&
	       (place.area == AREA_MEMORIES || place.area == AREA_ARCHIVE);
	arena_release(&a);
	return p->id && (!live || !named) && is_of_memory(k, text);
}

/* Add the file NAME to the paths of ARTICLE and to the names to search for. */
static void add_file(struct purge_article *article, struct traces *t,
		     const char *name)
{
	const char *file = arena_printf(
		&article->arena, "knowledge/" LAYOUT_ARTICLES "/%s", name);

	traces_add_name(t, file + strlen("knowledge/"));
	if (!strings_has(&article->files, file))
		strings_add(&article->files, file);
}

/* Add the text and the names of the file at PATH to k->add. */
static void add_traces(const struct picking *k, const char *path,
		       const struct buf *text)
{
	const char *name = strrchr(path, '/') + 1, *content, *title;
	struct frontmatter fm;
	struct arena a = {0};
	size_t len;

	frontmatter_parse(&fm, buf_str(text), text->len, path, &a, NULL);
	frontmatter_content(&fm, &content, &len);
	traces_add_text(k->add, content, len, false);
	title = k->p->article ? value_text(&fm.data, "title") : NULL;
	if (title)
		traces_add_text(k->add, title, strlen(title), false);
	if (!k->p->article)
		purge_add_name(k->add, name);
	else if (layout_is_article(path))
		add_file(k->p->article, k->add, name);
	arena_release(&a);
}

static void add_id(struct picking *k, int64_t id)
{
	*MEM_ADD(k->ids, k->nids, k->cap) = id;
}

static void pick(struct picking *k, const char *path, const struct buf *text)
{
	const char *name = strrchr(path, '/') + 1;

	if (!must_delete(k, path, text))
		return;
	if (k->add) {
		add_traces(k, path, text);
		return;
	}
	strings_add(&k->paths, arena_strdup(&k->a, path));
	if (!k->p->article && !layout_is_draft(path))
		add_id(k, id_of(name, text));
}

static int pick_file(void *ctx, const struct layout_file *f, struct err *e)
{
	struct buf text = {0};
	const int r = file_read_walked(f->dir, f->name, f->path, f->kind,
				       LAYOUT_FILE_MAX, &text, e);

	if (r > 0)
		pick(ctx, f->path, &text);
	buf_release(&text);
	return r < 0 && e->code == ERR_SYSTEM ? -1 : 0;
}

static int pick_trashed(void *ctx, const struct record *r)
{
	struct buf text = {0};

	buf_add(&text, r->bytes, r->nbytes);
	pick(ctx, r->path, &text);
	buf_release(&text);
	return 0;
}

/* Pick from all memories, and for an article from all articles. */
static int pick_all(struct picking *k, struct err *e)
{
	const struct report *report = k->s->report;
	int r = 0;

	for (enum area area = AREA_MEMORIES; area < AREA_ANY && !r; area++)
		r = layout_walk(&k->s->repo, area, pick_file, k, e);
	if (r || !k->p->article)
		return r;
	k->s->report = NULL;
	r = layout_walk(&k->s->repo, AREA_ARTICLES, pick_file, k, e);
	if (!r)
		r = trash_each_article(k->s, pick_trashed, k, e);
	k->s->report = report;
	return r;
}

/* Attachments that other articles name. */
struct naming {
	struct purge_article *article;
	struct arena a;
	struct strings files; /* below knowledge/ */
	bool unknown;	      /* one cannot be read, and may name any */
};

static int note_named(void *ctx, const struct record *r)
{
	struct naming *n = ctx;
	const char *file = value_text(r->frontmatter, "attachment");

	if (file && !purge_article_has(n->article, r->frontmatter))
		strings_add(&n->files, arena_strdup(&n->a, file));
	return 0;
}

static void note_unknown(void *ctx, const struct err *e)
{
	struct naming *n = ctx;

	(void)e;
	n->unknown = true;
}

/* Fill N with the attachments named by articles of S, including those in the
 * trash. */
static int find_named(struct naming *n, struct store *s, struct err *e)
{
	const struct report *report = s->report, quiet = {note_unknown, n};
	int r;

	s->report = &quiet;
	r = store_each(s, AREA_ARTICLES, note_named, n, e);
	if (!r)
		r = trash_each_article(s, note_named, n, e);
	s->report = report;
	return r;
}

static void release_named(struct naming *n)
{
	free(n->files.items);
	arena_release(&n->a);
}

/* Return true if FILE, relative to knowledge/, is a valid path of an
 * attachment. */
static bool is_attachment(const char *file)
{
	static const char below[] = "attachments/";
	const char *p = file;

	if (strncmp(file, below, strlen(below)) != 0)
		return false;
	for (; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (!*p || *p == '.' || *p == '/')
			return false;
	}
	return true;
}

/* Open the directory of the attachment FILE. Set *NAME to the file name, which
 * points into FILE. Return as layout_open(). */
static int open_attachment(struct store *s, const char *file, struct arena *a,
			   const char **name, int *dir, struct err *e)
{
	const char *slash = strrchr(file, '/');

	*name = slash + 1;
	return layout_open(&s->repo,
			   arena_copy(a, file, (size_t)(slash - file)), dir, e);
}

/* Remove the attachments of the article that no other article of the store
 * names. */
static int remove_attachments(struct picking *k, struct err *e)
{
	const struct purge *p = k->p;
	struct naming n = {.article = p->article};
	int dir, r = find_named(&n, k->s, e);

	for (size_t i = 0; i < p->article->attachments.n && !r; i++) {
		const char *file = p->article->attachments.items[i], *name;
		const char *path = layout_path(&k->s->repo, file, &k->a);
		struct stat st;

		if (n.unknown || strings_has(&n.files, file) ||
		    !is_attachment(file))
			continue;
		r = open_attachment(k->s, file, &k->a, &name, &dir, e);
		if (r <= 0)
			continue;
		r = 0;
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			if (!p->dry)
				r = file_remove(dir, name, path, e);
			if (!r)
				p->gone(p->ctx, path);
		}
		close(dir);
	}
	release_named(&n);
	return r < 0 ? -1 : 0;
}

/* Return true if the file NAME with TEXT, kept for an undo, must be deleted: a
 * memory as in must_delete(), another file if it contains a trace. */
static bool is_kept_for_undo(void *ctx, const char *name,
			     const struct buf *text)
{
	const struct picking *k = ctx;
	const struct purge *p = k->p;
	const int64_t id = id_of("", text);
	bool has;

	if (p->article)
		return is_of_article(p->article, text);
	if (p->path)
		return false;
	has = has_trace(p, name, text);
	return p->id && id ? id == p->id && (has || is_of_memory(k, text))
			   : has;
}

/* Report that something cannot be read, as WHAT says. The search after a purge reports it
 * anyway. */
static void note_unread(void *ctx, const char *what)
{
	const struct picking *k = ctx;

	if (k->p->dry)
		traces_miss(k->p->traces, what);
}

/* Sweep the file NAME, at PATH, of the directory DIR. Return true if it has a trace. */
static bool sweep_file(struct picking *k, int dir, const char *name,
		       const char *path)
{
	const struct purge *p = k->p;
	struct buf text = {0};
	struct err e;
	const int r = strings_has(&k->paths, path)
			      ? 0
			      : file_read(dir, name, path, LAYOUT_FILE_MAX * 64,
					  &text, &e);
	const bool goes = r > 0 && is_kept_for_undo(k, name, &text);

	if (r < 0)
		note_unread(k, e.text);
	if (goes && (p->dry || unlinkat(dir, name, 0) == 0))
		p->gone(p->ctx, path);
	buf_release(&text);
	return goes;
}

static void sweep_folder(struct picking *k, int above, const char *name,
			 const char *path)
{
	struct file_list in = {0};
	struct arena a = {0};
	struct err e;
	bool any = false;
	int dir = -1, r = file_open_dir(above, name, path, &dir, &e);

	if (r == 1)
		r = file_list(dir, path, &a, &in, &e);
	if (r < 0)
		note_unread(k, e.text);
	for (size_t i = 0; i < in.n; i++) {
		const char *one = in.items[i].name;
		const char *at = arena_printf(&a, "%s/%s", path, one);

		if (in.items[i].kind == FILE_FOLDER)
			sweep_folder(k, dir, one, at);
		else if (in.items[i].kind == FILE_REGULAR)
			any |= sweep_file(k, dir, one, at);
	}
	if (any && !k->p->dry)
		file_sync(dir);
	arena_release(&a);
	file_close(dir);
}

/* Sweep the directories in knowledge/, except those that the table of directories
 * excludes from that. Unknown ones are swept. */
static int sweep_all(struct picking *k, struct err *e)
{
	const struct repo *repo = &k->s->repo;
	struct file_list in;
	const int r = file_list(repo->fd, repo->path, &k->a, &in, e);

	for (size_t i = 0; i < in.n; i++) {
		const char *name = in.items[i].name;
		const struct layout_directory *d =
			layout_top(name, strlen(name));

		if (in.items[i].kind == FILE_FOLDER && !(d && d->unswept))
			sweep_folder(
				k, repo->fd, name,
				arena_printf(&k->a, "%s/%s", repo->path, name));
	}
	return r;
}

/* Discard kept edits that contain a trace. Edits of a single memory are
 * discarded with its file. */
static void discard_edits(const struct purge *p)
{
	struct traces t = {.wanted = p->traces->wanted};
	struct editor_kept *kept;
	size_t n;

	editor_list(&kept, &n);
	for (size_t i = 0; i < n; i++) {
		t.n = 0;
		traces_look_below(&t, kept[i].dir, NULL);
		if (!t.n)
			continue;
		if (p->dry || editor_discard(&kept[i], NULL) == 0)
			p->gone(p->ctx, kept[i].dir);
	}
	editor_list_free(kept, n);
}

static void log_gone(void *ctx, const char *what)
{
	const struct picking *k = ctx;

	k->p->gone(k->p->ctx, what);
}

/* Purge the operation log, by the names of the deleted files and by content. */
static int purge_log(struct picking *k, struct err *e)
{
	const struct oplog_purge log = {
		.paths = k->paths.items,
		.n = k->paths.n,
		.holds = is_kept_for_undo,
		.gone = log_gone,
		.missed = note_unread,
		.ctx = k,
		.dry = k->p->dry,
	};

	return oplog_purge(&k->s->repo, &log, e);
}

/* A log_folder_fn: purge the drafts next to F, unless another store that still
 * exists wrote them. */
static int purge_drafts(void *ctx, const struct log_folder *f, struct err *e)
{
	(void)e;
	if (f->drafts &&
	    (f->proven || f->replaced || identity_is_gone(&f->was)))
		sweep_folder(ctx, AT_FDCWD, f->drafts, f->drafts);
	return 0;
}

static bool unsaved_goes(void *ctx, const char *p, size_t len)
{
	const struct picking *k = ctx;

	return traces_match(k->p->traces, p, len);
}

/* Purge the texts that hooks could not save: see unsaved.h. */
static int purge_unsaved(struct picking *k, struct err *e)
{
	const struct unsaved_purge p = {.goes = unsaved_goes,
					.gone = log_gone,
					.missed = note_unread,
					.ctx = k,
					.dry = k->p->dry};
	struct identity store;

	if (identity_of(&store, &k->s->repo.root, e) < 0)
		return -1;
	return unsaved_purge(&store, &p, e);
}

/* Purge the ledgers of what agents were shown. */
static int purge_shown(struct picking *k, struct err *e)
{
	const struct shown_purge p = {.root = &k->s->repo.root,
				      .ids = k->ids,
				      .n = k->nids,
				      .gone = log_gone,
				      .ctx = k,
				      .dry = k->p->dry};

	return k->nids ? shown_purge(&p, e) : 0;
}

/* Delete the files of K, and report those that are gone then. */
static int remove_files(struct picking *k, struct err *e)
{
	const int r = k->p->dry || !k->paths.n
			      ? 0
			      : trash_remove(k->s, k->paths.items, k->paths.n,
					     true, &k->a, NULL, e);

	for (size_t i = 0; i < k->paths.n; i++) {
		const char *path = k->paths.items[i];

		if (k->p->dry || file_is_gone(AT_FDCWD, path, false))
			k->p->gone(k->p->ctx, path);
	}
	return r;
}

static int purge_store(const struct purge *p, struct store *s, struct err *e)
{
	struct picking k = {.p = p, .s = s};
	int r;

	if (s->repo.fd < 0)
		return 0;
	/* The lock moves old drafts to where drafts are now. */
	if (!p->dry && store_lock(s, e) < 0)
		return -1;
	if (!p->dry)
		store_unlock(s);
	r = pick_all(&k, e);
	if (!r && p->path && s == p->s)
		strings_add(&k.paths, arena_printf(&k.a, "%s/%s",
						   s->repo.root.path, p->path));
	if (!r)
		r = store_lock(s, e);
	if (!r) {
		r = purge_log(&k, e);
		if (!r)
			r = log_folder_each_other(&s->repo.root, purge_drafts,
						  &k, e);
		store_unlock(s);
	}
	/* Remove attachments before the articles that name them: after a kill,
	 * another purge then still finds the rest. */
	if (!r && p->article)
		r = remove_attachments(&k, e);
	if (!r)
		r = remove_files(&k, e);
	if (!r)
		r = store_lock(s, e);
	if (!r) {
		r = sweep_all(&k, e);
		store_unlock(s);
	}
	if (!r)
		r = purge_unsaved(&k, e);
	if (!r && p->id && s == p->s)
		add_id(&k, p->id);
	if (!r)
		r = purge_shown(&k, e);
	if (!r && !p->dry)
		r = cache_purge(s->cache, e);
	free(k.paths.items);
	free(k.ids);
	arena_release(&k.a);
	return r;
}

/* The other work trees of the clone of S: in each, the directory where S's root
 * is in this one. */
struct trees {
	struct arena a;
	struct strings places;
	struct strings unread; /* why others cannot be looked at */
	const char *common;    /* the git dir that they share, or NULL */
	const char *below;     /* the place below the top, "" or "/a/b" */
	const char *here;
};

static void add_tree(struct trees *t, const char *top)
{
	const char *place = arena_printf(&t->a, "%s%s", top, t->below);
	struct gitdir g;
	struct err e;
	const int found = gitdir_find(&g, top, &e);

	if (found < 0 && e.code == ERR_SYSTEM)
		strings_add(&t->unread, arena_strdup(&t->a, e.text));
	if (found <= 0)
		return;
	/* A file may name any directory, so only work trees of this clone
	 * count. */
	if (file_is_same(g.common, t->common) && strcmp(place, t->here) != 0)
		strings_add(&t->places, place);
	gitdir_release(&g);
}

static int add_linked(void *ctx, const char *name, enum file_kind kind)
{
	struct trees *t = ctx;
	struct buf text = {0};
	const char *path =
		arena_printf(&t->a, "%s/worktrees/%s/gitdir", t->common, name);
	char *slash;

	if (kind == FILE_FOLDER &&
	    file_read_path(path, LAYOUT_FILE_MAX, &text, NULL) >= 0 &&
	    text.len) {
		text.p[strcspn(text.p, "\n")] = '\0';
		slash = strrchr(text.p, '/');
		if (slash && *text.p == '/') {
			*slash = '\0';
			add_tree(t, text.p);
		}
	}
	buf_release(&text);
	return 0;
}

static int find_trees(struct trees *t, const struct store *s, struct err *e)
{
	const char *path = s->repo.root.path, *slash = strrchr(path, '/');
	struct gitdir g;
	char *main_top;
	int dir, r;

	t->here = arena_copy(&t->a, path, (size_t)(slash - path));
	r = gitdir_find(&g, t->here, e);
	if (r <= 0)
		return r;
	t->common = arena_strdup(&t->a, g.common);
	t->below = strncmp(t->here, g.top, strlen(g.top))
			   ? ""
			   : arena_strdup(&t->a, t->here + strlen(g.top));
	main_top = gitdir_main(&g);
	if (main_top)
		add_tree(t, main_top);
	free(main_top);
	gitdir_release(&g);
	path = arena_printf(&t->a, "%s/worktrees", t->common);
	if (file_open_dir(AT_FDCWD, path, path, &dir, NULL) <= 0)
		return 0;
	r = file_walk(dir, path, add_linked, t, e);
	close(dir);
	return r;
}

static void release_trees(struct trees *t)
{
	free(t->places.items);
	free(t->unread.items);
	arena_release(&t->a);
}

/* Purge the store in the directory PLACE, if there is one. */
static int purge_other(const struct purge *p, const char *place, struct err *e)
{
	struct store s;
	int r = 0;

	if (chdir(place) < 0 || access(".co-cli", F_OK) < 0)
		return 0;
	if (store_open(&s, SCOPE_PROJECT, p->s->report, e) < 0)
		return -1;
	if (strcmp(s.repo.root.path, p->s->repo.root.path) != 0)
		r = purge_store(p, &s, e);
	store_close(&s);
	return r;
}

int purge_run(struct purge *p, struct err *e)
{
	const int here = file_open(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0);
	struct trees t = {.below = ""};
	int r = here < 0 ? err_sys(e, "cannot open the working directory") : 0;

	if (!r)
		r = find_trees(&t, p->s, e);
	if (r >= 0)
		r = purge_store(p, p->s, e);
	for (size_t i = 0; i < t.places.n && !r; i++)
		r = purge_other(p, t.places.items[i], e);
	if (!r && !p->id && !p->path && !p->article)
		discard_edits(p);
	if (!r && !p->dry)
		r = browse_file_forget(e);
	if (!r && !p->dry)
		r = conversation_index_forget(e);
	if (here >= 0 && fchdir(here) < 0 && !r)
		r = err_sys(e, "cannot go back to the working directory");
	file_close(here);
	release_trees(&t);
	return r;
}

/* Search the records of conversations that agents keep, with the logs of databases. */
static void look_in_records(struct traces *t, const char *project,
			    struct arena *a)
{
	struct sessions found = {.a = a};
	const char *last = "";
	struct err e;

	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		if (listing_add(&found, f, project, &e) < 0)
			traces_miss(t, e.text);
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct session *one = &found.items[i];
		const char *id = listing_mark(one);
		const char *path =
			id ? arena_copy(a, one->path, (size_t)(id - one->path))
			   : one->path;

		/* The sessions of one database follow each other. */
		if (!strcmp(path, last))
			continue;
		last = path;
		traces_look_below(t, path, NULL);
		if (id)
			traces_look_below(t, arena_printf(a, "%s-wal", path),
					  NULL);
	}
	listing_release(&found);
}

int purge_look(struct store *s, struct traces *t, struct purge_history *h,
	       struct arena *a, struct err *e)
{
	static int (*const folders[])(char **, struct err *) = {
		dirs_config, dirs_state, dirs_cache};
	struct trees trees = {.below = ""};
	struct buf url = {0};
	char *path;
	int r = find_trees(&trees, s, e);

	if (s->repo.fd >= 0)
		traces_look_below(t, s->repo.root.path, NULL);
	for (size_t i = 0; i < trees.places.n; i++)
		traces_look_below(
			t, arena_printf(a, "%s/.co-cli", trees.places.items[i]),
			NULL);
	for (size_t i = 0; i < trees.unread.n; i++)
		traces_miss(t, trees.unread.items[i]);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (folders[i](&path, NULL) < 0)
			continue;
		if (strcmp(path, s->repo.root.path) != 0)
			traces_look_below(t, path, NULL);
		free(path);
	}
	path = root_folder(&s->repo.root);
	h->records = t->n;
	look_in_records(t, path, a);
	h->records = t->n - h->records;
	free(path);
	if (trees.common) {
		traces_look_below(t, trees.common, "objects");
		r = traces_look_in_git(t, trees.here, &h->paths, a, e);
		h->git = true;
		h->origin = git_option(trees.here, false, "remote.origin.url",
				       &url, NULL) > 0;
	}
	buf_release(&url);
	release_trees(&trees);
	return r < 0 ? -1 : 0;
}

int purge_collect(struct store *s, int64_t id, const struct purge_memory *m,
		  struct traces *t, struct err *e)
{
	const struct purge p = {.s = s, .traces = t, .id = id, .memory = *m};
	struct picking k = {.p = &p, .s = s, .add = t};
	const int r = s->repo.fd < 0 ? 0 : pick_all(&k, e);

	arena_release(&k.a);
	return r;
}

/* An article in the trash that is looked for by the name that it had. */
struct trashed {
	struct purge_article *article;
	const char *name;
};

static int find_trashed(void *ctx, const struct record *r)
{
	const struct trashed *t = ctx;

	if (!r->source || strcmp(strrchr(r->path, '/') + 1, t->name) != 0)
		return 0;
	t->article->source = arena_strdup(&t->article->arena, r->source);
	return 1;
}

/* Set the source of ARTICLE from the last committed version of the file at
 * PATH. */
static int find_committed(struct purge_article *article, struct store *s,
			  const char *path, struct err *e)
{
	const struct history_want want = {.path = path};
	struct history h = {0};
	const int r = history_load(&h, s, &want, e);

	for (size_t i = 0; i < h.n && !article->source; i++) {
		for (size_t k = 0; k < 2 * h.steps[i].n; k++) {
			const struct history_change *c =
				&h.steps[i].changes[k / 2];
			const struct version *v = k % 2 ? c->was : c->now;
			const char *source =
				v ? value_text(&v->text->fm.data, "source")
				  : NULL;

			if (source && !article->source)
				article->source =
					arena_strdup(&article->arena, source);
		}
	}
	history_release(&h);
	return r;
}

/* Find the article OPERAND, which no longer exists, in the trash or in history.
 * Return as purge_article_find(). */
static int find_gone(struct purge_article *article, struct store *s,
		     const char *operand, struct err *e)
{
	static const char below[] = "knowledge/" LAYOUT_ARTICLES "/";
	const struct report *report = s->report;
	struct history_want want;
	struct trashed t = {article, NULL};
	int r;

	if (history_want(&want, s, operand, &article->arena, NULL) < 0 ||
	    want.id || !want.path || strncmp(want.path, below, strlen(below)))
		return 0;
	t.name = strrchr(want.path, '/') + 1;
	s->report = NULL;
	r = s->repo.fd < 0 ? 0 : trash_each_article(s, find_trashed, &t, e);
	s->report = report;
	return r < 0 || article->source
		       ? r
		       : find_committed(article, s, want.path, e);
}

int purge_article_find(struct purge_article *article, struct store *s,
		       const char *operand, struct err *e)
{
	struct layout_place p;
	struct buf text = {0};
	struct frontmatter fm;
	const char *path, *source;
	int64_t id;
	int r = 0;

	if (store_is_id(operand, &id) || store_is_global_id(operand, &id))
		return 0;
	if (layout_find(&s->repo, operand, &article->arena, &path, &p, NULL) ==
	    1) {
		if (p.article)
			r = layout_read(&s->repo, path, &article->arena, &p,
					&text, e);
		if (r > 0 &&
		    frontmatter_parse(&fm, buf_str(&text), text.len, path,
				      &article->arena, NULL) == 0 &&
		    (source = value_text(&fm.data, "source")))
			article->source = arena_strdup(&article->arena, source);
		buf_release(&text);
	} else {
		r = find_gone(article, s, operand, e);
	}
	return r < 0 ? -1 : article->source != NULL;
}

/* Search for the content and the name of the attachment FILE. */
static void add_attachment(struct store *s, const char *file, struct traces *t)
{
	struct buf bytes = {0};
	struct arena a = {0};
	const char *name;
	int dir;

	if (open_attachment(s, file, &a, &name, &dir, NULL) == 1) {
		if (file_read(dir, name, file, LAYOUT_FILE_MAX * 64, &bytes,
			      NULL) > 0)
			traces_add_bytes(t, bytes.p, bytes.len);
		close(dir);
	}
	traces_add_name(t, name);
	buf_release(&bytes);
	arena_release(&a);
}

int purge_article_collect(struct purge_article *article, struct store *s,
			  struct traces *t, struct err *e)
{
	const struct purge p = {.s = s, .traces = t, .article = article};
	struct picking k = {.p = &p, .s = s, .add = t};
	struct naming n = {.article = article};
	struct strings *all = &article->attachments;
	size_t kept = 0;
	int r = s->repo.fd < 0 ? 0 : pick_all(&k, e);

	if (!r && s->repo.fd >= 0)
		r = find_named(&n, s, e);
	for (size_t i = 0; i < all->n && !r; i++) {
		if (strings_has(&n.files, all->items[i]) ||
		    !is_attachment(all->items[i]))
			continue;
		add_attachment(s, all->items[i], t);
		all->items[kept++] = all->items[i];
	}
	if (!r)
		all->n = kept;
	release_named(&n);
	arena_release(&k.a);
	return r < 0 ? -1 : 0;
}

void purge_article_release(struct purge_article *article)
{
	free(article->files.items);
	free(article->attachments.items);
	arena_release(&article->arena);
	*article = (struct purge_article){.source = NULL};
}

void purge_note(struct purge_history *h, const char *where, const char *type)
{
	const size_t len = strlen(where);

	h->in_index = h->in_index ||
		      (!type && len > 6 && !strcmp(where + len - 6, "/index"));
	h->in_messages =
		h->in_messages ||
		(type && (!strcmp(type, "commit") || !strcmp(type, "tag")));
}

/* Return true if the whole file PATH is to be removed from history: it belongs
 * to the memory, or it is a memory and a text is purged. */
static bool goes_whole(const struct purge_history *h, const char *path)
{
	const char *below = strstr(path, "knowledge/");

	for (size_t i = 0; i < h->names.n; i++) {
		const size_t n = strlen(h->names.items[i]), len = strlen(path);

		if (len >= n && !strcmp(path + len - n, h->names.items[i]))
			return true;
	}
	return h->texts && below && version_kind(below) == VERSION_MEMORY;
}

void purge_commands(struct buf *out, const struct purge_history *h)
{
	struct buf whole = {0};
	bool parts = false, rewritten;

	for (size_t i = 0; i < h->paths.n; i++) {
		if (goes_whole(h, h->paths.items[i])) {
			buf_adds(&whole, " --path ");
			buf_add_quoted(&whole, h->paths.items[i]);
		} else {
			parts = true;
		}
	}
	buf_adds(out, "\nTo take it out of git, when all else is committed:\n");
	if (h->in_index)
		buf_adds(out, "  git add -A && git commit -m 'forget a "
			      "memory'\n");
	rewritten = whole.len || parts || h->in_messages;
	if (rewritten)
		buf_adds(out, "  # git-filter-repo is a program of its own, "
			      "not a part of git\n");
	if (rewritten && h->origin)
		buf_adds(out, "  origin=$(git config --get remote.origin.url) "
			      "# which filter-repo takes away\n");
	if (whole.len)
		buf_addf(out, "  git filter-repo --force --invert-paths%s\n",
			 whole.p);
	if (parts || h->in_messages)
		buf_adds(out, "  # ../lines: each line of the text, in a file "
			      "that you delete afterwards\n");
	if (parts)
		buf_adds(out, "  git filter-repo --force --replace-text "
			      "../lines\n");
	if (h->in_messages)
		buf_adds(out, "  git filter-repo --force --replace-message "
			      "../lines\n");
	buf_adds(out,
		 "  rm -f .git/COMMIT_EDITMSG .git/ORIG_HEAD; git stash clear\n"
		 "  git reflog expire --expire=now --all && git gc "
		 "--prune=now\n");
	if (rewritten && h->origin)
		buf_adds(out, "  git remote add origin \"$origin\"\n");
	if (h->origin)
		buf_adds(out, "  git push --force --all origin && "
			      "git push --force --tags origin\n");
	buf_adds(out,
		 "Clones, forks, pull requests and the transcripts of agents "
		 "keep it: revoke what it opens.\n");
	buf_release(&whole);
}
