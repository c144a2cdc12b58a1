/* shown-purge.h: remove memories from the ledgers of what agents were shown. */
#ifndef CO_SHOWN_SHOWN_PURGE_H
#define CO_SHOWN_SHOWN_PURGE_H

#include "base/err.h"
#include "repo/root.h"

/* What `co forget --purge` removes from all ledgers. */
struct shown_purge {
	const struct root *root; /* of the memories */
	const int64_t *ids;
	size_t n;
	bool dry;
	void (*gone)(void *ctx, const char *path); /* gets each changed file */
	void *ctx;
};

/* Remove the memories of P, and the words that they were found by. Return 0 or -1. */
int shown_purge(const struct shown_purge *p, struct err *e);

#endif
