/* reading.h: what the readers of all formats have in common: a record's lines,
 * each parsed in an arena of its own, and the turns that are made of them.
 */
#ifndef CO_TRANSCRIPT_READING_H
#define CO_TRANSCRIPT_READING_H

#include "base/arena.h"
#include "base/instant.h"
#include "format/value.h"
#include "transcript/branch.h"
#include "transcript/turn.h"

#define READING_LINE_MAX ((size_t)8 * 1024 * 1024)
#define READING_OBJECT_MAX ((size_t)64 * 1024 * 1024) /* a record in one */

struct reading {
	turn_fn *fn; /* gets each turn */
	void *ctx;
	int fd; /* the record, a regular file */
	const char *path;
	const char *session; /* of several in one record; or NULL */
	struct err *e;
	size_t skipped; /* lines that could not be read */

	void *own; /* the format's */

	struct arena line; /* of the line at hand */
	struct buf text;
	char time[INSTANT_TEXT];
};

/* Take the parsed line V; as turn_fn. */
typedef int reading_fn(struct reading *rd, const struct value *v);

/* How a record is read by lines. */
struct reading_lines {
	bool (*matters)(const char *p, size_t len); /* may: unparsed */
	reading_fn *take;
	const struct branch *taken_back; /* lines to leave out; or NULL */
};

/* Read the record by lines.  One that is broken or too long is counted, but for
 * the last one where it is half written. */
int reading_each_line(struct reading *rd, const struct reading_lines *how);

/* The same without what was taken back, as LINKS tell it. */
int reading_each_kept(struct reading *rd,
		      bool (*matters)(const char *p, size_t len),
		      reading_fn *take, const struct branch_links *links);

/* Call MATTERS with each line, as it stands, until it is true: 1, 0, -1. */
int reading_find_line(struct reading *rd,
		      bool (*matters)(const char *p, size_t len));

/* Parse the LEN bytes of P, half surrogates mended, into V, which lives in the
 * arena of RD until the next. */
int reading_parse(struct reading *rd, const char *p, size_t len,
		  struct value *v, struct err *e);

/* True if the first line is no JSON, as that of an object of several lines. */
bool reading_begins_broken(struct reading *rd);

/* Parse all of the record, which is one object. */
int reading_parse_all(struct reading *rd, struct value *v);

/* Put a person's words into the empty TEXT: V is a string, or a list of parts,
 * of which those count that have a text, and TYPE as their type (NULL: any).
 * What was injected is left out; nothing is put where one part is a tool's
 * answer. */
void reading_words(struct buf *text, const struct value *v, const char *type);

/* The same for a model's words: those it thought are left out. */
void reading_reply(struct buf *text, const struct value *v, const char *type);

/* Give a turn, if it says something: WORDS, stripped; a call of TOOL.  TIME is a
 * string, a number of milliseconds, or NULL. */
int reading_give(struct reading *rd, const char *role, const char *words,
		 size_t len, const struct value *time);
int reading_give_tool(struct reading *rd, const struct value *tool,
		      const struct value *time);

/* reading_words() or reading_reply() by ROLE, and give it. */
int reading_give_value(struct reading *rd, const char *role,
		       const struct value *v, const char *type,
		       const struct value *time);

/* Give a call for each item of the list V, named by its member NAME; items
 * without are none. */
int reading_give_tools(struct reading *rd, const struct value *v,
		       const char *name, const struct value *time);

/* True if the member KEY of MAP is true. */
bool reading_is_true(const struct value *map, const char *key);

/* True if the LEN bytes of P hold WORD. */
bool reading_holds(const char *p, size_t len, const char *word);

void reading_release(struct reading *rd);

#endif
