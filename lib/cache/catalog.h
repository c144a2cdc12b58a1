/* catalog.h: the file of a cache; catalog-format.h has its layout.
 *
 * 	head, the store's path, folders
 * 	entries, by number: those of files without one come first
 * 	table of the bodies' hashes
 * 	ids of the entries, in order
 * 	strings and bodies
 * 	commits, each appended at once: more entries, changes of older ones
 *
 * The file is mapped, and read in place. Nothing is trusted before its checksum
 * is verified: that of the head, an entry with its strings, a body, a bucket, a
 * commit. All checksums depend on the random identity of the file, so a piece
 * of another file never matches.
 *
 * A reader takes no lock: a file is appended to or replaced, never changed, and
 * an incomplete commit is ignored.
 *
 * The struct is open to its writers, catalog-write and catalog-update. An index counts
 * the entries of the file first, then the new ones.
 */
#ifndef CO_CACHE_CATALOG_H
#define CO_CACHE_CATALOG_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "cache/catalog-format.h"
#include "cache/dir.h"
#include "repo/layout.h"

#define CATALOG_NAME "files"

#define CATALOG_KNOWN 16u  /* its names are known */
#define CATALOG_ABSENT 32u /* it does not exist */
/* Directories also have CATALOG_GONE and CATALOG_UNSURE. */

struct catalog_folder {
	const char *path; /* below knowledge/; or LAYOUT_SHARED */
	uint64_t dev;
	struct filestat st;
	uint32_t flags;
	int32_t max_id; /* of the markers in trash/purged */
	bool changed;	/* since the file was read */
};

struct catalog {
	char *map; /* private mapping; NULL: no file */
	size_t mapped;
	size_t len; /* up to the last whole commit */
	uint64_t ino;
	uint64_t size; /* of the file when last seen; size and ino identify one
		        * state of it */
	bool torn;     /* the file ends in an incomplete commit */
	bool brief;    /* see catalog_open() */

	uint64_t identity;
	uint32_t next;	 /* the number of the next document */
	int32_t max_id;	 /* 0: not known */
	uint32_t unread; /* memories that are CATALOG_PLAIN */
	unsigned char notes[CATALOG_NOTES];
	bool notes_changed;

	struct catalog_entry *base;
	size_t nbase;
	size_t sound; /* of these, how many were checked since they were
		       * mapped */
	struct catalog_entry **more;
	size_t nmore, capmore;
	size_t kept;	     /* entries that the file has */
	size_t logged;	     /* entries and patches in its commits */
	struct catalog_run { /* patches of a commit, if brief */
		const char *p;
		uint32_t n;
	} * runs;
	size_t nruns, capruns;
	struct catalog_folder *folders;
	size_t nfolders, capfolders;
	struct table by_path;		   /* of the folders */
	uint32_t numbered[LAYOUT_NUMBERS]; /* the numbered folders: index plus
					    * 1, or 0 */
	struct catalog_patch *patches;	   /* to be written */
	size_t npatches, cappatches;
	struct buf fresh;   /* strings and bodies that are not mapped */
	size_t flushed;	    /* bytes of fresh that the file has */
	struct arena arena; /* new entries, paths of folders */
};

/* Map the catalog in D for the store at the path PATH with the stat ST. Return
 * 1; 0 if there is none (S is then empty); -1 if it is unusable.
 *
 * BRIEF is for writers: it does not apply the patches of commits, which takes
 * long. Then only catalog_each_equal() knows which entries are gone, and S may
 * be appended to, not rewritten. Release S with catalog_close(). */
int catalog_open(struct catalog *s, const struct cache_dir *d, const char *path,
		 const struct stat *st, bool brief);
void catalog_close(struct catalog *s);

/* Return true if the file in D has not changed since S was read. */
bool catalog_is_current(const struct catalog *s, const struct cache_dir *d);

/* Set *STORE to the path of the store of the catalog in D; the caller frees it.
 * Return false if there is no valid catalog. */
bool catalog_owner(const struct cache_dir *d, char **store);

size_t catalog_count(const struct catalog *s);
struct catalog_entry *catalog_entry(const struct catalog *s, size_t i);

/* Return true if E and its strings are whole. Call this before using any other
 * field of E. */
bool catalog_check(const struct catalog *s, const struct catalog_entry *e);

/* Let the system take back the memory of the strings and bodies of the entries before TO,
 * from FROM on. They are read again when they are used. */
void catalog_release_texts(const struct catalog *s, size_t from, size_t to);

/* Return the strings of E, which begin with its path. In a checked entry they
 * are in bounds, except that their number is not checked. */
const char *catalog_meta(const struct catalog *s,
			 const struct catalog_entry *e);

/* Split the strings of E, which begin at META. Return false if there are too
 * few. */
struct catalog_strings {
	const char *path, *title, *created, *source, *tags;
	struct record_keys keys; /* a section has those of its file's entry */
};
bool catalog_strings(const struct catalog_entry *e, const char *meta,
		     struct catalog_strings *out);

/* Set *SOURCE to the source of E or NULL, without reading further strings.
 * Return false if there are too few. */
bool catalog_source(const struct catalog_entry *e, const char *meta,
		    const char **source);

/* Prefetch the strings of an entry soon after I, in a loop over all entries. */
void catalog_expect(const struct catalog *s, size_t i);

/* Return the body of E, or NULL if it is damaged. */
const char *catalog_body(const struct catalog *s,
			 const struct catalog_entry *e);

/* Add an entry, or a directory. The result is borrowed from S. */
struct catalog_entry *catalog_add(struct catalog *s);
struct catalog_folder *catalog_add_folder(struct catalog *s, const char *path);

/* Return the directory PATH below knowledge/, or NULL if it is not known. */
struct catalog_folder *catalog_find_folder(const struct catalog *s,
					   const char *path);

/* Return the directory with NUMBER in memories/, or NULL. */
struct catalog_folder *catalog_numbered(const struct catalog *s, size_t number);

/* Return the tree of the directories known now. Free it with free(). */
struct catalog_tree *catalog_tree(const struct catalog *s);

/* Append to NAMES the name, with its NUL, of each direct child that T has for
 * the directory INDEX. */
void catalog_below(const struct catalog *s, const struct catalog_tree *t,
		   size_t index, struct buf *names);

/* Set stat and flags of entry I. A change of a written entry becomes a
 * patch. */
void catalog_set(struct catalog *s, size_t i, const struct filestat *st,
		 uint32_t flags);

/* Call FN with the index of each memory and draft, removed ones included, that
 * has the key HASH. Return what FN returned if not 0; -1 if the table is
 * damaged. */
int catalog_each_equal(const struct catalog *s, uint64_t hash,
		       int (*fn)(void *ctx, size_t i), void *ctx);

/* Return true if an entry has ID. A damaged one may hide it. */
bool catalog_has_id(const struct catalog *s, int64_t id);

/* Return the number of memories that are not gone; if S is brief, about
 * that. */
size_t catalog_memories(const struct catalog *s);

/* Return the checksum of E under the identity of S. */
uint64_t catalog_sum(const struct catalog *s, const struct catalog_entry *e);

#endif
