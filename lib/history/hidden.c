/* hidden.c: the ids are a list, and a table finds them. */
#include "history/hidden.h"

#include "history/history.h"

bool hidden_has(const struct hidden *hid, int64_t id)
{
	struct table_look k = table_look(&hid->by_id, NULL, 0, (uint64_t)id);
	size_t i;

	while (table_next(&k, &i)) {
		if (hid->ids[i] == id)
			return true;
	}
	return false;
}

static void add_id(struct hidden *hid, int64_t id)
{
	if (!id || hidden_has(hid, id))
		return;
	table_put(&hid->by_id, NULL, 0, (uint64_t)id, hid->n);
	*MEM_ADD(hid->ids, hid->n, hid->cap) = id;
}

static int add_record(void *ctx, const struct record *r)
{
	if (record_marks(r) & MARK_SENSITIVE)
		add_id(ctx, r->id);
	return 0;
}

int hidden_load(struct hidden *hid, struct store *s, struct err *e)
{
	const struct report *report = s->report;
	int r = 0;

	/* Broken files are reported by other callers. */
	s->report = NULL;
	for (enum area area = AREA_MEMORIES; !r && area < AREA_ANY; area++)
		r = store_each(s, area, add_record, hid, e);
	s->report = report;
	return r;
}

static void add_version(struct hidden *hid, const struct version *v)
{
	if (v && v->sensitive)
		add_id(hid, v->id);
}

void hidden_scan(struct hidden *hid, const struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		for (size_t k = 0; k < h->steps[i].n; k++) {
			add_version(hid, h->steps[i].changes[k].was);
			add_version(hid, h->steps[i].changes[k].now);
		}
	}
	add_version(hid, h->latest);
}

void hidden_release(struct hidden *hid)
{
	table_release(&hid->by_id);
	free(hid->ids);
}
