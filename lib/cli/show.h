/* show.h: print memories: those selected by id or path, as whole files or as records, and
 * the lines of others that match, as grep does.
 */
#ifndef CO_CLI_SHOW_H
#define CO_CLI_SHOW_H

#include "cli/out.h"
#include "repo/named-file.h"
#include "search/grep.h"

struct evidence;

/* The caller sets the first five members; the others are zero. */
struct show {
	const struct out *out;
	bool global;	  /* ids mean the user's store */
	bool coloring;	  /* colour whole files */
	bool rendered;	  /* show memories for a person, not their files */
	struct buf *page; /* receives whole files, made safe if standard output
			   * is a terminal; NULL: print at once */

	bool broken[2]; /* a file selected by id is malformed: in the
			 * project's store, in the user's */
	char first[64]; /* id of the first memory selected by its id; "" */
	struct named_file named;
	struct evidence *evidence[2];
	struct arena arena;
};

/* Show the memory OPERAND, an id or a path; for an id, every file with that id.
 * A cli_fn for cli_each(): CTX is a struct show. */
int show_one(void *ctx, const char *operand, struct err *e);

void show_release(struct show *show);

/* Print the lines, of text and tags, that M matches in each memory of FOUND, as
 * PATH:LINE:TEXT. LINE counts from the start of the file. With ZERO, NUL
 * replaces the colon after the path, as in grep -Z. With COLORING, paths and
 * matches are coloured. */
void show_matches(const struct results *found, struct match *m, bool zero,
		  bool coloring);

/* Append to FOUND those of the files PATHS that QUERY selects; if FOUND is
 * NULL, only count them. PATHS and ZERO are passed to cli_each(). Return the
 * number of matches. */
size_t show_find_in_paths(char **paths, bool zero,
			  const struct grep_query *query,
			  struct results *found);

#endif
