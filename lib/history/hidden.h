/* hidden.h: which memories are sensitive (see repo/marks.h), so that what is told of
 * an older version, which did not say so, tells nothing of its text.
 */
#ifndef CO_HISTORY_HIDDEN_H
#define CO_HISTORY_HIDDEN_H

#include "base/table.h"
#include "store/store.h"

struct history;

/* A zeroed one has none; release with hidden_release(). */
struct hidden {
	int64_t *ids;
	size_t n, cap;
	struct table by_id;
};

/* Add those of S, drafts, the archive and the trash among them; and those of which
 * any version in H is sensitive.  -1: a folder cannot be read. */
int hidden_load(struct hidden *hid, struct store *s, struct err *e);
void hidden_scan(struct hidden *hid, const struct history *h);

bool hidden_has(const struct hidden *hid, int64_t id);

void hidden_release(struct hidden *hid);

#endif
