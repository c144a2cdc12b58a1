/* refresh.h: bring a catalog up to date with the files of a store.
 *
 * The stat of each directory is checked; one that changed is listed. The stat
 * of each known file is checked; one that changed is read, as is each new one.
 * Nothing is written, except by the caller's `spill`.
 *
 * Numbered directories are memories/00 to memories/99, see repo/layout.h.
 */
#ifndef CO_CACHE_REFRESH_H
#define CO_CACHE_REFRESH_H

#include "base/table.h"
#include "cache/catalog-update.h"
#include "cache/stat-check.h"
#include "repo/layout.h"

/* The areas to refresh, one bit each. */
#define REFRESH_MEMORIES (1u << AREA_MEMORIES)
#define REFRESH_DRAFTS (1u << AREA_DRAFTS)
#define REFRESH_TRASH (1u << AREA_TRASH) /* its ids, and trash/purged */
#define REFRESH_ARCHIVE (1u << AREA_ARCHIVE)
#define REFRESH_ARTICLES (1u << AREA_ARTICLES) /* and the category files */
#define REFRESH_IDS \
	(REFRESH_MEMORIES | REFRESH_DRAFTS | REFRESH_TRASH | REFRESH_ARCHIVE)
#define REFRESH_DOCUMENTS (REFRESH_MEMORIES | REFRESH_ARTICLES)
/* Make a catalog if there is none. */
#define REFRESH_MAKE (1u << AREA_ANY)

struct names_entry {
	const char *name;
	uint32_t folder; /* its index in the catalog's folders */
	uint32_t group;	 /* directories of one group are sorted together */
	bool seen;	 /* an entry of the catalog has this name */
};

/* File names found in directories. A zeroed one is valid and empty. */
struct names {
	struct names_entry *names;
	size_t n, cap;
	struct table table; /* index of names; made by find_name() */
	struct arena arena;
};

/* The state of one directory in a refresh. */
struct refresh_folder {
	int dir; /* its descriptor; -1: use paths from knowledge/ */
	bool visited;
	bool asked;	/* must be listed */
	bool listed;	/* its names were read, or it does not exist */
	bool stayed;	/* its names are the ones that CATALOG has; they were
			 * removed from refresh.names */
	uint64_t names; /* sum of the listed names, see stat_check_names() */
	struct catalog_folder row; /* its new row in CATALOG */
};

/* A refresh. The caller zeroes it and sets the first group, all borrowed. */
struct refresh {
	struct repo *repo;
	const char *path; /* of knowledge/, as the catalog has it */
	struct catalog *catalog;
	unsigned what; /* REFRESH_MEMORIES and so on */
	/* NULL, or called after REFRESH_SPILL bytes were read, to write them.
	 * It may load CATALOG again, with each entry and folder at its index.
	 * It sets `spill` to NULL if they must stay in memory. Returns 0 or
	 * -1. */
	int (*spill)(struct refresh *rf, struct err *e);
	void *ctx; /* for `spill` */

	/* Results, also after an error; update.read is another. */
	size_t gone; /* files that are gone */

	/* Only refresh.c uses these. */
	struct catalog_update update;
	struct names names; /* of the directories that were listed */
	struct stat_check check;
	struct refresh_folder *folders; /* of CATALOG, by index */
	size_t nfolders, capfolders;
	struct catalog_tree *tree; /* of the directories known before */
	bool asked;		   /* a directory must be listed */
	bool named;		   /* a directory has other names than before */
};

/* Update the catalog of RF. Return 0, or -1: with *DAMAGED set to true if
 * CATALOG is damaged, else with E set if a directory or file cannot be
 * accessed. The caller sets *DAMAGED to false before, and releases RF in any
 * case. */
int refresh_run(struct refresh *rf, bool *damaged, struct err *e);

void refresh_release(struct refresh *rf);

/* Return 1 if the directory F is as its catalog has it, 0 if it changed or is
 * not known, -1 on an error. For callers that do not check files. */
int refresh_folder_is_same(struct repo *repo, const struct catalog_folder *f);

/* Like refresh_folder_is_same(), for a caller that has the stat ST. */
bool refresh_folder_is(const struct catalog_folder *f, const struct stat *st);

/* Return true if no numbered directory that CATALOG knows has changed. */
bool refresh_numbered_are_same(struct repo *repo,
			       const struct catalog *catalog);

/* Return how files in the directory PATH below knowledge/ are read; "" is
 * knowledge/ itself. */
enum catalog_update_kind refresh_kind(const char *path);

/* Return the bit of the area that this directory belongs to. */
unsigned refresh_area(const char *path);

#endif
