/* display.h: write memories as text for people and agents.
 *
 * Commands, hooks and the server use the same wording. The text may be part of a
 * prompt, so it is sanitized (see text/sanitize.h), and a field of one line contains no
 * newline. C colours the text for a terminal; NULL: no colours.
 */
#ifndef CO_STORE_DISPLAY_H
#define CO_STORE_DISPLAY_H

#include "store/store.h"
#include "text/color.h"

/* Bytes: a longer content is replaced by its snippet, if it has one. */
#define DISPLAY_WHOLE_MAX 1000

/* Several memories. */
struct records {
	struct record *items; /* in an arena */
	size_t n;
};

/* Append the answer to the search for QUERY: the totals, as display_found() writes
 * them, then each memory of FOUND, as display_memory() writes it. */
void display_recall(struct buf *out, const struct records *found,
		    const char *query);

/* The number of records of one kind that contain the whole query, and of those that
 * contain only some of its words, shown or not. */
struct display_total {
	size_t whole, partial;
};

/* Append the first line of the answer to QUERY: the numbers found, by kind. SHOWN is
 * the number of records that follow, and NAMED the number of records that these list
 * as like them. If TOTALS are all zero, the line says that no record of the kind
 * WANTED was found. */
void display_found(struct buf *out,
		   const struct display_total totals[RECORD_KINDS],
		   size_t shown, size_t named, enum record_kind wanted,
		   const char *query);

/* Append R: its heading, tags and content, or the snippet of a long content. Text
 * that is external, as of an article, is put into <external-text source="...">; it
 * cannot close that tag. If a server sent R, its title, tags and source are put into it,
 * too. */
void display_memory(struct buf *out, const struct record *r,
		    const struct coloring *c);

/* Append the memory R to INNER if INNER then has at most ROOM bytes. If R is the FIRST
 * one and too long, append the lines of it that fit and a note. Return false if nothing
 * was appended. */
bool display_fit(struct buf *inner, const struct record *r, size_t room,
		 bool first);

/* Append the LEN bytes of P, the content of R or a part of it, in <external-text>. If a
 * server sent R, its title, tags and source come first. */
void display_external(struct buf *out, const struct record *r, const char *p,
		      size_t len, const struct coloring *c);

/* Append their number and ALL memories, one line each. EXISTS: there is a store, which
 * changes the message for an empty list. */
void display_list(struct buf *out, const struct records *all, bool exists);

/* Append the first line of display_list() for N memories. */
void display_total(struct buf *out, size_t n, bool exists);

/* Append "**001** (2026-02-09) [tags]: summary" and a newline. An id with a prefix is not
 * padded: "**g1**". An article has its file name for the id, and its title and source
 * for the summary. A broken memory (id 0) has only its file name. */
void display_line(struct buf *out, const struct record *r,
		  const struct coloring *c);

/* Append R for a message, as display_line() does but with the id as people type it:
 * "1 (2026-02-09) [tags]: summary". */
void display_mention(struct buf *out, const struct record *r,
		     const struct coloring *c);

/* Append one line: the id, right-aligned in WIDTH columns, the date, [tags] and the
 * summary. COLUMNS is the width of the terminal, or 0 if there is none. On a
 * terminal, the first lines of the content replace the summary, cut to fit, and the
 * tags come last if there is room. */
void display_row(struct buf *out, const struct record *r, size_t width,
		 size_t columns, const struct coloring *c);

/* Cut each of the lines of TEXT from FROM on to COLUMNS, with an ellipsis at its
 * end, unless COLUMNS is 0. None is empty. */
void display_cut(struct buf *text, size_t from, size_t columns);

/* Append BEFORE and the day on which R expires, if it has one and it is to come. Return
 * true if so. */
bool display_expiry(struct buf *out, const char *before,
		    const struct record *r);

/* Append "WHAT ID: FILE" and a newline; "WHAT: FILE" if R is broken and has no id. */
void display_file(struct buf *out, const char *what, const struct record *r);

#endif
