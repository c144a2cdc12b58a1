/* layout.h: the folders of a store, and the files that stand in them.
 *
 *	knowledge/memories/NNN-slug.md        what is remembered
 *	knowledge/memories/NN/NNNNNN-slug.md  the same, where ids are drawn
 *	knowledge/archive/NNN-slug.md         what another memory replaced
 *	knowledge/drafts/NNN-slug.md          what waits for a person's yes
 *	GIT/co-cli/PLACE/drafts/              the same, in a git work tree: see
 *	                                      shared_path()
 *	GIT/co-cli/PLACE/log/                 the operation log: see oplog/oplog.h
 *	STATE/log/PLACE/                      and log_folder_path()
 *	knowledge/trash/TIMESTAMP-N/          one removal, whole
 *	knowledge/trash/TIMESTAMP-N/drafts/   what of it was a draft
 *	knowledge/trash/TIMESTAMP-N/articles/ what of it was an article
 *	knowledge/trash/TIMESTAMP-N/archive/  what of it was replaced before
 *	knowledge/trash/TIMESTAMP-N/item-N    an item: see harvest/item-trash.h
 *	knowledge/trash/TIMESTAMP-N/replaced  names: see store/replacement.h
 *	knowledge/trash/TIMESTAMP-N/.removed-here  see store/trash-folders.h
 *	knowledge/trash/purged/NNN            ids that must not come back
 *	knowledge/articles/NAME.md            what was read elsewhere; no memory
 *
 * A clone, a pull and a checkout can write below knowledge/.  What we write and
 * believe later must therefore be proven to be ours:
 *
 *	operation log        by its place: see log-folder.h
 *	drafts               by a person who accepts them: see shared-drafts.h
 *	trash/TIMESTAMP-N/   by the time of a file in it: see store/trash-folders.h
 *	trash/purged/NNN     not at all: an id is not given again, whoever says so
 *	ledger.json          not at all: see harvest/ledger.h
 *	settings.json        not at all: see settings.h and project-id.h
 *
 * The user's cache and state directories are proven by their place and owner.
 *
 * Names that begin with a dot or do not end in `.md` are no memories.  All
 * folders are opened one by one, never through a link.
 */
#ifndef CO_REPO_LAYOUT_H
#define CO_REPO_LAYOUT_H

#include "base/arena.h"
#include "repo/log-folder.h"
#include "repo/repo.h"
#include "repo/shared-drafts.h"
#include "sys/file-write.h"

#include <sys/stat.h>

/* AREA_ANY is for finding: an id is looked for in memories, else in drafts,
 * else in trash, else in the archive; a path may lie in any of them, or in
 * articles, which have no ids and are found by their path alone. */
enum area {
	AREA_MEMORIES,
	AREA_DRAFTS,
	AREA_TRASH,
	AREA_ARCHIVE,
	AREA_ANY,
	AREA_ARTICLES
};

#define LAYOUT_FILE_MAX (1024 * 1024)	      /* bytes of one memory */
#define LAYOUT_ANY_MAX (LAYOUT_FILE_MAX * 16) /* of any file that changes */
#define LAYOUT_KNOWLEDGE "knowledge/"	      /* its path below the root */
#define LAYOUT_DRAWN 100000 /* ids below are counted, and stand flat */
#define LAYOUT_PURGED "purged"

/* The names of the folders that have memories or articles. */
#define LAYOUT_MEMORIES "memories"
#define LAYOUT_DRAFTS "drafts"
#define LAYOUT_TRASH "trash"
#define LAYOUT_ARTICLES "articles"
#define LAYOUT_ARCHIVE "archive"

/* What the folder of drafts in the git dir is called where others are called
 * by their path below knowledge/. */
#define LAYOUT_SHARED "@drafts"

/* The folder of the operation log, wherever it lies; "@log/NAME" is one in it. */
#define LAYOUT_LOG "@log"

/* Where an older co kept the operation log, below knowledge/; see oplog/adopt.h. */
#define LAYOUT_OLD_LOG ".log"

/* A file's place in the store. */
struct layout_place {
	enum area area;
	bool draft;	    /* it is one, or was before it was removed */
	bool article;	    /* the same */
	bool archived;	    /* the same of what was replaced */
	const char *folder; /* below knowledge/: "trash/TIMESTAMP-N"; or
			     * LAYOUT_SHARED */
	const char *name;
};

/* Open FOLDER, a path below knowledge/ ("" for that), LAYOUT_SHARED, LAYOUT_LOG
 * or one in that: 1 (*FD is yours), 0, -1. */
int layout_open(struct repo *repo, const char *folder, int *fd, struct err *e);

