/* keys.h: the options of commands that save a memory: lifetime, visibility (see
 * repo/marks.h) and citations.
 */
#ifndef CO_CLI_KEYS_H
#define CO_CLI_KEYS_H

#include "base/strings.h"
#include "store/save.h"

struct cli_keys {
	const char *expires, *review_after;
	bool sensitive;
	struct strings languages, paths;
};

/* The options for a command table. TO is a struct cli_keys *. */
#define OPT_KEYS(to)                                                         \
	OPT(OPT_STR, 0, "expires", &(to)->expires, "DATE", NULL,             \
	    "set its last day: a date, or 10d, 2w, 3m, 1y from today"),      \
		OPT(OPT_STR, 0, "review-after", &(to)->review_after, "DATE", \
		    NULL,                                                    \
		    "set the date of its review, in the form of --expires"), \
		FLAG(0, "sensitive", &(to)->sensitive,                       \
		     "keep it from agents; shown only with --sensitive"),    \
		OPT(OPT_LIST, 0, "language", &(to)->languages, "NAME", NULL, \
		    "with --global: only for projects with files of NAME"),  \
		OPT(OPT_LIST, 0, "path", &(to)->paths, "GLOB", NULL,         \
		    "name the files it is about: src/api/**; may be given "  \
		    "again")

/* Return true if any of these options was given. */
bool cli_keys_given(const struct cli_keys *k);

/* Add the keys to those in N->extra. New values are allocated in A. End the
 * process with 2 if a date is malformed or in the past. */
void cli_keys_add(const struct cli_keys *k, struct store_new *n,
		  struct arena *a);

/* The option for a command table. TO is a struct strings * of places in the
 * format of co-evidence-check(1). */
#define OPT_CITE(to)                                \
	OPT(OPT_LIST, 0, "cite", to, "PLACE", NULL, \
	    "cite PATH:10-20 or a URL; may be given again")

/* E says that PLACE cannot be cited in S. If it is a file as seen from the working
 * directory, add to E how to write it. Return -1. */
int cli_suggest_place(const struct store *s, const char *place, struct err *e);

/* Add PLACES to the citations in N->extra, each with the hash of its current
 * content. N will be saved in S. New values are allocated in A. Return 0, or -1
 * with ERR_DATA, which names the place that cannot be cited. */
int cli_cite(struct store *s, const struct strings *places, struct store_new *n,
	     struct arena *a, struct err *e);

#endif
