/* project-files.h: decisions in ADR files, and commands in CONTRIBUTING and README
 * files: Markdown that git tracks. */
#ifndef CO_MINING_PROJECT_FILES_H
#define CO_MINING_PROJECT_FILES_H

#include "mining/candidates.h"

/* Add what the files of the work tree have, and count the files.  Returns 0 or -1,
 * ERR_HELPER. */
int project_files_read(struct candidates *c, struct err *e);

/* Add what TEXT, the file PATH, has: an ADR, or sections with commands. */
void project_files_add(struct candidates *c, const char *path,
		       const struct buf *text, bool adr);

#endif
