/* view.h: the contents of a store's files after a refresh.
 *
 * Documents are memories, the sections of articles, and the items and
 * paragraphs of category files. Each document has a number that is never
 * reused. New or changed content, which includes tags and dates, gets a number
 * above all earlier ones. A file whose times changed (touch, checkout) keeps
 * its numbers.
 *
 * Deleted documents are remembered for a while, and get their number back if
 * their file has the same content again, as after a switch of branches. So
 * anything derived from documents is stored by number, for the remembered ones
 * too (view_each_known()). Documents above the highest number stored are new;
 * numbers that the view no longer knows are dead.
 *
 * A document that is not written to the catalog yet has a number from
 * VIEW_GUESS on, which is valid in this view only.
 */
#ifndef CO_CACHE_VIEW_H
#define CO_CACHE_VIEW_H

#include "cache/catalog-write.h"
#include "cache/refresh.h"
#include "repo/record.h"

#define VIEW_GUESS CATALOG_WRITE_GUESS

struct view_news {
	size_t read;   /* files that were read */
	size_t failed; /* files left out because a call failed, and articles/
			* if it is a link or no directory */
	size_t gone;
	bool made;    /* there was no catalog */
	bool damaged; /* the catalog was unusable */
};

/* A view. Only cache.c and write-hints.c use its fields. */
struct cache {
	struct repo *repo;
	struct cache_dir dir;
	char *path;	  /* real path of knowledge/ */
	struct stat root; /* stat of knowledge/ */
	struct catalog catalog;
	bool open; /* CATALOG is loaded */
	bool kept;
	bool lent;	     /* borrowed pointers into CATALOG exist */
	bool damaged;	     /* found while it was given out */
	bool held;	     /* see cache_hold() */
	bool taken;	     /* see cache_take(): nothing was checked */
	bool looked;	     /* the directories were just checked: see
			     * write_hints_forget() */
	unsigned refreshed;  /* areas, since CATALOG was loaded */
	bool same_path;	     /* the store is shown by its real path */
	struct catalog *old; /* lent ones, until the store is closed */
	size_t nold, capold;
	struct view_news news;
	uint64_t changes;     /* refreshes that found a change */
	struct filestat left; /* of the catalog, see cache_rest() */

	const struct record *handed; /* the record in view_record_fn, and its
				      * entry */
	const struct catalog_entry *handed_entry;

	uint32_t *docs; /* indices of documents, by number; made on demand */
	size_t ndocs, ngone;
	struct arena arena; /* paths that differ from the catalog's */
};

/* Return the descriptor of the cache directory (-1 if there is none), and its
 * path for messages (NULL if there is none). Borrowed. */
int view_dir(const struct cache *c);
const char *view_folder_path(const struct cache *c);

/* Return the random number of the catalog. Data derived from it must store this
 * number, and is invalid under another. */
uint64_t view_identity(const struct cache *c);

/* Return true if a damaged document was found and left out. Refresh, which
 * makes a new catalog, and start again. */
bool view_damaged(const struct cache *c);

/* Return true if the catalog on disk has all of this view. Otherwise its newest
 * numbers may be given again, and must not be stored. */
bool view_kept(const struct cache *c);

/* Return what the last refresh found. Borrowed. */
const struct view_news *view_news(const struct cache *c);

enum view_kind { VIEW_MEMORY, VIEW_ARTICLE, VIEW_CATEGORY };

/* A document. Strings end in NUL and are borrowed from the view; the path only
 * until the next document. */
struct view_doc {
	uint32_t number; /* from 1 */
	enum view_kind kind;
	const char *path;    /* of its file, absolute */
	int64_t id;	     /* of a memory; else 0 */
	const char *created; /* as written; an article's `fetched`; or "" */
	struct instant at;   /* CREATED parsed, or 0 */
	const char *tags;    /* one after the other, each with its NUL */
	size_t ntags;
	const char *source; /* NULL: none */
	const char *title;  /* "Title > Heading > ..."; "" for a memory */
	const char *text;   /* stripped; a section's is without its heading */
	size_t len;
	uint64_t said;	/* hash of the source; 0: none */
	uint32_t group; /* equal for the sections of one file, in this view; 0
			 * for a memory */
	uint32_t order; /* of the section in its file, from 0 */
	bool gone;	/* deleted, but remembered */
	bool marked;	/* KEYS may set a mark, see repo/marks.h */
	struct record_keys keys; /* all other keys of its file */
};

