/* reply.h: the reply of a model that was asked for the items of a conversation.
 *
 *	{"facts": [{"statement": "...", "detail": "..."}, ...],
 *	 "decisions": [...], "tasks_done": [...], "tasks_open": [...],
 *	 "questions": [...], "playbooks": [{"name": "...", "steps": "..."}],
 *	 "files": [{"path": "/...", "note": "..."}]}
 *
 * Nothing else is allowed, except one fence of ``` around it. An item may be a
 * bare string. A category that is missing or not a list is empty; unknown keys
 * are ignored, but an object that has only these is not a reply. The reply is
 * untrusted: co-items(5) has its limits.
 */
#ifndef CO_HARVEST_REPLY_H
#define CO_HARVEST_REPLY_H

#include "base/arena.h"
#include "base/err.h"
#include "harvest/category.h"

#define REPLY_MAX ((size_t)4 * 1024 * 1024)
#define REPLY_ITEM_MAX 8192 /* bytes per item */

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

/* Return the JSON key of K, "facts" and so on. */
const char *reply_key_name(enum reply_key k);
enum category reply_category(enum reply_key k);

struct reply_item {
	enum reply_key key;
	const char *text; /* cleaned by item_clean() */
	size_t len;
	const char *path; /* of a note, as in the reply; else NULL */
	size_t number;	  /* position in its list, from 1 */
};

struct reply {
	struct reply_item *items; /* ordered by key */
	size_t n;
};

/* Parse the LEN bytes of P. All results are allocated in A. ERR_DATA: the
 * message begins with the position if it is not JSON, else names the item. */
int reply_parse(struct reply *r, const char *p, size_t len, struct arena *a,
		struct err *e);

#endif
