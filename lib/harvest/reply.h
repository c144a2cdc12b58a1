/* reply.h: what a model answers when it is asked for what a conversation taught.
 *
 *	{"facts": [{"statement": "...", "detail": "..."}, ...],
 *	 "decisions": [...], "tasks_done": [...], "tasks_open": [...],
 *	 "questions": [...], "playbooks": [{"name": "...", "steps": "..."}],
 *	 "files": [{"path": "/...", "note": "..."}]}
 *
 * and nothing else, but for one fence of ``` around it.  An item may be a bare
 * string.  A category that is missing or no list is empty, and an unknown key
 * means nothing.  It comes from a stranger: see co-items(5) for its limits.
 */
#ifndef CO_HARVEST_REPLY_H
#define CO_HARVEST_REPLY_H

#include "base/arena.h"
#include "base/err.h"
#include "harvest/category.h"

#define REPLY_MAX ((size_t)4 * 1024 * 1024)
#define REPLY_ITEM_MAX 8192 /* bytes of an item */

enum reply_key {
	REPLY_FACTS,
	REPLY_DECISIONS,
	REPLY_TASKS_DONE,
	REPLY_TASKS_OPEN,
	REPLY_QUESTIONS,
	REPLY_PLAYBOOKS,
	REPLY_FILES
};
#define REPLY_KEYS 7

/* "facts" and so on, as in JSON. */
const char *reply_key_name(enum reply_key k);
enum category reply_category(enum reply_key k);

struct reply_item {
	enum reply_key key;
	const char *text; /* clean, as item_clean() has it */
	size_t len;
	const char *path; /* of a file's note, as it stands in the reply; else
			   * NULL */
	size_t number;	  /* in its list, from 1 */
};

struct reply {
	struct reply_item *items; /* by key */
	size_t n;
};

/* Read the LEN bytes of P; all lives in A.  ERR_DATA, with the place where it is
 * not JSON, else with that of the item. */
int reply_parse(struct reply *r, const char *p, size_t len, struct arena *a,
		struct err *e);

#endif
