/* export.h: all that a store remembers, for another store or program.
 *
 *	jsonl		a record a line, by id, then an item a line
 *	json		what an older co kept: see context-json.h
 *	markdown	the files of memories and items
 *
 * Drafts, the trash and the context are left out, of markdown the notes on single
 * files, and of json the items and whatever that co had no place for.
 */
#ifndef CO_EXCHANGE_EXPORT_H
#define CO_EXCHANGE_EXPORT_H

#include "exchange/line.h"
#include "store/store.h"

struct export_to {
	const char *format; /* one of the above */
	bool sensitive;	    /* what is so is not left out */
	bool files;	    /* PUT makes files of a folder */
	export_fn *put;
	void *ctx;
	const struct report *report;
};

/* Hand what S holds to TO: a file at once in markdown, the whole text in jsonl.  A
 * memory that cannot be read is reported, and the rest goes on.  UNSAID gets what
 * the format cannot say, as "ids of 3, 1 item"; or nothing. */
int export_store(struct store *s, const struct export_to *to,
		 struct buf *unsaid, struct err *e);

#endif
