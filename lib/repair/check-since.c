/* check-since.c: check the store as the commit has it, and compare the faults. */
#include "repair/check.h"

#include "base/table.h"
#include "history/history.h"

#include <fcntl.h>
#include <unistd.h>

/* Append a key that equal faults share: the kind, the path relative to the root
 * TOP, and the text without TOP and digits, which are line numbers and
 * sizes. */
static void add_key(struct buf *out, const struct check_fault *f,
		    const char *top)
{
	const size_t len = strlen(top);

	buf_addf(out, "%s ", f->kind);
	buf_adds(out, strncmp(f->path, top, len) ? f->path : f->path + len);
	for (const char *p = f->text; *p; p++) {
		if (!strncmp(p, top, len))
			p += len - 1;
		else if (*p < '0' || *p > '9')
			buf_addc(out, *p);
	}
}

/* Remove from FAULTS, of the root TOP, one fault for each equal fault in
 * BEFORE, of the root OLD_TOP. */
static void drop_equal(struct check_faults *faults, const char *top,
		       const struct check_faults *before, const char *old_top)
{
	char **keys = mem_alloc((before->n + 1) * sizeof(char *));
	struct table known = {0};
	struct buf key = {0};
	size_t n = 0, k;

	for (size_t i = 0; i < before->n; i++) {
		add_key(&key, &before->items[i], old_top);
		table_put(&known, key.p, key.len, 0, i);
		keys[i] = buf_take(&key);
	}
	for (size_t i = 0; i < faults->n; i++) {
		struct table_look look;
		bool dropped = false;

		buf_cut(&key, 0);
		add_key(&key, &faults->items[i], top);
		look = table_look(&known, key.p, key.len, 0);
		while (!dropped && table_next(&look, &k))
			dropped = !strcmp(keys[k], key.p);
		if (dropped)
			table_drop(&known, key.p, key.len, 0, k);
		else
			faults->items[n++] = faults->items[i];
	}
	faults->n = n;
	for (size_t i = 0; i < before->n; i++)
		free(keys[i]);
	free(keys);
	table_release(&known);
	buf_release(&key);
}

/* Remove faults of attachments that no article names: they may belong to
 * articles in the trash of another clone. */
static void drop_orphans(struct check_faults *faults)
{
	size_t n = 0;

	for (size_t i = 0; i < faults->n; i++)
		if (strcmp(faults->items[i].kind, "orphan") != 0)
			faults->items[n++] = faults->items[i];
	faults->n = n;
}

/* The faults of the store as the commit has it. */
struct earlier {
	struct check_faults faults;
	char *top; /* the path of its root */
};

/* A history_store_fn. A context is checked in the working directory. */
static int check_earlier(void *ctx, struct store *was, struct err *e)
{
	const int here = file_open(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0);
	char *folder = root_folder(&was->repo.root);
	struct earlier *before = ctx;
	int r;

	before->top = strdup(was->repo.root.path);
	if (here < 0)
		r = err_sys(e, "cannot open the working directory");
	else if (chdir(folder) < 0)
		r = err_sys(e, "cannot enter '%s'", folder);
	else
		r = check_store(was, &before->faults, e);
	if (here >= 0 && fchdir(here) < 0 && !r)
		r = err_sys(e, "cannot go back to the working directory");
	file_close(here);
	free(folder);
	return r;
}

/* The versions of all memories at one time. */
struct side {
	const struct version **items;
	size_t n, cap;
};

static void add_version(struct side *side, const struct version *v)
{
	if (!v || !v->id || v->missing)
		return;
	*MEM_ADD(side->items, side->n, side->cap) = v;
}

/* At the commit, and now. */
struct sides {
	struct side was, now;
};

static void add_both(void *ctx, const struct version *was,
		     const struct version *now)
{
	struct sides *both = ctx;

	add_version(&both->was, was);
	add_version(&both->now, now);
}

/* Append a fault for each id of NOW that in WAS belonged to other memories
 * only. */
static void add_moved(struct check_faults *faults, const struct store *s,
		      const struct side *was, const struct side *now,
		      const char *rev)
{
	for (size_t i = 0, j = 0; i < now->n; i++) {
		const struct version *v = now->items[i], *old;
		struct arena a = {0};
		const char *path;
		bool same = false;
		size_t k;

		if (i && now->items[i - 1]->id == v->id)
			continue;
		while (j < was->n && was->items[j]->id < v->id)
			j++;
		old = j < was->n && was->items[j]->id == v->id ? was->items[j]
							       : NULL;
		for (k = j; old && k < was->n && was->items[k]->id == v->id;
		     k++)
			for (size_t m = i;
			     m < now->n && now->items[m]->id == v->id; m++)
				same = same || version_is_one(was->items[k],
							      now->items[m]);
		if (!old || same)
			continue;
		path = arena_printf(&a, "%s/%s", s->repo.root.path, v->path);
		check_add(faults, "moved", path,
			  arena_printf(&a,
				       "'%s': id %lld meant another memory at "
				       "%s: '%s'",
				       path, (long long)v->id, rev, old->path),
			  "give it an id of its own: others refer to the one "
			  "that had it");
		arena_release(&a);
	}
}

static int find_moved(struct check_faults *faults, struct store *s,
		      const char *rev, struct err *e)
{
	struct history h = {.n = 0};
	struct sides both = {{0}, {0}};
	struct side *was = &both.was, *now = &both.now;
	int r = history_each_since(&h, s, rev, add_both, &both, e);

	if (!r && h.remedy)
		r = history_set_lacking(e, s, rev);
	MEM_SORT(was->items, was->n, version_by_id);
	MEM_SORT(now->items, now->n, version_by_id);
	if (!r)
		add_moved(faults, s, was, now, rev);
	free(was->items);
	free(now->items);
	history_release(&h);
	return r;
}

/* Remove from FAULTS those that the commit REV has, too. */
static int drop_faults_of_rev(struct check_faults *faults, struct store *s,
			      const char *rev, struct err *e)
{
	struct earlier before = {0};
	const int r = history_with_store(s, rev, check_earlier, &before, e);

	if (!r && before.top)
		drop_equal(faults, s->repo.root.path, &before.faults,
			   before.top);
	free(before.top);
	check_release(&before.faults);
	return r;
}

int check_since(struct check_faults *faults, struct store *s, const char *rev,
		struct err *e)
{
	drop_orphans(faults);
	/* Without faults there is nothing to remove. */
	if (faults->n && drop_faults_of_rev(faults, s, rev, e) < 0)
		return -1;
	return find_moved(faults, s, rev, e);
}
