/* ledger.h: the state of each conversation, by the SHA-256 of its content.
 *
 *	{"entries": {"<sha256>": {"path", "status", "at", "deleted",
 *	                          "items", "error"}}}
 *
 * The file ledger.json has its keys in order. Each change replaces it as a
 * whole under the lock of the store, so two harvests at once lose no entry. A
 * split, the parts of a file (see harvest.h), has no content of its own: once it is
 * pruned, its key is "path:PATH".
 *
 * If ledger.json is longer than LEDGER_WHOLE, changes are appended to
 * ledger.log and synced: one line of JSON each, {"KEY": ENTRY}. The log is
 * merged into ledger.json when it exceeds a part of its size, and at the end of
 * the work. Thus N entries cost N lines, not N ledgers. Entries in the log
 * override those in the file. An incomplete last line is ignored.
 *
 * Git may track the ledger, so a clone may bring entries that nobody here
 * wrote. Therefore no entry suffices to delete data: before a conversation is
 * deleted, its bytes are compared with the key; an interrupted pruning
 * continues only if the split has already lost its index.
 *
 * An unreadable ledger is never treated as empty: deleting is refused.
 */
#ifndef CO_HARVEST_LEDGER_H
#define CO_HARVEST_LEDGER_H

#include "base/sha256.h"
#include "base/table.h"
#include "harvest/reply.h"
#include "store/store.h"

#include <sys/stat.h>

#define LEDGER_FILE "ledger.json"
#define LEDGER_LOG "ledger.log"
#define LEDGER_WHOLE ((size_t)16 * 1024)

enum ledger_status {
	LEDGER_HARVESTED,
	LEDGER_FAILED,	    /* "harvest-failed"; the conversation is kept */
	LEDGER_UNHARVESTED, /* "deleted-unharvested", on request */
	LEDGER_TOO_LARGE,   /* "too-large"; the conversation is kept */
	LEDGER_PRUNED	    /* the source of derived data is gone */
};

struct ledger_entry {
	const char *key;
	const char *path; /* NULL if absent */
	enum ledger_status status;
	const char *at; /* time of the entry, RFC 3339; NULL: now, set by
			 * ledger_put() */
	bool deleted;	/* the conversation at PATH is gone */
	size_t items[REPLY_KEYS]; /* of a harvested conversation */
	const char *error;	  /* of a failed one, else NULL */
};

struct ledger {
	struct store *store;
	struct arena arena;
	struct value root;	  /* VALUE_MAP, without the entries */
	struct value_pair *pairs; /* the entries, validated */
	size_t n, cap;
	struct table by_key;
	struct buf text; /* of LEDGER_FILE, as last read */
	size_t logged;	 /* bytes of LEDGER_LOG already read */
	bool is_read;
	struct stat file, log; /* as last read; st_nlink is 0 if absent */
};

/* Open the ledger of S, which must outlive L. An absent ledger is empty.
 * Release with ledger_release(), also on failure. ERR_DATA if it is damaged;
 * the message says how to repair it. */
int ledger_open(struct ledger *l, struct store *s, struct err *e);

/* Merge the log into LEDGER_FILE. Call this at the end of the work, and with SETTLES at
 * its start. That first marks the entries whose conversation is already gone as
 * deleted, which completes deletions that were interrupted before their entry was
 * written. */
int ledger_finish(struct ledger *l, bool settles, struct err *e);
void ledger_release(struct ledger *l);

/* Read the current entry of KEY. Returns 1 (the strings of EN are allocated in
 * A), 0 if there is none, or -1: ERR_DATA if the ledger is damaged. */
int ledger_find(struct ledger *l, const char *key, struct arena *a,
		struct ledger_entry *en, struct err *e);

/* Add the entry EN durably, replacing the entry with its key. */
int ledger_put(struct ledger *l, const struct ledger_entry *en, struct err *e);

#endif
