/* change.h: the state of a writer of a store, which a reader does not have.
 *
 * It is made when it is first needed. The modules that take the lock and load the
 * secrets store here the functions that release them. So store_close(), which all
 * programs call, links neither module into a program that only reads.
 */
#ifndef CO_STORE_CHANGE_H
#define CO_STORE_CHANGE_H

#include "oplog/oplog.h"
#include "store/handle.h"

struct change {
	bool made;	  /* this process created the root */
	bool batch;	  /* keep the lock from one change to the next */
	bool sync_last;	  /* see save_unsynced() */
	bool sync_failed; /* save_sync() must report `sync_why` */
	struct err sync_why;
	int unsynced;	  /* a directory that was changed, or -1 */
	bool locked;	  /* we hold the lock */
	int lock_fd;	  /* see sys/lock.h */
	int reach_fd;	  /* of lock_share() */
	int depth;	  /* changes within a change */
	bool noted;	  /* see repo/known-projects.h */
	int64_t since;	  /* when the lock was taken, in ms */
	int64_t next_id;  /* while we hold it; 0 when not known */
	int64_t next_end; /* the first after it that is not free */
	size_t asked;	  /* times that ids_is_taken() asked the cache */
	int64_t *saved;	  /* ids that this batch gave to new memories */
	size_t nsaved, saved_cap;
	int shared_fd; /* LAYOUT_SHARED while we hold its lock, or -1 */
	int shared_lock;

	void (*unlock)(struct store *s); /* releases the lock */

	struct oplog log;     /* see store/operation.h */
	const char *by;	      /* see operation_by() */
	const char *other;    /* see operation_other() */
	int64_t other_number; /* see operation_other() */
	bool unlogged;	      /* changes are not logged any more */
	struct err why;	      /* of that, until it is reported; or ERR_NONE */
	size_t unreported;    /* changes made since then */

	bool cached; /* duplicates.c made a cache, or tried to */

	const char *expect; /* see store_expect(); or NULL */

	bool allow_secret;	 /* see store_allow_secret() */
	bool has_allow_option;	 /* store_allow_secret() was called */
	bool keep_trust;	 /* see drafts_keep_trust() */
	struct secrets *secrets; /* see store/secret-gate.h */
	void (*free_secrets)(struct secrets *s);
};

/* Return the state of S, which is created if there is none. It belongs to S. */
struct change *change_of(struct store *s);

/* Make durable the names that were changed in the directory DIR of S: at once or, after
 * save_unsynced(), before the lock is released. */
int change_sync(struct store *s, int dir, const char *path, struct err *e);

/* Sync the directory that change_sync() left, if there is one. Return -1 if that or an
 * earlier sync failed. */
int change_sync_left(struct store *s, struct err *e);

/* Release what the state of S holds; for store_close(). */
void change_release(struct store *s);

/* Return true if the caller holds the lock of S. */
static inline bool change_is_locked(const struct store *s)
{
	return s->change && s->change->locked;
}

#endif
