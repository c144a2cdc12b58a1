/* unmodified.h: find files of the work tree that are unmodified although their
 * bytes differ, because .gitattributes makes git convert them: `ident`,
 * `working-tree-encoding`, or a filter.
 *
 * Git computes the blob of such a file, except for files with a filter: no
 * program from a repository's configuration is run.  A file with a filter is
 * unmodified if git's index says so; otherwise it counts as modified.
 */
#ifndef CO_HISTORY_UNMODIFIED_H
#define CO_HISTORY_UNMODIFIED_H

#include "history/file-changes.h"

/* In the first step of ALL, the work tree, set NOW of unmodified files to their
 * old version.  For missing versions, set whether the file differs.  Call it
 * after file_changes_look(). */
void unmodified_settle(struct file_changes *all);

#endif
