/* scenarios.h: the commands that are tested with a fault at every call. */
#ifndef CO_SCENARIOS_H
#define CO_SCENARIOS_H

#include "base/base.h"

/* What a command may print after a failed call, if its status and a line report
 * the failure. */
enum answer {
	ANSWER_LINES, /* lines of the whole answer */
	/* as ANSWER_LINES, and the replaced memory may exist twice for a
	 * while */
	ANSWER_KEPT,
	/* lines, and the next command that changes something leaves the store
	 * as before or as after */
	ANSWER_HEALED,
	/* as ANSWER_HEALED, and so does a review that lists the drafts */
	ANSWER_HEALED_SEEN,
	ANSWER_KEPT_HEALED, /* as ANSWER_KEPT and ANSWER_HEALED */
	ANSWER_LOOSE,	    /* sums, or places of its own */
	ANSWER_LENIENT,	    /* so, and lines may replace the status */
	/* as ANSWER_LENIENT, and the same command completes any remainder as a
	 * run without a fault does */
	ANSWER_LENIENT_AGAIN,
	ANSWER_ALWAYS, /* all of it, and the status, whatever was done */
	/* sums; the same command completes any remainder as a run without a
	 * fault does; a full disk is always status 4 */
	ANSWER_AGAIN,
	/* as ANSWER_AGAIN, and files to tidy may stay without a message */
	ANSWER_TIDY_AGAIN,
};

struct scenario {
	const char *name;
	/* Shell lines that make the initial world, in its working directory,
	 * with the programs in PATH. */
	const char *before;
	const char *argv[8];
	const char *input;
	/* How many states between the one before and the one after may be seen:
	 * those between several steps. */
	size_t between;
	enum answer answer;
};

extern const struct scenario scenarios[];
extern const size_t nscenarios;

#endif
