/* out.h: print records as paths, as JSON, by a template, or as whole files.
 *
 * Each record is one line, in the same format in all programs.
 */
#ifndef CO_CLI_OUT_H
#define CO_CLI_OUT_H

#include "cli/cli.h"
#include "cli/template.h"
#include "repo/named-file.h"
#include "search/grep.h"
#include "store/results.h"
#include "store/save.h"

struct evidence;

/* The options that select memories, shared by all commands. */
struct out_filters {
	struct strings tags, not_tags;
	const char *since, *until;
	bool expired, sensitive, any_scope; /* see OUT_HIDDEN() */
	const char *as_of;
	struct instant at;
};
#define OUT_FILTERS(f)                                                   \
	OPT(OPT_TAGS, 't', "tag", &(f)->tags, "TAG", NULL,               \
	    "select those with TAG; may be given again"),                \
		OPT(OPT_LIST, 0, "not-tag", &(f)->not_tags, "TAG", NULL, \
		    "leave out those with TAG; may be given again"),     \
		OPT(OPT_STR, 0, "since", &(f)->since, "DATE", NULL,      \
		    "select those created at DATE or later"),            \
		OPT(OPT_STR, 0, "until", &(f)->until, "DATE", NULL,      \
		    "select those created at DATE or before")

/* Options that include memories hidden by default. */
#define OUT_HIDDEN(f)                                                \
	FLAG(0, "expired", &(f)->expired,                            \
	     "include expired and archived ones"),                   \
		FLAG(0, "sensitive", &(f)->sensitive,                \
		     "include sensitive ones"),                      \
		FLAG(0, "any-scope", &(f)->any_scope,                \
		     "include those about languages not used here"), \
		OPT(OPT_STR, 0, "as-of", &(f)->as_of, "DATE", NULL,  \
		    "show those valid at DATE: not yet replaced or expired")

/* Set the conditions of Q from F. Q points into F, which must stay in place.
 * End the process with 2 if a date is malformed. */
void out_filter(struct grep_query *q, struct out_filters *f);

/* Remove from ALL what does not contain each of WORDS, up to NULL, in its text or tags:
 * see match_new_word(). If there are WORDS, ALL must be `whole`. Remove what does not
 * cite the place CITES, as a person in the working directory names it: see cited_keep();
 * NULL: nothing. With CONTRADICTED, see similar_contradicted_keep(). End the process
 * with 2 if CITES is no place. */
void out_keep(struct results *all, const struct store *project,
	      char *const *words, const char *cites, bool contradicted);

/* Append the tags of F and the dates of Q to QUERY as operators of a ranked
 * search (see rank/query.h). Return true if there are any. */
bool out_filter_words(struct buf *query, const struct grep_query *q,
		      const struct out_filters *f);

/* The option that asks a remote index (see remote/remote.h). NAMES is a struct
 * strings *. */
#define OPT_REMOTE(names)                                   \
	OPT(OPT_MAYBE, 0, "remote", names, "PROJECT", NULL, \
	    "ask a remote index, too, or PROJECT of it")

/* The output format. Set by the options below. */
struct out {
	bool json;
	const char *format;
	bool zero;
	enum record_detail detail; /* used for JSON */
	struct template *template;
};

/* The options for a command table: OUT_OPTS(&out). */
#define OUT_OPTS(o)                                                          \
	FLAG(0, "json", &(o)->json, "print records as JSON, one a line"),    \
		{.kind = OPT_OR},                                            \
		OPT(OPT_STR, 0, "format", &(o)->format, "TEMPLATE", NULL,    \
		    "print each record by TEMPLATE, as in '%(id) %(tags)'"), \
		OPT_Z(&(o)->zero)

/* Compile the template. Call it after cli_start(). End the process with 2 if
 * the template is malformed. */
void out_open(struct out *o, struct arena *a);

/* Return true if neither --json nor --format was given. */
bool out_plain(const struct out *o);

/* Return PATH as it is printed in a line, or before NUL if ZERO. In a line, a path with a
 * newline is a string of JSON, written to QUOTED: its parts would pass for other
 * paths. */
const char *out_path_text(const char *path, bool zero, struct buf *quoted);

/* Print out_path_text() and a newline, or NUL if ZERO. */
void out_path(const char *path, bool zero);

/* Print R as a path, as JSON or by the template, and the end of the line. */
void out_record(const struct out *o, const struct record *r);

/* Print the first MAX records of FOUND, or the last MAX in reverse order if
 * REVERSE. FOUND must hold whole contents if out_whole(). */
void out_found(const struct out *o, const struct results *found, bool reverse,
	       size_t max);

/* Return true if sensitive memories may be printed: standard output is a
 * terminal, not a pipe into a prompt or a file. */
bool out_shows_sensitive(void);

/* Return true if R is sensitive and must not be printed. */
bool out_keeps_back(const struct record *r);

/* Append R as display_line() does, or display_mention() on a terminal. */
void out_add_line(struct buf *out, const struct record *r,
		  const struct coloring *c);

