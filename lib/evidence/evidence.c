/* evidence.c: a file is read once and cached until the cache is too large.
 * Usually only the cited lines are normalized for hashing. The whole file is
 * normalized only if a citation is no longer in its place.
 *
 * Known limit: if a file changes while it is read, the mixture is compared.
 */
#include "evidence/evidence.h"

#include "base/sha256.h"
#include "base/table.h"

#include <fcntl.h>
#include <unistd.h>

#define HASHED_MAX ((size_t)2 * 1024 * 1024 * 1024)
#define HASHED_ONE ((size_t)64 * 1024 * 1024) /* for one citation */
#define HELD_MAX ((size_t)32 * 1024 * 1024)

/* A file in the form that is hashed, or the reason why it is not available. */
struct cited_source {
	const char *name; /* path or URL */
	bool url;
	enum { SOURCE_READ, SOURCE_GONE, SOURCE_UNREADABLE } how;
	const char *why;  /* reason why it was not read */
	struct buf raw;	  /* content, until it is normalized */
	struct buf text;  /* normalized lines, each with an LF */
	uint32_t *starts; /* offset of each line in text, and its end */
	size_t n;	  /* number of lines */
	char whole[CITATION_HASH + 1]; /* hash of all; "": not computed */
};

struct article {
	const char *url, *name;
};

struct evidence {
	struct repo *repo;
	struct evidence_limits left;
	size_t one; /* bytes left to hash for this citation */
	int top;    /* directory that contains `.co-cli`; -1: not open */
	struct arena arena;
	struct cited_source *sources;
	size_t n, cap, held;
	struct table by_name;
	bool listed;   /* the articles were listed */
	bool unlisted; /* but not all of them */
	struct article *articles;
	size_t narticles, caparticles;
	struct arena names; /* owns the strings of the articles */
};

const char *evidence_name(enum evidence_state s)
{
	static const char *const names[EVIDENCE_STATES] = {
		[EVIDENCE_SAME] = "same",	    [EVIDENCE_MOVED] = "moved",
		[EVIDENCE_CHANGED] = "changed",	    [EVIDENCE_GONE] = "gone",
		[EVIDENCE_UNCHECKED] = "unchecked",
	};

	return names[s];
}

struct evidence *evidence_new(struct repo *repo, struct evidence_limits limits)
{
	struct evidence *ev = mem_alloc(sizeof(*ev));

	*ev = (struct evidence){.repo = repo, .left = limits, .top = -1};
	if (!ev->left.hashed)
		ev->left.hashed = HASHED_MAX;
	if (!ev->left.files)
		ev->left.files = SIZE_MAX;
	return ev;
}

static void drop_sources(struct evidence *ev)
{
	for (size_t i = 0; i < ev->n; i++) {
		buf_release(&ev->sources[i].raw);
		buf_release(&ev->sources[i].text);
		free(ev->sources[i].starts);
	}
	table_release(&ev->by_name);
	arena_reset(&ev->arena);
	ev->n = ev->held = 0;
}

void evidence_free(struct evidence *ev)
{
	if (!ev)
		return;
	drop_sources(ev);
	file_close(ev->top);
	free(ev->sources);
	free(ev->articles);
	arena_release(&ev->arena);
	arena_release(&ev->names);
	free(ev);
}

/* Append the normalized line of TEXT at AT. Returns the offset of the next
 * line. */
static size_t append_normalized(struct buf *out, const struct buf *text,
				size_t at)
{
	const char *p = text->p + at, *nl = memchr(p, '\n', text->len - at);
	const size_t line = nl ? (size_t)(nl - p) : text->len - at;
	size_t kept = line;

	while (kept && strchr(" \t\r", p[kept - 1]) && p[kept - 1])
		kept--;
	buf_add(out, p, kept);
	buf_addc(out, '\n');
	return at + line + 1;
}

static void normalize(struct cited_source *s)
{
	size_t cap = 0, at = 0;

	if (s->starts)
		return;
	buf_grow(&s->text, s->raw.len + 1);
	while (at < s->raw.len) {
		*MEM_ADD(s->starts, s->n, cap) = (uint32_t)s->text.len;
		at = append_normalized(&s->text, &s->raw, at);
	}
	s->starts = mem_grow(s->starts, s->n, &cap, sizeof(*s->starts));
	s->starts[s->n] = (uint32_t)s->text.len;
	buf_release(&s->raw);
}

/* Append the normalized lines of C from S, which is not normalized. Returns
 * false if S has fewer lines. */
