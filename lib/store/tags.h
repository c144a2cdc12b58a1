/* tags.h: the tags of a memory, changed in its file, of which every other byte
 * stays.
 *
 * Tags are the same that differ in case alone.  A new one is written as a save
 * writes it (see compose_tag()), an old one as it stands.
 */
#ifndef CO_STORE_TAGS_H
#define CO_STORE_TAGS_H

#include "base/buf.h"
#include "base/strings.h"
#include "store/compose.h"

/* What to change, in this order. */
struct tags_change {
	struct strings rename; /* OLD=NEW each, where OLD is there */
	struct strings drop, add;
};

/* 0 if C can be done in S: its new tags are tags (ERR_USAGE) and no secrets
 * (ERR_DATA). */
int tags_check(struct store *s, const struct tags_change *c, struct err *e);

/* Append TEXT, the file PATH, with its tags changed, to OUT: 1, 0 where they are
 * so already (nothing is appended), -1. */
int tags_change(struct buf *out, const char *path, const struct buf *text,
		const struct tags_change *c, struct arena *a, struct err *e);

/* Append "7: one, two", the id and the tags of TEXT, the file PATH, on one line. Return
 * 0, or -1 with ERR_DATA if TEXT is malformed. */
int tags_text(struct buf *out, const char *path, const struct buf *text,
	      struct arena *a, struct err *e);

#endif
