/* verdict.h: whether what a program left and said after a fault is right.
 *
 * - The store is as before or as after, or in between where the scenario says
 *   so; no memory is lost, torn or doubled, and at no instant does a search
 *   find fewer than before and after.
 * - Exit 0 means that all was done and said as without a fault.  Else a line
 *   says why, and the status is none of those that mean something else; what
 *   is printed is never wrong, only less.  A path that a message names begins
 *   at the root, or as it was given.
 * - What is killed has not said before that all was done.
 * - Where somebody waits who must not be held up, the status and the answer are
 *   the same, whatever was done.
 * - The next save works at once, takes an id that no memory had before, and
 *   leaves no litter; the operations can be listed.
 * - What goes through many states on its way may leave any of them from which
 *   the same command, without a fault, comes to where it would have come.
 * - What a person wrote in the editor is kept.
 */
#ifndef CO_VERDICT_H
#define CO_VERDICT_H

#include "scenarios.h"
#include "world.h"

#define BETWEEN_MAX 24

/* One fault. */
struct fault {
	const char *call;
	bool memory; /* an allocation */
	unsigned long at;
	int error;	  /* 0 for KILL */
	bool stays;	  /* later calls fail as well */
	const char *more; /* a setting of wrap.c that goes with it, or NULL */
};

/* A scenario on trial. */
struct trial {
	const struct scenario *s;
	struct world world;
	const char *bin;    /* the programs without faults */
	struct run good;    /* without a fault: the store after */
	struct tree before; /* the store before */
	struct tree between[BETWEEN_MAX];
	size_t nbetween; /* states met that are neither */
};

/* What is wrong with R, the run that F hit, or NULL. */
const char *verdict(struct trial *t, struct run *r, const struct fault *f);

#endif
