/* action-recall.h: the memories that an agent needs for an edit or a command.
 *
 * These fit, the strongest first: memories that cite the file, whose `paths` match it,
 * that name it or something in the edit, that have the distinctive words of the
 * command. Among equals, rank/rank.h decides. A memory is left out if it is
 * sensitive, external, expired, archived or of other languages; if a source that it
 * cites has changed; if another one contradicts it or says nearly the same; or if the
 * session was given it before.
 */
#ifndef CO_ACTION_ACTION_RECALL_H
#define CO_ACTION_ACTION_RECALL_H

#include "base/buf.h"
#include "format/value.h"
#include "repo/record.h"
#include "shown/shown.h"

#define ACTION_MEMORIES 3

struct action_ask {
	const char *agent;		/* its name */
	bool after;			/* the tool has run already */
	const char *session, *subagent; /* "" or NULL: not known; none */
	const struct value *input;	/* of the tool */
	size_t bytes;			/* at most so many of text */
	/* Called with MAKES before an index is made, which may take long; without it
	 * before memories are read. */
	void (*opens)(void *ctx, bool makes);
	void *ctx;
	/* Receives what the session was given before. The caller releases it once it has
	 * noted what the action gets: see shown.h. */
	struct shown_ids *shown;
	/* Receive what the ledger notes, see shown.h: the memories, and the file or
	 * the words. */
	struct shown_items *items;
	struct buf *file, *words;
	const struct report *report;
};

/* Append to TEXT the memories for the action of ASK in the working directory. Return
 * how many they are. Faults go to the report. */
size_t action_recall(struct buf *text, const struct action_ask *ask);

/* Make or update the indexes that action_recall() asks. */
void action_recall_prepare(const struct report *report);

#endif
