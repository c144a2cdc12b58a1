/* complaints.h: what a sweep complains of, put in order.
 *
 * Folders list their files in any order; people and tests want one.
 */
#ifndef CO_STORE_COMPLAINTS_H
#define CO_STORE_COMPLAINTS_H

#include "base/arena.h"
#include "base/err.h"

/* A zeroed one is valid and empty. */
struct complaints {
	struct complaint {
		const char *path, *text;
		enum err_code code;
	} * items;
	size_t n, cap;
	struct arena arena;
};

/* Keep E, which is about the file at PATH. */
void complaints_add(struct complaints *c, const char *path,
		    const struct err *e);

/* Hand all to R, by path, and release C. */
void complaints_report(struct complaints *c, const struct report *r);

#endif
