/* contradicted.c: each text is parsed once, when the first comparison needs it.
 */
#include "search/similar.h"

#include "rank/alike.h"

static struct alike_text *read_text(struct terms *t, const struct record *r,
				    struct arena *a)
{
	return alike_text_read(t, r->content, r->content_len, a);
}

bool similar_contradicted_by(struct terms *t, const struct record *earlier,
			     const struct record *later)
{
	struct arena a = {0};
	bool says;

	if (record_marks(later) & MARK_EXTERNAL)
		return false;
	says = alike_text_contradicts(read_text(t, later, &a),
				      read_text(t, earlier, &a));
	arena_release(&a);
	return says;
}

static bool is_later(const struct record *x, const struct record *y)
{
	const int order = instant_cmp(x->at, y->at);

	return order ? order > 0 : x->id > y->id;
}

static bool are_together(const struct record *x, const struct record *y)
{
	return x->scope == y->scope && x->elsewhere == y->elsewhere &&
	       x->id != y->id;
}

/* Return true if NEW, the later one, may contradict OLD. */
static bool may_contradict(const struct record *new, const struct record *old)
{
	return are_together(new, old) && !(record_marks(new) & MARK_EXTERNAL);
}

/* Add R to REFS, which has room for MOST, in the order of ids. */
static void add_ref(struct record_refs *refs, const struct record *r,
		    size_t most, struct arena *a)
{
	struct record_ref *items;
	size_t at = refs->n++;

	if (!refs->items)
		refs->items = arena_alloc(a, most * sizeof(*items));
	items = (struct record_ref *)(uintptr_t)refs->items;
	for (; at && items[at - 1].id > r->id; at--)
		items[at] = items[at - 1];
	items[at] = (struct record_ref){r->id, arena_strdup(a, r->created)};
}

/* A memory that is compared with all others. What each comparison reads comes first.
 * The marks are in the frontmatter, which must be parsed, so they are read once. */
struct compared {
	struct alike_text *text;
	bool external, keep;
	struct record r;
};

/* Compare X with those of the N before it that are alike, the nearest first: keep both
 * of a pair if the later one contradicts the other. */
static void compare_before(struct compared *x, struct compared *all, size_t n,
			   struct contradicted_work *work)
{
	size_t alike = 0;

	while (n-- > 0) {
		struct compared *y = &all[n], *new, *old;

		if ((x->keep && y->keep) || (x->external && y->external) ||
		    !alike_text_is_near(x->text, y->text))
			continue;
		new = is_later(&x->r, &y->r) ? x : y;
		old = new == x ? y : x;
		if (new->external || !are_together(&new->r, &old->r))
			continue;
		if (alike++ == CONTRADICTED_ALIKE) {
			work->partly++;
			return;
		}
		work->pairs++;
		if (alike_text_contradicts(new->text, old->text))
			x->keep = y->keep = true;
	}
}

struct contradicted_work similar_contradicted_keep(struct results *found)
{
	struct compared *all = mem_resize(NULL, found->n + 1, sizeof(*all));
	struct contradicted_work work = {0};
	struct arena a = {0};
	struct terms t = {0};
	size_t kept = 0;

	for (size_t i = 0; i < found->n; i++) {
		struct compared *one = &all[i];

		results_get(found, &found->items[i], &a, &one->r);
		one->text = read_text(&t, &one->r, &a);
		one->external = record_marks(&one->r) & MARK_EXTERNAL;
		one->keep = false;
		compare_before(one, all, i, &work);
	}
	for (size_t i = 0; i < found->n; i++) {
		if (all[i].keep)
			found->items[kept++] = found->items[i];
	}
	found->n = kept;
	free(all);
	arena_release(&a);
	terms_release(&t);
	return work;
}

void similar_contradicted_note(struct record *records, size_t n,
			       struct arena *a)
{
	struct alike_text *texts[CONTRADICTED_MOST] = {0};
	struct arena read = {0};
	struct terms t = {0};

	n = n < CONTRADICTED_MOST ? n : CONTRADICTED_MOST;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++) {
			const bool first = is_later(&records[k], &records[i]);
			const size_t old = first ? i : k, new = first ? k : i;

			if (!may_contradict(&records[new], &records[old]))
				continue;
			if (!texts[i])
				texts[i] = read_text(&t, &records[i], &read);
			if (!texts[k])
				texts[k] = read_text(&t, &records[k], &read);
			if (alike_text_contradicts(texts[new], texts[old])) {
				add_ref(&records[old].contradicted_by,
					&records[new], n, a);
				add_ref(&records[new].contradicts,
					&records[old], n, a);
			}
		}
	}
	arena_release(&read);
	terms_release(&t);
}
