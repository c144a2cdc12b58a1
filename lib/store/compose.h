/* compose.h: check a new memory and write its text; change the keys and tags of a file.
 *
 * These functions find all errors in a memory except a duplicate id, before a store is
 * changed.
 */
#ifndef CO_STORE_COMPOSE_H
#define CO_STORE_COMPOSE_H

#include "base/buf.h"
#include "base/strings.h"
#include "store/store.h"

#define COMPOSE_TAG_MAX 64 /* characters of a tag */

/* A memory to save. */
struct store_new {
	const char *content; /* stripped before it is written; not empty, unless
			      * EXACT or BARE */
	size_t len;
	const char *const *tags; /* saved stripped, in lower case and without
				  * duplicates */
	size_t ntags;
	bool typed; /* the tags are of a command line: a bad one is ERR_USAGE */
	bool keep_tags; /* without TAGS, a memory has those of what it replaces */
	const char *source;	   /* NULL means "user-told" */
	const char *created;	   /* ISO 8601; NULL means now */
	const char *replaces;	   /* what it replaces (a draft when it is
				    * accepted): an id, a path, or ids separated
				    * by commas; or NULL */
	const struct value *extra; /* VALUE_MAP of free keys; or NULL */
	const char *trust;	   /* "external" if others wrote it; NULL: a
				    * draft, or a memory from the server, is an
				    * agent's, any other the user's. EXTRA may
				    * lower the trust */
	const struct value *exact; /* VALUE_MAP: the whole frontmatter with its
				    * id, instead of the above; or NULL */
	bool draft;
	bool bare; /* it is a copy of a memory, whose content may be empty */
	const char *file; /* the name of a file with an unused id: CONTENT is
			   * its whole text, which is saved unchanged; or
			   * NULL */
	enum {
		SAVE_ALWAYS,
		SAVE_UNLESS_EQUAL, /* a memory has exactly this content */
		SAVE_UNLESS_KNOWN, /* duplicates_find() finds this content. With
				    * EXACT and an unused id, only a draft counts,
				    * or a memory from before this batch. */
	} when;
	enum area *where; /* set to the area of the known memory that made the
			   * save needless; or NULL */
};

/* A checked memory, borrowed from a store_new. */
struct composed {
	const char *content;
	size_t len;
	struct value data; /* the frontmatter; its first pair is the id, unless
			    * ID is set */
	int64_t id;	   /* the given id, also in DATA; or 0 */
	char created[INSTANT_TEXT];
};

/* Check N and set D from it, allocated in A. Unless N is exact, the value of `id` is
 * not set yet, and the frontmatter has room for three more keys. Return 0, or -1 with
 * ERR_DATA, or ERR_USAGE for a bad tag that was typed. */
int compose_check(struct composed *d, const struct store_new *n,
		  struct arena *a, struct err *e);

/* Append the text of D to TEXT, which is empty, with ID unless D has one. R is then
 * that text as record_read() reads it, allocated in A; its path and scope are not
 * set. Return 0, or -1 with ERR_DATA if a reader would see another memory than D. */
int compose_text(struct composed *d, int64_t id, struct buf *text,
		 struct record *r, struct arena *a, struct err *e);

/* Return the free keys of a draft whose writer has read text from the places FROM:
 * it is external until a person accepts it. The result is allocated in A and borrows
 * the strings. Return NULL if FROM is empty. */
const struct value *compose_read_keys(const struct strings *from,
				      struct arena *a);

/* Set each of KEYS, separated by `|`, of TEXT, the memory at PATH, to V, or remove them
 * if V is NULL. Return 1, 0 if that changes nothing, or -1. */
int compose_keys(struct buf *text, const char *path, const char *keys,
		 const struct value *v, struct err *e);

/* Return the LEN bytes of P as a tag is saved, stripped and in lower case, allocated in
 * A. Return NULL with ERR_DATA, or ERR_USAGE if a person TYPED it, if they are no valid
 * tag. A tag has no blanks: a typed one with blanks is invalid, since several tags may
 * be meant, and in data each becomes a hyphen. */
const char *compose_tag(const char *p, size_t len, bool typed, struct arena *a,
			struct err *e);

/* Changes of the tags of a memory. Tags that differ only in case are the same. A new
 * one is written as compose_tag() returns it, an old one stays as it is. */
struct compose_tags {
	struct strings rename; /* OLD=NEW each, where OLD is there */
	struct strings drop, add;
};

/* Check the changes C. Return 0, or -1: ERR_USAGE if a new tag is invalid, or a
 * rename is not OLD=NEW; ERR_DATA if S refuses a new tag as a secret. */
int compose_tags_check(struct store *s, const struct compose_tags *c,
		       struct err *e);

/* Append TEXT, the file of a memory or an article at PATH, to OUT with its tags
 * changed. Return 1; 0 if C changes nothing, and nothing is appended; or -1. */
int compose_tags_change(struct buf *out, const char *path,
			const struct buf *text, const struct compose_tags *c,
			struct arena *a, struct err *e);

/* Append one line with the id, or for an article the file name, and the tags of
 * TEXT, the file at PATH: "7: one, two" or "name.md: no tags". The line has no
 * newline. Return 0, or -1 with ERR_DATA if TEXT is malformed. */
int compose_tags_text(struct buf *out, const char *path, const struct buf *text,
		      struct arena *a, struct err *e);

#endif
