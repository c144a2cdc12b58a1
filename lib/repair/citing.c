/* citing.c: collect the memories that cite something, sort them by id, and
 * check each.
 */
#include "repair/citing.h"

/* The memories of a store that have citations. */
struct citing_list {
	struct record *items;
	size_t n, cap;
	struct arena arena, scratch;
};

static int add_citing(void *ctx, const struct record *r)
{
	struct citing_list *all = ctx;
	struct value v;

	arena_reset(&all->scratch);
	if (!cites_find(r, &all->scratch, &v))
		return 0;
	all->items =
		mem_grow(all->items, all->n, &all->cap, sizeof(*all->items));
	all->items[all->n++] = record_copy_head(r, &all->arena);
	return 0;
}

int citing_store(struct store *s, struct evidence *ev, cited_fn *fn, void *ctx,
		 const struct report *bad, struct err *e)
{
	struct citing_list all = {0};
	struct err why;
	int r = store_each(s, AREA_MEMORIES, add_citing, &all, e);

	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), record_by_id);
	for (size_t i = 0; i < all.n && r == 0; i++) {
		if (cited_each(s, ev, &all.items[i], fn, ctx, bad, &why) < 0)
			err_report(bad, &why);
	}
	arena_release(&all.scratch);
	arena_release(&all.arena);
	free(all.items);
	return r < 0 ? -1 : 0;
}

static void add_drift(void *ctx, const struct cited *one)
{
	const bool gone = one->state == EVIDENCE_GONE;
	struct buf text = {0};

	if (!gone && one->state != EVIDENCE_CHANGED)
		return;
	buf_addf(&text, "'%s': what it cites %s: '", one->r->path,
		 gone ? "is gone" : "has changed since");
	citation_add_place(&text, one->c);
	buf_addc(&text, '\'');
	check_add(ctx, "evidence", one->r->path, text.p,
		  "if it still holds, 'co cite --refresh ID', else correct or "
		  "replace it");
	buf_release(&text);
}

int citing_check(struct faults *faults, struct store *s, struct err *e)
{
	struct evidence *ev =
		evidence_new(&s->repo, (struct evidence_limits){0});
	const int r = citing_store(s, ev, add_drift, faults, NULL, e);

	evidence_free(ev);
	return r;
}
