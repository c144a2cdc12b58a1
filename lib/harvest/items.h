/* items.h: the items of a store: read and add them, save them as drafts, write
 * them as JSON, finish a task, and move items to the trash.
 *
 * item-file.h, which this header includes, has the format of their files.
 */
#ifndef CO_HARVEST_ITEMS_H
#define CO_HARVEST_ITEMS_H

#include "format/value.h"
#include "harvest/item-file.h"
#include "harvest/reply.h"
#include "store/drafts.h"
#include "store/store.h"

struct ledger;

struct items_entry {
	enum category category;
	bool done;	  /* a task that is done */
	const char *path; /* the file that a note is about, or NULL */
	struct item item;
};

#define ITEMS_ALL ((1u << CATEGORIES) - 1)

/* Call FN for each item in the CATEGORIES (a set of bits, 1u << CATEGORY_FACTS
 * and so on) of S, in the order of the files. ENTRY is valid until FN returns.
 * A nonzero result of FN stops the iteration and is returned. For a file with
 * an unresolved merge, our side is read and the merge is reported. An
 * unreadable file is reported and skipped. */
typedef int items_fn(void *ctx, const struct items_entry *entry);
int items_each(struct store *s, unsigned categories, items_fn *fn, void *ctx,
	       struct err *e);

/* Read the file of category C (not CATEGORY_FILES) of S into TEXT, as
 * items_each() reads it. Returns 1, 0 if it is absent, or -1. */
int items_read(struct store *s, enum category c, struct buf *text,
	       struct err *e);

/* Move the open task number N (from 1) to the done tasks. Returns 1 (IT is the
 * task, allocated in A), 0 if there is no such task, or -1. */
int items_finish(struct store *s, size_t n, struct arena *a, struct item *it,
		 struct err *e);

#define ADD_MOST 50	     /* per category and conversation */
#define ADD_FROM "user-told" /* the source if none is given */

/* The number of items with each outcome, by reply_key. */
struct items_added {
	size_t added[REPLY_KEYS];
	size_t known[REPLY_KEYS];   /* the category already has this text */
	size_t refused[REPLY_KEYS]; /* looks like a secret; reported */
	size_t over[REPLY_KEYS];    /* exceeds ADD_MOST */
};

/* Add the items of R, a reply, durably to the files of their categories. All items are
 * checked before the first byte is written. An item that is already there is skipped, so
 * repeating an interrupted addition completes it.
 * FROM is the conversation (NULL: ADD_FROM) and
 * DATE its day, as 2026-02-09. Returns 0 or -1: ERR_DATA if FROM looks like a
 * secret or a file has an unresolved merge; ERR_SYSTEM; ERR_BUSY. */
int items_add(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct items_added *added, struct err *e);

/* Items as JSON, one object per line.
 *
 *	{"category":"facts","text":"...","from":"chat-7","date":"2026-02-09"}
 *
 * A note also has the "path" of its file. A done task has "done":true.
 */

/* Append ENTRY as a JSON object, without a newline. */
void item_lines_write(struct buf *out, const struct items_entry *entry);

/* A batch of items to add to a store. Zero it, then set STORE. */
struct item_lines {
	struct store *store;
	bool drafts;		      /* save by item_drafts_add() */
	size_t added, known, refused; /* totals so far */

	struct arena arena; /* of the items not yet added */
	struct reply_item *items;
	size_t n;
	const char *from, *date;
};

/* Return true if V is an item as described above. */
bool item_lines_is(const struct value *v);

/* Add the item V, or accept its draft if there is one. Items of one
 * conversation and day are collected and written together, at the latest by
 * item_lines_flush(). Returns 0, or -1 as items_add() does. Items that look
 * like a secret are reported by the store. */
int item_lines_add(struct item_lines *l, const struct value *v, struct err *e);
int item_lines_flush(struct item_lines *l, struct err *e);

