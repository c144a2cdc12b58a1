/* matches.h: the lines of memories in which something matches, as grep prints
 * them. */
#ifndef CO_CLI_MATCHES_H
#define CO_CLI_MATCHES_H

#include "search/grep.h"

/* Print the lines of each memory FOUND in which M matches, its tags included, as
 * PATH:LINE:TEXT, LINE being that of the file; with ZERO a NUL stands behind the
 * path, as grep -Z has it.  COLORING: the path and the matches are coloured. */
void matches_print(const struct results *found, struct match *m, bool zero,
		   bool coloring);

/* Add to FOUND the memories among the files at PATHS, as cli_each() has them, that
 * QUERY wants; with NULL they are only counted.  How many there are. */
size_t matches_in_paths(char **paths, bool zero, const struct grep_query *query,
			struct results *found);

#endif
