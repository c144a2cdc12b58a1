/* stores.h: opening the stores that a command works on. */
#ifndef CO_CLI_STORES_H
#define CO_CLI_STORES_H

#include "history/history.h"
#include "store/store.h"

/* The option --all-projects, and what is said of it beside --global. */
#define OPT_ALL_PROJECTS(all)                                   \
	{                                                       \
		OPT_FLAG, 0, "all-projects", (all), NULL, NULL, \
			"ask your other projects, too"          \
	}
#define PROJECTS_OR_GLOBAL "--global and --all-projects exclude each other"

/* Open the store, or end the process.  GLOBAL picks the user's. */
void cli_open_store(struct store *s, bool global);

/* The same for those who read both stores: where one cannot be opened they
 * complain, return false, and it reads as empty.  Without a HOME, as in a
 * container, there is no store of the user's, and nothing to complain of. */
bool cli_open_store_if(struct store *s, bool global);

/* Hint at what tells of the broken files of a store, the user's if GLOBAL, and mends
 * them. */
void cli_hint_check(bool global);

/* The same where QUERY is the number of a memory of S, as text shows it, that is
 * broken. */
void cli_hint_broken(struct store *s, const char *query);

/* Say that git has not all versions of H here, where that is so, and what comes of
 * it, WHAT; and what fetches them. */
void cli_note_partial(const struct history *h, const char *what);

/* Make the store where it is absent, and say so on standard error; ends the
 * process when that fails.  For the commands that write. */
void cli_make_store(struct store *s);

/* The option of those who change a file only while it is what they saw; TO is a
 * const char *. */
#define OPT_EXPECT(to, what)                                   \
	{                                                      \
		OPT_STR, 0, "expect", to, "SHA256", NULL,      \
			"only if that is the SHA-256 of " what \
	}

/* Have S change only a file that has SUM, or NULL for any; ends with 2 where it is
 * no sum. */
void cli_expect(struct store *s, const char *sum);

/* True if the N OPERANDS name what the user's store has in AREA, as g7: then
 * that store is meant.  Ends with 2 where some do and some do not.  The same of
 * one, which may be NULL. */
bool cli_are_global(const char *const *operands, size_t n, enum area area);
bool cli_is_global(const char *operand, enum area area);

#endif