/* Move items to the trash, and restore them.
 *
 * Each removal is a directory in the trash with one file per item:
 *
 *	facts.md             the file it was in, below knowledge/
 *	123                  its offset in bytes
 *	done                 or "open"
 *	- the line before it
 *	- the item, byte for byte
 *
 * An item is saved in the trash before it is removed. After a kill in between
 * it is in both places, and an undo leaves one.
 */

/* Called for each item: with its path in the trash when it was removed, with
 * its text when it was restored. */
typedef void item_trash_fn(void *ctx, const char *what);

/* Move the items of category C whose text or whole line equals TEXT to the
 * trash, as one removal. Returns how many, or -1. */
int item_trash_remove(struct store *s, enum category c, const char *text,
		      item_trash_fn *fn, void *ctx, struct err *e);

/* Restore the items of the newest removal made on this machine. Returns how
 * many; 0 if that removal has no items or there is none; or -1. */
int item_trash_undo(struct store *s, item_trash_fn *fn, void *ctx,
		    struct err *e);

/* Items saved as drafts, until a person accepts them.
 *
 *	---
 *	id: 12
 *	created: 2026-02-09T14:30:00Z
 *	tags: []
 *	source: claude/SESSION
 *	item: tasks_open
 *	date: "2026-02-09"
 *	---
 *	TEXT
 *
 * `item` is the list of the reply that it came from. A note about a file also
 * has its `path`. Accepting the draft adds a line to the category's file and
 * removes the draft.
 */

/* Save the items of R from the conversation FROM (NULL: ADD_FROM) as drafts.
 * An item that already exists as an item, draft or memory, or in the trash, is
 * skipped. An item that looks like a secret is reported and skipped. ADDED
 * gets the counts. Returns 0, or -1 as save_memory() does, except for errors
 * of single items. */
int item_drafts_add(struct store *s, const struct reply *r, const char *from,
		    const char *date, struct items_added *added, struct err *e);

/* Call item_drafts_add(), then record the file at PATH, whose content has the
 * key KEY, as harvested in L. Adds the counts to ITEMS, by reply_key. */
int item_drafts_save(struct ledger *l, const struct reply *r, const char *from,
		     const char *date, const char *key, const char *path,
		     size_t *items, struct err *e);

/* Return true if the draft R is an item. */
bool item_drafts_is(const struct record *r);

/* The kind of these drafts, for drafts_convert(). Afterwards the record's path
 * is the category's file. */
extern const struct drafts_kind item_drafts;

/* The digest: the newest items of all categories in one small file, for prompts.
 *
 *	# Knowledge digest
 *	(regenerated by co-digest-build; edit the category files, not this file)
 *
 *	## Open tasks
 *	- TEXT [from: CONVERSATION, 2026-02-09]
 *
 * The order of the sections is fixed; each has its newest items first. If not
 * all items fit, the sections share the room: the shortest section gets the
 * next item, long items are cut, and a note at the end says so.
 *
 * A user who removes the file does not want it: it is not rebuilt until a build
 * with FORCE. A marker file, which git does not carry, records that a digest
 * was built here. */
#define DIGEST_FILE "digest.md"
#define DIGEST_MAX 4096 /* bytes of the whole file */

enum digest_state {
	DIGEST_CURRENT, /* it exists and is up to date */
	DIGEST_EMPTY,	/* no items, so there is no file */
	DIGEST_REMOVED	/* the user removed it; needs FORCE */
};

/* Append the digest of the category files' texts, indexed by category. Append
 * nothing if there are no items for it. */
void items_compose_digest(struct buf *out,
			  const struct buf texts[CATEGORY_FILES]);

/* Build the digest of S. Returns 0 (see *STATE) or -1. */
int items_build_digest(struct store *s, bool force, enum digest_state *state,
		       struct err *e);

/* Rebuild the digest if its file exists. For callers that changed item
 * files. */
int items_refresh_digest(struct store *s, struct err *e);

#endif
