/* layout.h: the directories of a store, and the files in them.
 *
 *	knowledge/memories/NNN-slug.md        a memory
 *	knowledge/memories/NN/NNNNNN-slug.md  a memory with a drawn id
 *	knowledge/archive/NNN-slug.md         a memory that was replaced
 *	knowledge/drafts/NNN-slug.md          a draft, until a person decides on it
 *	GIT/co-cli/PLACE/drafts/              the drafts of a git work tree: see
 *	                                      shared_path()
 *	GIT/co-cli/PLACE/log/                 the operation log: see oplog/oplog.h
 *	STATE/log/PLACE/                      and log_folder_path()
 *	knowledge/trash/TIMESTAMP-N/          one removal
 *	knowledge/trash/TIMESTAMP-N/drafts/   its drafts
 *	knowledge/trash/TIMESTAMP-N/accepted/ a draft that became an article or item
 *	knowledge/trash/TIMESTAMP-N/articles/ its articles
 *	knowledge/trash/TIMESTAMP-N/archive/  its memories from the archive
 *	knowledge/trash/TIMESTAMP-N/item-N    an item: see harvest/items.h
 *	knowledge/trash/TIMESTAMP-N/.removed-here  see store/trash-folders.h
 *	knowledge/trash/purged/NNN            ids that must not come back
 *	knowledge/articles/NAME.md            an article: a saved page or document
 *
 * A clone, a pull and a checkout can write below knowledge/. So what we write and
 * trust later must be proven to be ours:
 *
 *	operation log        by its place: see log-folder.h
 *	drafts               by a person who accepts them: see shared-drafts.h
 *	trash/TIMESTAMP-N/   by the time of a file in it: see store/trash-folders.h
 *	trash/purged/NNN     not at all: such an id is never given again
 *	ledger.json          not at all: see harvest/ledger.h
 *	settings.json        not at all: see settings.h and project-id.h
 *
 * The user's cache and state directories are proven by their place and owner.
 *
 * Names that begin with a dot or do not end in `.md` are not memories. All
 * directories are opened one by one, never through a link.
 */
#ifndef CO_REPO_LAYOUT_H
#define CO_REPO_LAYOUT_H

#include "base/arena.h"
#include "repo/log-folder.h"
#include "repo/repo.h"
#include "repo/shared-drafts.h"
#include "sys/file-write.h"

#include <sys/stat.h>

/* AREA_ANY is only for finding. An id is looked up in memories, then in drafts, the
 * trash and the archive. A path may be in any of them, or in the articles, which
 * have no ids. */
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
#define LAYOUT_DRAWN 100000 /* smaller ids are counted, others are drawn */
#define LAYOUT_PURGED "purged"

/* Names of the directories that have memories or articles. */
#define LAYOUT_MEMORIES "memories"
#define LAYOUT_DRAFTS "drafts"
#define LAYOUT_ACCEPTED "accepted" /* of a removal */
#define LAYOUT_TRASH "trash"
#define LAYOUT_ARTICLES "articles"
#define LAYOUT_ARCHIVE "archive"

/* The name of the directory of drafts in the git directory. Other directories are named
 * by their path below knowledge/. */
#define LAYOUT_SHARED "@drafts"

/* The name of the directory of the operation log; "@log/NAME" is a directory in it. */
#define LAYOUT_LOG "@log"

/* The place of a file in the store. */
struct layout_place {
	enum area area;
	bool draft;	    /* it is a draft, or was one before its removal */
	bool article;	    /* likewise */
	bool archived;	    /* it was replaced */
	const char *folder; /* below knowledge/: "trash/TIMESTAMP-N"; or
			     * LAYOUT_SHARED */
	const char *name;
};

/* Open FOLDER: a path below knowledge/ ("" for knowledge/ itself), LAYOUT_SHARED,
 * LAYOUT_LOG or a directory in the log. Return 1 with *FD, which the caller closes;
 * 0 if it is absent; or -1. */
int layout_open(struct repo *repo, const char *folder, int *fd, struct err *e);

/* Set *LIST to the entries of FOLDER, as file_list() does. An absent one has none.
 * Return 0 or -1. */
int layout_list(struct repo *repo, const char *folder, struct arena *a,
		struct file_list *list, struct err *e);

/* Open FOLDER as *FD, which the caller closes; create missing directories. Drafts and
 * trash get a .gitignore with `*`, since they concern nobody else. Return 0 or -1. */
int layout_make(struct repo *repo, const char *folder, int *fd, struct err *e);

/* Call lstat() for FOLDER, as named for layout_open(). Return 1; 0 if it is absent;
 * or -1 with errno set. */
