/* version.h: a document of a store as it once was, or is. */
#ifndef CO_HISTORY_VERSION_H
#define CO_HISTORY_VERSION_H

#include "base/arena.h"
#include "base/instant.h"
#include "format/frontmatter.h"

struct version {
	const char *path; /* from the root: "knowledge/memories/001-x.md" */
	const char *blob; /* git's name for what it holds; NULL: it is a file of
			   * the work tree */
	const char *text; /* NULL: it cannot be had */
	size_t len;
	struct instant changed; /* of a file: when */

	int64_t id;	       /* of a memory; 0: it is another document */
	struct frontmatter fm; /* its data is empty where it is no YAML */
	const char *content;   /* the body without blanks around */
	size_t content_len;
};

/* What the file at PATH, from the root, is. */
enum version_kind {
	VERSION_NONE, /* nothing that history is told of */
	VERSION_MEMORY,
	VERSION_DOCUMENT, /* the context, an article, a category file */
};
enum version_kind version_kind(const char *path);

/* True if PATH is that of a memory which was replaced, or put away. */
bool version_is_archived(const char *path);

/* Give V, which has its path, the LEN bytes of TEXT, which stay the caller's. */
void version_fill(struct version *v, const char *text, size_t len,
		  struct arena *a);

/* True if both say the same, ends of lines aside; a text that cannot be had is
 * the same as its like by git's name. */
bool version_same(const struct version *x, const struct version *y);

/* True if X and Y are one memory, or one document: a memory that stands in
 * another's place under its number is another. */
bool version_is_one(const struct version *x, const struct version *y);

#endif
