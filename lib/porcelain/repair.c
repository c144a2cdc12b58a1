/* repair.c: check_store() says what is wrong, in the order of repair; each
 * repair replaces one file, so that a repair that is killed can be taken up
 * where it stopped, and comes to the same end.
 */
#include "porcelain/repair.h"

#include "repo/schema.h"
#include "store/ids.h"
#include "sys/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file being repaired. */
struct patient {
	int temp; /* knowledge/ */
	int dir;  /* memories/ */
	const char *name;
	const char *path;
	bool plain; /* else its id stands twice */
	int64_t id; /* the id that it gets */
};

static int renumber(struct buf *out, const struct patient *p,
		    const struct buf *text, struct arena *a, struct err *e)
{
	const struct value id = value_int(p->id);
	struct frontmatter fm;

	if (frontmatter_parse(&fm, buf_str(text), text->len, p->path, a, e) < 0)
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

/* What is written must read back, as a memory with the id of P. */
static int verify(const struct patient *p, const struct buf *text,
		  struct arena *a, struct err *e)
{
	struct record r;

	if (text->len > STORE_FILE_MAX)
		return err_set(e, ERR_DATA,
			       "'%s' would be larger than %d bytes", p->path,
			       STORE_FILE_MAX);
	if (record_read(&r, text->p, text->len, p->path, SCOPE_PROJECT, a, e) <
	    0)
		return -1;
	return r.id == p->id ? 0
			     : err_set(e, ERR_DATA,
				       "'%s' cannot be given the id %lld",
				       p->path, (long long)p->id);
}

static int repair(const struct patient *p, struct err *e)
{
	struct arena a = {0};
	struct buf was = {0}, text = {0};
	int r = file_read(p->dir, p->name, p->path, STORE_FILE_MAX, &was, e);

	if (!r)
		r = err_set(e, ERR_BUSY, "'%s' was removed meanwhile", p->path);
	if (r > 0)
		r = p->plain ? give_frontmatter(&text, p, &was, e)
			     : renumber(&text, p, &was, &a, e);
	if (!r)
		r = verify(p, &text, &a, e);
	if (!r)
		r = file_replace_from(p->temp, p->dir, p->name, p->path, &was,
				      text.p, text.len, NULL, e) < 0
			    ? -1
			    : 0;
	buf_release(&was);
	buf_release(&text);
	arena_release(&a);
	return r;
}

/* True if no other file has, or will sooner get, the id that the name of P
 * begins with. */
static bool may_keep(const struct ids *ids, const struct patient *p, int64_t id)
{
	const struct id_entry *other = NULL;

	while ((other = ids_find(ids, id, other))) {
		int order = strcmp(other->path, p->path);

		if (order && (!other->guessed || order < 0))
			return false;
	}
	return id > 0;
}

static int64_t highest(const struct ids *ids)
{
	int64_t max = 0;

	for (size_t i = 0; i < ids->n; i++)
		if (ids->items[i].path && ids->items[i].id > max)
			max = ids->items[i].id;
	return max;
}

/* Repair P, and count up *MAX if that gave it the next id. */
static int repair_one(struct store *s, const struct ids *ids, struct patient *p,
		      int64_t *max, struct err *e)
{
	struct err why;

	p->id = ids_of_name(p->name);
	if (!p->plain || !may_keep(ids, p, p->id))
		p->id = *max + 1;
	if (p->id > SCHEMA_ID_MAX)
		return err_set(e, ERR_SYSTEM, "no id is left for '%s'",
			       p->path);
	if (repair(p, &why) == 0) {
		*max = p->id > *max ? p->id : *max;
		return 1;
	}
	if (why.code == ERR_DATA) {
		err_report(s->report, &why);
		return 0;
	}
	*e = why;
	return -1;
}

static int repair_all(struct store *s, const struct faults *faults,
		      struct arena *a, repair_fn *fn, void *ctx, struct err *e)
{
	const struct ids *ids = ids_load(s, AREA_MEMORIES, e);
	struct patient p = {.temp = s->repo.fd, .dir = -1};
	int64_t max;
	int r = 0;

	if (!ids)
		return -1;
	r = layout_open(&s->repo, "memories", &p.dir, e);
	if (r != 1)
		return r;
	r = 0;
	max = highest(ids);
	for (size_t i = 0; r >= 0 && i < faults->n; i++) {
		p.path = faults->items[i].path;
		p.name = strrchr(p.path, '/') + 1;
		p.plain = !strcmp(faults->items[i].kind, "plain");
		if (!p.plain && strcmp(faults->items[i].kind, "double-id") != 0)
			continue;
		r = repair_one(s, ids, &p, &max, e);
		if (r > 0)
			fn(ctx, arena_printf(a, "'%s': %s id %lld", p.path,
					     p.plain ? "got frontmatter and"
						     : "now has",
					     (long long)p.id));
	}
	close(p.dir);
	return r < 0 ? -1 : 0;
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

/* What the system keeps from us may have the ids that we would give: two who
 * repair would not agree. */
static int check_whole(const struct faults *faults, struct err *e)
{
	for (size_t i = 0; i < faults->n; i++) {
		if (faults->items[i].refused)
			return err_set(e, ERR_SYSTEM, "nothing is repaired: %s",
				       faults->items[i].text);
	}
	return 0;
}

int repair_store(struct store *s, repair_fn *fn, void *ctx, struct err *e)
{
	struct arena a = {0};
	struct faults faults = {0};
	int r;

	if (s->repo.fd < 0)
		return 0;
	if (store_lock(s, e) < 0)
		return -1;
	r = check_store(s, &faults, e);
	if (!r && repairable(&faults))
		r = check_whole(&faults, e);
	if (!r && repairable(&faults))
		r = repair_all(s, &faults, &a, fn, ctx, e);
	store_unlock(s);
	check_release(&faults);
	arena_release(&a);
	return r;
}
