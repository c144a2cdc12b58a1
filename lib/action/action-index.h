/* action-index.h: which memories cite, match or name a file, or have a word.
 *
 * An agent asks before each edit and command, and nearly always nothing is found. So
 * this does without the catalog's texts and without SQLite: the file `actions` in the
 * cache directory (see co-cache(5)) has a hash table of what memories say, and is
 * mapped. It is made again when the catalog has changed, or the directories of
 * memories have.
 *
 * It only finds candidates. The caller reads each file again before anything is
 * shown. Memories that are sensitive, external, archived, replaced or expired are
 * not in it.
 */
#ifndef CO_ACTION_ACTION_INDEX_H
#define CO_ACTION_ACTION_INDEX_H

#include "rank/rank.h"
#include "store/store.h"

enum action_key {
	ACTION_CITE, /* the path of a citation */
	ACTION_NAME, /* a name in the text, see action_names_each() */
	ACTION_TERM, /* a term of the text or a tag, see rank/terms.h */
	ACTION_KEYS
};

struct action_index;

/* Open the index of S in its last state if that is current. Return 1; 0 if it must
 * be made, or S has no memories. Release *OUT with action_index_close(). */
int action_index_open(struct action_index **out, struct store *s);

/* Make the index of S, in memory if the cache directory cannot be written. Return 1,
 * 0 if S has no memories, or -1. */
int action_index_make(struct action_index **out, struct store *s,
		      struct err *e);
void action_index_close(struct action_index *ix);

/* Return true if a part that was used so far is damaged, so that memories may not have
 * been found. */
bool action_index_is_damaged(const struct action_index *ix);

/* Return the number of memories. They are numbered from 0. */
uint32_t action_index_count(const struct action_index *ix);

/* A memory that has a key. */
struct action_posting {
	uint32_t doc : 24;
	uint32_t n : 8; /* how often, at most 255; 0: only in a URL */
};

/* Return the memories that have the LEN bytes of P as KEY, ascending, *N of them;
 * borrowed from IX. */
const struct action_posting *action_index_find(const struct action_index *ix,
					       enum action_key key,
					       const char *p, size_t len,
					       size_t *n);

/* Call FN for each entry of a memory's `paths`. */
typedef void action_glob_fn(void *ctx, const char *glob, uint32_t doc);
void action_index_each_glob(const struct action_index *ix, action_glob_fn *fn,
			    void *ctx);

/* Return the absolute path of the memory DOC, in A; NULL if it is damaged. */
const char *action_index_path(const struct action_index *ix, uint32_t doc,
			      struct arena *a);

/* Set the fields of C that IX has: n and length, borrowed, and the callbacks
 * `postings` and `date`, which need C->ctx to begin with a struct action_corpus. */
struct action_corpus {
	const struct action_index *ix;
	struct posting *postings; /* the last ones; free() it */
	size_t cap;
};
void action_index_corpus(const struct action_index *ix, struct corpus *c);

/* Call FN for each name in the LEN bytes of P: a path (src/pay.c, migrations/), a
 * word with a mark of a name in it (pay.c, PayClient, user_id, e2e), the parts of one
 * with dots, and a word before a parenthesis with "()" after it. A result other than 0
 * ends the walk and is returned. */
typedef int action_name_fn(void *ctx, const char *p, size_t len);
int action_names_each(const char *p, size_t len, action_name_fn *fn, void *ctx);

#endif
