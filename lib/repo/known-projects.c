/* known-projects.c: the list is replaced as a whole, if it has not changed since it was
 * read. Otherwise it is read again. So no process waits for another.
 */
#include "repo/known-projects.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "repo/gitdir.h"
#include "repo/identity.h"
#include "repo/owner.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "projects"
#define FILE_MAX ((size_t)2 * 1024 * 1024)
#define DAY (24 * 60 * 60)
#define MONTH (30 * DAY)
#define ATTEMPTS 3

/* The open directory of the list; FD is -1 if it is absent. */
struct place {
	int fd;
	struct buf path; /* of the list */
};

static int open_place(struct place *p, bool make, struct err *e)
{
	char *folder;
	struct stat st;
	int r = 0;

	*p = (struct place){.fd = -1};
	if (dirs_state(&folder, e) < 0)
		return -1;
	buf_addf(&p->path, "%s/" NAME, folder);
	if (make)
		r = file_make_path(folder, 0700, &p->fd, e);
	else
		p->fd = file_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
	if (!r && p->fd < 0 && errno != ENOENT)
		r = err_sys(e, "cannot open '%s'", folder);
	if (!r && p->fd >= 0 &&
	    (fstat(p->fd, &st) < 0 || !owner_is_trusted(st.st_uid, folder)))
		r = err_set(e, ERR_SYSTEM,
			    "refusing '%s': it belongs to another user",
			    p->path.p);
	free(folder);
	return r;
}

static void close_place(struct place *p)
{
	file_close(p->fd);
	buf_release(&p->path);
}

/* Set P from the LEN bytes of LINE, allocated in A. Return false if it is malformed. */
static bool parse_line(const char *line, size_t len, struct arena *a,
		       struct known_project *p)
{
	const char *seen, *since;
	struct value v;

	*p = (struct known_project){0};
	if (json_parse(line, len, a, &v, NULL) < 0 || v.kind != VALUE_MAP)
		return false;
	p->id = value_text(&v, "id");
	p->path = value_text(&v, "path");
	seen = value_text(&v, "seen");
	since = value_text(&v, "since");
	if (!p->id || !project_id_is(p->id) || !p->path || *p->path != '/' ||
	    !seen || !instant_parse(seen, strlen(seen), &p->seen))
		return false;
	if (!since || !instant_parse(since, strlen(since), &p->since))
		p->since = p->seen;
	p->dir = value_text(&v, "dir");
	p->git = value_text(&v, "git");
	p->moved = value_is_true(value_get(&v, "moved"));
	return true;
}

static int by_seen(const void *a, const void *b)
{
	const struct known_project *x = a, *y = b;
	const int r = instant_cmp(y->seen, x->seen);

	return r ? r : strcmp(x->path, y->path);
}

static void parse_list(const struct buf *text, struct arena *a,
		       struct known_projects *out)
{
	const char *line;
	size_t cap = 0, at = 0, len;

	*out = (struct known_projects){0};
	while (buf_next_line(text, &at, &line, &len)) {
		struct known_project one, *old = out->items;

		if (!parse_line(line, len, a, &one))
			continue;
		if (out->n == cap) {
			cap = cap ? 2 * cap : 16;
			out->items = arena_alloc(a, cap * sizeof(one));
			if (out->n)
				memcpy(out->items, old, out->n * sizeof(one));
		}
		out->items[out->n++] = one;
	}
	MEM_SORT(out->items, out->n, by_seen);
	if (out->n > KNOWN_PROJECTS_MAX)
		out->n = KNOWN_PROJECTS_MAX;
}

/* Read the list into TEXT. Return 1, 0 or -1. Little is lost with the list, but if
 * it cannot be read, nothing is added to it any more. */
static int read_list(const struct place *p, struct buf *text, struct err *e)
{
	struct err why;
	const int r = file_read(p->fd, NAME, p->path.p, FILE_MAX, text, &why);

	return r < 0 ? err_set(e, why.code,
			       "%s; it can be removed: projects are noted "
			       "again as they are written to",
			       why.text)
		     : r;
}

int known_projects_read(struct known_projects *out, struct arena *a,
			struct err *e)
{
	struct buf text = {0};
	struct place p;
	int r = open_place(&p, false, e);

