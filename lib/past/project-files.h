/* project-files.h: decisions in ADR files, and commands in CONTRIBUTING and README
 * files: Markdown that git tracks. */
#ifndef CO_PAST_PROJECT_FILES_H
#define CO_PAST_PROJECT_FILES_H

#include "past/candidates.h"

/* Add what the files of the work tree have, and count the files.  Returns 0 or -1,
 * ERR_HELPER. */
int project_files_read(struct candidates *c, struct err *e);

#endif
