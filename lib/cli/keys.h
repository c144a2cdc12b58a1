/* keys.h: the options of who saves a memory that say how long it holds, who may be
 * shown it (see repo/marks.h), and what it was taken from. */
#ifndef CO_CLI_KEYS_H
#define CO_CLI_KEYS_H

#include "base/strings.h"
#include "store/save.h"

struct cli_keys {
	const char *expires, *review_after;
	bool sensitive;
	struct strings languages, paths;
};

/* For the tables: TO is a struct cli_keys. */
#define OPT_KEYS(to)                                                       \
	{OPT_STR,                                                          \
	 0,                                                                \
	 "expires",                                                        \
	 &(to)->expires,                                                   \
	 "DATE",                                                           \
	 NULL,                                                             \
	 "until when it holds: a date, or 10d, 2w, 3m, 1y from today"},    \
		{OPT_STR,                                                  \
		 0,                                                        \
		 "review-after",                                           \
		 &(to)->review_after,                                      \
		 "DATE",                                                   \
		 NULL,                                                     \
		 "when to look at it again, a date as of --expires"},      \
		{OPT_FLAG,                                                 \
		 0,                                                        \
		 "sensitive",                                              \
		 &(to)->sensitive,                                         \
		 NULL,                                                     \
		 NULL,                                                     \
		 "keep it from agents, and from who asks for others"},     \
		{OPT_LIST,                                                 \
		 0,                                                        \
		 "language",                                               \
		 &(to)->languages,                                         \
		 "NAME",                                                   \
		 NULL,                                                     \
		 "of the user's: only where a project has it; again: or"}, \
	{                                                                  \
		OPT_LIST, 0, "path", &(to)->paths, "GLOB", NULL,           \
			"what it is about, as src/api/**; may be given "   \
			"again"                                            \
	}

/* True if any was given. */
bool cli_keys_given(const struct cli_keys *k);

/* Have N say them beside its extra keys; what is new lives in A.  Ends with 2 where
 * a date is none, or has passed. */
void cli_keys_add(const struct cli_keys *k, struct store_new *n,
		  struct arena *a);

/* For the tables: TO is a struct strings of places, as co-evidence-check(1) has
 * them. */
#define OPT_CITE(to)                                                        \
	{                                                                   \
		OPT_LIST, 0, "cite", to, "PLACE", NULL,                     \
			"what it was taken from, PATH:10-20 or a URL; may " \
			"be given again"                                    \
	}

/* Have N, which is to be saved in S, cite PLACES beside what its extra keys cite:
 * each gets the hash of what stands there now.  What is new lives in A.  -1:
 * ERR_DATA, one of them cannot be cited, which is named. */
int cli_cite(struct store *s, const struct strings *places, struct store_new *n,
	     struct arena *a, struct err *e);

#endif
