/* out.h: how commands print records: paths, JSON or a template.
 *
 * One record a line, in every program alike.
 */
#ifndef CO_CLI_OUT_H
#define CO_CLI_OUT_H

#include "cli/cli.h"
#include "cli/template.h"
#include "search/grep.h"
#include "store/results.h"
#include "store/save.h"

/* The options by which memories are chosen, as every command spells them. */
struct out_filters {
	struct strings tags, not_tags;
	const char *since, *until;
	bool expired, sensitive, any_scope; /* see OUT_HIDDEN() */
	const char *as_of;
	struct instant at;
};
#define OUT_FILTERS(f)                                                     \
	{OPT_TAGS,                                                         \
	 't',                                                              \
	 "tag",                                                            \
	 &(f)->tags,                                                       \
	 "TAG",                                                            \
	 NULL,                                                             \
	 "only those with TAG; with each where given again"},              \
		{OPT_LIST,                                                 \
		 0,                                                        \
		 "not-tag",                                                \
		 &(f)->not_tags,                                           \
		 "TAG",                                                    \
		 NULL,                                                     \
		 "only those without TAG; without any where given again"}, \
		{OPT_STR,                                                  \
		 0,                                                        \
		 "since",                                                  \
		 &(f)->since,                                              \
		 "DATE",                                                   \
		 NULL,                                                     \
		 "only those created at DATE or later"},                   \
	{                                                                  \
		OPT_STR, 0, "until", &(f)->until, "DATE", NULL,            \
			"only those created at DATE or before, to its end" \
	}

/* And of memories, those that they are hidden by. */
#define OUT_HIDDEN(f)                                                          \
	{OPT_FLAG,                                                             \
	 0,                                                                    \
	 "expired",                                                            \
	 &(f)->expired,                                                        \
	 NULL,                                                                 \
	 NULL,                                                                 \
	 "also what has expired or is archived"},                              \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "sensitive",                                                  \
		 &(f)->sensitive,                                              \
		 NULL,                                                         \
		 NULL,                                                         \
		 "also what is sensitive"},                                    \
		{OPT_FLAG,                                                     \
		 0,                                                            \
		 "any-scope",                                                  \
		 &(f)->any_scope,                                              \
		 NULL,                                                         \
		 NULL,                                                         \
		 "also what is about other languages than the project's"},     \
	{                                                                      \
		OPT_STR, 0, "as-of", &(f)->as_of, "DATE", NULL,                \
			"what held at DATE: made, not yet replaced or expired" \
	}

/* Choose in Q by F, which stays as it is; ends with 2 where a date is none. */
void out_filter(struct grep_query *q, struct out_filters *f);

/* Append the tags of F and the dates of Q to QUERY as operators of a ranked search, see
 * rank/query.h: true if there are any. */
bool out_filter_words(struct buf *query, const struct grep_query *q,
		      const struct out_filters *f);

/* Set by the options below. */
struct out {
	bool json;
	const char *format;
	bool zero;
	enum record_detail detail; /* of JSON */
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

/* True if what is sensitive may be told: standard output is a terminal, and no
 * pipe into a prompt or a file. */
bool out_shows_sensitive(void);

/* True if R is sensitive, and that may not be. */
bool out_keeps_back(const struct record *r);

/* Print R as display_line() has it; what is sensitive without its text, unless
 * SENSITIVE says that it is wanted or out_shows_sensitive(). */
void out_line(const struct record *r, bool sensitive);

/* Print FOUND so, a line each. */
void out_lines(const struct results *found, bool sensitive);

/* Put FOUND in the order that --sort names: id, created, modified (the oldest
 * first) or size (the smallest first). */
void out_sort(struct results *found, const char *key);

/* Open S, the USER's store or the project's, and add what Q wants of AREA to
 * ALL.  True if S has a folder for it; what cannot be read is complained of,
 * and sets *UNREAD. */
bool out_collect(struct store *s, bool user, enum area area,
		 const struct grep_query *q, struct results *all, bool *unread);

/* Report which ids stand twice, in one store, among FOUND. */
void out_doubles(const struct results *found);

/* True if O prints FIELD of records, as far as they have it; the content. */
bool out_uses(const struct out *o, enum record_field field);
bool out_whole(const struct out *o);

/* Print TEXT, which tells people what was done to R, or as JSON
 * {"display","path","memory_id"}, with KEY and VALUE (which may be NULL) unless KEY
 * is NULL, and with what R says otherwise, if anything. */
void out_done(const struct record *r, const struct buf *text, const char *key,
	      const char *value, bool json);

/* The same of a save: "WHAT N: FILE" and "Location: PATH". */
void out_saved(const struct record *r, const char *what, bool json);

/* What is said of a save to AREA, where it was KNOWN already, and lies there. */
const char *out_saved_what(enum area area, bool known);

/* Check that N can be saved in S, and print the first line of its text: 0, or -1
 * as a save. */
int out_would_save(struct store *s, const struct store_new *n, bool zero,
		   struct err *e);

/* Print each line of TEXT on standard error, as cli_note() does, and release
 * it. */
void out_notes(struct buf *text);

/* Print the contents of TEXT by cli_out_text() and release it. */
void out_buf(struct buf *text);

/* Print TEXT, which is safe for a terminal, as it comes, and empty it; on one
 * it is shown by the user's pager once it ENDS.  What was printed before comes
 * first. */
void out_page(struct buf *text, bool ends);

#endif
