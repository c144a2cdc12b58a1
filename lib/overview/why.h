/* why.h: say what an agent was shown, and why: events of the ledger in words. */
#ifndef CO_OVERVIEW_WHY_H
#define CO_OVERVIEW_WHY_H

#include "base/arena.h"
#include "base/buf.h"
#include "format/value.h"

/* The articles of the project and of the user, by the hashes of their files.
 * The ledger has only hashes of what has no id. Zero it; it is filled when a name is
 * needed. Release it with why_names_release(). */
struct why_names {
	struct why_name *items;
	size_t n, cap;
	bool filled;
	struct arena arena;
};
void why_names_release(struct why_names *names);

/* ID: name only this memory, as shown_list_id() writes it; or NULL. CLOCK: times are
 * local, as people say them, and else as in the ledger. */
struct why_how {
	const char *id;
	bool clock;
	struct why_names *names;
};

/* Append the EVENT, of shown-list.h, as a line: the time, the agent, what triggered it,
 * and each memory with its reason. */
void why_line(struct buf *out, const struct value *event,
	      const struct why_how *how);

/* Return true if EVENT shows the memory ID. */
bool why_has(const struct value *event, const char *id);

#endif
