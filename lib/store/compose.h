/* compose.h: the text of a memory that is to be saved.
 *
 * All that can be wrong with it is found here, before a store is touched, but
 * for its id.
 */
#ifndef CO_STORE_COMPOSE_H
#define CO_STORE_COMPOSE_H

#include "base/buf.h"
#include "base/strings.h"
#include "store/store.h"

#define COMPOSE_TAG_MAX 64 /* characters of a tag */

/* What a save needs to know. */
struct store_new {
	const char *content; /* stripped before it is written; not empty */
	size_t len;
	const char *const *tags; /* each is stripped, and saved in lower case;
				  * one given twice counts once */
	size_t ntags;
	bool typed; /* the tags are of a command line: a bad one is ERR_USAGE */
	const char *source;	   /* NULL means "user-told" */
	const char *created;	   /* ISO 8601; NULL means now */
	const char *replaces;	   /* an id or path, or several ids with commas
			       * between, that go to trash, when a draft is
			       * accepted; or NULL */
	const struct value *extra; /* VALUE_MAP of free keys; or NULL */
	const char *trust;	   /* "external", where others wrote it; NULL: a
				    * draft, and what the server saves, is an
				    * agent's, all else the user's, unless EXTRA
				    * says less */
	const struct value *exact; /* VALUE_MAP: the whole frontmatter, id and
				    * all, in place of the above; or NULL */
	bool draft;
	const char
		*file; /* CONTENT is all of this file, which has an id that is
			   * free, and is saved as it is; or NULL */
	enum {
		SAVE_ALWAYS,
		SAVE_UNLESS_EQUAL, /* to a memory, to the byte */
		SAVE_UNLESS_KNOWN, /* the same text, but for case and blanks, as
				    * a memory or draft or in the trash. An exact
				    * one with a free id is saved unless a draft
				    * has its text. */
	} when;
	enum area *where; /* gets that one's area; or NULL */
};

/* What is to be written, checked; borrowed from a store_new. */
struct composed {
	const char *content;
	size_t len;
	struct value data; /* the frontmatter, its first pair the id */
	int64_t id;	   /* that it has to have, in DATA as well; or 0 */
	char created[INSTANT_TEXT];
};

/* Fill D from N and lay its frontmatter out, the id left open unless N is
 * exact.  The frontmatter has room for one key more.  ERR_DATA. */
int compose_check(struct composed *d, const struct store_new *n,
		  struct arena *a, struct err *e);

/* Append to the empty TEXT that of D under ID; it reads back as D, which R is
 * then, but for its path and scope.  R lives in A.  ERR_DATA. */
int compose_text(struct composed *d, int64_t id, struct buf *text,
		 struct record *r, struct arena *a, struct err *e);

/* Return the keys, in A, of a memory whose writer has read text from the places FROM,
 * which are borrowed: it is external until a person accepts it.  NULL for none. */
const struct value *compose_read_keys(const struct strings *from,
				      struct arena *a);

/* Append the text WAS of the memory at PATH, with KEYS set to V, or without them for
 * NULL; see save_edit().  Returns 1; 0 if it is so already, and nothing is appended; or
 * -1. */
int compose_keys(struct buf *out, const struct buf *was, const char *path,
		 const char *keys, const struct value *v, struct err *e);

/* The tag that the LEN bytes of P are, as it is saved: stripped and in lower
 * case, in A.  NULL with ERR_DATA where it cannot be one. */
const char *compose_tag(const char *p, size_t len, struct arena *a,
			struct err *e);

/* Changes of the tags of a memory.  Tags that differ only in case are the same.  A new
 * one is written as compose_tag() returns it, an old one stays as it is. */
struct compose_tags {
	struct strings rename; /* OLD=NEW each, where OLD is there */
	struct strings drop, add;
};

/* 0 if C can be done in S: its new tags are tags (ERR_USAGE) and no secrets
 * (ERR_DATA). */
int compose_tags_check(struct store *s, const struct compose_tags *c,
		       struct err *e);

/* Append TEXT, the file of a memory or an article at PATH, with its tags changed, to OUT:
 * 1, 0 where they are so already (nothing is appended), -1. */
int compose_tags_change(struct buf *out, const char *path,
			const struct buf *text, const struct compose_tags *c,
			struct arena *a, struct err *e);

/* Append "7: one, two" or "name.md: one", the id or, of an article, the file name, and the
 * tags of TEXT, the file PATH, on one line. Return
 * 0, or -1 with ERR_DATA if TEXT is malformed. */
int compose_tags_text(struct buf *out, const char *path, const struct buf *text,
		      struct arena *a, struct err *e);

#endif
