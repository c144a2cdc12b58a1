/* reading.h: common parts of all format readers: the lines of a record, each
 * parsed into an arena that is reset for the next, and the turns made from
 * them.
 *
 * Functions that give turns return what the callback returned: 0, 1 to stop,
 * -1.
 */
#ifndef CO_TURNS_READING_H
#define CO_TURNS_READING_H

#include "base/arena.h"
#include "base/instant.h"
#include "format/value.h"
#include "turns/branch.h"
#include "turns/turn.h"

#define READING_LINE_MAX ((size_t)8 * 1024 * 1024)
#define READING_OBJECT_MAX ((size_t)64 * 1024 * 1024) /* of a whole record */

struct reading {
	turn_fn *fn; /* gets each turn */
	void *ctx;
	int fd; /* the record, a regular file */
	const char *path;
	const char *session; /* one of several in the record; or NULL */
	struct err *e;
	size_t skipped;	 /* lines that could not be read */
	size_t overlong; /* number of the first that was too long; 0: none */
	bool errors;	 /* also give what failed tools printed */
	size_t messages; /* whose words were found, or that had none */

	/* Where to start, and then where the record ended; NULL: read it
	 * whole. */
	struct transcript_place *place;
	bool changed; /* the part before PLACE has changed, so no turn was
		       * passed */

	void *own; /* state of the format's reader */

	struct arena line; /* reset for each line */
	struct buf text;
	char time[INSTANT_TEXT];
};

/* Process the parsed line V. Return as turn_fn. */
typedef int reading_fn(struct reading *rd, const struct value *v);

/* How a record is read by lines. */
struct reading_lines {
	bool (*matters)(const char *p, size_t len); /* a cheap test of the
						     * unparsed line */
	reading_fn *take;
	const struct branch *taken_back; /* lines to skip; or NULL */
};

/* Start to read the lines of the record, from rd->place or the start. The caller
 * releases LINES, also after an error. Return 0 or -1. */
struct lines;
int reading_open_lines(struct reading *rd, struct lines *lines);

/* Read the record by lines. Malformed and overlong lines are counted, except a
 * last one that is not written completely yet. */
int reading_each_line(struct reading *rd, const struct reading_lines *how);

/* Like reading_each_line(), without the lines that LINKS show as taken back.
 * Continues after rd->place if the new lines follow its last one. */
int reading_each_kept(struct reading *rd,
		      bool (*matters)(const char *p, size_t len),
		      reading_fn *take, const struct branch_links *links);

/* Call MATTERS with each unparsed line until it returns true. Return 1 if it
 * did, 0, or -1. */
int reading_find_line(struct reading *rd,
		      bool (*matters)(const char *p, size_t len));

/* Parse the LEN bytes of P, with lone surrogates repaired, into V, which is
 * valid until the next call. Return 0 or -1. */
int reading_parse(struct reading *rd, const char *p, size_t len,
		  struct value *v, struct err *e);

/* Return true if the first line is no JSON: the record may be one object in
 * several lines. */
bool reading_begins_broken(struct reading *rd);

/* Parse the whole record, one object, into V. Return 0 or -1. */
int reading_parse_all(struct reading *rd, struct value *v);

/* Append a user's words to the empty TEXT. V is a string, or a list of parts;
 * parts without a text, or of another type than TYPE (unless NULL), are
 * ignored. Injected text is left out. If a part is a tool's answer, TEXT stays
 * empty. */
void reading_words(struct buf *text, const struct value *v, const char *type);

/* Like reading_words(), for a model's words, without its thoughts. */
void reading_reply(struct buf *text, const struct value *v, const char *type);

/* Give a turn with WORDS, stripped, if any are left; or a call of TOOL, if it
 * has a name. INPUT, which may be NULL, may have its command: a map, or its
 * JSON text. TIME is a string, a number of milliseconds, or NULL. */
int reading_give(struct reading *rd, const char *role, const char *words,
		 size_t len, const struct value *time);
int reading_give_tool(struct reading *rd, const struct value *tool,
		      const struct value *input, const struct value *time);

/* Give what a failed tool printed: the words of V, cut to TURN_ERROR_MAX. */
int reading_give_error(struct reading *rd, const struct value *v,
		       const struct value *time);

/* Give a turn with the words of V: reading_words() or reading_reply() by
 * ROLE. */
int reading_give_value(struct reading *rd, const char *role,
		       const struct value *v, const char *type,
		       const struct value *time);

/* Give a call for each item of the list V that has a name, its member NAME.
 * INPUT is the member with its input. */
int reading_give_tools(struct reading *rd, const struct value *v,
		       const char *name, const char *input,
		       const struct value *time);

/* Give the parts of the model's message V, a list or a string, in their order:
 * texts of the type "text", and the calls of tools, which have the type CALL and
 * the member "name". */
int reading_give_parts(struct reading *rd, const struct value *v,
		       const char *call, const struct value *time);

/* Return 0 if the record's version V is absent or an integer up to KNOWN, else
 * -1 (ERR_DATA). */
int reading_check_version(struct reading *rd, const struct value *v,
			  int64_t known);

/* Return true if the member KEY of MAP is true. */
bool reading_is_true(const struct value *map, const char *key);

/* Return true if the LEN bytes of P contain WORD. */
bool reading_holds(const char *p, size_t len, const char *word);

void reading_release(struct reading *rd);

#endif
