/* fields.h: merge frontmatter field by field, by the rules of merge.h. */
#ifndef CO_MERGE_FIELDS_H
#define CO_MERGE_FIELDS_H

#include "format/frontmatter.h"

/* Append to OUT the document OURS with the merged frontmatter.  Each conflict
 * is reported to R; NAME is the file name in messages.  Returns 0, 1 if there
 * was a conflict, or -1: ERR_DATA if the result is too large. */
int merge_fields(const struct frontmatter *base, const struct frontmatter *ours,
		 const struct frontmatter *theirs, const char *name,
		 struct buf *out, const struct report *r, struct err *e);

#endif
