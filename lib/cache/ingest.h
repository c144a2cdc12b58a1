/* ingest.h: reading a file of a store into a catalog.
 */
#ifndef CO_CACHE_INGEST_H
#define CO_CACHE_INGEST_H

#include "cache/catalog.h"

/* What is wanted of a file. */
enum ingest_kind {
	INGEST_ID,	/* a draft's, or what lies in the trash: its id */
	INGEST_MEMORY,	/* all of it */
	INGEST_ARTICLE, /* its sections */
	INGEST_CATEGORY /* its items and paragraphs; its frontmatter may be any */
};

#define INGEST_NONE SIZE_MAX

/* A zeroed one with CATALOG and SURE set is ready for many files. */
struct ingest {
	struct catalog *catalog;
	int64_t sure; /* see filestat.h */
	size_t read;  /* files whose bytes were read */
	struct buf text;
	struct arena arena;
	struct ingest_section { /* of the files of CATALOG, by file */
		uint32_t file, index;
	} * sections;
	size_t nsections;
	bool listed;	   /* the sections are */
	struct table gone; /* entries of files, by the hash of their text */
	bool gone_listed;
};

struct ingest_file {
	int dir;
	const char *name; /* in DIR; may have slashes, in what we know */
	const char *path; /* absolute, as it is kept */
	size_t name_len;  /* of the last part of the path */
	uint32_t folder;
	enum ingest_kind kind;
	const struct record *record; /* what it holds, of a memory; NULL: is to
				      * be read */
};

/* Bring entry OLD (INGEST_NONE: there is none) up to what F holds, whose stat
 * is ST, or NULL: it was a regular file just now.  OLD is kept, with its new
 * stat, where the bytes are the same; else it is superseded, by one that the file
 * had when it held these bytes before, or by a new one.  Returns 1, or 0: the file
 * is gone, and OLD is superseded; or -1, without ST alone: it cannot be read, and
 * nothing was done. */
int ingest_file(struct ingest *in, const struct ingest_file *f,
		const struct stat *st, size_t old);

/* Add F, which holds TEXT and is the file ST, as a new entry. */
void ingest_text(struct ingest *in, const struct ingest_file *f,
		 const struct stat *st, const char *text, size_t len);

/* Entry OLD's file is gone. */
void ingest_gone(struct ingest *in, size_t old);

/* Call this when CATALOG was loaded again: indices may be others. */
void ingest_reset(struct ingest *in);

void ingest_release(struct ingest *in);

#endif
