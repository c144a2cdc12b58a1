/* report.h: print changes for people and as JSON. */
#ifndef CO_HISTORY_REPORT_H
#define CO_HISTORY_REPORT_H

#include "history/hidden.h"
#include "history/history.h"

/* Append a description of C in one line: "learned", "edited: tags +a -b, body
 * +2 -1", "superseded by 12". */
void report_what(struct buf *out, const struct history_change *c);

/* Append the id of C's memory, or the path of its document below knowledge/. */
void report_subject(struct buf *out, const struct history_change *c);

/* Append the first line of the text of C, as lists show it; of the context and other
 * documents without an id, the first line that C added. Appends nothing for a memory in
 * HIDDEN. */
void report_summary(struct buf *out, const struct history_change *c,
		    const struct hidden *hidden);

/* Append C, a change of S, as a line: the day, the author in WIDTH columns, the
 * commit and the change; WIDTH is 0: without author and commit. With HIDDEN, it
 * also names the memory and its first line; NULL: all changes are of one
 * memory. */
void report_line(struct buf *out, const struct history_step *s,
		 const struct history_change *c, size_t width,
		 const struct hidden *hidden);

/* Append the change of C to the text of the file, as diff -u does, and an empty
 * line; coloured if COLORING. Appends nothing for a memory in HIDDEN. The walk
 * must load both versions. */
void report_diff(struct buf *out, const struct history_change *c,
		 const struct hidden *hidden, bool coloring);

/* Append C, a change of S, as one JSON object without a newline; see
 * co-json(5). With DIFF, it has what report_diff() appends. For a memory in HIDDEN, the
 * first line and the path, which is derived from it, are omitted. */
void report_json(struct buf *out, const struct history_step *s,
		 const struct history_change *c, const struct hidden *hidden,
		 bool diff);

/* Append the abbreviated name of a commit, or "-" for NULL. */
#define REPORT_COMMIT 9 /* columns */
void report_commit(struct buf *out, const char *commit);

/* Append NAME, an author or a source, made safe for a terminal; "-" for
 * NULL. */
void report_name(struct buf *out, const char *name);

/* Return the display width of the longest name of an author in H; 0 if no change has
 * an author or a commit. */
size_t report_author_width(const struct history *h);

/* report_columns() returns the display width of OUT from offset FROM on.
 * report_pad() pads that text with spaces to WIDTH columns, plus two. */
size_t report_columns(const struct buf *out, size_t from);
void report_pad(struct buf *out, size_t from, size_t width);

#endif
