/* version.h: a document of a store as it once was, or is. */
#ifndef CO_HISTORY_VERSION_H
#define CO_HISTORY_VERSION_H

#include "base/arena.h"
#include "base/instant.h"
#include "format/frontmatter.h"
#include "repo/record.h"

/* What a version says. */
struct version_text {
	const char *p;
	size_t len;
	struct frontmatter fm; /* its data is empty where it is no YAML */
	const char *content;   /* the body without blanks around */
	size_t content_len;
};

struct version {
	const char *path; /* from the root: "knowledge/memories/001-x.md" */
	const char *blob; /* git's name for what it holds; NULL: it is a file of
			   * the work tree */
	struct instant changed; /* of a file: when */
	int64_t id;		/* of a memory; 0: it is another document */

	/* Of many, this is what is kept of each: */
	bool wanted;		/* it is to be looked at */
	bool compared;		/* its sum is, too */
	bool known;		/* it was, and what follows is so */
	bool missing;		/* it cannot be had */
	bool other;		/* it is not as one that is missing */
	bool stays;		/* its text stays at hand */
	bool current;		/* the file of the work tree is the same */
	bool superseded;	/* it says by what */
	bool sensitive, always; /* it says that it is */
	const char *created;	/* NULL: it does not say */
	size_t len, content_len;
	uint64_t content_hash; /* ends of lines aside */
	const char *sum; /* of all, ends of lines aside; NULL: not COMPARED */

	const struct version_text *text; /* NULL: it is not at hand */
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

/* Have at hand, in A, that V is the LEN bytes of TEXT, which stay the caller's;
 * NULL: nothing is known of it. */
void version_read(struct version *v, const char *text, size_t len,
		  struct arena *a);

/* Keep in V, and in A, what is kept of what it has at hand. */
void version_keep(struct version *v, struct arena *a);

/* The same from R, which was read from V's file: false if that cannot tell. */
bool version_keep_record(struct version *v, const struct record *r,
			 struct arena *a);

/* True if both say the same, ends of lines aside; a text that cannot be had is
 * the same as its like by git's name.  With one that is a file, both are
 * COMPARED. */
bool version_same(const struct version *x, const struct version *y);

/* True if X and Y are one memory, or one document: a memory that stands in
 * another's place under its number is another. */
bool version_is_one(const struct version *x, const struct version *y);

#endif
