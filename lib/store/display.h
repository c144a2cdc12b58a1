/* display.h: memories as the text that people and agents read.
 *
 * One wording for the commands and for whoever else answers with them.  The
 * text may go to a prompt: it is clean (see text/sanitize.h), and what stands
 * in a field that is one line stays on it.
 */
#ifndef CO_STORE_DISPLAY_H
#define CO_STORE_DISPLAY_H

#include "store/store.h"

/* Bytes: of what is longer, and was ranked, the snippet is shown. */
#define DISPLAY_WHOLE_MAX 1000

/* Append what recall answers: how many were found for QUERY, then each with
 * id, date, tags and content, or of a long one its snippet; or that none was. */
void display_recall(struct buf *out, const struct records *found,
		    const char *query);

/* Append its first line alone: of WHOLE memories that hold the query and PARTIAL
 * ones that hold some words of it, SHOWN follow; and one memory. */
void display_found(struct buf *out, size_t whole, size_t partial, size_t shown,
		   const char *query);
void display_memory(struct buf *out, const struct record *r);

/* Append the list of ALL memories, a line each; EXISTS tells whether there is
 * a store at all. */
void display_list(struct buf *out, const struct records *all, bool exists);

/* Append its first line alone, for N memories. */
void display_total(struct buf *out, size_t n, bool exists);

/* Append **001** (2026-02-09) [tags]: summary, and a newline; of an
 * article its file, title and source; of a broken one (id 0) its file. */
void display_line(struct buf *out, const struct record *r);

/* Append "WHAT N: FILE" and a newline; without an N for one that is broken. */
void display_file(struct buf *out, const char *what, const struct record *r);

#endif
