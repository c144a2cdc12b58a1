/* catalog-format.h: the layout of a catalog file, for its reader and writer.
 *
 * Numbers have the machine's byte order; each part is aligned to 8 bytes.
 */
#ifndef CO_CACHE_CATALOG_FORMAT_H
#define CO_CACHE_CATALOG_FORMAT_H

#include "cache/filestat.h"

#define CATALOG_VERSION 10
#define CATALOG_NOTES 128 /* bytes of notes, see cache_set_note() */
#define CATALOG_BUCKET 15 /* entries */
#define CATALOG_NEW ((uint64_t)1 << 63)

#define CATALOG_FORMAT_MAGIC "co-files"
#define CATALOG_FORMAT_ORDER 0x01020304u
#define CATALOG_FORMAT_COMMIT 0x746D6F63u

enum catalog_kind {
	CATALOG_PLAIN,	/* not what it should be: only its path is known */
	CATALOG_ID,	/* only its id counts */
	CATALOG_MEMORY, /* a memory: one document */
	CATALOG_WHOLE,	/* its sections are the documents */
	CATALOG_SECTION
};

#define CATALOG_GONE 1u	      /* deleted since st.mtime; may come back */
#define CATALOG_UNSURE 2u     /* read it again, see filestat.h */
#define CATALOG_SOURCE 4u     /* has a source */
#define CATALOG_REGULAR 8u    /* CATALOG_PLAIN, and a regular file */
#define CATALOG_UNMERGED 16u  /* with merge markers, see text/conflict.h */
#define CATALOG_KEYS 64u      /* has free keys, see repo/record-keys.h */
#define CATALOG_KEYS_CUT 128u /* has more keys than are kept here */
#define CATALOG_MARKED \
	256u /* a key may set a mark, see repo/marks.h; a section has the keys
	      * of its file */

struct catalog_entry {
	uint64_t sum;	    /* checksum of the fields below */
	uint64_t text_hash; /* of the file's bytes, or of the section */
	uint64_t doc_hash;  /* of the document */
	uint64_t body_hash;
	uint64_t key;	   /* unicode_fold_hash() of the body; of drafts too */
	uint64_t meta_sum; /* checksum of the strings */
	uint64_t source;   /* hash of the source; 0: none */
	uint64_t at;	   /* offset of the strings, followed by the body; with
			    * CATALOG_NEW: in catalog.fresh */
	struct filestat st;
	int64_t sec; /* when it was created */
	int32_t nsec;
	int32_t id;
	uint32_t number; /* of the document; 0: none */
	uint32_t folder;
	uint32_t file;	   /* of a section: the index of its file's entry */
	uint32_t place;	   /* of a section: its order in the file; else where
			    * the name begins in the path */
	uint32_t meta_len; /* of path, title, created, source, tags and any free
			    * keys, each with its NUL */
	uint32_t body_len; /* without the NUL */
	uint32_t ntags;
	uint16_t kind, flags;
};

/* A change of an older entry. */
struct catalog_patch {
	uint32_t index;
	uint32_t flags;
	struct filestat st;
};

struct catalog_format_head {
	char magic[8];
	uint32_t order, version;
	uint64_t sum;	/* checksum of the front, from the next field on */
	uint64_t front; /* bytes of head, path and folders */
	uint64_t size;	/* where commits begin */
	uint64_t identity;
	uint64_t dev, ino;	      /* of knowledge/ */
	uint64_t entries, table, ids; /* offsets */
	uint32_t nentries, nfolders, nbuckets;
	uint32_t path_len; /* with its NUL; the path follows the head */
	uint32_t next;
	int32_t max_id;
	uint32_t unread, memories; /* memories that are not gone */
	unsigned char notes[CATALOG_NOTES];
};

/* One directory, in the front and in commits; its path follows. */
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
	uint32_t index[CATALOG_BUCKET]; /* index of an entry plus 1; 0: free */
};

/* Entries, patches, folders, notes, then strings and bodies follow. */
struct catalog_format_commit {
	uint32_t magic, notes; /* bytes of notes */
	uint64_t sum;	       /* checksum from the next field up to BYTES,
			        * seeded by the offset; strings and bodies have
			        * their own */
	uint64_t size;	       /* of the whole commit */
	uint64_t bytes;	       /* offset of strings and bodies */
	uint32_t nentries, npatches, nfolders;
	uint32_t next;
	int32_t max_id;
	uint32_t unread;
};

/* Return true if E is a memory that is not gone. */
static inline bool catalog_is_memory(const struct catalog_entry *e)
{
	return e->kind == CATALOG_MEMORY && !(e->flags & CATALOG_GONE);
}

static inline size_t catalog_format_round(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

#endif
