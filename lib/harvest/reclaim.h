/* reclaim.h: from a conversation to its items, in the order that loses nothing.
 *
 * The items are safe, then the ledger says harvested, then the conversation is
 * deleted, then the ledger says so.  Killed between any two of these, the next
 * run goes on from there: it adds no item twice, asks no model again for what
 * the ledger has, and deletes nothing that the ledger has not.
 */
#ifndef CO_HARVEST_RECLAIM_H
#define CO_HARVEST_RECLAIM_H

#include "harvest/ledger.h"

/* The key of the content of the file at PATH: *SIZE, unless NULL, gets its bytes.
 * ERR_SYSTEM; ERR_DATA, it is no regular file. */
int reclaim_key(const char *path, char key[SHA256_HEX], size_t *size,
		struct err *e);

/* Harvest the file at PATH, absolute, whose content has KEY: add the items of R,
 * as of the conversation FROM and the day DATE, and say so in the ledger; with
 * DELETE, delete it.  ITEMS, unless NULL, grows by how many there are of each.
 * Where the ledger has KEY as harvested, R (which may be NULL then) is not looked
 * at.  ERR_DATA: the ledger is damaged, or an item
 * looks like a secret, the file then being kept; ERR_BUSY: it is another by now,
 * and stays. */
int reclaim_source(struct ledger *l, const char *path, const char *key,
		   const struct reply *r, const char *from, const char *date,
		   bool delete, size_t *items, struct err *e);

/* Delete the file at PATH for the entry EN, which says so before and behind: if
 * its content still has KEY, unless that is NULL. */
int reclaim_delete(struct ledger *l, const char *path,
		   const struct ledger_entry *en, const char *key,
		   struct err *e);

#endif
