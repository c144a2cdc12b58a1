/* fields.h: merge frontmatter field by field, by the rules of merge.h. */
#ifndef CO_MERGE_FIELDS_H
#define CO_MERGE_FIELDS_H

#include "format/frontmatter.h"
#include "merge/merge-version.h"

/* Append to OUT the document ours with the merged frontmatter. VERSIONS are
 * base, ours and theirs. Each conflict that FAVOUR does not settle is reported to R;
 * NAME is the file name in messages. Returns 0, 1 if there was such a conflict, or
 * -1: ERR_DATA if the result is too large. */
int merge_fields(const struct frontmatter *versions, const char *name,
		 enum merge_favour favour, struct buf *out,
		 const struct report *r, struct err *e);

#endif
