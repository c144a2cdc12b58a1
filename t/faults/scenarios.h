/* scenarios.h: the commands whose every instant is gone through. */
#ifndef CO_SCENARIOS_H
#define CO_SCENARIOS_H

#include "base/base.h"

/* What may be printed when a call failed, if the status and a line say so. */
enum answer {
	ANSWER_LINES, /* lines of the whole answer */
	/* the same, and what is replaced may stand twice for a while */
	ANSWER_KEPT,
	/* lines, and the next command that changes something leaves the
	 * store as before or as after */
	ANSWER_HEALED,
	/* the same, and so does a review that lists the drafts */
	ANSWER_HEALED_SEEN,
	ANSWER_KEPT_HEALED, /* as ANSWER_KEPT and ANSWER_HEALED */
	ANSWER_LOOSE,	    /* sums, or places of its own */
	ANSWER_LENIENT,	    /* the same, and more lines can do for the status */
	/* the same, and the same command makes of whatever was left what a run
	 * without a fault leaves */
	ANSWER_LENIENT_AGAIN,
	ANSWER_ALWAYS, /* all of it, and the status, whatever was done */
	/* sums; whatever was left, the same command makes of it what a run
	 * without a fault leaves; a full disk is always status 4 */
	ANSWER_AGAIN,
	/* the same, and what is tidied on the way may wait for that without a
	 * word */
	ANSWER_TIDY_AGAIN,
};

struct scenario {
	const char *name;
	/* Shell lines that make the world before, in its working directory,
	 * with the programs in PATH. */
	const char *before;
	const char *argv[8];
	const char *input;
	/* How many states that are neither the one before nor the one after
	 * may be met: those between the steps of many. */
	size_t between;
	enum answer answer;
};

extern const struct scenario scenarios[];
extern const size_t nscenarios;

#endif
