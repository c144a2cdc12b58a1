/* verdict.h: decide whether the state and the output after a fault are right.
 *
 * - The store is as before or as after, or between them if the scenario allows
 *   that. No memory is lost, torn or doubled, and at no time does a search find
 *   fewer memories than both before and after.
 * - Exit status 0 means that everything was done and printed as without a fault.
 *   A failed sync of data is a failure, although tmpfs has the data: a disk may have
 *   lost it. Otherwise a line names the reason, and the status is none with another
 *   meaning. Output is never wrong, only incomplete. A path in a message is
 *   absolute, or as it was given.
 * - A killed program has not reported success before.
 * - If the caller must not be delayed, the status and the answer are always the
 *   same.
 * - The next save works at once, gets an id that no memory had before, and
 *   leaves no temporary file. The operations can be listed.
 * - A command with many states may leave any of them from which the same
 *   command, without a fault, reaches its normal result.
 * - The text that a person wrote in the editor is kept.
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
	bool was_hit;	  /* a system call was hit, and CALL is that one */
};

/* A scenario under test. */
struct trial {
	const struct scenario *s;
	struct world world;
	const char *bin;    /* the programs without faults */
	struct run good;    /* without a fault: the store after */
	struct tree before; /* the store before */
	struct tree between[BETWEEN_MAX];
	size_t nbetween; /* states met that are neither */
};

/* Return what is wrong with R, the run that F hit, or NULL. */
const char *verdict(struct trial *t, struct run *r, const struct fault *f);

#endif
