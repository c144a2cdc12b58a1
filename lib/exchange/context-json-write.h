/* context-json-write.h: write the files of an older co, see context-json.h.
 *
 * A memory without a category becomes a learned fact.  A memory without a key
 * gets one, as does a memory whose key is taken.  A memory whose source is
 * context.json is written there if that file can express it.  Any other goes to
 * a file of memories, with a copy in context.json unless it is hidden or the
 * copies would exceed the size that the older co loads.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_WRITE_H
#define CO_EXCHANGE_CONTEXT_JSON_WRITE_H

#include "base/table.h"
#include "exchange/line.h"
#include "repo/record.h"

/* Zero it before use. */
struct context_write {
	struct arena arena;
	struct context_entry *entries;
	size_t n, cap;
	struct table by_key, by_text;
	const char *created, *updated; /* of the memories in context.json */
	struct context_unsaid {
		size_t memories, categories, keys, tags, sources, others, same;
	} unsaid; /* number of memories with data that is lost */
};

/* Add the memory R, with its frontmatter.  Its texts are copied. */
void context_write_add(struct context_write *w, const struct record *r);

/* Pass the added memories to PUT: as several files, or, if FILES is false, as
 * one object with the files of memories in "memories".  Returns 0, or -1 with
 * the error of PUT. */
int context_write_put(struct context_write *w, bool files, export_fn *put,
		      void *ctx, struct err *e);

/* Append which data of the added memories the files cannot express, as "tags of
 * 3, further keys of 1"; nothing if they express all. */
void context_write_unsaid(const struct context_write *w, struct buf *out);

void context_write_release(struct context_write *w);

#endif
