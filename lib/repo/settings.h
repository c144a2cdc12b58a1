/* settings.h: the user's settings.json, then the project's.
 *
 * The user's file may set every key.  A project's file may set inert keys
 * only (see co-settings(5)): it can come from a stranger with a clone, and
 * never names a program, a URL, a path or an approval mode.  Such a key there
 * is reported and ignored.  An unknown key is reported and ignored in both.
 * They are JSON as people write it (see format/jsonc.h), a key with dots being
 * the same as objects in objects.
 */
#ifndef CO_REPO_SETTINGS_H
#define CO_REPO_SETTINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

enum settings_kind {
	SETTINGS_INT,	 /* 1 to 999999, or to `words` */
	SETTINGS_AMOUNT, /* a number from 0 to 999999, as 0.25 */
	SETTINGS_BOOL,	 /* true or false, of a project alone */
	SETTINGS_WORD,	 /* one of a set, separated by '|' */
	SETTINGS_STR,	 /* one line of text */
	SETTINGS_PATH,	 /* an absolute path */
	SETTINGS_ID,	 /* a project's: see project-id.h */
	SETTINGS_WORDS,	 /* a command: a list of strings, or one to be split at
			* blanks; its text is the list as JSON */
	SETTINGS_STORES /* of a project alone: see settings_stores(); its text is the
			* list as JSON */
};

/* One key that the suite knows; the table in settings.c is the only list. */
struct settings_key {
	const char *name; /* dotted: "recall.max_results" */
	enum settings_kind kind;
	bool inert; /* a project may set it */
	const char
		*words; /* SETTINGS_WORD: "auto|grep"; SETTINGS_INT: the largest
			     * number, NULL for 999999; else NULL */
	const char *preset; /* its value where no file sets it, as text;
			     * "": none */
	const char *help;   /* one line */
};

extern const struct settings_key settings_keys[]; /* ends in a NULL name */

struct settings; /* opaque; lives in the arena */

/* Read both files (either may be absent) from the descriptors of the two
 * roots, -1 where there is none.  The result lives in A.  Faults of a file go
 * to R and leave that file, or that key, aside: a bad setting stops no work. */
const struct settings *settings_load(int user_dir, const char *user_path,
				     int project_dir, const char *project_path,
				     struct arena *a, const struct report *r);

/* The user's file alone, for what a project has no say in.  -1, and *S has no
 * more than the presets: the user's root cannot be found. */
int settings_user(const struct settings **s, struct arena *a,
		  const struct report *r, struct err *e);

/* Return the settings that TEXT, a settings.json, has alone, in A. Errors in it are
 * ignored. PROJECT: it is a project's file. */
const struct settings *settings_of_text(const struct buf *text, bool project,
					struct arena *a);

/* The value of KEY, which must be in the table; any kind may be had as text.
 * Borrowed. */
int64_t settings_int(const struct settings *s, const char *key);
const char *settings_str(const struct settings *s, const char *key);

/* The strings of KEY, of SETTINGS_WORDS, NULL-terminated; they live in A. */
const char *const *settings_words(const struct settings *s, const char *key,
				  struct arena *a);

/* A store that a project names, in a directory of its own. */
struct settings_store {
	const char
		*name; /* SETTINGS_STORE_NAME at most; a to z, digits and '-' */
	const char
		*path; /* relative to the project's directory, without ".." */
};
#define SETTINGS_STORE_NAME 32 /* bytes */
#define SETTINGS_STORES_MAX 16

/* Return the stores that S names, in A, and set *N to their number. */
const struct settings_store *settings_stores(const struct settings *s,
					     struct arena *a, size_t *n);

/* Return true if the LEN bytes at P can be the name of a store. */
bool settings_is_store_name(const char *p, size_t len);

/* Which file set KEY: "user", "project" or "default". */
const char *settings_origin(const struct settings *s, const char *key);

/* The value that TEXT, as a person types it, is for KEY, in *V and A.  ERR_USAGE:
 * there is no such key, it cannot have that value, or is none for a PROJECT. */
int settings_parse(const char *key, const char *text, bool project,
		   struct arena *a, struct value *v, struct err *e);

/* Set KEY in TEXT, a settings.json, to V, or with NULL take it away, however it
 * stands there; all else stays as it is.  1, 0 where nothing changes, -1:
 * ERR_DATA. */
int settings_edit(struct buf *text, const char *key, const struct value *v,
		  struct err *e);

#endif
