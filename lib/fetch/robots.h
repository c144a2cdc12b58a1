/* robots.h: what a site's robots.txt lets this program read, by RFC 9309. */
#ifndef CO_FETCH_ROBOTS_H
#define CO_FETCH_ROBOTS_H

#include "base/base.h"

#define ROBOTS_NAME "co-cli" /* what a robots.txt calls this program */
#define ROBOTS_MAX ((size_t)500 * 1024) /* of it, what is behind is not read */

/* True if the robots.txt of LEN bytes at P lets ROBOTS_NAME read PATH, with its
 * query: the longest rule that PATH begins with decides, an Allow before a
 * Disallow, of the groups for this program, or where there is none of those for
 * all.  Cannot fail. */
bool robots_allow(const char *p, size_t len, const char *path);

#endif
