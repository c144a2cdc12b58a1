/* settings.h: read and edit the settings: the user's settings.json, then the project's.
 *
 * The user's file may set every key. A project's file may set only inert keys (see
 * co-settings(5)): it can come from a stranger with a clone, so it never names a
 * program, a URL, a path or an approval mode. Such a key in it is reported and
 * ignored. An unknown key is reported and ignored in both. The files are JSON as
 * people write it (see format/jsonc.h); a key with dots is the same as objects in
 * objects.
 */
#ifndef CO_REPO_SETTINGS_H
#define CO_REPO_SETTINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"
#include "repo/format-number.h"
#include "repo/project-id.h"

enum settings_kind {
	SETTINGS_INT,	 /* 1 to 999999, or to `words` */
	SETTINGS_AMOUNT, /* a number from 0 to 999999, as 0.25 */
	SETTINGS_BOOL,	 /* true or false, only of a project */
	SETTINGS_WORD,	 /* one of a set, separated by '|' */
	SETTINGS_STR,	 /* one line of text */
	SETTINGS_PATH,	 /* an absolute path */
	SETTINGS_URL,	 /* one line of text without a password */
	SETTINGS_ID,	 /* a project's: see project-id.h */
	SETTINGS_WORDS,	 /* a list of strings, or a string that is split at
			  * spaces; its text is the list as JSON */
	SETTINGS_STORES /* only of a project: see settings_stores(); its text is
			  * the list as JSON */
};

/* A key that the suite knows. The table in settings.c is the only list. */
struct settings_key {
	const char *name; /* dotted: "recall.max_results" */
	enum settings_kind kind;
	bool inert; /* a project may set it */
	const char
		*words; /* SETTINGS_WORD: "auto|grep"; SETTINGS_INT: the largest
			     * number, NULL for 999999; else NULL */
	const char *preset; /* its default, as text; "": none */
};

extern const struct settings_key settings_keys[]; /* ends in a NULL name */

struct settings; /* opaque; lives in the arena */

/* Read both files from the descriptors of the two roots, or -1 for an absent root.
 * Either file may be absent. The result is allocated in A. Errors are reported to
 * R; the file or the key is then ignored, so a bad setting stops nothing. */
const struct settings *settings_load(int user_dir, const char *user_path,
				     int project_dir, const char *project_path,
				     struct arena *a, const struct report *r);

/* Read only the user's file, for what a project must not decide. Return 0; or -1 if
 * the user's root cannot be found, and *S then has only the defaults. */
int settings_user(const struct settings **s, struct arena *a,
		  const struct report *r, struct err *e);

/* Return the settings of TEXT, a settings.json, by itself, allocated in A. Errors
 * in it are ignored. PROJECT: it is a project's file. */
const struct settings *settings_of_text(const struct buf *text, bool project,
					struct arena *a);

/* Return the value of KEY, which must be in the table. settings_str() works for any
 * kind. The string is borrowed. */
int64_t settings_int(const struct settings *s, const char *key);
const char *settings_str(const struct settings *s, const char *key);

/* Return the strings of KEY, of the kind SETTINGS_WORDS, terminated by NULL and
 * allocated in A. */
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

/* Return the stores that S names, allocated in A, and set *N to their number. */
const struct settings_store *settings_stores(const struct settings *s,
					     struct arena *a, size_t *n);

/* Return true if the LEN bytes at P can be the name of a store. */
bool settings_is_store_name(const char *p, size_t len);

/* Return which file set KEY: "user", "project" or "default". */
const char *settings_origin(const struct settings *s, const char *key);

/* Set *V, allocated in A, to the value for KEY that a person typed as TEXT. Return
 * 0, or -1: ERR_USAGE if there is no such key, it cannot have that value, or a
 * PROJECT must not set it. */
int settings_parse(const char *key, const char *text, bool project,
		   struct arena *a, struct value *v, struct err *e);

/* Set KEY in TEXT, a settings.json, to V, or remove it if V is NULL; keep all other
 * bytes. Return 1; 0 if nothing changes; or -1: ERR_DATA. */
int settings_edit(struct buf *text, const char *key, const struct value *v,
		  struct err *e);

/* Return true if the URL or connection string P contains a password: user:secret@, or a
 * parameter whose name ends in "password". */
bool settings_has_password(const char *p);

#endif
