/* harvest-source.h: turn a conversation into items, in an order that loses nothing.
 *
 *	1. save the items
 *	2. record "harvested" in the ledger
 *	3. delete the conversation
 *	4. record that in the ledger
 *
 * After a kill between two steps, the next run continues: it adds no item
 * twice, does not ask the model again for what the ledger has, and deletes only
 * what the ledger has.
 */
#ifndef CO_HARVEST_HARVEST_SOURCE_H
#define CO_HARVEST_HARVEST_SOURCE_H

#include "harvest/ledger.h"

/* Compute the ledger key of the file at PATH. ERR_SYSTEM; ERR_DATA if it is not a regular
 * file. */
int harvest_source_key(const char *path, char key[SHA256_HEX], struct err *e);

/* Harvest the file at the absolute PATH, whose content has the key KEY. Adds
 * the items of R as from the conversation FROM and the day DATE, and records
 * this in L; then deletes the file if DELETE is set. ITEMS, unless NULL, is
 * increased by the number of items of each kind. If L already has KEY as
 * harvested, R is not used and may be NULL. ERR_DATA: the ledger is damaged,
 * or an item looks like a secret (the file is kept). ERR_BUSY: the file has
 * changed, and is kept. */
int harvest_source(struct ledger *l, const char *path, const char *key,
		   const struct reply *r, const char *from, const char *date,
		   bool delete, size_t *items, struct err *e);

/* Delete the file at PATH, and record EN in L before, and with DELETED set
 * after. If KEY is not NULL, the file is deleted only if its content has this
 * key. */
int harvest_source_delete(struct ledger *l, const char *path,
			  const struct ledger_entry *en, const char *key,
			  struct err *e);

#endif
