/* repair.c: check_store() says what is wrong, in the order of repair. */
#include "repair.h"

#include "file.h"
#include "lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file being repaired. */
struct patient {
	int dir; /* memories/ */
	const char *name;
	const char *path;
	int64_t id; /* the id that it gets */
};

static int highest(void *ctx, const struct record *r)
{
	int64_t *max = ctx;

	if (r->id > *max)
		*max = r->id;
	return 0;
}

static int renumber(struct buf *out, const struct patient *p,
		    const struct buf *text, struct arena *a, struct err *e)
{
	const struct value id = value_int(p->id);
	struct frontmatter fm;

	if (frontmatter_parse(&fm, text->p, text->len, p->path, a, e) < 0)
		return -1;
	return frontmatter_set(out, &fm, "id", &id, e);
}

static int give_frontmatter(struct buf *out, const struct patient *p,
			    const struct buf *text, struct err *e)
{
	char created[INSTANT_TEXT];
	struct frontmatter fm;
	struct value_pair pairs[3];
	struct value map = {.kind = VALUE_MAP, .u.map = {pairs, 3}};
	struct stat st;

	if (fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(e, "cannot look at '%s'", p->path);
	instant_format((struct instant){st.st_mtime, 0}, created);
	pairs[0] = (struct value_pair){value_str("id"), value_int(p->id)};
	pairs[1] =
		(struct value_pair){value_str("created"), value_str(created)};
	pairs[2] = (struct value_pair){value_str("source"), value_str("file")};
	frontmatter_split(&fm, buf_str(text), text->len);
	buf_add(out, buf_str(text), fm.body); /* a BOM stays in front */
	if (frontmatter_write(out, &map, e) < 0)
		return -1;
	buf_add(out, buf_str(text) + fm.body, text->len - fm.body);
	return 0;
}

static int repair(const struct patient *p, bool plain, struct err *e)
{
	struct arena a = {0};
	struct buf was = {0}, text = {0};
	int r = file_read(p->dir, p->name, p->path, STORE_FILE_MAX, &was, e);

	if (!r)
		r = err_set(e, ERR_BUSY, "'%s' was removed meanwhile", p->path);
	if (r > 0)
		r = plain ? give_frontmatter(&text, p, &was, e)
			  : renumber(&text, p, &was, &a, e);
	if (!r)
		r = file_replace(p->dir, p->name, p->path, text.p, text.len, e);
	buf_release(&was);
	buf_release(&text);
	arena_release(&a);
	return r;
}

static int repair_all(struct store *s, const struct faults *faults,
		      struct arena *a, repair_fn *fn, void *ctx, struct err *e)
{
	const char *folder = arena_printf(a, "%s/memories/", s->path);
	const size_t prefix = strlen(folder);
	struct patient p = {0};
	int64_t id = 0;
	int r = -1;

	if (file_open_dir(s->fd, "memories", folder, &p.dir, e) <= 0)
		return -1;
	if (store_each(s, AREA_MEMORIES, highest, &id, e) < 0)
		goto out;
	for (size_t i = 0; i < faults->n; i++) {
		const struct fault *f = &faults->items[i];
		bool plain = !strcmp(f->kind, "plain");

		if ((!plain && strcmp(f->kind, "double-id") != 0) ||
		    strncmp(f->path, folder, prefix) != 0)
			continue;
		p.name = f->path + prefix;
		p.path = f->path;
		p.id = ++id;
		if (repair(&p, plain, e) < 0)
			goto out;
		fn(ctx,
		   arena_printf(a, "'%s': %s %lld", p.path,
				plain ? "got frontmatter and id" : "has id",
				(long long)p.id));
	}
	r = 0;
out:
	close(p.dir);
	return r;
}

static bool repairable(const struct faults *faults)
{
	for (size_t i = 0; i < faults->n; i++) {
		if (!strcmp(faults->items[i].kind, "plain") ||
		    !strcmp(faults->items[i].kind, "double-id"))
			return true;
	}
	return false;
}

int repair_store(struct store *s, repair_fn *fn, void *ctx, struct err *e)
{
	const struct report *report = s->report;
	struct arena a = {0};
	struct faults faults = {0};
	int r, lock;

	if (s->fd < 0)
		return 0;
	if (lock_take(s->fd, s->path, &lock, e) < 0)
		return -1;
	s->report = NULL; /* the check has said what there is to say */
	r = check_store(s, &a, &faults, e);
	if (!r && repairable(&faults))
		r = repair_all(s, &faults, &a, fn, ctx, e);
	s->report = report;
	lock_release(s->fd, lock);
	free(faults.items);
	arena_release(&a);
	return r;
}
