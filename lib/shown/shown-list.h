/* shown-list.h: read the ledger of what agents were shown, see shown.h. */
#ifndef CO_SHOWN_SHOWN_LIST_H
#define CO_SHOWN_SHOWN_LIST_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/instant.h"
#include "base/strings.h"
#include "format/value.h"

/* The ledger of the project of the working directory, oldest first. */
struct shown_list {
	struct buf text;
	size_t at;
	struct arena arena;
};

/* Read into V the next event whose line has the text WITH (NULL: any). V lives until
 * the next call. Return false at the end. Lines that are no events are skipped. */
bool shown_list_next(struct shown_list *l, const char *with, struct value *v);
void shown_list_close(struct shown_list *l);

/* Set LINE and LEN to the next line, whatever it is; return false at the end. */
bool shown_list_line(struct shown_list *l, const char **line, size_t *len);

/* Read LINE of LEN bytes into V, in A. Return false if it is no event. */
bool shown_list_parse(const char *line, size_t len, struct arena *a,
		      struct value *v);

/* Keep, of the N EVENTS, newest first, those of the session of the newest one. Events of
 * its agent without a session belong to it if they are newer than its first; without any
 * session, the last start begins it. Return how many are kept, in their order. */
size_t shown_list_last_session(const struct value **events, size_t n);

/* What the last session of an agent got. */
struct shown_last {
	struct instant at;	 /* its start */
	size_t bytes;		 /* of context */
	struct strings memories; /* ids that were shown later, each once */
};

/* Find the last session of AGENT in the N EVENTS of shown_list_all(). Return false if
 * there is none. The ids are allocated in A; free the list's items with free(). */
bool shown_list_find_last(struct shown_last *last, const char *agent,
			  const struct value *events, size_t n,
			  struct arena *a);

/* A memory that the ledger has. */
struct shown_id {
	int64_t id;
	bool global;
	bool acted; /* for an action; else in another way */
};

/* Memories that one agent of one session was given. A zeroed one is empty. */
struct shown_ids {
	struct shown_id *items;
	size_t n, cap;
	bool locked; /* DIR is the locked directory of the ledger; FD: see lock.h */
	int dir, fd;
};

/* Return how IDS has the memory ID, or NULL. */
const struct shown_id *shown_ids_find(const struct shown_ids *ids, int64_t id,
				      bool global);

void shown_ids_release(struct shown_ids *ids);

/* Return true if the ledger has an event of SESSION of AGENT. */
bool shown_list_has_session(const char *agent, const char *session);

/* Append the id that the item V of "memories" has, as people write it: 7, g7 or
 * project:7. Return false if it is not a memory. */
bool shown_list_id(struct buf *out, const struct value *item);

#endif
