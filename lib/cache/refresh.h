/* refresh.h: bringing a catalog up to what the folders of a store hold.
 *
 * Each folder is looked at; one that did not change is not listed.  Each file
 * that is known is looked at; one that changed, and each new one, is read.
 */
#ifndef CO_CACHE_REFRESH_H
#define CO_CACHE_REFRESH_H

#include "cache/ingest.h"
#include "cache/names.h"
#include "cache/stat-check.h"
#include "repo/layout.h"

/* What a refresh looks at: the bit of each area. */
#define REFRESH_MEMORIES (1u << AREA_MEMORIES)
#define REFRESH_DRAFTS (1u << AREA_DRAFTS)
#define REFRESH_TRASH (1u << AREA_TRASH) /* its ids, and the purged */
#define REFRESH_ARCHIVE (1u << AREA_ARCHIVE)
#define REFRESH_ARTICLES (1u << AREA_ARTICLES) /* and the category files */
#define REFRESH_IDS \
	(REFRESH_MEMORIES | REFRESH_DRAFTS | REFRESH_TRASH | REFRESH_ARCHIVE)
#define REFRESH_DOCUMENTS (REFRESH_MEMORIES | REFRESH_ARTICLES)
/* And what it does where there is no catalog: without this, nothing. */
#define REFRESH_MAKE (1u << AREA_ANY)

struct refresh_folder {
	int dir; /* its descriptor; -1: reached from knowledge/ */
	bool visited;
	bool asked;	/* to be listed */
	bool listed;	/* which names it has was asked again */
	bool stayed;	/* they are those that are known: none is in the
		       * names */
	uint64_t names; /* of those that were asked: see stat_check_names() */
	bool changed;	/* its row is to be ROW */
	struct catalog_folder row;
};

struct refresh {
	struct repo *repo;
	const char *path; /* of knowledge/, as it is kept */
	struct catalog *catalog;
	unsigned what; /* REFRESH_MEMORIES and so on */
	struct ingest ingest;
	struct names names;
	struct stat_check check;
	struct refresh_folder *folders; /* those of CATALOG, by index */
	size_t nfolders, capfolders;
	struct catalog_tree *tree; /* of the folders that were known */
	bool asked;		   /* to list any of them */
	bool named;		   /* one has other names than were known */
	size_t files, gone;	   /* looked at; no longer there */

	/* Called when so many bytes were read that they had better be
	 * written; may load CATALOG again, with every entry and folder in its
	 * place.  Where they have to stay in memory, it sets itself NULL. */
	int (*spill)(struct refresh *rf, struct err *e);
	void *ctx;
};

#define REFRESH_PURGED "trash/" LAYOUT_PURGED
#define REFRESH_SPILL ((size_t)3 * 1024 * 1024)

/* Run it: 0, or -1: a folder or a file cannot be looked at, or CATALOG is
 * damaged (then *DAMAGED).  E is filled for the former. */
int refresh_run(struct refresh *rf, bool *damaged, struct err *e);

void refresh_release(struct refresh *rf);

/* Is the folder of F, as it is now, the one that CATALOG knows the names of?  1,
 * 0, -1.  For those who do not look at files. */
int refresh_folder_is_same(struct repo *repo, const struct catalog_folder *f);

/* The same where it is ST now. */
bool refresh_folder_is(const struct catalog_folder *f, const struct stat *st);

/* The same of all of memories/ by number that CATALOG knows: true if they are. */
bool refresh_numbered_are_same(struct repo *repo,
			       const struct catalog *catalog);

/* The kind of what stands in the folder PATH below knowledge/, and the bit of
 * WHAT that asks for it. */
enum ingest_kind refresh_kind(const char *path);
unsigned refresh_area(const char *path);

#endif
