/* export.h: all that a store remembers, for another store or program.
 *
 *	jsonl		a record a line, by id, then an item a line
 *	json		what an older co kept: see context-json.h
 *	markdown	the files of memories and items
 *
 * Replaced memories are among them.  Drafts, the trash and the context are left out,
 * of markdown the notes on single files, and of json the items and whatever that co
 * had no place for.
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

struct exported {
	/* What the format cannot say, as "ids of 3, 1 item"; or nothing; yours. */
	struct buf unsaid;
	size_t unread;	   /* files that were not read, or not whole */
	enum err_code why; /* the worst code of them */
};

/* Hand what S holds to TO: a file at once in markdown, and in jsonl the whole text
 * where it is to be a FILE, else a part at a time.  A
 * file that cannot be read is reported and counted in DONE, a zeroed one, and the
 * rest goes on; so is one in an unresolved merge, of which ours is taken. */
int export_store(struct store *s, const struct export_to *to,
		 struct exported *done, struct err *e);

#endif
