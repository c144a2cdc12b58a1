/* catalog.h: the file in which a cache keeps what it knows; see co-cache(5).
 *
 *	head, the store's path, folders
 *	entries, by number: those of files without one come first
 *	table of the bodies' hashes
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
 * The struct is open to its writers, sidecarw and intake; an index of an entry
 * counts those of the file first, then those that are new.
 */
#ifndef CO_SIDECAR_H
#define CO_SIDECAR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "cache/catalog-format.h"
#include "cache/dir.h"

#define SIDECAR_NAME "files"

#define SIDECAR_KNOWN 16u  /* its names are */
#define SIDECAR_ABSENT 32u /* it is not there */
/* SIDECAR_GONE, SIDECAR_UNSURE as above. */

struct sidecar_folder {
	const char *path; /* below knowledge/; or LAYOUT_SHARED */
	uint64_t dev;
	struct filestat st;
	uint32_t flags;
	int32_t max_id; /* of the purged, in their folder */
	bool changed;	/* since the file was read */
};

struct sidecar {
	char *map; /* private; NULL: there is no file */
	size_t mapped;
	size_t len; /* of it, up to the last whole commit */
	uint64_t ino;
	uint64_t size; /* of the file, as it was last seen; with ino, tells
			* one state of it from others */
	bool torn;     /* what follows the last whole commit is none */

	uint64_t identity;
	uint32_t next;	 /* the number of the next document */
	int32_t max_id;	 /* 0: not known */
	uint32_t unread; /* memories that are SIDECAR_PLAIN */
	unsigned char notes[SIDECAR_NOTES];
	bool notes_changed;

	struct sidecar_entry *base;
	size_t nbase;
	struct sidecar_entry **more;
	size_t nmore, capmore;
	size_t kept;   /* entries that the file has */
	size_t logged; /* entries and patches of its commits */
	struct sidecar_folder *folders;
	size_t nfolders, capfolders;
	struct table by_path;	       /* of the folders */
	struct sidecar_patch *patches; /* to be written */
	size_t npatches, cappatches;
	struct buf fresh;   /* strings and bodies that are not in the map */
	size_t flushed;	    /* of them that the file has */
	struct arena arena; /* new entries, paths of folders */
};

/* Map the sidecar in D of the store that stands at PATH and is the folder ST:
 * 1, 0: there is none (S is then empty), -1: one of no use.  Release with
 * sidecar_close(). */
int sidecar_open(struct sidecar *s, const struct cachedir *d, const char *path,
		 const struct stat *st);
void sidecar_close(struct sidecar *s);

/* True if the file in D is still as S was read. */
bool sidecar_is_current(const struct sidecar *s, const struct cachedir *d);

/* The path of the store that the sidecar in D is for, *STORE, is yours. */
bool sidecar_owner(const struct cachedir *d, char **store);

size_t sidecar_count(const struct sidecar *s);
struct sidecar_entry *sidecar_entry(const struct sidecar *s, size_t i);

/* True if E is whole, its strings too; asked before anything else of it. */
bool sidecar_check(const struct sidecar *s, const struct sidecar_entry *e);

/* E's strings, from its path on; what stands in a whole entry is in bounds,
 * but for their number. */
const char *sidecar_meta(const struct sidecar *s,
			 const struct sidecar_entry *e);

/* E's strings, which begin at META, apart: false if they are not as many as
 * they should be. */
struct sidecar_strings {
	const char *path, *title, *created, *source, *tags;
};
bool sidecar_strings(const struct sidecar_entry *e, const char *meta,
		     struct sidecar_strings *out);

/* The source alone, without a look at what stands behind it; NULL: it has none.
 * False as above. */
bool sidecar_source(const struct sidecar_entry *e, const char *meta,
		    const char **source);

/* E's body, checked; NULL if it is damaged. */
const char *sidecar_body(const struct sidecar *s,
			 const struct sidecar_entry *e);

/* Add an entry and a folder; both are borrowed from S. */
struct sidecar_entry *sidecar_add(struct sidecar *s);
struct sidecar_folder *sidecar_add_folder(struct sidecar *s, const char *path);

/* The folder at PATH below knowledge/, NULL if it is not known. */
struct sidecar_folder *sidecar_find_folder(const struct sidecar *s,
					   const char *path);

/* How the folders that are known now stand in one another; yours, free(). */
struct sidecar_tree *sidecar_tree(const struct sidecar *s);

/* Append the names, each with its NUL, of those that T has right below the
 * folder INDEX. */
void sidecar_below(const struct sidecar *s, const struct sidecar_tree *t,
		   size_t index, struct buf *names);

/* Give entry I the STAT and FLAGS; kept entries are patched. */
void sidecar_set(struct sidecar *s, size_t i, const struct filestat *st,
		 uint32_t flags);

/* Memories and drafts, removed ones too, with the key HASH: FN gets the index
 * of each.  -1 if the table is
 * damaged. */
int sidecar_each_equal(const struct sidecar *s, uint64_t hash,
		       int (*fn)(void *ctx, size_t i), void *ctx);

/* The checksum of E under the identity of S. */
uint64_t sidecar_sum(const struct sidecar *s, const struct sidecar_entry *e);

#endif
