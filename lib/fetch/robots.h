/* robots.h: whether a robots.txt allows this program to read a path, by RFC
 * 9309. */
#ifndef CO_FETCH_ROBOTS_H
#define CO_FETCH_ROBOTS_H

#include "base/buf.h"

#define ROBOTS_NAME "co-cli"		/* this program's name in robots.txt */
#define ROBOTS_MAX ((size_t)500 * 1024) /* bytes read of it */

/* Return true if the robots.txt of LEN bytes at P allows ROBOTS_NAME to read
 * PATH, which includes the query. The groups for this program decide or, if
 * there are none, those for all programs; among them the longest rule that
 * matches, and Allow before Disallow. Cannot fail. */
bool robots_allow(const char *p, size_t len, const char *path);

/* The cache: $XDG_CACHE_HOME/co-cli/robots/ has the robots.txt of each site for a
 * day, one file per site. If it cannot be used, robots.txt is fetched again. */

/* Replace the contents of TEXT by the robots.txt of ORIGIN,
 * "https://example.org:8080". Returns false if it is not cached, or older than
 * a day. */
bool robots_cache_get(const char *origin, struct buf *text);

/* Store TEXT as the robots.txt of ORIGIN and remove old files. Errors are
 * ignored. */
void robots_cache_put(const char *origin, const struct buf *text);

#endif
