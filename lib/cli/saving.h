/* saving.h: what commands that save a memory share: questions about a text that is
 * probably a mistake, and options.
 */
#ifndef CO_CLI_SAVING_H
#define CO_CLI_SAVING_H

#include "base/strings.h"
#include "store/save.h"
#include "sys/editor.h"

/* The answer to a question whether to save a text. */
enum confirm { CONFIRM_SAVE, CONFIRM_DECLINED, CONFIRM_REPLACE };

/* Print on standard error the memories of S that are similar to NEW. On a
 * terminal, ask whether to save it, and return the answer. For CONFIRM_REPLACE,
 * set *IDS, allocated in A, to the memories to replace, separated by commas; otherwise to
 * NULL.
 *
 * A memory with identical text is not similar. With --quiet and no terminal,
 * nothing is searched.
 */
enum confirm cli_confirm_save(struct store *s, const struct store_new *new,
			      struct arena *a, const char **ids);

/* Print on standard error the memories of S that the saved memory R
 * contradicts, and set R's list of them, allocated in A. */
void cli_confirm_saved(struct store *s, struct record *r, struct arena *a);

/* Print the memories of S that the saved memory R replaced, a line for each. */
void cli_confirm_replaced(struct store *s, const struct record *r,
			  struct arena *a);

/* Check that OPERANDS are a text, since a person may mean the contents of what they
 * name. End the process with 2 if each is an address or the name of a file, a directory,
 * a FIFO and so on, or with 4 if that cannot be read. If each looks like a path but no
 * such file exists, ask on a terminal whether it is a text, and end the process with 1
 * if it is not; elsewhere print a hint. */
void cli_confirm_is_text(char **operands);

/* Call editor_edit() for ED. If the result is invalid, print why, and on a terminal ask
 * whether to edit it again. Print errors, that nothing was changed, and for a kept edit
 * that the command RESUME opens it. Return 1 if the edit was used, 0 if nothing was
 * changed. End the process after an error. */
int cli_confirm_edit(struct editor ed, const char *resume);

/* The options for lifetime and visibility, see repo/marks.h. */
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

/* Return the first of these options that was given, such as "--path", or NULL. */
const char *cli_keys_given(const struct cli_keys *k);

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
