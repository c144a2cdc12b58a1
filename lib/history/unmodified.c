/* unmodified.c: git is only asked about files that differ, and only if
 * .gitattributes mentions them.  If nothing is edited or there are no
 * attributes, this costs one process or none.  If git fails, the files count as
 * modified. */
#include "history/unmodified.h"

#include "sys/git.h"

enum { FILTER, IDENT, ENCODING, ATTRIBUTES };

struct doubt {
	struct file_change *change;
	const char *path; /* relative to the top directory */
	bool has[ATTRIBUTES];
};

struct doubts {
	struct file_changes *all;
	struct doubt *items;
	size_t n;
	struct buf names; /* their paths, each terminated by NUL */
};

static void add_doubt(struct doubts *d, struct file_change *t)
{
	const char *path = arena_printf(&d->all->h->arena, "%s%s",
					d->all->prefix, t->now->path);

	d->items[d->n++] = (struct doubt){.change = t, .path = path};
	buf_add(&d->names, path, strlen(path) + 1);
}

/* List the files that differ from their old version in D. */
static void find_doubts(struct doubts *d)
{
	struct file_changes *all = d->all;

	d->items = mem_alloc((all->n + 1) * sizeof(*d->items));
	for (size_t i = 0; i < all->n && all->items[i].step == 0; i++) {
		struct file_change *t = &all->items[i];
		const struct version *was = t->was[0], *now = t->now;

		if (was && now && !now->blob && !version_same(was, now))
			add_doubt(d, t);
	}
}

/* Read the attributes of each file.  Git prints PATH, ATTRIBUTE, VALUE, each
 * terminated by NUL, in the order of the input.  Returns false if git fails. */
static bool read_attributes(struct doubts *d)
{
	static const char *const words[] = {
		"check-attr", "-z",    "--stdin",
		"filter",     "ident", "working-tree-encoding",
		NULL};
	struct buf out = {0};
	const char *p, *end;
	size_t i = 0;
	bool is = git_ask(d->all->dir, words, d->names.p, d->names.len, &out,
			  NULL) == 0;

	p = buf_str(&out);
	end = p + out.len;
	for (; is && i < d->n * ATTRIBUTES && p < end; i++) {
		struct doubt *at = &d->items[i / ATTRIBUTES];

		is = !strcmp(p, at->path);
		for (int skipped = 0; skipped < 2 && p < end; skipped++)
			p += strlen(p) + 1;
		if (p >= end)
			break;
		at->has[i % ATTRIBUTES] = strcmp(p, "unspecified") != 0 &&
					  strcmp(p, "unset") != 0;
		p += strlen(p) + 1;
	}
	buf_release(&out);
	return is && i == d->n * ATTRIBUTES;
}

/* Return true if git must compute the blob of AT.  Names that git would unquote
 * cannot be passed in a list. */
static bool needs_blob(const struct doubt *at)
{
	return !at->has[FILTER] &&
	       (at->has[IDENT] || at->has[ENCODING] ||
		at->change->was[0]->missing) &&
	       *at->path != '"' && !strchr(at->path, '\n');
}

static void set_unmodified(struct file_change *t)
{
	t->now = t->was[0];
}

/* Compare the blobs that git computes with the old ones.  A filter may be named
 * like git's words for "no filter"; such filters are disabled. */
static void compare_blobs(struct doubts *d)
{
	static const char *const words[] = {
		"-c",	       "filter.unspecified.clean=",
		"-c",	       "filter.unspecified.process=",
		"-c",	       "filter.unspecified.required=false",
		"-c",	       "filter.unset.clean=",
		"-c",	       "filter.unset.process=",
		"-c",	       "filter.unset.required=false",
		"hash-object", "--stdin-paths",
		NULL};
	struct buf names = {0}, out = {0};
	const char *p;

	for (size_t i = 0; i < d->n; i++) {
		if (needs_blob(&d->items[i]))
			buf_addf(&names, "%s\n", d->items[i].path);
	}
	if (!names.len ||
	    git_ask(d->all->dir, words, names.p, names.len, &out, NULL) != 0)
		goto out;
	p = buf_str(&out);
	for (size_t i = 0; i < d->n && *p; i++) {
		struct file_change *t = d->items[i].change;
		const size_t len = strcspn(p, "\n");

		if (!needs_blob(&d->items[i]))
			continue;
		if (strlen(t->was[0]->blob) == len &&
		    !strncmp(t->was[0]->blob, p, len))
			set_unmodified(t);
		else
			t->now->other = true;
		p += len + (p[len] == '\n');
	}
out:
	buf_release(&names);
	buf_release(&out);
}

/* Trust git's index about files with a filter. */
static void apply_index(struct doubts *d)
{
	bool any = false;

	for (size_t i = 0; i < d->n && !any; i++)
		any = d->items[i].has[FILTER];
	if (!any)
		return;
	file_changes_read_index(d->all);
	for (size_t i = 0; i < d->n; i++) {
		struct file_change *t = d->items[i].change;

		if (d->items[i].has[FILTER] &&
		    file_changes_is_current(d->all, t))
			set_unmodified(t);
	}
}

void unmodified_settle(struct file_changes *all)
{
	struct doubts d = {.all = all};

	find_doubts(&d);
	if (d.n && read_attributes(&d)) {
		compare_blobs(&d);
		apply_index(&d);
	}
	free(d.items);
	buf_release(&d.names);
}
