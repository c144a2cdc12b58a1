/* view.h: what the files of a store hold, as a refresh has found it.
 *
 * Documents are memories, the sections of articles, and the items and paragraphs
 * of category files.
 * Each has a number that is never used again: content that is new or changed,
 * tags and dates included, gets one higher than all before; what only moved in
 * time (touch, checkout) keeps it.  What is gone is remembered for a while, and
 * has its number again when its file holds the same again, as after a switch of
 * branches.  So whatever is derived from documents is kept by number, and made of
 * those that are remembered too (view_each_known()): what the view has above its
 * highest number is new, and nothing else is; what it has and is not known any
 * more is dead.
 *
 * A document that the catalog could not be given yet has a number from
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
	bool made;    /* there was no catalog */
	bool damaged; /* there was one, of no use */
};

/* A view; for cache.c, to others opaque. */
struct cache {
	struct repo *repo;
	struct cache_dir dir;
	char *path;	  /* of knowledge/, real */
	struct stat root; /* the same folder */
	struct catalog catalog;
	bool open; /* CATALOG is worth something */
	bool kept;
	bool lent;	    /* somebody has pointers into CATALOG */
	bool damaged;	    /* found while it was handed out */
	bool held;	    /* what was refreshed is not refreshed again */
	bool taken;	    /* no file was looked at, and no entry checked */
	bool looked;	    /* just now, at all folders: see assume_nothing() */
	unsigned refreshed; /* since CATALOG was read: REFRESH_MEMORIES... */
	bool same_path;	    /* the store is shown by its real path */
	struct catalog *old; /* lent before, until the store is closed */
	size_t nold, capold;
	struct view_news news;
	uint64_t changes;     /* counts refreshes that found something else */
	struct filestat left; /* of the catalog, see cache_rest() */

	const struct record *handed; /* out just now, and what it is made of */
	const struct catalog_entry *handed_entry;

	uint32_t *docs; /* indices of documents, by number; made when asked */
	size_t ndocs, ngone;
	struct arena arena; /* paths that are not kept as shown */
};

/* The cache folder: its descriptor, and its path for sentences; borrowed.  -1
 * and NULL where there is none. */
int view_dir(const struct cache *c);
const char *view_folder_path(const struct cache *c);

/* The random number that was given to the catalog when it was made: whatever
 * is derived repeats it, and is of no use beside another. */
uint64_t view_identity(const struct cache *c);

/* True once something that was asked for turned out to be damaged, and was
 * left out: refresh again, which makes a new catalog, and begin anew. */
bool view_damaged(const struct cache *c);

/* True if the catalog on the disk holds what this view does: else its newest
 * numbers may be given to something else, and must not be kept. */
bool view_kept(const struct cache *c);

/* What the refresh found. */
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
	uint64_t said;	/* hash of the source; 0: there is none */
	uint32_t group; /* the same for the sections of one file, in this
			 * view; 0 for a memory */
	uint32_t order; /* of the section in its file, from 0 */
	bool gone;	/* it is only remembered */
	bool marked;	/* KEYS may set a mark, see repo/marks.h */
	struct record_keys keys; /* all other keys of its file */
};

/* How many documents there are, how many are remembered beside, and the highest
 * number ever given. */
size_t view_count(struct cache *c);
size_t view_count_gone(struct cache *c);
uint32_t view_last(const struct cache *c);

/* Call FN for each document with a number above ABOVE, by number.  Nonzero
 * from FN ends the walk and is returned, else 0. */
typedef int view_doc_fn(void *ctx, const struct view_doc *d);
int view_each(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx);

/* The same, with those that are gone and remembered among them. */
int view_each_known(struct cache *c, uint32_t above, view_doc_fn *fn,
		    void *ctx);

/* For a walk over all: each document stands at one of so many places, from 0 on,
 * and by number once view_count() was asked. */
size_t view_places(const struct cache *c);

/* Set what *D has of number, time, kind, group, order, whether it is marked and the
 * hash of the source, which costs little: 1; 0: none stands at place I, and `gone`
 * says whether one is remembered; -1: it is damaged, which is for view_spoil() to
 * say, since threads may ask this at once. */
int view_head(const struct cache *c, size_t i, struct view_doc *d);

/* The source of that document, NULL where there is none; false: it is damaged. */
bool view_source(const struct cache *c, size_t i, const char **source);
void view_spoil(struct cache *c);

/* All N of them stand at PLACES, which are C's from now on, by number, and GONE
 * are remembered: view_count() need not look for them. */
void view_put(struct cache *c, uint32_t *places, size_t n, size_t gone);

/* When the document NUMBER is of, and its id: of one that is damaged what it
 * says, of one that is not there the least. */
void view_date(struct cache *c, uint32_t number, struct instant *at,
	       int64_t *id);

/* True and *D filled if the document NUMBER is in the view; O(log n). */
bool view_find(struct cache *c, uint32_t number, struct view_doc *d);

/* The same for one that view_find() has found before: it is not checked. */
bool view_find_again(struct cache *c, uint32_t number, struct view_doc *d);

/* Call FN (NULL: none is wanted) for each memory that TEST (NULL: all) says 1
 * of, in no order, and PLAIN for each file of theirs that is to be read to see
 * what it is, or to say what a merge left in it.  Threads may ask TEST about
 * many, before FN gets the first.  The record is FN's until it returns.  Nonzero
 * from FN or PLAIN ends the walk and is returned, as -1 from TEST is. */
typedef int view_record_fn(void *ctx, const struct record *r);
int view_each_record(struct cache *c, record_test_fn *test, view_record_fn *fn,
		     layout_fn *plain, void *ctx, struct err *e);

/* Call FN for each article and category file that no search can read, or that a
 * merge was left in. */
int view_each_amiss(struct cache *c, layout_fn *fn, void *ctx, struct err *e);

/* The same for the ids of files in the areas WHAT; PATH is borrowed. */
typedef int view_id_fn(void *ctx, int64_t id, const char *path);
int view_each_id(struct cache *c, unsigned what, view_id_fn *fn,
		 layout_fn *plain, void *ctx, struct err *e);

/* A memory of the view by its place there, which stands until the store is
 * closed, whatever is refreshed meanwhile. */
struct view_ref {
	const struct catalog_entry *entry;
	const char *name; /* its path below knowledge/ */
};

/* The place of R, which FN was given and still has, or of the document NUMBER:
 * false if there is none, as of what was read from a file. */
bool view_keep(struct cache *c, const struct record *r, struct view_ref *ref);
bool view_keep_number(struct cache *c, uint32_t number, struct view_ref *ref);

/* The memory at REF again, which was checked when it was handed out: borrowed
 * from the view, or in A. */
void view_kept_record(const struct cache *c, const struct view_ref *ref,
		      struct arena *a, struct record *r);

/* The path of the file of E as the store is shown; in A unless it is kept
 * so. */
const char *view_shown(const struct cache *c, const struct catalog_entry *e,
		       struct arena *a);

/* Forget what was made for handing out. */
void view_reset(struct cache *c);

/* A few bytes that others keep in the catalog, checked as the rest of it: the
 * stat and checksum of the database, say. */
enum view_note { VIEW_NOTE_INDEX, VIEW_NNOTES };
#define VIEW_NOTE_SIZE 64

/* The note, VIEW_NOTE_SIZE bytes, zeros where none was left; borrowed. */
const void *view_note(const struct cache *c, enum view_note which);

#endif
