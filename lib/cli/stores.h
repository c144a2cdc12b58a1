/* stores.h: open the stores that a command works on. */
#ifndef CO_CLI_STORES_H
#define CO_CLI_STORES_H

#include "history/history.h"
#include "store/store.h"

/* The option -A, --all-projects, which comes after --global, and the message for using
 * both. -A means nothing else in any command. */
#define OPT_ALL_PROJECTS(all)                              \
	{.kind = OPT_OR}, FLAG('A', "all-projects", (all), \
			       "search your other projects too")
#define PROJECTS_OR_GLOBAL "--global and --all-projects exclude each other"

/* Open the user's store if GLOBAL, else the project's. End the process if that
 * fails. */
void cli_open_store(struct store *s, bool global);

/* Return the user's store if USER, else the project's: cli_open_store() opens it
 * at the first call, and cli_close_stores() closes it. */
struct store *cli_store(bool user);
void cli_close_stores(void);

/* Open the store for a command that reads both stores. If it cannot be opened,
 * complain and return false; S reads as empty. Without HOME, as in containers,
 * there is no user's store; that is not an error. */
bool cli_open_store_if(struct store *s, bool global);

/* Print the command that repairs broken files of a store, or two files with one id. */
void cli_hint_check(bool global);
void cli_hint_renumber(bool global);

/* Call cli_hint_check() if QUERY is the id of a broken memory of S. */
void cli_hint_broken(struct store *s, const char *query);

/* If the clone lacks versions of H, print a note with WHAT, the consequence,
 * and a hint at the command that fetches them. */
void cli_note_partial(const struct history *h, const char *what);

/* Create the store if it does not exist and print a note. End the process if
 * that fails. For commands that write. */
void cli_make_store(struct store *s);

/* The option of commands that change a file only if its content is still what
 * the user saw. TO is a const char **. */
#define OPT_EXPECT(to, what)                          \
	OPT(OPT_STR, 0, "expect", to, "SHA256", NULL, \
	    "require that SHA256 is the hash of " what)

/* Make S refuse to change a file unless its SHA-256 is SUM; NULL: no condition.
 * End the process with 2 if SUM is malformed. */
void cli_expect(struct store *s, const char *sum);

/* Return true if the N OPERANDS are ids, such as g7, of the user's store in
 * AREA, or absolute paths in it. End the process with 2 if only some are.
 * cli_is_global() does this for the memory OPERAND, which may be NULL, or a list of ids
 * separated by commas. */
bool cli_are_global(const char *const *operands, size_t n, enum area area);
bool cli_is_global(const char *operand);

#endif
