/* context-json.h: what an older co kept, and how it is said here.
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
 * `category:learned`, and the free key `key`: KEY, or its place in context.json,
 * "preferences.style".  What says how long it holds and who may see it has the
 * keys of repo/marks.h: `expires` for "ttl", which is seconds or 2w from
 * "timestamp" on, and `always` for "pin".  The source is the file's name.  That
 * co copied each of its memories into context.json, and so a text that is there
 * where a copy would be is the same one.
 *
 * A text in several places is one memory with the tags of all, and a map as
 * `key`: {user: preferences.imports, project: conventions}.  User goes before
 * project, and that before learned: so they are saved, and the first place says
 * when it was learned and how long it holds.
 */
#ifndef CO_EXCHANGE_CONTEXT_JSON_H
#define CO_EXCHANGE_CONTEXT_JSON_H

#include "base/base.h"

#define CONTEXT_FILE "context.json"
#define CONTEXT_VERSION "1.0"
#define CONTEXT_TAG "category:"
#define CONTEXT_MAX 20480 /* bytes that it loads */

/* In the order of their precedence. */
enum { CONTEXT_USER, CONTEXT_PROJECT, CONTEXT_LEARNED, CONTEXT_SECTIONS };

/* What a field of a section holds. */
enum context_kind { CONTEXT_TEXT, CONTEXT_LIST, CONTEXT_MAP };

struct context_field {
	const char *name;
	enum context_kind kind;
};

extern const struct context_section {
	const char *name;     /* in context.json */
	const char *category; /* here */
	const char *file;     /* of memories */
	const char *stem;     /* the same without its ending */
	size_t copies;	      /* the field that has copies of these */
	struct context_field fields[8];
} context_sections[CONTEXT_SECTIONS];

/* The field of SECTION in which KEY stands, as "preferences.style"; NULL where
 * there is no such place. */
const struct context_field *context_field(unsigned section, const char *key);

#endif