static bool append_cited(struct buf *out, const struct cited_source *s,
			 const struct citation *c)
{
	const struct buf *raw = &s->raw;
	size_t at = 0, i = 1;

	for (; i < c->first && at < raw->len; i++) {
		const char *nl = memchr(raw->p + at, '\n', raw->len - at);

		at = nl ? (size_t)(nl - raw->p) + 1 : raw->len;
	}
	for (; i <= c->last && at < raw->len; i++)
		at = append_normalized(out, raw, at);
	return i > c->last;
}

static void record_failure(struct evidence *ev, struct cited_source *s,
			   bool gone, const struct err *why)
{
	s->how = gone ? SOURCE_GONE : SOURCE_UNREADABLE;
	s->why = arena_strdup(&ev->arena, why->text);
}

/* Open the directory that contains `.co-cli`. */
static int open_top(struct evidence *ev, struct err *e)
{
	const struct root *root = &ev->repo->root;
	const char *slash = strrchr(root->path, '/');

	if (ev->top >= 0)
		return 0;
	if (root->fd >= 0)
		ev->top = file_open(root->fd, "..", O_RDONLY | O_DIRECTORY, 0);
	else
		ev->top = file_open(AT_FDCWD,
				    arena_copy(&ev->names, root->path,
					       (size_t)(slash - root->path) +
						       (slash == root->path)),
				    O_RDONLY | O_DIRECTORY, 0);
	return ev->top < 0 ? err_sys(e, "cannot open the directory of '%s'",
				     root->path)
			   : 0;
}

/* Open the directory of the file of S and set *NAME to its name there. Returns
 * as file_open_dir(). */
static int open_dir_of(struct evidence *ev, const struct cited_source *s,
		       int *fd, const char **name, struct err *e)
{
	int dir, r = 1;

	*fd = -1;
	*name = s->name;
	if (open_top(ev, e) < 0)
		return -1;
	dir = ev->top;
	for (const char *slash; r == 1 && (slash = strchr(*name, '/'));
	     *name = slash + 1) {
		const char *part =
			arena_copy(&ev->arena, *name, (size_t)(slash - *name));

		r = file_open_dir(dir, part, s->name, fd, e);
		if (dir != ev->top)
			close(dir);
		dir = *fd;
	}
	if (r == 1 && dir == ev->top) {
		*fd = file_open(dir, ".", O_RDONLY | O_DIRECTORY, 0);
		r = *fd < 0 ? err_sys(e, "cannot open '.'") : 1;
	}
	return r;
}

static void read_file(struct evidence *ev, struct cited_source *s)
{
	const char *slash = strrchr(ev->repo->root.path, '/');
	const char *path = arena_printf(&ev->arena, "%.*s/%s",
					(int)(slash - ev->repo->root.path),
					ev->repo->root.path, s->name);
	const char *name;
	struct stat st;
	struct err e;
	bool gone = true;
	int dir, r;

	r = open_dir_of(ev, s, &dir, &name, &e);
	if (r == 1) {
		r = file_read(dir, name, path, EVIDENCE_FILE_MAX, &s->raw, &e);
		/* A file that is only too large is not gone. */
		if (r < 0 && e.code == ERR_DATA)
			gone = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) <
				       0 ||
			       !S_ISREG(st.st_mode);
		close(dir);
	}
	if (r < 0 && e.code == ERR_SYSTEM)
		gone = false;
	if (r == 0)
		err_set(&e, ERR_NO,
			"no file '%s' in the directory that contains '%s'",
			s->name, ev->repo->root.path);
	if (r != 1)
		record_failure(ev, s, gone, &e);
}

/* Read the article F. Returns 1, or 0 if it cannot be read. */
static int read_article(const struct layout_file *f, struct buf *text,
			struct frontmatter *fm, struct arena *a)
{
	return file_read_walked(f->dir, f->name, f->path, f->kind,
				LAYOUT_FILE_MAX, text, NULL) == 1 &&
	       frontmatter_parse(fm, buf_str(text), text->len, f->path, a,
				 NULL) == 0;
}

static int add_article(void *ctx, const struct layout_file *f, struct err *e)
{
	struct evidence *ev = ctx;
	struct buf text = {0};
	struct frontmatter fm;
	struct arena a = {0};
	const char *url = NULL;

	(void)e;
	if (!ev->left.files) {
		ev->unlisted = true;
		return 1;
	}
	ev->left.files--;
	if (read_article(f, &text, &fm, &a))
		url = value_text(&fm.data, "source");
	if (url) {
		*MEM_ADD(ev->articles, ev->narticles, ev->caparticles) =
			(struct article){arena_strdup(&ev->names, url),
					 arena_strdup(&ev->names, f->name)};
	}
	buf_release(&text);
	arena_release(&a);
	return 0;
}

