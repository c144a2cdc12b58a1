/* file-changes.h: what each step of a history did to each file, from git and the
 * work tree. history.c turns this into changes of memories. */
#ifndef CO_HISTORY_FILE_CHANGES_H
#define CO_HISTORY_FILE_CHANGES_H

#include "base/table.h"
#include "history/version.h"
#include "store/store.h"

/* The change of one file in a step: the versions in its parents, first parent
 * first, and the new version. NULL: no file. */
struct file_change {
	size_t step; /* index of the step in the history */
	struct version **was;
	size_t nwas; /* 1, or more for a merge */
	struct version *now;
};

struct file_changes {
	struct history *h; /* gets the steps; its arena holds everything */
	struct store *store;
	struct repo *repo; /* that of STORE */
	const struct history_want *want;
	const char *dir;    /* of the work tree, for git */
	const char *index;  /* path of git's index file */
	const char *sparse; /* path of the sparse-checkout file, or NULL */
	/* Prefix of the root's files in git: "a/.co-cli/"; "" if the root is
	 * the top directory. */
	const char *prefix;

	struct version **versions;
	size_t nversions, versions_cap;
	struct table by_blob;

	struct file_change *items; /* ordered by step */
	size_t n, cap;
	struct table by_path; /* changes of the work tree's step */
	size_t kept;	      /* bytes of all texts kept in memory */
	struct arena scratch; /* for texts that are not kept */
	struct file_changes_index {
		struct indexed *files; /* of the first N changes */
		size_t n;
		int64_t written; /* time of writing, in ns since 1970 */
	} in_index;		 /* from git's index, if it was read */
};

/* Initialize ALL for the history of W in S. Returns 1, 0 if S is not in a git
 * work tree, or -1. Release with file_changes_release(), whatever the result. */
int file_changes_open(struct file_changes *all, struct history *h,
		      struct store *s, const struct history_want *w,
		      struct err *e);
void file_changes_release(struct file_changes *all);

/* Return the full name of the commit REV, or of the merge base of A and B,
 * allocated in the arena. Returns NULL and sets E if there is none (ERR_USAGE)
 * or git fails. */
const char *file_changes_commit(struct file_changes *all, const char *rev,
				struct err *e);
const char *file_changes_base(struct file_changes *all, const char *a,
			      const char *b, struct err *e);

/* Add one step per commit reachable from HEAD. */
int file_changes_log(struct file_changes *all, const char *head, struct err *e);

/* Add the step from the commit A to the commit B. */
int file_changes_diff(struct file_changes *all, const char *a, const char *b,
		      struct err *e);

/* Add the step from the commit A (NULL: from nothing) to the work tree. It
 * must be the first step of ALL. */
int file_changes_work_tree(struct file_changes *all, const char *a,
			   struct err *e);

/* Read git's index, which lists files that were unmodified when it was written.
 * If it cannot be read, no file is assumed unmodified. */
void file_changes_read_index(struct file_changes *all);

/* Return true if the file of T, in the step of the work tree, is unmodified
 * according to git's index. */
bool file_changes_is_current(const struct file_changes *all,
			     const struct file_change *t);

/* Add a step that deletes all files of the commit REV. */
int file_changes_tree(struct file_changes *all, const char *rev, struct err *e);

/* Read each version that some step added or removed; with EACH, all versions.
 * Sets the known fields of each version (see version.h). The texts stay loaded
 * for one memory, or if they are small. */
int file_changes_look(struct file_changes *all, bool each, struct err *e);

/* Call FN for each file at or below BELOW in the commit REV. MODE is as git
 * prints it, BLOB has LEN bytes, and PATH is relative to the root, as is
 * BELOW. */
typedef void file_changes_file_fn(void *ctx, const char *mode, const char *blob,
				  size_t len, const char *path);
int file_changes_each_file(struct file_changes *all, const char *rev,
			   const char *below, file_changes_file_fn *fn,
			   void *ctx, struct err *e);

#endif
