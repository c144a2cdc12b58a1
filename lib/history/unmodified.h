/* unmodified.h: which files of the work tree hold what git has, though they say
 * it in other bytes: as .gitattributes has git write them, by `ident`, by
 * `working-tree-encoding`, or by a filter.
 *
 * git is asked what it would take such a file for, but for those with a filter: no
 * program that a repository's configuration names is run.  One of these is what
 * git has where its stat says so; else nobody can tell, and it is another.
 */
#ifndef CO_HISTORY_UNMODIFIED_H
#define CO_HISTORY_UNMODIFIED_H

#include "history/touches.h"

/* Of the first step of ALL, which is the work tree and was looked at, make what is
 * unmodified what it was, and note of what cannot be had whether the file is
 * another. */
void unmodified_settle(struct touches *all);

#endif
