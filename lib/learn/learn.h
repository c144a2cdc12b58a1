/* learn.h: the parts of co learn and co harvest that their commands call. */
#ifndef CO_LEARN_LEARN_H
#define CO_LEARN_LEARN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"
#include "harvest/harvest.h"
#include "mining/mining.h"
#include "store/store.h"

/* `co learn` with a text written in the editor. */

typedef int learn_editor_fn(const struct buf *text, struct err *e);

/* Open the editor and pass the text written there to LEARN. With FORM, the
 * editor shows a form with TAGS and *SOURCE, which are set to the edited
 * values, allocated in A. If LEARN fails, the file with the text is kept and
 * named. Return the status for main(). */
int learn_from_editor(bool form, struct strings *tags, const char **source,
		      struct arena *a, learn_editor_fn *learn);

/* `co learn` for a web page or a file, saved as an article. */

struct learn_article {
	struct store *store;
	const struct strings *tags;
	bool yes, dry, allow_private, json;
};

/* Return true if there are OPERANDS and each is a web address, or a file whose
 * path begins with /, ./ or ../. */
bool learn_article_is_meant(char **operands);

/* End the process, since the N OPERANDS are a text and an option is for articles. */
void learn_article_refuse(char **operands, int n) NORETURN;

/* Load, show, confirm and save each of OPERANDS. A failure is reported, and the
 * next operand follows. Return the status for main(). */
int learn_article_each(const struct learn_article *l, char **operands);

/* Return true if YES is set or the answer to QUESTION is yes. Without a
 * terminal, print a hint at -y and return false. */
bool learn_article_agreed(const char *question, bool yes);

/* Report E, for which TEXT could not be saved in S, and print a hint at what works.
 * REPLACES: the memories that it was to replace; NULL: none. */
void learn_failed(const struct store *s, const char *text, const char *replaces,
		  const struct err *e);

/* The option --auto of `co learn`. */

/* Set harvest.auto in the user's settings to VALUE, "true" or "false", and
 * print the effect. Return the status for main(). End the process with 2 unless
 * ALONE, that is, --auto was given without other arguments. */
int learn_auto_set(const char *value, bool alone);

/* The model of a harvest. */

/* Set H to show progress on a terminal, and to stop asking after SECONDS; 0: no
 * limit. */
void learn_model_limit(struct harvest *h, size_t seconds);

/* Find the prompts by the user's settings S and, if ASK, open the model; H->llm stays
 * NULL if none is set. ARGV0: see sys/execpath.h. End the process on failure.
 * Standard error names a project's prompt that is not used and, if NAMED, the prompt.
 * PROMPTS outlives H; the caller releases it, and closes H->llm first. */
void learn_model_open(struct harvest *h, struct request_prompts *prompts,
		      const struct settings *s, const char *argv0, bool ask,
		      bool named);

/* `co harvest --from=git`: drafts from the history of the project's repository. */

struct learn_history {
	const char *range;	       /* see mining/candidates.h */
	size_t max;		       /* drafts */
	size_t max_calls, max_seconds; /* of the model; 0: no limit */
	bool apply, json;
};

/* Find the drafts, save them with APPLY, and print them. ARGV0: see sys/execpath.h.
 * Returns the status for main(); ends the process if that fails. */
int learn_history(const struct learn_history *l, const char *argv0);

/* If a person is at the terminal, say how many commits the repository here has, and how
 * many conversations agents keep of the project; offer to make drafts from the commits,
 * and say how to search the conversations. */
void learn_history_offer(const char *argv0);

#endif
