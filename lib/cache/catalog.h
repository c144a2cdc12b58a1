/* catalog.h: the file in which a cache keeps what it knows; see co-cache(5).
 *
 *	head, the store's path, folders
 *	entries, by number: those of files without one come first
 *	table of the bodies' hashes
 *	ids of the entries, in order
 *	strings and bodies
 *	commits, each appended at once: more entries, changes of older ones
 *
 * It is mapped, and read where it stands.  Nothing in it is believed before
 * its checksum is: the head's, an entry's (with its strings), a body's, a
 * bucket's, a commit's; all depend on the random identity of the file, so
 * that a piece of another is none of this.  A reader takes no lock: a file is
 * appended to or replaced, never changed, and a commit that is not whole yet
 * is not there yet.
 *
 * The struct is open to its writers, catalog-write and ingest; an index of an
 * entry counts those of the file first, then those that are new.
 */
#ifndef CO_CACHE_CATALOG_H
#define CO_CACHE_CATALOG_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "cache/catalog-format.h"
#include "cache/dir.h"
#include "repo/layout.h"
#include "repo/record-keys.h"

#define CATALOG_NAME "files"

#define CATALOG_KNOWN 16u  /* its names are */
#define CATALOG_ABSENT 32u /* it is not there */
/* CATALOG_GONE, CATALOG_UNSURE as above. */

struct catalog_folder {
	const char *path; /* below knowledge/; or LAYOUT_SHARED */
	uint64_t dev;
	struct filestat st;
	uint32_t flags;
	int32_t max_id; /* of the purged, in their folder */
	bool changed;	/* since the file was read */
};

struct catalog {
	char *map; /* private; NULL: there is no file */
	size_t mapped;
	size_t len; /* of it, up to the last whole commit */
	uint64_t ino;
	uint64_t size; /* of the file, as it was last seen; with ino, tells
			* one state of it from others */
	bool torn;     /* what follows the last whole commit is none */
	bool brief;    /* entries are as they were first written */

	uint64_t identity;
	uint32_t next;	 /* the number of the next document */
	int32_t max_id;	 /* 0: not known */
	uint32_t unread; /* memories that are CATALOG_PLAIN */
	unsigned char notes[CATALOG_NOTES];
	bool notes_changed;

	struct catalog_entry *base;
	size_t nbase;
	size_t sound; /* of them, how many were checked since they are mapped */
	struct catalog_entry **more;
	size_t nmore, capmore;
	size_t kept;	     /* entries that the file has */
	size_t logged;	     /* entries and patches of its commits */
	struct catalog_run { /* patches of a commit, where S is brief */
		const char *p;
		uint32_t n;
	} * runs;
	size_t nruns, capruns;
	struct catalog_folder *folders;
	size_t nfolders, capfolders;
	struct table by_path;		   /* of the folders */
	uint32_t numbered[LAYOUT_NUMBERS]; /* and of those by number, the
					    * index and 1; 0: none */
	struct catalog_patch *patches;	   /* to be written */
	size_t npatches, cappatches;
	struct buf fresh;   /* strings and bodies that are not in the map */
	size_t flushed;	    /* of them that the file has */
	struct arena arena; /* new entries, paths of folders */
};

/* Map the catalog in D of the store that stands at PATH and is the folder ST:
 * 1, 0: there is none (S is then empty), -1: one of no use.  BRIEF is for who
 * saves, and does not pay for all that has changed: what commits say of older
 * entries is left to catalog_each_equal(), and the rest may only be appended
 * to.  Release with catalog_close(). */
int catalog_open(struct catalog *s, const struct cache_dir *d, const char *path,
		 const struct stat *st, bool brief);
void catalog_close(struct catalog *s);

/* True if the file in D is still as S was read. */
bool catalog_is_current(const struct catalog *s, const struct cache_dir *d);

/* The path of the store that the catalog in D is for, *STORE, is yours. */
bool catalog_owner(const struct cache_dir *d, char **store);

size_t catalog_count(const struct catalog *s);
struct catalog_entry *catalog_entry(const struct catalog *s, size_t i);

/* True if E is whole, its strings too; asked before anything else of it. */
bool catalog_check(const struct catalog *s, const struct catalog_entry *e);

/* E's strings, from its path on; what stands in a whole entry is in bounds,
 * but for their number. */
const char *catalog_meta(const struct catalog *s,
			 const struct catalog_entry *e);

/* E's strings, which begin at META, apart: false if they are not as many as
 * they should be. */
struct catalog_strings {
	const char *path, *title, *created, *source, *tags;
	struct record_keys keys; /* a section has those of its file's entry */
};
bool catalog_strings(const struct catalog_entry *e, const char *meta,
		     struct catalog_strings *out);

/* The source alone, without a look at what stands behind it; NULL: it has none.
 * False as above. */
bool catalog_source(const struct catalog_entry *e, const char *meta,
		    const char **source);

/* Entry I is read now, and those behind it next: have the processor bring the
 * strings of one of them meanwhile, which takes longer than to read them. */
void catalog_expect(const struct catalog *s, size_t i);

/* E's body, checked; NULL if it is damaged. */
const char *catalog_body(const struct catalog *s,
			 const struct catalog_entry *e);

/* Add an entry and a folder; both are borrowed from S. */
struct catalog_entry *catalog_add(struct catalog *s);
struct catalog_folder *catalog_add_folder(struct catalog *s, const char *path);

/* The folder at PATH below knowledge/, NULL if it is not known. */
struct catalog_folder *catalog_find_folder(const struct catalog *s,
					   const char *path);

/* The same of the one in memories/ with NUMBER. */
struct catalog_folder *catalog_numbered(const struct catalog *s, size_t number);

/* How the folders that are known now stand in one another; yours, free(). */
struct catalog_tree *catalog_tree(const struct catalog *s);

/* Append the names, each with its NUL, of those that T has right below the
 * folder INDEX. */
void catalog_below(const struct catalog *s, const struct catalog_tree *t,
		   size_t index, struct buf *names);

/* Give entry I the STAT and FLAGS; kept entries are patched. */
void catalog_set(struct catalog *s, size_t i, const struct filestat *st,
		 uint32_t flags);

/* Memories and drafts, removed ones too, with the key HASH: FN gets the index
 * of each.  -1 if the table is
 * damaged. */
int catalog_each_equal(const struct catalog *s, uint64_t hash,
		       int (*fn)(void *ctx, size_t i), void *ctx);

/* True if an entry has ID.  One that is damaged may hide it. */
bool catalog_has_id(const struct catalog *s, int64_t id);

/* How many memories stand; where S is brief, about as many. */
size_t catalog_memories(const struct catalog *s);

/* The checksum of E under the identity of S. */
uint64_t catalog_sum(const struct catalog *s, const struct catalog_entry *e);

#endif
