/* robots-cache.h: what sites let programs read, kept for a day in
 * $XDG_CACHE_HOME/co-cli/robots/, one file a site; a cache that is missing or
 * cannot be written only costs another question. */
#ifndef CO_FETCH_ROBOTS_CACHE_H
#define CO_FETCH_ROBOTS_CACHE_H

#include "base/buf.h"

/* True if the robots.txt of ORIGIN, "https://example.org:8080", was kept within
 * a day; it replaces TEXT's contents. */
bool robots_cache_get(const char *origin, struct buf *text);

/* Keep it, and remove what is too old.  Cannot fail. */
void robots_cache_put(const char *origin, const struct buf *text);

#endif
