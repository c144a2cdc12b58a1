/* note.h: a memory that was read from another program. */
#ifndef CO_EXCHANGE_NOTE_H
#define CO_EXCHANGE_NOTE_H

#include "base/arena.h"
#include "base/strings.h"
#include "exchange/line.h"
#include "format/value.h"

#include <sys/stat.h>

struct context_read;

/* Where the memories of a file are sent, and their common data. */
struct note_sink {
	exchange_fn *fn;
	void *ctx;
	const struct report *report;
	const char *path;	   /* file name in messages */
	const char *source;	   /* as "mem0" */
	const char *created;	   /* default for notes without a date */
	struct context_read *kept; /* receives the files of an older co */
};

/* All data is borrowed until it is sent. */
struct note {
	const char *content;
	size_t len;
	struct strings tags;	  /* as read; note_send() makes them valid */
	const char *source;	  /* NULL: that of the sink */
	const char *created;	  /* NULL or invalid: that of the sink */
	const struct value *keys; /* free keys, or NULL */
};

/* Send N, unless it is blank. Returns the result of the function of S. */
int note_send(const struct note_sink *s, const struct note *n, struct err *e);

/* Add V, a list of strings or one string with commas or blanks between, to
 * TAGS. Other values are ignored. The strings are allocated in A. */
void note_add_tags(struct strings *tags, const struct value *v,
		   struct arena *a);

/* Report that the file of S has the fault WHAT. */
void note_fault(const struct note_sink *s, const char *what);

#endif