int layout_stat(struct repo *repo, const char *folder, struct stat *st);

/* Return 1 if git tracks FOLDER, below knowledge/, or a file below it; then a
 * clone, a pull or a checkout may have brought it. Return 0 if git does not track it
 * or REPO is in no work tree; -1 if git's index cannot be read. */
int layout_is_tracked(struct repo *repo, const char *folder, struct err *e);

/* Return the absolute path of FOLDER, which need not exist, allocated in A; NULL
 * for LAYOUT_LOG if log_folder_path() is NULL. */
const char *layout_path(struct repo *repo, const char *folder, struct arena *a);

/* A directory of the store. Commands for the whole store know only its row: a
 * directory of knowledge/ without a row does not belong there. */
struct layout_directory {
	const char *name; /* its path below knowledge/, or LAYOUT_SHARED */
	enum area area;	  /* of its files; AREA_ANY for none */
	bool top;	  /* it is directly in knowledge/ */
	bool ids;	/* its files have ids, which no other memory may get */
	bool apart;	/* it belongs to one work tree: git must not track it */
	bool documents; /* git has versions of its documents */
	bool unswept;	/* a purge need not search it for copies */
};

/* Return row I, or NULL after the last one. */
const struct layout_directory *layout_directory(size_t i);

/* Return the row of the directory of knowledge/ whose name is the first LEN bytes
 * of NAME, or NULL. */
const struct layout_directory *layout_top(const char *name, size_t len);

/* Return PATH, a path below the root, without a leading "knowledge/". */
const char *layout_below_knowledge(const char *path);

/* Return the row of the directory of knowledge/ that contains the file at PATH, a path
 * below the root, at any depth; or NULL. */
const struct layout_directory *layout_directory_of(const char *path);

/* Return "memories", "drafts", "trash", "archive" or "articles". */
const char *layout_name(enum area area);

/* The files directly in knowledge/, each with the items of one category. */
#define LAYOUT_CATEGORIES 5
extern const char *const layout_categories[LAYOUT_CATEGORIES];

/* Return true if NAME is that of a numbered directory of memories/: two digits. */
bool layout_is_numbered(const char *name);

/* Return the number of FOLDER, below knowledge/; -1 if it is not a numbered
 * directory of memories/. */
#define LAYOUT_NUMBERS 100
int layout_number(const char *folder);

/* Return true if FOLDER, below knowledge/, is memories/ or a numbered directory in
 * it. */
bool layout_is_memories(const char *folder);

/* Return the directory, below knowledge/, of a memory with ID in a store whose ids
 * are drawn. Allocated in A. */
const char *layout_numbered(int64_t id, struct arena *a);

/* Return true if the directory NAME, anywhere in the trash, has no memories and is
 * no removal: LAYOUT_PURGED, LAYOUT_ARTICLES, and names that begin with a dot. */
bool layout_is_apart(const char *name);

/* Return true if the file at PATH, in a store, is an article or was one before its
 * removal. */
bool layout_is_article(const char *path);

/* Return true if the file at PATH, in a store, is a draft or was one before its
 * removal. */
bool layout_is_draft(const char *path);

/* Return true if the file at PATH, in a store, is in LAYOUT_ACCEPTED of a removal: no
 * list shows it, and an undo brings it back. */
bool layout_is_accepted(const char *path);

/* Return true if NAME can be the file name of a memory or an article. */
bool layout_is_memory(const char *name);

/* Set P, allocated in A, to the place of the file at PATH, a path from
 * layout_find() or a record. Return false if PATH is not in REPO. */
bool layout_parse(struct repo *repo, const char *path, struct arena *a,
		  struct layout_place *p);

/* Read the file at PATH into TEXT, and set P as layout_parse() does. Return 1; 0 if it
 * is absent; or -1, also if PATH is not in REPO. */
int layout_read(struct repo *repo, const char *path, struct arena *a,
		struct layout_place *p, struct buf *text, struct err *e);

/* Find the file at OPERAND, a path that a person gave, and follow links. Return 1
 * with *PATH in A and *P, its place; 0 if there is no such file; or -1: ERR_USAGE
 * if it is outside the store or has not the name of a memory, ERR_DATA if it is not
 * a regular file. */
int layout_find(struct repo *repo, const char *operand, struct arena *a,
		const char **path, struct layout_place *p, struct err *e);

/* Call FN for each entry of AREA that has the name of a memory. DIR, NAME and PATH
 * are valid until FN returns. If FN returns nonzero, stop and return that; -1 is an
 * error of FN or of a directory. */
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
