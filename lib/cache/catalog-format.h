/* catalog-format.h: how a catalog lies in its file, for who reads and writes
 * it.
 *
 * Numbers are the machine's own; every part begins at a multiple of 8.
 */
#ifndef CO_CACHE_CATALOG_FORMAT_H
#define CO_CACHE_CATALOG_FORMAT_H

#include "cache/filestat.h"

#define CATALOG_VERSION 10
#define CATALOG_NOTES 128 /* bytes of others, see cache.h */
#define CATALOG_BUCKET 15 /* entries */
#define CATALOG_NEW ((uint64_t)1 << 63)

#define CATALOG_FORMAT_MAGIC "co-files"
#define CATALOG_FORMAT_ORDER 0x01020304u
#define CATALOG_FORMAT_COMMIT 0x746D6F63u

enum catalog_kind {
	CATALOG_PLAIN,	/* a file that is not what it should be: its name */
	CATALOG_ID,	/* a file of which the id counts alone */
	CATALOG_MEMORY, /* a file that is a document */
	CATALOG_WHOLE,	/* a file whose documents are its sections */
	CATALOG_SECTION
};

#define CATALOG_GONE 1u	     /* superseded, since its mtime; it may come back */
#define CATALOG_UNSURE 2u    /* to be read again, see filestat.h */
#define CATALOG_SOURCE 4u    /* it has a source */
#define CATALOG_REGULAR 8u   /* a plain one that is a regular file */
#define CATALOG_UNMERGED 16u /* a merge was left in it (see text/conflict.h) */
#define CATALOG_KEYS 64u     /* it has free keys, see repo/record-keys.h */
#define CATALOG_KEYS_CUT 128u /* and more of them than are kept here */
#define CATALOG_MARKED \
	256u /* some of those kept may set a mark: repo/marks.h; a
			     * section has what its file has */

struct catalog_entry {
	uint64_t sum;	    /* of what follows */
	uint64_t text_hash; /* of the file's bytes, or the section's */
	uint64_t doc_hash;  /* of the document */
	uint64_t body_hash;
	uint64_t key;	   /* of the body as text/fold.h has it; drafts too */
	uint64_t meta_sum; /* of its strings */
	uint64_t source;   /* hash of its source; 0: it has none */
	uint64_t at;	   /* offset of its strings, then the body; with
			    * CATALOG_NEW in what is not written yet */
	struct filestat st;
	int64_t sec; /* created */
	int32_t nsec;
	int32_t id;
	uint32_t number; /* of the document; 0: none */
	uint32_t folder;
	uint32_t file;	   /* of a section: the index of its file's entry */
	uint32_t place;	   /* of a section: its order; else where in its path
			    * the name begins */
	uint32_t meta_len; /* path, title, created, source, tags, free keys
			    * if there are any, each with its NUL */
	uint32_t body_len; /* a NUL follows */
	uint32_t ntags;
	uint16_t kind, flags;
};

/* A change of an entry that the file has. */
struct catalog_patch {
	uint32_t index;
	uint32_t flags;
	struct filestat st;
};

struct catalog_format_head {
	char magic[8];
	uint32_t order, version;
	uint64_t sum;	/* of the front behind this field */
	uint64_t front; /* bytes of head, path and folders */
	uint64_t size;	/* where commits begin */
	uint64_t identity;
	uint64_t dev, ino;	      /* of knowledge/ */
	uint64_t entries, table, ids; /* offsets */
	uint32_t nentries, nfolders, nbuckets;
	uint32_t path_len; /* with its NUL; it stands behind the head */
	uint32_t next;
	int32_t max_id;
	uint32_t unread, memories; /* that stand */
	unsigned char notes[CATALOG_NOTES];
};

/* In the front, and in commits; its path follows. */
struct catalog_format_folder {
	uint64_t dev;
	struct filestat st;
	uint32_t flags;
	int32_t max_id;
	uint32_t index;
	uint32_t path_len; /* with its NUL */
};

struct catalog_format_bucket {
	uint32_t sum;
	uint32_t index[CATALOG_BUCKET]; /* of an entry, and 1; 0: none */
};

/* Entries, patches, folders, notes and bytes follow. */
struct catalog_format_commit {
	uint32_t magic, notes; /* bytes of notes */
	uint64_t sum;	       /* of the rest but strings and bodies, which
				* have their own, seeded by its place */
	uint64_t size;	       /* of all */
	uint64_t bytes;	       /* where strings and bodies begin */
	uint32_t nentries, npatches, nfolders;
	uint32_t next;
	int32_t max_id;
	uint32_t unread;
};

/* True if E is a memory that stands. */
static inline bool catalog_is_memory(const struct catalog_entry *e)
{
	return e->kind == CATALOG_MEMORY && !(e->flags & CATALOG_GONE);
}

static inline size_t catalog_format_round(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

#endif