/* Open it, and make what is missing of it.  Drafts and trash get a .gitignore of
 * `*`, since they are nobody else's business. */
int layout_make(struct repo *repo, const char *folder, int *fd, struct err *e);

/* lstat() of FOLDER, called as above: 1, 0 when it is absent, -1 with errno
 * set. */
int layout_stat(struct repo *repo, const char *folder, struct stat *st);

/* 1 if git tracks FOLDER, below knowledge/, or a file below it: so a clone, a pull or
 * a checkout may have brought it; of the old log also if a submodule holds it.  0: it
 * does not, or REPO lies in no work tree.
 * -1: git's index cannot be read. */
int layout_is_tracked(struct repo *repo, const char *folder, struct err *e);

/* The absolute path of FOLDER, which need not exist; in A.  NULL for LAYOUT_LOG
 * where log_folder_path() is NULL. */
const char *layout_path(struct repo *repo, const char *folder, struct arena *a);

/* A folder of the store.  Its row is all that commands for the whole of a store know
 * of it: a folder of knowledge/ that has none does not belong there. */
struct layout_directory {
	const char *name; /* its path below knowledge/, or LAYOUT_SHARED */
	enum area area;	  /* of its files; AREA_ANY for none */
	bool top;	  /* it lies in knowledge/ itself */
	bool ids;	/* its files have ids, which no other memory may get */
	bool apart;	/* it is one work tree's own: git must not track it */
	bool documents; /* git has versions of its documents */
	bool unswept; /* a purge need not look in it for copies of what goes */
};

/* Return row I, or NULL after the last one. */
const struct layout_directory *layout_directory(size_t i);

/* Return the row of the folder of knowledge/ called by the first LEN bytes of NAME,
 * or NULL. */
const struct layout_directory *layout_top(const char *name, size_t len);

/* Return PATH, below the root, without a leading "knowledge/". */
const char *layout_below_knowledge(const char *path);

/* Return the row of the directory of knowledge/ that has the file at PATH, below the
 * root, in itself or deeper; or NULL. */
const struct layout_directory *layout_directory_of(const char *path);

/* Return "memories", "drafts", "trash", "archive" or "articles". */
const char *layout_name(enum area area);

/* The files in knowledge/ itself that hold a kind of knowledge each. */
#define LAYOUT_CATEGORIES 5
extern const char *const layout_categories[LAYOUT_CATEGORIES];

/* True if NAME is that of a folder of memories/ by number: two digits. */
bool layout_is_numbered(const char *name);

/* The number of FOLDER, below knowledge/: -1 for all but those of memories/ by
 * number. */
#define LAYOUT_NUMBERS 100
int layout_number(const char *folder);

/* True if FOLDER, below knowledge/, is memories/ or one of those in it. */
bool layout_is_memories(const char *folder);

/* The folder, below knowledge/, in which a memory with ID stands where ids are
 * drawn; in A. */
const char *layout_numbered(int64_t id, struct arena *a);

/* True if the folder NAME somewhere in the trash holds no memories, and is no
 * removal: LAYOUT_PURGED, LAYOUT_ARTICLES, and names that begin with a dot. */
bool layout_is_apart(const char *name);

/* True if the file at PATH, in a store, is an article or was before it was
 * removed. */
bool layout_is_article(const char *path);

/* Return true if the file at PATH, of a store, is a draft or was one in the trash. */
bool layout_is_draft(const char *path);

/* True if NAME can be a memory's, or an article's. */
bool layout_is_memory(const char *name);

/* The place of the file at PATH, as layout_find() or a record has it; in A.
 * False if that is none of REPO. */
bool layout_parse(struct repo *repo, const char *path, struct arena *a,
		  struct layout_place *p);

/* The file at a path that a person gave, links and all: 1 (*PATH in A, *P its
 * place), 0 when there is no such file, -1: ERR_USAGE outside the store or no
 * memory's name, ERR_DATA for what is no regular file. */
int layout_find(struct repo *repo, const char *operand, struct arena *a,
		const char **path, struct layout_place *p, struct err *e);

/* Call FN for each entry of AREA with a memory's name; what DIR, NAME and PATH
 * hold is FN's until it returns.  Nonzero from FN ends the walk and is
 * returned; -1 is an error of FN or of a folder. */
struct layout_file {
	int dir;
	const char *name;
	const char *path; /* absolute */
	enum file_kind kind;
};
typedef int layout_fn(void *ctx, const struct layout_file *f, struct err *e);
int layout_walk(struct repo *repo, enum area area, layout_fn *fn, void *ctx,
		struct err *e);

#endif
