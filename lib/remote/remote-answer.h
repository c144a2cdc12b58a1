/* remote-answer.h: a question to a remote index, and its answer as records.
 *
 * A record of a remote index has `commit` and `as_of`. Its path is no path of this
 * machine: it is PROJECT:7, or PROJECT:knowledge/... for what has no id.
 */
#ifndef CO_REMOTE_REMOTE_ANSWER_H
#define CO_REMOTE_REMOTE_ANSWER_H

#include "remote/remote.h"
#include "repo/record.h"

struct remote_answer {
	struct record *items; /* best first, in an arena */
	size_t n;
	bool pruned; /* the server chose which projects to search */
};

#endif
