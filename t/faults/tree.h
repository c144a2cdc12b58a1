/* tree.h: copy, remove and read directories of a test. */
#ifndef CO_TREE_H
#define CO_TREE_H

#include "base/arena.h"

/* Copy the directory FROM, with times, to TO, which must not exist. */
void tree_copy(const char *from, const char *to);

/* Remove the file or directory at PATH, if there is one. */
void tree_remove(const char *path);

/* The relevant files of a store, sorted by path, without temporary files and
 * those that exclude the store from git. */
struct tree_file {
	const char *path; /* relative to the directory that was read */
	const char *text;
	size_t len;
};

struct tree {
	struct arena arena;
	struct tree_file *files;
	size_t n, cap;
	const char *litter; /* the path of a temporary, or NULL */
	const char *torn;   /* of a .gitignore that is not whole, or NULL */
	const char *note;   /* of an unfinished operation, or NULL */
	size_t marks; /* files that every store has: .gitignore, settings */
};

/* Read the directory DIR without .cache, the logs of .local and the operation
 * log. Release it with tree_release(). */
void tree_read(struct tree *t, const char *dir);
void tree_release(struct tree *t);

bool tree_same_text(const struct tree_file *a, const struct tree_file *b);
bool tree_equal(const struct tree *a, const struct tree *b);
const struct tree_file *tree_find(const struct tree *t, const char *path);

/* Return how many files of T have the content of F. */
size_t tree_count(const struct tree *t, const struct tree_file *f);

/* Return the contents of the file at PATH, in A, or "" if there is none. */
const char *tree_text(const char *path, struct arena *a);

#endif
