/* report.h: changes as people and programs read them. */
#ifndef CO_HISTORY_REPORT_H
#define CO_HISTORY_REPORT_H

#include "history/hidden.h"
#include "history/history.h"

/* Append what C did, on one line: "learned", "edited: tags +a -b, body +2 -1",
 * "superseded by 12". */
void report_what(struct buf *out, const struct change *c);

/* Append what C is about: an id, or a path below knowledge/. */
void report_subject(struct buf *out, const struct change *c);

/* Append the first line of what C is about, as lists show it; nothing of what is
 * HIDDEN. */
void report_summary(struct buf *out, const struct change *c,
		    const struct hidden *hidden);

/* Append C, of S, as one JSON object, without a newline; see co-json(5).  Of what is
 * HIDDEN neither its first line nor its path, which is made of that. */
void report_json(struct buf *out, const struct step *s, const struct change *c,
		 const struct hidden *hidden);

/* Append the name of a commit as people see it, "-" for NULL. */
#define REPORT_COMMIT 9 /* columns */
void report_commit(struct buf *out, const char *commit);

/* Append NAME, an author or a source, as a terminal may see it; "-" for NULL. */
void report_name(struct buf *out, const char *name);

/* The columns that what stands from FROM on in OUT takes; and as many blanks
 * behind it as make them WIDTH, and two that part it from the next. */
size_t report_columns(const struct buf *out, size_t from);
void report_pad(struct buf *out, size_t from, size_t width);

#endif
