/* catalog-update.h: read a file of a store into a catalog. */
#ifndef CO_CACHE_CATALOG_UPDATE_H
#define CO_CACHE_CATALOG_UPDATE_H

#include "cache/catalog.h"

/* How a file is read. */
enum catalog_update_kind {
	CATALOG_UPDATE_ID,	/* a draft or a file in the trash: its id */
	CATALOG_UPDATE_MEMORY,	/* a memory: all of it */
	CATALOG_UPDATE_ARTICLE, /* an article: its sections */
	CATALOG_UPDATE_CATEGORY /* its items and paragraphs; any frontmatter is
			 * accepted */
};

#define CATALOG_UPDATE_NONE SIZE_MAX

/* Zero it and set CATALOG and SURE; it is then ready for many files. */
struct catalog_update {
	struct catalog *catalog;
	int64_t sure;  /* see filestat.h */
	size_t read;   /* files whose bytes were read */
	size_t failed; /* files for which a call failed */
	struct buf text;
	struct arena arena;
	struct catalog_update_section { /* all sections of CATALOG, by file */
		uint32_t file, index;
	} * sections;
	size_t nsections;
	bool listed;	   /* sections is filled */
	struct table gone; /* entries of deleted files, by text_hash */
	bool gone_listed;
};

struct catalog_update_file {
	int dir;
	const char *name; /* in DIR; may have slashes if the path is known */
	const char *path; /* absolute, as the catalog has it */
	size_t name_len;  /* of the last part of the path */
	uint32_t folder;
	enum catalog_update_kind kind;
	const struct record *record; /* the parsed memory; NULL: read it */
};

/* Bring entry OLD (or CATALOG_UPDATE_NONE) up to date with the file F. ST is its stat,
 * or NULL if the caller has just seen a regular file.
 *
 * If the bytes are the same, OLD stays and gets the new stat. Otherwise OLD is
 * marked as gone, and an entry that had these bytes before is restored, or a
 * new one added. Return 1; 0 if the file is gone, as then is OLD; -1, only
 * without ST, if it cannot be read, and nothing was changed. */
int catalog_update_file(struct catalog_update *in,
			const struct catalog_update_file *f,
			const struct stat *st, size_t old);

/* Add F, which holds TEXT and has the stat ST, as a new entry. */
void catalog_update_text(struct catalog_update *in,
			 const struct catalog_update_file *f,
			 const struct stat *st, const char *text, size_t len);

/* Mark entry OLD, whose file is gone. */
void catalog_update_gone(struct catalog_update *in, size_t old);

/* Call this after CATALOG was loaded again: indices may have changed. */
void catalog_update_reset(struct catalog_update *in);

void catalog_update_release(struct catalog_update *in);

#endif
