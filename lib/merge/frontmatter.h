/* frontmatter.h: merging frontmatter, field by field; the rules are in merge.h. */
#ifndef CO_MERGE_FRONTMATTER_H
#define CO_MERGE_FRONTMATTER_H

#include "format/frontmatter.h"

/* Append to OUT the document of OURS with the frontmatter that comes of all
 * three.  R is told of each conflict, NAME being the file's.  Returns 0; 1 where
 * there was one; or -1: ERR_DATA, where the result is too large. */
int merge_frontmatter(const struct frontmatter *base,
		      const struct frontmatter *ours,
		      const struct frontmatter *theirs, const char *name,
		      struct buf *out, const struct report *r, struct err *e);

#endif
