/* context-json-write.h: writing what an older co kept, see context-json.h.
 *
 * A memory without a category is among learned_facts, and one without a key, or
 * whose key another has, gets one.  One whose source is context.json stands there
 * again, where that can say all of it; else it is in a file of memories, and
 * copied, if it is neither hidden nor makes more than is loaded.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_WRITE_H
#define CO_EXCHANGE_CONTEXT_JSON_WRITE_H

#include "base/table.h"
#include "exchange/line.h"
#include "repo/record.h"

/* A zeroed one is valid. */
struct context_write {
	struct arena arena;
	struct context_entry *entries;
	size_t n, cap;
	struct table by_key, by_text;
	const char *created, *updated; /* of what stands in context.json */
	struct context_unsaid {
		size_t memories, categories, keys, tags, sources, others, same;
	} unsaid; /* how many memories have what cannot be said */
};

void context_write_add(struct context_write *w, const struct record *r);

/* Hand all of it to PUT: as files or, with FILES false, as one object, which has
 * the files of memories in "memories". */
int context_write_put(struct context_write *w, bool files, export_fn *put,
		      void *ctx, struct err *e);

/* Append what of the memories could not be said, as "tags of 3, further keys of
 * 1". */
void context_write_unsaid(const struct context_write *w, struct buf *out);

void context_write_release(struct context_write *w);

#endif
