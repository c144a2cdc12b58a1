/* checked.c: names are found by a table, which costs less than to open files. */
#include "cache/checked.h"

#include "base/hash.h"

struct checked {
	struct cache *c;
	uint64_t rules;
	bool known;  /* the marks are of these rules */
	size_t root; /* bytes of knowledge/, with the slash, before a path */
	struct table by_name; /* made when asked */
	bool *clean;	      /* of each folder; and the same as it was kept */
	bool changed;
	uint32_t *added;
	size_t n, cap;
};