/* Return the name of the article whose source is URL, or NULL. If there are
 * several, the last by name, so that the result does not depend on the order of
 * the directory. */
static const char *find_article(struct evidence *ev, const char *url,
				struct err *e)
{
	const char *name = NULL;

	if (!ev->listed &&
	    layout_walk(ev->repo, AREA_ARTICLES, add_article, ev, e) < 0)
		return NULL;
	ev->listed = true;
	for (size_t i = 0; i < ev->narticles && !ev->unlisted; i++) {
		const struct article *at = &ev->articles[i];

		if (!strcmp(at->url, url) &&
		    (!name || strcmp(at->name, name) > 0))
			name = at->name;
	}
	if (!name)
		err_set(e, ERR_NO,
			"no article of this store has the source '%s': "
			"'co learn URL' keeps it as one",
			url);
	return name;
}

static void read_url(struct evidence *ev, struct cited_source *s)
{
	struct layout_file f = {.dir = -1, .path = s->name};
	struct buf text = {0};
	struct frontmatter fm;
	struct err e;
	const char *p;
	size_t len;

	f.kind = FILE_REGULAR;
	f.name = find_article(ev, s->name, &e);
	if (!f.name ||
	    layout_open(ev->repo, LAYOUT_ARTICLES, &f.dir, &e) != 1) {
		record_failure(ev, s, false, &e);
		return;
	}
	if (read_article(&f, &text, &fm, &ev->arena)) {
		frontmatter_content(&fm, &p, &len);
		buf_add(&s->raw, p, len);
	} else {
		err_set(&e, ERR_SYSTEM, "the article of '%s' cannot be read",
			s->name);
		record_failure(ev, s, false, &e);
	}
	close(f.dir);
	buf_release(&text);
}

/* Add a source without content. Returns it; borrowed until the next call. */
static struct cited_source *add_source(struct evidence *ev, const char *name,
				       bool url)
{
	const size_t len = strlen(name);
	struct cited_source *s;

	table_put(&ev->by_name, name, len, url, ev->n);
	s = MEM_ADD(ev->sources, ev->n, ev->cap);
	*s = (struct cited_source){.name = arena_strdup(&ev->arena, name),
				   .url = url};
	return s;
}

void evidence_put(struct evidence *ev, const char *path, const char *p,
		  size_t len)
{
	buf_add(&add_source(ev, path, false)->raw, p, len);
}

/* Return the source of C, reading it if it is not cached; borrowed until the
 * next call. Returns NULL if the limit of files is reached. */
static struct cited_source *load_source(struct evidence *ev,
					const struct citation *c)
{
	const size_t len = strlen(c->path);
	struct table_look look = table_look(&ev->by_name, c->path, len, c->url);
	struct cited_source *s;
	size_t i;

	while (table_next(&look, &i)) {
		s = &ev->sources[i];
		if (s->url == c->url && !strcmp(s->name, c->path))
			return s;
	}
	if (!ev->left.files)
		return NULL;
	ev->left.files--;
	if (ev->held > HELD_MAX)
		drop_sources(ev);
	s = add_source(ev, c->path, c->url);
	if (c->url)
		read_url(ev, s);
	else
		read_file(ev, s);
	/* The normalized text takes about as much again. */
	ev->held += 2 * s->raw.cap + sizeof(*s) + len;
	return s;
}

/* Write the hash of LEN bytes at P to HASH. Returns false if the limit is
 * reached. */
static bool hash_span(struct evidence *ev, const char *p, size_t len,
		      char hash[CITATION_HASH + 1])
{
	const size_t cost = len + 64; /* plus the final block of the hash */
	char digits[SHA256_HEX];

	if (ev->left.hashed < cost || ev->one < cost)
		return false;
	ev->left.hashed -= cost;
	ev->one -= cost;
	memcpy(hash, sha256_of(p, len, digits), CITATION_HASH);
	hash[CITATION_HASH] = '\0';
	return true;
}

/* Hash N lines of S from line FIRST on, counted from 1. */
static bool hash_lines(struct evidence *ev, const struct cited_source *s,
		       size_t first, size_t n, char hash[CITATION_HASH + 1])
{
	const size_t from = s->starts[first - 1];

	return hash_span(ev, s->text.p + from, s->starts[first - 1 + n] - from,
			 hash);
}

