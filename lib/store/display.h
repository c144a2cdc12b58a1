/* display.h: memories as the text that people and agents read.
 *
 * One wording for the commands and for whoever else answers with them.  The
 * text may go to a prompt: it is clean (see text/sanitize.h), and what stands
 * in a field that is one line stays on it.  C colours it for a terminal; for
 * all else it is NULL.
 */
#ifndef CO_STORE_DISPLAY_H
#define CO_STORE_DISPLAY_H

#include "store/store.h"
#include "text/color.h"

/* Bytes: of what is longer, and was ranked, the snippet is shown. */
#define DISPLAY_WHOLE_MAX 1000

/* Append what recall answers: how many were found for QUERY, then each with
 * id, date, tags and content, or of a long one its snippet; or that none was. */
void display_recall(struct buf *out, const struct records *found,
		    const char *query);

/* How many hold the whole query, shown or not, and how many some words of it. */
struct display_total {
	size_t whole, partial;
};

/* Append its first line only: as many were found for QUERY as TOTALS says, of which SHOWN
 * follow, and NAMED more are named there as like one of them. If none were found, the
 * line says that those WANTED are missing. */
void display_found(struct buf *out,
		   const struct display_total totals[RECORD_KINDS],
		   size_t shown, size_t named, enum record_kind wanted,
		   const char *query);

/* Append one of them.  The text of an article is other people's: it stands
 * within <external-text source="...">, which nothing in it can end.  So do title, tags
 * and source of what a server sent. */
void display_memory(struct buf *out, const struct record *r,
		    const struct coloring *c);

/* Append the memory R to INNER, if INNER then has at most ROOM bytes. If R is the FIRST
 * one and too long, append the lines of it that fit, and say so. Return false if nothing
 * was appended. */
bool display_fit(struct buf *inner, const struct record *r, size_t room,
		 bool first);

/* Append the LEN bytes of P, of an article, within that.  If a server sent R, its title,
 * tags and source come first. */
void display_external(struct buf *out, const struct record *r, const char *p,
		      size_t len, const struct coloring *c);

/* Append the list of ALL memories, a line each; EXISTS tells whether there is
 * a store at all. */
void display_list(struct buf *out, const struct records *all, bool exists);

/* Append its first line alone, for N memories. */
void display_total(struct buf *out, size_t n, bool exists);

/* Append **001** (2026-02-09) [tags]: summary, and a newline; of an
 * article its file, title and source; of a broken one (id 0) its file. */
void display_line(struct buf *out, const struct record *r,
		  const struct coloring *c);

/* Append one line: the id, WIDTH columns wide, the date, [tags] and the summary.  For
 * a terminal of COLUMNS, 0 for none, the first lines of the content take the place of
 * the summary, cut to what fits, and the tags come last, if there is room. */
void display_row(struct buf *out, const struct record *r, size_t width,
		 size_t columns, const struct coloring *c);

/* Append "WHAT N: FILE" and a newline; without an N for one that is broken. */
void display_file(struct buf *out, const char *what, const struct record *r);

#endif
