/* remote-answer.h: a question to a remote index, and its answer as records.
 *
 * A record of a remote index has `commit` and `as_of`. Its path is no path of this
 * machine: it is PROJECT:7, or PROJECT:knowledge/... for what has no id.
 */
#ifndef CO_REMOTE_REMOTE_ANSWER_H
#define CO_REMOTE_REMOTE_ANSWER_H

#include "remote/remote.h"
#include "repo/record.h"

struct remote_question {
	const char *text;      /* as the user typed it */
	const char **projects; /* names; none: the server chooses */
	size_t nprojects;
	size_t max;
	const char
		*own; /* the name of the project of the local store, or NULL */
};

struct remote_answer {
	struct record *items; /* best first, in an arena */
	size_t n;
	bool pruned; /* the server chose which projects to search */
};

/* Append Q as a request. */
void remote_question_write(struct buf *out, const struct remote_question *q);

/* Fill A, in ARENA, with the records of REPLY, the answer to Q. Return 0, or -1 with
 * ERR_HELPER if it is no such answer: then A is empty. */
int remote_answer_read(struct remote_answer *a,
		       const struct remote_reply *reply,
		       const struct remote_question *q, struct arena *arena,
		       struct err *e);

/* Remove from A the records with the kind and the text of LOCAL. */
void remote_answer_drop(struct remote_answer *a, const struct record *local);

#endif