	*out = (struct known_projects){0};
	if (!r && p.fd >= 0)
		r = read_list(&p, &text, e);
	if (r == 1)
		parse_list(&text, a, out);
	close_place(&p);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Append P as a line of the list. Return false if the list would be too long to
 * read. */
static bool write_line(struct buf *out, const struct known_project *p)
{
	const size_t start = out->len;
	char seen[INSTANT_TEXT], since[INSTANT_TEXT];

	json_write_open(out, NULL, '{');
	json_write_text(out, "id", p->id);
	json_write_text(out, "path", p->path);
	json_write_text(out, "seen", instant_format(p->seen, seen));
	json_write_text(out, "since", instant_format(p->since, since));
	json_write_given(out, "dir", p->dir);
	json_write_given(out, "git", p->git);
	if (p->moved)
		json_write_bool(out, "moved", true);
	json_write_end(out);
	if (out->len > FILE_MAX)
		buf_cut(out, start);
	return out->len > start;
}

static bool is_equal(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Return true if A and B, which have the same id, have the same directory or the
 * same git directory. */
static bool is_same_project(const struct known_project *a,
			    const struct known_project *b)
{
	return is_equal(a->dir, b->dir) || is_equal(a->git, b->git);
}

/* Return true if NEW, which has the id of OLD, is proven to be OLD, moved or not. */
static bool came_from(const struct known_project *new,
		      const struct known_project *old)
{
	return is_equal(new->dir, old->dir) ||
	       (is_same_project(new, old) &&
		(old->moved || file_is_gone(AT_FDCWD, old->path, false)));
}

/* Return true if the list WAS has NEW, seen within the last day. This is called for
 * each change of a store, so only the lines with its id are parsed. */
static bool is_noted(const struct buf *was, const struct known_project *new)
{
	struct arena a = {0};
	bool noted = false;
	const char *text = buf_str(was), *p = text;

	while (!noted && (p = strstr(p, new->id))) {
		const char *start = p;
		struct known_project is;

		while (start > text && start[-1] != '\n')
			start--;
		p += strcspn(p, "\n");
		noted = parse_line(start, (size_t)(p - start), &a, &is) &&
			!strcmp(is.path, new->path) &&
			!strcmp(is.id, new->id) && !is.moved &&
			(new->git ? is_equal(is.git, new->git)
				  : is_equal(is.dir, new->dir)) &&
			new->seen.sec - is.seen.sec <
				DAY &&instant_cmp(is.seen, new->seen) <= 0;
	}
	arena_release(&a);
	return noted;
}

/* Update the "since" of NEW from the line OLD, which has the same id. Set *LEFT to the
 * path of OLD if NEW was moved from there. Return true if OLD stays in the list. */
static bool merge_line(struct known_project *new, struct known_project *old,
		       const char **left)
{
	const bool here = !strcmp(old->path, new->path);

	if (!here && !came_from(new, old))
		return true;
	if (instant_cmp(old->since, new->since) < 0)
		new->since = old->since;
	if (!here) {
		*left = old->path;
		/* The store that is there now is unknown. */
		old->dir = old->git = NULL;
		old->since = old->seen = new->seen;
		return !old->moved && !file_is_gone(AT_FDCWD, old->path, false);
	}
	/* Another store with that id was here, and may have moved. */
	if ((old->dir || old->git) && !came_from(new, old))
		old->moved = true;
	return old->moved;
}

/* Append to TEXT the list WAS with the project CTX. Return false if WAS has it. */
static bool add_project(struct buf *text, const struct buf *was,
			const void *ctx)
{
	const struct known_project *new = ctx;
	struct known_project dated = *new;
	struct known_projects all;
	const char *left = NULL; /* the path that NEW had before */
	struct arena a = {0};
	size_t n = 1, kept = 0;

	if (is_noted(was, new))
		return false;
	parse_list(was, &a, &all);
	for (size_t i = 0; i < all.n; i++) {
		struct known_project *one = &all.items[i];

		if (strcmp(one->id, new->id) ? strcmp(one->path, new->path) != 0
					     : merge_line(&dated, one, &left))
			all.items[kept++] = *one;
	}
	write_line(text, &dated);
	for (size_t i = 0; i < kept && n < KNOWN_PROJECTS_MAX; i++) {
		struct known_project *one = &all.items[i];

		/* Another store is at the old path: it was not noted first. */
		if (left && !strcmp(one->path, left) &&
		    !strcmp(one->id, new->id))
			one->since = one->seen;
		n += write_line(text, one);
	}
	arena_release(&a);
	return true;
}

static bool is_stale(const struct known_project *p)
{
	return p->gone && instant_now().sec - p->seen.sec > MONTH;
}

/* Append to TEXT the list WAS without the stale projects of CTX, a list that was read
 * before and has the same order. A project that was written to since then stays. Return
 * false if there is none to remove. */
static bool drop_stale(struct buf *text, const struct buf *was, const void *ctx)
{
	const struct known_projects *read = ctx;
	struct known_projects all;
	struct arena a = {0};
	size_t k = 0, dropped = 0;

	parse_list(was, &a, &all);
	for (size_t i = 0; i < all.n; i++) {
		while (k < read->n &&
		       by_seen(&read->items[k], &all.items[i]) < 0)
			k++;
		if (k < read->n && is_stale(&read->items[k]) &&
		    !by_seen(&read->items[k], &all.items[i]))
			dropped++;
		else
			write_line(text, &all.items[i]);
	}
	arena_release(&a);
	return dropped;
}

/* Append the new list to TEXT; WAS is the old one. Return false if nothing changes. */
typedef bool edit_fn(struct buf *text, const struct buf *was, const void *ctx);

/* Edit the list. Return false if the caller should try again. */
static bool edit_list(const struct place *p, edit_fn *fn, const void *ctx)
{
	struct buf was = {0}, text = {0};
	struct err why = {0};
	int r = file_read(p->fd, NAME, p->path.p, FILE_MAX, &was, &why);

	if (r >= 0 && fn(&text, &was, ctx)) {
		file_tidy(p->fd);
		if (r == 1)
			r = file_replace_from(p->fd, p->fd, NAME, p->path.p,
					      &was, buf_str(&text), text.len,
					      NULL, &why);
		else
			r = file_create(p->fd, NAME, p->path.p, 0600, text.p,
					text.len, &why) -
			    1;
		if (r < 0 && why.code == ERR_NONE)
			why.code = ERR_BUSY; /* it was just made */
	}
	buf_release(&was);
	buf_release(&text);
	return why.code != ERR_BUSY;
}

void known_projects_note(struct root *r)
{
	struct identity is;
	struct place p = {.fd = -1};
	char *folder;

	if (r->scope != SCOPE_PROJECT)
		return;
	if (identity_of(&is, r, NULL) < 0 || !*is.id)
		return;
	folder = root_folder(r);
	/* A path that is not UTF-8 cannot be written as JSON. */
	if (utf8_check(folder, strlen(folder)) == strlen(folder) &&
	    open_place(&p, true, NULL) == 0) {
		struct known_project new = {.id = is.id,
					    .path = folder,
					    .seen = instant_now(),
					    .dir = *is.dir ? is.dir : NULL,
					    .git = *is.git ? is.git : NULL};

		new.since = new.seen;

		for (int i = 0;
		     i < ATTEMPTS && !edit_list(&p, add_project, &new); i++)
			;
	}
	close_place(&p);
	free(folder);
}

bool known_projects_has(const struct root *r)
{
	struct known_projects all;
	struct arena a = {0};
	struct project is;
	char *folder;
	bool has = false;

	if (r->scope != SCOPE_PROJECT || !project_read(&is, r->fd, r->path))
		return false;
	folder = root_folder(r);
	if (known_projects_read(&all, &a, NULL) == 0) {
		for (size_t i = 0; i < all.n; i++)
			has = has || (!strcmp(all.items[i].path, folder) &&
				      !strcmp(all.items[i].id, is.id));
	}
	free(folder);
	arena_release(&a);
	return has;
}

void known_projects_forget(const struct known_projects *all)
{
	struct place p;
	size_t i = 0;

	while (i < all->n && !is_stale(&all->items[i]))
		i++;
	if (i == all->n)
		return;
	if (open_place(&p, false, NULL) == 0 && p.fd >= 0) {
		for (i = 0; i < ATTEMPTS && !edit_list(&p, drop_stale, all);
		     i++)
			;
	}
	close_place(&p);
}

bool known_project_is_same(const char *a, const char *b)
{
	struct gitdir g = {0}, h = {0};
	const bool is = !strcmp(a, b) || (gitdir_find(&g, a, NULL) == 1 &&
					  gitdir_find(&h, b, NULL) == 1 &&
					  file_is_same(g.common, h.common));

	gitdir_release(&g);
	gitdir_release(&h);
	return is;
}

bool known_project_stands(struct known_project *p)
{
	struct root r;
	const bool is = known_project_open(p, &r, NULL) == 1;

	if (is)
		root_release(&r);
	return is;
}

int known_project_open(struct known_project *p, struct root *r, struct err *e)
{
	struct project is;
	struct stat st;
	int found, named = 0;

	*r = (struct root){.scope = SCOPE_PROJECT, .fd = -1};
	p->gone = p->moved;
	if (p->gone)
		return 0;
	/* The project is gone if its directory is not a directory any more. */
	p->gone =
		stat(p->path, &st) < 0
			? errno == ENOENT || errno == ENOTDIR || errno == ELOOP
			: !S_ISDIR(st.st_mode);
	if (p->gone)
		return 0;
	found = root_at(r, p->path, e);
	if (found == 1)
		named = project_look(&is, r->fd, r->path, e);
	p->gone = !found || (found == 1 && named >= 0 &&
			     (!named || strcmp(is.id, p->id) != 0));
	if (found == 1 && named == 1 && !p->gone && !is.closed)
		return 1;
	if (named < 0) {
		root_release(r);
		return -1;
	}
	if (found >= 0)
		root_release(r);
	return found < 0 ? -1 : 0;
}
