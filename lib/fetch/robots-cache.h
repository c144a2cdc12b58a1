/* robots-cache.h: robots.txt files, cached for a day in
 * $XDG_CACHE_HOME/co-cli/robots/, one file per site. If the cache cannot be
 * used, robots.txt is fetched again. */
#ifndef CO_FETCH_ROBOTS_CACHE_H
#define CO_FETCH_ROBOTS_CACHE_H

#include "base/buf.h"

/* Replace the contents of TEXT by the robots.txt of ORIGIN,
 * "https://example.org:8080". Returns false if it is not cached, or older than
 * a day. */
bool robots_cache_get(const char *origin, struct buf *text);

/* Store TEXT as the robots.txt of ORIGIN and remove old files. Errors are
 * ignored. */
void robots_cache_put(const char *origin, const struct buf *text);

#endif
