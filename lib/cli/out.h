/* out.h: how commands print records: paths, JSON or a template.
 *
 * One record a line, in every program alike.
 */
#ifndef CO_CLI_OUT_H
#define CO_CLI_OUT_H

#include "cli/cli.h"
#include "cli/template.h"
#include "store/results.h"

/* Set by the options below. */
struct out {
	bool json;
	const char *format;
	bool zero;
	bool no_content; /* JSON leaves the content out */
	struct template *template;
};

/* The options as every command spells them: OUT_OPTS(&out) in its table. */
#define OUT_OPTS(o)                                                       \
	{OPT_FLAG,                                                        \
	 0,                                                               \
	 "json",                                                          \
	 &(o)->json,                                                      \
	 NULL,                                                            \
	 NULL,                                                            \
	 "print records as JSON, one a line"},                            \
		{OPT_STR,                                                 \
		 0,                                                       \
		 "format",                                                \
		 &(o)->format,                                            \
		 "TEMPLATE",                                              \
		 NULL,                                                    \
		 "print each record by TEMPLATE, as in '%(id) %(tags)'"}, \
		OPT_Z(&(o)->zero)

/* After cli_start(): compile the template; ends with 2 where it is wrong. */
void out_open(struct out *o, struct arena *a);

/* True if neither --json nor --format was given. */
bool out_plain(const struct out *o);

/* Print PATH and the end of line, or NUL if ZERO. */
void out_path(const char *path, bool zero);

/* Print R: its path, its JSON or its template, and the end of line. */
void out_record(const struct out *o, const struct record *r);

/* Print the first MAX of FOUND, with REVERSE the last first.  They are whole
 * where out_whole(). */
void out_found(const struct out *o, const struct results *found, bool reverse,
	       size_t max);

/* Print FOUND, a line each, as display_line() has it. */
void out_lines(const struct results *found);

/* Report which ids stand twice, in one store, among FOUND. */
void out_doubles(const struct results *found);

/* Print what stands in AREA of S by id, a line each or as JSON, and report which
 * ids stand twice.  Ends the program where it cannot be read. */
void out_area(struct store *s, enum area area, bool json);

/* True if O prints FIELD of records, as far as they have it; the content. */
bool out_uses(const struct out *o, enum record_field field);
bool out_whole(const struct out *o);

/* Print what a save did: "WHAT N: FILE" and "Location: PATH", or as JSON
 * {"display","path","memory_id"}. */
void out_saved(const struct record *r, const char *what, bool json);

/* Print each line of TEXT on standard error, as cli_note() does, and release
 * it. */
void out_notes(struct buf *text);

/* Print the contents of TEXT by cli_out_text() and release it. */
void out_buf(struct buf *text);

/* Make the store where it is absent, and say so on standard error; ends the
 * process when that fails.  For the commands that write. */
void out_made(struct store *s);

/* Open the store, or end the process.  GLOBAL picks the user's. */
void out_store(struct store *s, bool global);

/* True if the N OPERANDS name what the user's store has in AREA, as g7: then that
 * store is meant.  Ends with 2 where some do and some do not.  The same of one,
 * which may be NULL. */
bool out_are_global(const char *const *operands, size_t n, enum area area);
bool out_is_global(const char *operand, enum area area);

/* The same for those who read both stores: where one cannot be opened they
 * complain, return false, and it reads as empty.  Without a HOME, as in a
 * container, there is no store of the user's, and nothing to complain of. */
bool out_store_if(struct store *s, bool global);

/* Print TEXT, of files, as it comes, and empty it; on a terminal it is made
 * safe and shown by the user's pager once it ENDS.  What was printed before
 * comes first. */
void out_page(struct buf *text, bool ends);

#endif
