/* view.h: what the files of a store hold, as a sweep has found it.
 *
 * Documents are memories, and the sections of articles and category files.
 * Each has a number that is never used again: content that is new or changed,
 * tags and dates included, gets one higher than all before; what only moved in
 * time (touch, checkout) keeps it.  So whatever is derived from documents is
 * kept by number: what it has and the view has not is dead; what the view has
 * above its highest number is new.
 *
 * A document that the sidecar could not be given yet has a number from
 * VIEW_GUESS on, which means nothing in another view.
 */
#ifndef CO_CACHE_VIEW_H
#define CO_CACHE_VIEW_H

#include "cache/catalog-write.h"
#include "cache/refresh.h"
#include "repo/record.h"

#define VIEW_GUESS CATALOG_WRITE_GUESS

struct view_news {
	size_t files; /* looked at */
	size_t read;  /* of them */
	size_t gone;
	bool made;    /* there was no sidecar */
	bool damaged; /* there was one, of no use */
};

/* A view; for cache.c, to others opaque. */
struct cache {
	struct repo *repo;
	struct cache_dir dir;
	char *path;	  /* of knowledge/, real */
	struct stat root; /* the same folder */
	struct catalog side;
	bool open; /* SIDE is worth something */
	bool kept;
	bool lent;	     /* somebody has pointers into SIDE */
	bool damaged;	     /* found while it was handed out */
	bool same_path;	     /* the store is shown by its real path */
	struct catalog *old; /* lent before, until the store is closed */
	size_t nold, capold;
	struct view_news news;

	const struct record *handed; /* out just now, and what it is made of */
	const struct catalog_entry *handed_entry;

	uint32_t *docs; /* indices of documents, by number; made when asked */
	size_t ndocs;
	struct arena arena; /* paths that are not kept as shown */
};

/* The cache folder: its descriptor, and its path for sentences; borrowed.  -1
 * and NULL where there is none. */
int view_dir(const struct cache *c);
const char *view_folder_path(const struct cache *c);

/* The random number that was given to the sidecar when it was made: whatever
 * is derived repeats it, and is of no use beside another. */
uint64_t view_identity(const struct cache *c);

/* True once something that was asked for turned out to be damaged, and was
 * left out: sweep again, which makes a new sidecar, and begin anew. */
bool view_damaged(const struct cache *c);

/* True if the sidecar on the disk holds what this view does: else its newest
 * numbers may be given to something else, and must not be kept. */
bool view_kept(const struct cache *c);

/* What the sweep found. */
const struct view_news *view_news(const struct cache *c);

enum view_kind { VIEW_MEMORY, VIEW_ARTICLE, VIEW_CATEGORY };

/* Strings are borrowed from the view, the path until the next is asked for,
 * and end in NUL. */
struct view_doc {
	uint32_t number; /* from 1 */
	enum view_kind kind;
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
	uint64_t hash;	/* of all above but path and number; the same in every
			 * store */
	uint32_t group; /* the same for the sections of one file, in this
			 * view; 0 for a memory */
	uint32_t order; /* of the section in its file, from 0 */
};

/* How many documents there are, and the highest number ever given. */
size_t view_count(struct cache *c);
uint32_t view_last(const struct cache *c);

/* Call FN for each document with a number above ABOVE, by number.  Nonzero
 * from FN ends the walk and is returned, else 0. */
typedef int view_doc_fn(void *ctx, const struct view_doc *d);
int view_each(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx);

/* Set what *D has of number, time, kind, group, order and source, which costs
 * little, from the I-th of the view_count() documents, by number.  False: it
 * is damaged, which is for view_spoil() to say, since threads may ask this at
 * once. */
bool view_head(const struct cache *c, size_t i, struct view_doc *d);
void view_spoil(struct cache *c);

/* True and *D filled if the document NUMBER is in the view; O(log n). */
bool view_find(struct cache *c, uint32_t number, struct view_doc *d);

/* The same for one that view_find() has found before: it is not checked. */
bool view_find_again(struct cache *c, uint32_t number, struct view_doc *d);

/* For view-records.c: the index of the entry of the document NUMBER, false if
 * there is none; the PATH of a file as the store is shown, in A unless it is
 * kept so. */
bool view_index(struct cache *c, uint32_t number, uint32_t *index);
const char *view_path(const struct cache *c, const char *path, struct arena *a);

/* The path of the file of E, whole, as view_path(); in A for drafts. */
const char *view_shown(const struct cache *c, const struct catalog_entry *e,
		       struct arena *a);

/* Forget what was made for handing out. */
void view_reset(struct cache *c);

/* A few bytes that others keep in the sidecar, checked as the rest of it: the
 * stat and checksum of the database, say. */
enum view_note { VIEW_NOTE_INDEX, VIEW_NOTE_VECTORS, VIEW_NNOTES };
#define VIEW_NOTE_SIZE 64

/* The note, VIEW_NOTE_SIZE bytes, zeros where none was left; borrowed. */
const void *view_note(const struct cache *c, enum view_note which);

#endif