/* Return the number of documents, and of deleted ones that are remembered. */
size_t view_count(struct cache *c);
size_t view_count_gone(struct cache *c);

/* Call FN for each document with a number above ABOVE, by number. A result
 * other than 0 ends the walk and is returned. */
typedef int view_doc_fn(void *ctx, const struct view_doc *d);
int view_each(struct cache *c, uint32_t above, view_doc_fn *fn, void *ctx);

/* Like view_each(), with the deleted documents that are remembered. */
int view_each_known(struct cache *c, uint32_t above, view_doc_fn *fn,
		    void *ctx);

/* Return the number of places, for a loop over all documents. Each document has
 * one place; after view_count() they are sorted by number. */
size_t view_places(const struct cache *c);

/* Fill only the cheap fields of *D from place I: number, time, kind, group,
 * order, `marked` and hash of the source. Return 1; 0 if the place has no
 * document (`gone`: a deleted one is remembered); -1 if it is damaged: then
 * call view_spoil(). Threads may call this at once. */
int view_head(const struct cache *c, size_t i, struct view_doc *d);

/* view_source() sets *SOURCE to the source at place I, or NULL; false if it is
 * damaged. view_spoil() makes view_damaged() true. */
bool view_source(const struct cache *c, size_t i, const char **source);
void view_spoil(struct cache *c);

/* Set the places of all N documents, by number, and the number of GONE ones, so
 * that view_count() need not compute them. C takes PLACES. */
void view_put(struct cache *c, uint32_t *places, size_t n, size_t gone);

/* Set *AT and *ID to time and id of the document NUMBER, or to 0 if there is
 * none. Its checksum is not verified. */
void view_date(struct cache *c, uint32_t number, struct instant *at,
	       int64_t *id);

/* Fill *D with the document NUMBER. Return true if it is in the view. O(log
 * n). */
bool view_find(struct cache *c, uint32_t number, struct view_doc *d);

/* Like view_find(), for a document that it found before: nothing is checked. */
void view_find_again(struct cache *c, uint32_t number, struct view_doc *d);

/* Call FN for each memory for which TEST returns 1, in no order. FN may be NULL
 * for none, TEST for all. Call PLAIN for each file that the caller must read:
 * it is not a valid memory, or has merge markers.
 *
 * Threads may call TEST for many records before FN gets the first. The record
 * is valid until FN returns. A result other than 0 of FN or PLAIN, or -1 of
 * TEST, ends the walk and is returned. */
typedef int view_record_fn(void *ctx, const struct record *r);
int view_each_record(struct cache *c, record_test_fn *test, view_record_fn *fn,
		     layout_fn *plain, void *ctx, struct err *e);

/* Call FN for each article and category file that is malformed or has merge
 * markers. */
int view_each_amiss(struct cache *c, layout_fn *fn, void *ctx, struct err *e);

/* Call FN with the id of each file in the areas WHAT, and PLAIN for each file
 * that the caller must read. PATH is borrowed. */
typedef int view_id_fn(void *ctx, int64_t id, const char *path);
int view_each_id(struct cache *c, unsigned what, view_id_fn *fn,
		 layout_fn *plain, void *ctx, struct err *e);

/* A reference to a memory, valid until the store is closed, whatever is
 * refreshed meanwhile. */
struct view_ref {
	const struct catalog_entry *entry;
	const char *name; /* path below knowledge/ */
};

/* Set *REF to R, during the call of view_record_fn that has it, or to the
 * document NUMBER. Return false if there is none, as for a record that was read
 * from its file. */
bool view_keep(struct cache *c, const struct record *r, struct view_ref *ref);
bool view_keep_number(struct cache *c, uint32_t number, struct view_ref *ref);

/* Fill R with the memory at REF again, borrowed from the view or in A. It was
 * checked before. */
void view_kept_record(const struct cache *c, const struct view_ref *ref,
		      struct arena *a, struct record *r);

/* Return the path of E's file as the store is shown: borrowed, or in A. */
const char *view_shown(const struct cache *c, const struct catalog_entry *e,
		       struct arena *a);

/* Discard the list of documents. */
void view_reset(struct cache *c);

/* Notes: a few bytes that other modules store in the catalog, such as the stamp
 * of the index. */
enum view_note { VIEW_NOTE_INDEX, VIEW_NNOTES };
#define VIEW_NOTE_SIZE 64

/* Return the VIEW_NOTE_SIZE bytes of the note, zeros if none was set.
 * Borrowed. */
const void *view_note(const struct cache *c, enum view_note which);

#endif
