/* refresh.h: bring a catalog up to date with the files of a store.
 *
 * The stat of each directory is checked; one that changed is listed. The stat
 * of each known file is checked; one that changed is read, as is each new one.
 *
 * Numbered directories are memories/00 to memories/99, see repo/layout.h.
 */
#ifndef CO_CACHE_REFRESH_H
#define CO_CACHE_REFRESH_H

#include "cache/ingest.h"
#include "cache/names.h"
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

struct refresh_folder {
	int dir; /* its descriptor; -1: use paths from knowledge/ */
	bool visited;
	bool asked;	/* must be listed */
	bool listed;	/* its names are known again */
	bool stayed;	/* its names are the known ones, and not in
			 * refresh.names */
	uint64_t names; /* sum of the listed names, see stat_check_names() */
	struct catalog_folder row;
};

struct refresh {
	struct repo *repo;
	const char *path; /* of knowledge/, as the catalog has it */
	struct catalog *catalog;
	unsigned what; /* REFRESH_MEMORIES and so on */
	struct ingest ingest;
	struct names names;
	struct stat_check check;
	struct refresh_folder *folders; /* of CATALOG, by index */
	size_t nfolders, capfolders;
	struct catalog_tree *tree; /* of the directories known before */
	bool asked;		   /* a directory must be listed */
	bool named;		   /* a directory has other names than before */
	size_t files, gone;	   /* files checked; files gone */

	/* Called after REFRESH_SPILL bytes were read, to write them. It may
	 * load CATALOG again, with each entry and folder at its index. It sets
	 * this to NULL if they must stay in memory. */
	int (*spill)(struct refresh *rf, struct err *e);
	void *ctx;
};

#define REFRESH_PURGED "trash/" LAYOUT_PURGED
#define REFRESH_SPILL ((size_t)3 * 1024 * 1024)

/* Run RF. Return 0, or -1: with *DAMAGED set if CATALOG is damaged, else with E
 * set if a directory or file cannot be accessed. */
int refresh_run(struct refresh *rf, bool *damaged, struct err *e);

void refresh_release(struct refresh *rf);

/* Return 1 if the directory F has not changed since CATALOG had it, 0 if it
 * has, -1 on an error. For callers that do not check files. */
int refresh_folder_is_same(struct repo *repo, const struct catalog_folder *f);

/* Like refresh_folder_is_same(), for a caller that has the stat ST. */
bool refresh_folder_is(const struct catalog_folder *f, const struct stat *st);

/* Return true if no numbered directory that CATALOG knows has changed. */
bool refresh_numbered_are_same(struct repo *repo,
			       const struct catalog *catalog);

/* Return how files in the directory PATH below knowledge/ are read, and the bit
 * of the area that it belongs to. */
enum ingest_kind refresh_kind(const char *path);
unsigned refresh_area(const char *path);

#endif