static bool hash_all(struct evidence *ev, struct cited_source *s,
		     char hash[CITATION_HASH + 1])
{
	if (!s->whole[0] &&
	    !hash_span(ev, buf_str(&s->text), s->text.len, s->whole)) {
		s->whole[0] = '\0';
		return false;
	}
	memcpy(hash, s->whole, sizeof(s->whole));
	return true;
}

/* Return true if S, which is not normalized, has the lines of C in their
 * place. */
static bool is_in_place(struct evidence *ev, const struct cited_source *s,
			const struct citation *c)
{
	char hash[CITATION_HASH + 1];
	struct buf lines = {0};
	const bool is = append_cited(&lines, s, c) &&
			hash_span(ev, buf_str(&lines), lines.len, hash) &&
			!strcmp(hash, c->hash);

	buf_release(&lines);
	return is;
}

/* Search the lines of C elsewhere in S. */
static enum evidence_state find_lines(struct evidence *ev,
				      const struct cited_source *s,
				      const struct citation *c, size_t *first)
{
	const size_t n = c->last - c->first + 1;
	char hash[CITATION_HASH + 1];
	size_t found = 0;

	for (size_t at = 1; at + n <= s->n + 1; at++) {
		if (at == c->first)
			continue;
		if (!hash_lines(ev, s, at, n, hash))
			return EVIDENCE_UNCHECKED;
		if (strcmp(hash, c->hash) != 0)
			continue;
		if (found)
			return EVIDENCE_CHANGED;
		found = at;
	}
	*first = found;
	return found ? EVIDENCE_MOVED : EVIDENCE_CHANGED;
}

enum evidence_state evidence_check(struct evidence *ev,
				   const struct citation *c, size_t *first)
{
	const bool whole = !c->first;
	char hash[CITATION_HASH + 1];
	struct cited_source *s;

	if (c->commit)
		return EVIDENCE_SAME;
	/* The user's store has no project files. */
	if (!c->url && ev->repo->root.scope == SCOPE_GLOBAL)
		return EVIDENCE_UNCHECKED;
	ev->one = HASHED_ONE;
	s = load_source(ev, c);
	if (!s || s->how == SOURCE_UNREADABLE)
		return EVIDENCE_UNCHECKED;
	if (s->how == SOURCE_GONE)
		return EVIDENCE_GONE;
	if (!whole && !s->starts && is_in_place(ev, s, c))
		return EVIDENCE_SAME;
	normalize(s);
	if (!whole && c->last > s->n)
		return find_lines(ev, s, c, first);
	if (whole ? !hash_all(ev, s, hash)
		  : !hash_lines(ev, s, c->first, c->last - c->first + 1, hash))
		return EVIDENCE_UNCHECKED;
	if (!strcmp(hash, c->hash))
		return EVIDENCE_SAME;
	return whole ? EVIDENCE_CHANGED : find_lines(ev, s, c, first);
}

int evidence_cite(struct evidence *ev, struct citation *c, struct err *e)
{
	struct cited_source *s;

	if (c->commit)
		return 0;
	if (!c->url && ev->repo->root.scope == SCOPE_GLOBAL)
		return err_set(e, ERR_DATA,
			       "a memory of the user's store cites no file, "
			       "since that is of one project: '%s'; save it in "
			       "the project, or cite a URL",
			       c->path);
	ev->one = HASHED_ONE;
	s = load_source(ev, c);
	if (!s)
		return err_set(e, ERR_DATA, "too many files are cited");
	if (s->how != SOURCE_READ)
		return err_set(e, s->how == SOURCE_GONE ? ERR_NO : ERR_DATA,
			       "%s", s->why);
	normalize(s);
	if (c->first && c->last > s->n)
		return err_set(e, ERR_DATA, "'%s' has %zu %s, and no line %zu",
			       c->path, s->n, s->n == 1 ? "line" : "lines",
			       c->last);
	if (c->first ? !hash_lines(ev, s, c->first, c->last - c->first + 1,
				   c->hash)
		     : !hash_all(ev, s, c->hash))
		return err_set(e, ERR_DATA,
			       "'%s' cannot be hashed: too much "
			       "is cited",
			       c->path);
	return 0;
}

const struct buf *evidence_text(struct evidence *ev, const struct citation *c)
{
	struct cited_source *s = load_source(ev, c);

	if (!s || s->how != SOURCE_READ)
		return NULL;
	normalize(s);
	return &s->text;
}
