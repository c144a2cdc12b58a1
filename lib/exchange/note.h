/* note.h: one memory on its way here. */
#ifndef CO_EXCHANGE_NOTE_H
#define CO_EXCHANGE_NOTE_H

#include "base/arena.h"
#include "base/strings.h"
#include "exchange/line.h"
#include "format/value.h"

#include <sys/stat.h>

/* Where the memories of one file go, and what they have in common. */
struct note_sink {
	exchange_fn *fn;
	void *ctx;
	const struct report *report;
	const char *path;    /* of the file, for sentences */
	const char *source;  /* "mem0" */
	const char *created; /* where a note has none of its own */
};

/* Borrowed until it is sent. */
struct note {
	const char *content;
	size_t len;
	struct strings tags;	  /* as found; each is made fit for one */
	const char *source;	  /* or NULL: the sink's */
	const char *created;	  /* or NULL, or no time: the sink's */
	const struct value *keys; /* free ones, or NULL */
};

/* Send N, unless it is blank.  Returns what the function of S does. */
int note_send(const struct note_sink *s, const struct note *n, struct err *e);

/* Add the strings of V, a list of them or one with commas or blanks between, to
 * TAGS; anything else is left out. */
void note_add_tags(struct strings *tags, const struct value *v,
		   struct arena *a);

/* Tell the report of S that its file is wrong. */
void note_fault(const struct note_sink *s, const char *what);

#endif
