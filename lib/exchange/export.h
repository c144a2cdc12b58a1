/* export.h: export the memories and items of a store.
 *
 *	jsonl		one record per line, by id, then one item per line
 *	json		the format of an older co: see context-json.h
 *	markdown	the files of memories and items
 *
 * Replaced memories are included.  Drafts, the trash and the context are not.
 * markdown omits the notes about single files; json omits the items and all
 * data that the older co did not have.
 */
#ifndef CO_EXCHANGE_EXPORT_H
#define CO_EXCHANGE_EXPORT_H

#include "exchange/line.h"
#include "store/store.h"

struct export_to {
	const char *format; /* one of the above */
	bool sensitive;	    /* include sensitive memories */
	/* PUT writes each NAME to a file; false: all of it to one stream. */
	bool files;
	export_fn *put;
	void *ctx;		     /* for PUT */
	const struct report *report; /* for files that cannot be read */
};

struct exported {
	/* The data that json cannot express, as "ids of 3, 1 item"; empty for
	 * the other formats.  The caller releases it. */
	struct buf unsaid;
	size_t sensitive;  /* memories left out */
	size_t unread;	   /* files not read, or only in part */
	enum err_code why; /* the highest of their error codes, or 0 */
};

/* Pass the contents of S to TO->put: file by file in markdown; in jsonl all at
 * once if TO writes files, else in pieces.  A file that cannot be read is
 * reported, and counted in DONE, which must be zeroed; the rest is exported.
 * For a file with an unresolved merge, which counts too, our side is exported.
 * Returns 0, or -1 if the store cannot be listed or PUT failed. */
int export_store(struct store *s, const struct export_to *to,
		 struct exported *done, struct err *e);

/* Pass every file of S to TO->put, to the byte, by its path below the root: also drafts,
 * those that work trees share, the trash, articles, attachments, the context and the
 * settings.  Files whose names begin with a dot are not passed; links are not either, and are reported.  DONE and the
 * return value are as in export_store(). */
int export_all(struct store *s, const struct export_to *to,
	       struct exported *done, struct err *e);

/* Append what export_store(), with the result DONE, left out of S, and of the user
 * store if S is a project's: "2 drafts, the context".
 * Appends nothing for what S does not have.  Returns 0 or -1. */
int export_left_out(struct buf *out, struct store *s,
		    const struct exported *done, struct err *e);

#endif
