/* context-json.h: the files of an older version of co, and how they map to
 * memories.
 *
 *	internal/context.json
 *	    {"version":"1.0","created","updated","user":{"name","timezone",
 *	    "working_hours","preferences":{},"notes":[]},"project":{"name","type",
 *	    "architecture":[],"patterns":[],"conventions":[],"notes":[]},
 *	    "learned_facts":{"facts":[],"corrections":[],"clarifications":[]}}
 *	memories/user_preferences.json, project_insights.json, learned_facts.json
 *	    {KEY:{"value","timestamp","ttl","pin","archive","sensitive"}}
 *
 * Each text is a memory with the tag `category:user`, `category:project` or
 * `category:learned`, and the free key `key`: KEY, or its path in context.json,
 * "preferences.style". "ttl", in seconds or as 2w from "timestamp", becomes
 * `expires`, and "pin" becomes `always` (see repo/marks.h). The source is the
 * file name. The older co copied each of its memories into context.json, so a
 * text at the place of a copy is not a second memory.
 *
 * A text in several places is one memory with the tags of all. Its `key` is a
 * map: {user: preferences.imports, project: conventions}. User comes before
 * project, and project before learned: memories are saved in this order, and
 * the first place has the date and the expiry that count.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_H
#define CO_EXCHANGE_CONTEXT_JSON_H

#include "base/table.h"
#include "exchange/note.h"
#include "repo/record.h"

#define CONTEXT_FILE "context.json"
#define CONTEXT_VERSION "1.0"
#define CONTEXT_TAG "category:"
#define CONTEXT_MAX 20480 /* bytes that the older co loads */

/* In the order of precedence. */
enum { CONTEXT_USER, CONTEXT_PROJECT, CONTEXT_LEARNED, CONTEXT_SECTIONS };

/* The kind of a field of a section. */
enum context_kind { CONTEXT_TEXT, CONTEXT_LIST, CONTEXT_MAP };

struct context_field {
	const char *name;
	enum context_kind kind;
};

extern const struct context_section {
	const char *name;     /* in context.json */
	const char *category; /* in our tags */
	const char *file;     /* of memories */
	const char *stem;     /* FILE without extension */
	size_t copies;	      /* index of the field with the copies of FILE */
	struct context_field fields[8];
} context_sections[CONTEXT_SECTIONS];

/* Return the field of SECTION that contains KEY, as "preferences.style", or
 * NULL. */
const struct context_field *context_field(unsigned section, const char *key);

/* Reads the files. All are read before the first memory is sent, because a text
 * may be in several of them. Zero it before use. */
struct context_read {
	struct arena arena;
	struct context_fact *facts;
	size_t n, cap;
	struct context_place **places;
	size_t nplaces, places_cap, order;
	struct table by_text, by_key;
};

/* Return true if V is context.json, or context.json with the files of memories
 * in "memories", as co-export prints it. */
bool context_read_is(const struct value *v);

/* Add the contents of V, for which context_read_is() is true. Returns 0, or
 * -1, ERR_DATA, if its version is unknown. Other faults are reported to S. */
int context_read_add(struct context_read *c, const struct note_sink *s,
		     const struct value *v, struct err *e);

/* Return the section whose file of memories is named NAME, or
 * CONTEXT_SECTIONS. */
unsigned context_read_section(const char *name);

/* Add the contents of V, the file of memories of SECTION. */
void context_read_add_memories(struct context_read *c,
			       const struct note_sink *s, unsigned section,
			       const struct value *v);

/* Send all memories to S in the order of precedence. Returns 0, or the nonzero
 * result of its function. */
int context_read_send(struct context_read *c, const struct note_sink *s,
		      struct err *e);

void context_read_release(struct context_read *c);

/* Writes the files. A memory without a category becomes a learned fact. A memory
 * without a key gets one, as does a memory whose key is taken. A memory whose
 * source is context.json is written there if that file can express it. Any other
 * goes to a file of memories, with a copy in context.json unless it is hidden or
 * the copies would exceed the size that the older co loads. Zero it before
 * use. */
struct context_write {
	struct arena arena;
	struct context_entry *entries;
	size_t n, cap;
	struct table by_key, by_text;
	const char *created, *updated; /* of the memories in context.json */
	struct context_unsaid {
		size_t memories, categories, keys, tags, sources, others, same;
	} unsaid; /* number of memories with data that is lost */
};

/* Add the memory R, with its frontmatter. Its texts are copied. */
void context_write_add(struct context_write *w, const struct record *r);

/* Pass the added memories to PUT: as several files, or, if FILES is false, as
 * one object with the files of memories in "memories". Returns 0, or -1 with
 * the error of PUT. */
int context_write_put(struct context_write *w, bool files, export_fn *put,
		      void *ctx, struct err *e);

/* Append which data of the added memories the files cannot express, as "tags of
 * 3, further keys of 1"; nothing if they express all. */
void context_write_unsaid(const struct context_write *w, struct buf *out);

void context_write_release(struct context_write *w);

#endif
