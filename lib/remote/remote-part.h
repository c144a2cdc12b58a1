/* remote-part.h: the part of an answer that a remote index gives, for --remote.
 *
 * It is asked while the local stores are searched. The local part of the answer is the
 * same whatever the remote index does: if that fails, or is too slow, one report says so.
 *
 * A record of a remote index has `commit` and `as_of`. Its path is no path of this
 * machine: it is PROJECT:7, or PROJECT:knowledge/... for what has no id.
 */
#ifndef CO_REMOTE_REMOTE_PART_H
#define CO_REMOTE_REMOTE_PART_H

#include "base/strings.h"
#include "remote/remote.h"
#include "repo/record.h"
#include "store/store.h"

struct remote_question {
	const char *text;      /* as the user typed it */
	const char **projects; /* names; none: the server chooses */
	size_t nprojects;
	size_t max;
	bool meaning; /* compare meaning, too, if the server can */
	const char
		*own; /* the name of the project of the local store, or NULL */
};

struct remote_answer {
	struct record *items; /* best first, in an arena */
	size_t n;
	bool pruned; /* the server chose which projects to search */
};

/* A zeroed one has no records. */
struct remote_part {
	struct remote_answer answer; /* its records, best first */
	const struct report *report; /* gets what fails */

	/* Used by remote-part.c only: */
	struct remote remote;
	struct remote_question question;
	struct process process;
	struct store *own;
	size_t max;
	bool asked;
	struct arena arena;
};

/* What to ask. */
struct remote_part_ask {
	const struct strings
		*names; /* values of --remote, "" for one without: none
				      * means that the user's setting decides */
	const char *query;
	size_t max;
	const char *mode;  /* unless it is "fts", by meaning as well */
	struct store *own; /* of the project; open until remote_part_finish() */
	const char *argv0; /* argv[0] of this program */
	const struct report *report;
};

/* Ask the remote index as ASK says. Do not wait. Return 0, or -1 with ERR_USAGE if the
 * names cannot be followed. */
int remote_part_begin(struct remote_part *p, const struct remote_part_ask *ask,
		      struct err *e);

/* Wait for the answer, as long as the user's setting remote.timeout_ms allows. KIND: keep
 * only records of that kind, unless NULL. */
void remote_part_end(struct remote_part *p, const char *kind);

/* Remove the records of P that are LOCAL, too. */
void remote_part_drop(struct remote_part *p, const struct record *local);

/* Remove the records of the own project that the store OWN has, in whatever version, and
 * those beyond the maximum. Note that the session of an agent that runs this program reads the
 * others. */
void remote_part_finish(struct remote_part *p);

/* Return record I of P, with a snippet in A if its content is longer than WHOLE bytes. */
struct record remote_part_record(const struct remote_part *p, size_t i,
				 size_t whole, struct arena *a);

void remote_part_release(struct remote_part *p);

#endif
