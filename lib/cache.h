/* cache.h: what the files of a store hold, without reading them again.
 *
 * $XDG_CACHE_HOME/co-cli/KEY/files, the sidecar, keeps of each memory, article
 * and category file its stat and what was read from it; see co-cache(5).  A
 * sweep asks the system for the stat of each file, reads only those that are
 * not what they were, and gives a view: what the files hold now.  Folders that
 * did not change are not listed again.  Files are the truth: where anything is
 * doubtful, they are read; a sidecar that is damaged, foreign or of a future
 * version is made anew; where it cannot be written it is done without.
 *
 * A sweep reports nothing.  A file that cannot be read as what it should be is
 * handed out as such (`plain`), so that whoever reads it reports it as ever.
 *
 * Documents are memories, and the sections of articles and category files.
 * Each has a number that is never used again: content that is new or changed,
 * tags and dates included, gets one higher than all before; what only moved in
 * time (touch, checkout) keeps it.  So whatever is derived from documents is
 * kept by number: what it has and the view has not is dead; what the view has
 * above its highest number is new.
 */
#ifndef CO_CACHE_H
#define CO_CACHE_H

#include "record.h"
#include "shelf.h"

/* What a sweep looks at. */
#define CACHE_MEMORIES 1u
#define CACHE_DRAFTS 2u
#define CACHE_TRASH 4u	  /* its ids, and the purged */
#define CACHE_ARTICLES 8u /* and the category files */
#define CACHE_IDS (CACHE_MEMORIES | CACHE_DRAFTS | CACHE_TRASH)
#define CACHE_DOCUMENTS (CACHE_MEMORIES | CACHE_ARTICLES)
/* And what it does where there is no sidecar: without this, nothing. */
#define CACHE_MAKE 16u

/* A store of fewer memories is read faster than it is worth keeping. */
#define CACHE_WORTH 128

struct cache; /* a view, opaque */

/* Sweep S.  1: *C is what is there now, owned by S until the next sweep or
 * cache_close(); 0: there is no sidecar, and without CACHE_MAKE none is made,
 * or something stood in the way: read the files, which tells what.  With
 * CACHE_MAKE, -1 is ERR_SYSTEM: a folder cannot be read; a sidecar that cannot
 * be written is then done without, in memory. */
int cache_sweep(struct store *s, unsigned what, struct cache **c,
		struct err *e);

/* Forget what is known of S, the mapped sidecar included.  Cannot fail. */
void cache_close(struct store *s);

/* Hold the lock of the cache folder of S, so that nobody else changes what is
 * in there, from before a sweep to after whatever follows from it.  Waits at
 * most WAIT_MS.  1, or 0: it stays taken, or the folder cannot be written. */
int cache_lock(struct store *s, int wait_ms);
void cache_unlock(struct store *s);

/* The cache folder: its descriptor, and its path for sentences; borrowed.  -1
 * and NULL where there is none. */
int cache_dir(const struct cache *c);
const char *cache_path(const struct cache *c);

/* The random number that was given to the sidecar when it was made: whatever
 * is derived repeats it, and is of no use beside another. */
uint64_t cache_identity(const struct cache *c);

/* True if the sidecar on the disk holds what this view does: else its newest
 * numbers may be given to something else, and must not be kept. */
bool cache_kept(const struct cache *c);

/* What the last sweep found. */
struct cache_news {
	size_t files; /* looked at */
	size_t read;  /* of them */
	size_t gone;
	bool made;    /* there was no sidecar */
	bool damaged; /* there was one, of no use */
};
const struct cache_news *cache_news(const struct cache *c);

enum cache_kind { CACHE_MEMORY, CACHE_ARTICLE, CACHE_CATEGORY };

/* Strings are borrowed from the view, and end in NUL. */
struct cache_doc {
	uint32_t number; /* from 1 */
	enum cache_kind kind;
	const char *path;    /* of its file, absolute */
	int64_t id;	     /* of a memory; else 0 */
	const char *created; /* as written; an article's `fetched`; or "" */
	struct instant at;   /* the same; 0 where there is none */
	const char *tags;    /* one behind the other, each with its NUL */
	size_t ntags;
	const char *source; /* NULL where there is none */
	const char *title;  /* "Title > Heading > ..."; "" for a memory */
	const char *text;   /* stripped; of a section, without its heading */
	size_t len;
	uint64_t hash;	/* of all above but path and number; keyed by the
			 * identity */
	uint32_t group; /* the same for the sections of one file, in this
			 * view; 0 for a memory */
	uint32_t order; /* of the section in its file, from 0 */
};

/* How many documents there are, and the highest number ever given. */
size_t cache_count(const struct cache *c);
uint32_t cache_last(const struct cache *c);

/* Call FN for each document with a number above ABOVE, by number.  Nonzero
 * from FN ends the walk and is returned, else 0. */
typedef int cache_doc_fn(void *ctx, const struct cache_doc *d);
int cache_each(struct cache *c, uint32_t above, cache_doc_fn *fn, void *ctx);

/* True and *D filled if the document NUMBER is in the view; O(log n). */
bool cache_find(struct cache *c, uint32_t number, struct cache_doc *d);

/* The document that a memory's PATH, as records have it, is; O(n). */
bool cache_find_path(struct cache *c, const char *path, struct cache_doc *d);

/* Files that are not what they should be: read them to see why. */
int cache_each_plain(struct cache *c, unsigned what, shelf_fn *fn, void *ctx,
		     struct err *e);

/* A few bytes that others keep in the sidecar, checked as the rest of it: the
 * stat and checksum of the database, say. */
enum cache_note { CACHE_NOTE_INDEX, CACHE_NOTE_VECTORS, CACHE_NNOTES };
#define CACHE_NOTE_SIZE 64

/* The note, CACHE_NOTE_SIZE bytes, zeros where none was left; borrowed. */
const void *cache_note(const struct cache *c, enum cache_note which);

/* Leave one of LEN bytes; the lock is held.  0, or -1 where it was not kept
 * (nothing else is lost by that). */
int cache_set_note(struct store *s, enum cache_note which, const void *p,
		   size_t len);

#endif