/* Print R as out_add_line() does. The text of a
 * sensitive memory is replaced, unless SENSITIVE or out_shows_sensitive(). */
void out_line(const struct record *r, bool sensitive);

/* Print the first MAX memories of FOUND, in reverse order if BACKWARD, a row each as
 * display_row() makes it, with a mark if the source that it cites has changed. COLOR is
 * the value of --color. */
void out_rows(const struct out *o, const struct results *found, bool backward,
	      size_t max, const char *color);

/* Call out_line() for each record of FOUND. */
void out_lines(const struct results *found, bool sensitive);

/* Sort FOUND by KEY, the value of --sort: id, created, modified (oldest first)
 * or size (smallest first). */
void out_sort(struct results *found, const char *key);

/* Open S, the USER's store or the project's, and append the memories of AREA
 * that Q selects to ALL. Return true if the store has a directory of memories.
 * If something cannot be read, complain and set *UNREAD. */
bool out_collect(struct store *s, bool user, enum area area,
		 const struct grep_query *q, struct results *all, bool *unread);

/* Report the ids that two memories of one store in FOUND share, and with HINTS the
 * fix. */
void out_doubles(const struct results *found, bool hints);

/* Return true if O prints FIELD of records.
 *
 * out_whole() is true if O prints whole contents, so that a search must keep
 * them.
 */
bool out_uses(const struct out *o, enum record_field field);
bool out_whole(const struct out *o);

/* Print TEXT, a message for people about a change of R. With JSON, print
 * {"display","path","memory_id"} instead, with KEY and VALUE (NULL: null)
 * unless KEY is NULL, and the ids of memories that R contradicts or that
 * replaced it. */
void out_done(const struct record *r, const struct buf *text, const char *key,
	      const char *value, bool json);

/* Call out_done() for a save, with the text "WHAT N: FILE" and "Location:
 * PATH". */
void out_saved(const struct record *r, const char *what, bool json);

/* Return what the file at PATH, relative to the root, is called: a memory of the USER's
 * store or the project's on a terminal by its id, in cli_arena, else PATH. */
const char *out_file_name(const char *path, bool user);

/* Return the WHAT of out_saved() and display_file() for the file at PATH, which came back
 * from the trash. The result is static. */
const char *out_restored_what(const char *path);

/* Return the WHAT of out_saved() for a save to AREA. KNOWN: the memory already
 * existed in AREA. The result is static. */
const char *out_saved_what(enum area area, bool known);

/* Print a hint at the command that reviews the drafts of the USER's store or the
 * project's. */
void out_hint_drafts(bool user);

/* Check that N can be saved in S, and print the first line of its text. Return
 * 0, or -1 with the error of the save. */
int out_would_save(struct store *s, const struct store_new *n, bool zero,
		   struct err *e);

/* Print each line of TEXT by cli_note() and release TEXT. */
void out_notes(struct buf *text);

/* Print TEXT by cli_out_text() and release it. */
void out_buf(struct buf *text);

/* Close LINE, a JSON object, print it as a line and release it. */
void out_json(struct buf *line);

/* Print TEXT, which is safe for a terminal, and empty it. On a terminal, do
 * nothing until ENDS is set; then show TEXT in the user's pager. Text printed
 * before comes first. ENDS also releases TEXT. */
void out_page(struct buf *text, bool ends);

/* Memories selected by id or path, as whole files or as records. The caller sets the
 * first five members; the others are zero. */
struct out_show {
	const struct out *out;
	bool global;	  /* ids mean the user's store */
	bool coloring;	  /* colour whole files */
	bool rendered;	  /* show memories for a person, not their files */
	struct buf *page; /* receives whole files, made safe if standard output
			   * is a terminal; NULL: print at once */

	bool broken[2];	 /* a file selected by id is malformed, or an id is */
	bool doubled[2]; /* two files': in the project's store, the user's */
	char first[64];	 /* id of the first memory selected by its id; "" */
	struct named_file named;
	struct evidence *evidence[2];
	struct arena arena;
};

/* Show the memory OPERAND, an id or a path; for an id, every file with that id.
 * A cli_fn for cli_each(): CTX is a struct out_show. */
int out_show(void *ctx, const char *operand, struct err *e);

void out_show_release(struct out_show *show);

/* Print the lines, of text and tags, that M matches in each memory of FOUND, as
 * PATH:LINE:TEXT. LINE counts from the start of the file. With ZERO, NUL
 * replaces the colon after the path, as in grep -Z. With COLORING, paths and
 * matches are coloured. */
void out_matches(const struct results *found, struct match *m, bool zero,
		 bool coloring);

/* Append to FOUND those of the files PATHS that QUERY selects; if FOUND is
 * NULL, only count them. PATHS and ZERO are passed to cli_each(). Return the
 * number of matches. */
size_t out_find_in_paths(char **paths, bool zero,
			 const struct grep_query *query, struct results *found);

#endif
