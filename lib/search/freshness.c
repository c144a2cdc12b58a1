/* freshness.c: see freshness.h. */
#include "search/freshness.h"

#include "format/json-write.h"

#include <sys/stat.h>

static const char *const names[] = {
	[FRESHNESS_NONE] = "none",
	[FRESHNESS_FRESH] = "fresh",
	[FRESHNESS_BEHIND] = "behind",
	[FRESHNESS_DAMAGED] = "damaged",
};

void freshness_look(struct freshness *f, struct store *s)
{
	struct index ix;

	*f = (struct freshness){0};
	if (index_peek(&ix, s, &f->missing, &f->bytes) != 1)
		return;
	f->documents = ix.documents.n;
	f->dead = ix.news.dead;
	if (ix.db)
		f->state = f->missing ? FRESHNESS_BEHIND : FRESHNESS_FRESH;
	else if (f->bytes || *ix.news.damage)
		f->state = FRESHNESS_DAMAGED;
	index_close(&ix);
}

void freshness_text(struct buf *out, const struct freshness *f)
{
	buf_adds(out, names[f->state]);
	if (f->state == FRESHNESS_FRESH)
		buf_addf(out, ", %zu documents (%llu bytes)", f->documents,
			 (unsigned long long)f->bytes);
	else if (f->state == FRESHNESS_BEHIND)
		buf_addf(out, ", %zu of %zu documents missing", f->missing,
			 f->documents);
}

void freshness_json(struct buf *out, const char *key, const struct freshness *f)
{
	json_write_open(out, key, '{');
	json_write_text(out, "state", names[f->state]);
	json_write_size(out, "documents", f->documents);
	json_write_size(out, "missing", f->missing);
	json_write_size(out, "dead", f->dead);
	json_write_int(out, "bytes", (int64_t)f->bytes);
	json_write_close(out, '}');
}
