/* contradicted.c: each text is parsed once, when the first comparison needs it.
 */
#include "search/contradicted.h"

#include "rank/otherwise.h"
#include "repo/marks.h"

static struct otherwise_text *read_text(struct terms *t, const struct record *r,
					struct arena *a)
{
	return otherwise_read(t, r->content, r->content_len, a);
}

bool contradicted_by(struct terms *t, const struct record *earlier,
		     const struct record *later)
{
	struct arena a = {0};
	bool says;

	if (record_marks(later) & MARK_EXTERNAL)
		return false;
	says = otherwise_says(read_text(t, later, &a),
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

static void add_contradicting_id(struct record *r, int64_t id, size_t most,
				 struct arena *a)
{
	int64_t *ids;
	size_t at = r->notherwise;

	if (!r->otherwise)
		r->otherwise = arena_alloc(a, most * sizeof(*ids));
	ids = (int64_t *)(uintptr_t)r->otherwise;
	for (; at && ids[at - 1] > id; at--)
		ids[at] = ids[at - 1];
	ids[at] = id;
	r->notherwise++;
}

void contradicted_note(struct record *records, size_t n, struct arena *a)
{
	struct otherwise_text *texts[CONTRADICTED_MOST] = {0};
	struct arena read = {0};
	struct terms t = {0};

	n = n < CONTRADICTED_MOST ? n : CONTRADICTED_MOST;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++) {
			const bool first = is_later(&records[k], &records[i]);
			const size_t old = first ? i : k, new = first ? k : i;

			if (!are_together(&records[old], &records[new]) ||
			    record_marks(&records[new]) & MARK_EXTERNAL)
				continue;
			if (!texts[i])
				texts[i] = read_text(&t, &records[i], &read);
			if (!texts[k])
				texts[k] = read_text(&t, &records[k], &read);
			if (otherwise_says(texts[new], texts[old]))
				add_contradicting_id(&records[old],
						     records[new].id, n, a);
		}
	}
	arena_release(&read);
	terms_release(&t);
}
