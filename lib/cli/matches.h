/* matches.h: print the matching lines of memories, as grep does. */
#ifndef CO_CLI_MATCHES_H
#define CO_CLI_MATCHES_H

#include "search/grep.h"

/* Print the lines, of text and tags, that M matches in each memory of FOUND, as
 * PATH:LINE:TEXT. LINE counts from the start of the file. With ZERO, NUL
 * replaces the colon after the path, as in grep -Z. With COLORING, paths and
 * matches are coloured. */
void matches_print(const struct results *found, struct match *m, bool zero,
		   bool coloring);

/* Append to FOUND those of the files PATHS that QUERY selects; if FOUND is
 * NULL, only count them. PATHS and ZERO are passed to cli_each(). Return the
 * number of matches. */
size_t matches_in_paths(char **paths, bool zero, const struct grep_query *query,
			struct results *found);

#endif
