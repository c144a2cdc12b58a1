/* hidden.h: the set of sensitive memories (see repo/marks.h).
 *
 * A memory is hidden if any version of it is sensitive, so that an older
 * version that was not marked yet does not reveal its text.
 */
#ifndef CO_HISTORY_HIDDEN_H
#define CO_HISTORY_HIDDEN_H

#include "base/table.h"
#include "store/store.h"

struct history;

/* Zero it; release it with hidden_release(). */
struct hidden {
	int64_t *ids;
	size_t n, cap;
	struct table by_id;
};

/* hidden_load() adds the sensitive memories of S, including drafts, archive and
 * trash. It returns -1 if a directory cannot be read. hidden_scan() adds each
 * memory that has a sensitive version in H. */
int hidden_load(struct hidden *hid, struct store *s, struct err *e);
void hidden_scan(struct hidden *hid, const struct history *h);

bool hidden_has(const struct hidden *hid, int64_t id);

void hidden_release(struct hidden *hid);

#endif
