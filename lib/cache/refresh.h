/* refresh.h: bringing a sidecar up to what the folders of a store hold.
 *
 * Each folder is looked at; one that did not change is not listed.  Each file
 * that is known is looked at; one that changed, and each new one, is read.
 */
#ifndef CO_SWEEP_H
#define CO_SWEEP_H

#include "cache/ingest.h"
#include "cache/names.h"
#include "cache/stat-check.h"
#include "repo/layout.h"

/* What a sweep looks at. */
#define CACHE_MEMORIES 1u
#define CACHE_DRAFTS 2u
#define CACHE_TRASH 4u	  /* its ids, and the purged */
#define CACHE_ARTICLES 8u /* and the category files */
#define CACHE_IDS (CACHE_MEMORIES | CACHE_DRAFTS | CACHE_TRASH)
#define CACHE_DOCUMENTS (CACHE_MEMORIES | CACHE_ARTICLES)
/* And what it does where there is no sidecar: without this, nothing. */
#define CACHE_MAKE 16u

struct sweep_folder {
	int dir; /* its descriptor; -1: reached from knowledge/ */
	bool visited;
	bool asked;	/* to be listed */
	bool listed;	/* which names it has was asked again */
	bool stayed;	/* they are those that are known: none is in the
		       * listing */
	uint64_t names; /* of those that were asked: see glance_names() */
	bool changed;	/* its row is to be ROW */
	struct catalog_folder row;
};

struct sweep {
	struct store *store;
	const char *path; /* of knowledge/, as it is kept */
	struct catalog *side;
	unsigned what; /* CACHE_MEMORIES and so on */
	struct ingest intake;
	struct names listing;
	struct glance glance;
	struct sweep_folder *folders; /* those of SIDE, by index */
	size_t nfolders, capfolders;
	struct catalog_tree *tree; /* of the folders that were known */
	bool asked;		   /* to list any of them */
	size_t files, gone;	   /* looked at; no longer there */

	/* Called when so many bytes were read that they had better be
	 * written; may load SIDE again, with every entry and folder in its
	 * place.  Where they have to stay in memory, it sets itself NULL. */
	int (*spill)(struct sweep *sw, struct err *e);
	void *ctx;
};

#define SWEEP_PURGED "trash/" LAYOUT_PURGED
#define SWEEP_SPILL ((size_t)3 * 1024 * 1024)

/* Run a sweep: 0, or -1: a folder or a file cannot be looked at, or SIDE is
 * damaged (then *DAMAGED).  E is filled for the former. */
int sweep_run(struct sweep *sw, bool *damaged, struct err *e);

void sweep_release(struct sweep *sw);

/* Is the folder of F, as it is now, the one that SIDE knows the names of?  1,
 * 0, -1.  For those who do not look at files. */
int sweep_folder_is_same(struct store *s, const struct catalog_folder *f);

/* The kind of what stands in the folder PATH below knowledge/, and the bit of
 * WHAT that asks for it. */
enum ingest_kind sweep_kind(const char *path);
unsigned sweep_area(const char *path);

#endif
