/* ledger.h: what became of each conversation, by the SHA-256 of its content.
 *
 *	{"entries": {"<sha256>": {"path", "status", "at", "deleted",
 *	                          "items", "error"}}}
 *
 * It stands in ledger.json, keys in order, and is replaced as a whole for every
 * entry, under the store's lock: two harvests at once lose nothing of each
 * other's.  A pruned split has the key "path:PATH".
 *
 * Where it is longer than LEDGER_WHOLE, what is put goes to ledger.log, a line
 * of JSON each, {"KEY": ENTRY}, synced; from there into ledger.json once it has
 * grown by a part, and in the end: N entries cost N lines, not N ledgers.  What
 * stands in the log counts more.  A last line that is not whole was never put.
 *
 * Git may track it, so a clone may bring entries, and none is proven to be ours.  An
 * entry deletes nothing but what it can name without having been here: whoever asks
 * for the deletion of a conversation has its bytes compared with the key, and a split
 * whose pruning was cut short must have lost its index.
 *
 * One that cannot be read is never taken for an empty one: who would delete
 * anything by it is refused.
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
	LEDGER_FAILED,	    /* "harvest-failed", kept */
	LEDGER_UNHARVESTED, /* "deleted-unharvested", as was asked */
	LEDGER_TOO_LARGE,   /* "too-large", kept */
	LEDGER_PRUNED	    /* what was derived from something that is gone */
};

struct ledger_entry {
	const char *key;
	const char *path; /* NULL where it does not say */
	enum ledger_status status;
	const char *at; /* NULL: now, when it is put */
	bool deleted;
	size_t items[REPLY_KEYS]; /* of one that is harvested */
	const char *error;	  /* of one that failed; else NULL */
};

struct ledger {
	struct store *store;
	struct arena arena;
	struct value root;	  /* VALUE_MAP, all but the entries */
	struct value_pair *pairs; /* the entries, checked */
	size_t n, cap;
	struct table by_key;
	struct buf text; /* of LEDGER_FILE, as it was read */
	size_t logged;	 /* bytes of LEDGER_LOG that were read */
	bool is_read;
	struct stat file, log; /* as they were then; st_nlink 0 for absent */
};

/* Open that of S, which outlives L; an absent one is empty.  Release with
 * ledger_release(), also when this fails.  ERR_DATA, damaged: the sentence says
 * how to mend it. */
int ledger_open(struct ledger *l, struct store *s, struct err *e);

/* Put into LEDGER_FILE what is in the log, at the end of the work. */
int ledger_finish(struct ledger *l, struct err *e);
void ledger_release(struct ledger *l);

/* The entry KEY, as it stands now: 1 (EN lives in A), 0, -1: ERR_DATA, damaged by
 * now. */
int ledger_find(struct ledger *l, const char *key, struct arena *a,
		struct ledger_entry *en, struct err *e);

/* Set EN, durably, in the place of what has its key. */
int ledger_put(struct ledger *l, const struct ledger_entry *en, struct err *e);

/* Call deleted what was to be deleted by the ledger and is gone: what was lost
 * between a deletion and its entry. */
int ledger_settle(struct ledger *l, struct err *e);

#endif
