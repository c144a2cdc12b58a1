/* version.h: the data of a history: one version of a document of a store, from a commit
 * or the work tree; changes; and steps. */
#ifndef CO_HISTORY_VERSION_H
#define CO_HISTORY_VERSION_H

#include "base/arena.h"
#include "base/instant.h"
#include "format/frontmatter.h"
#include "repo/record.h"

/* The parsed text of a version. */
struct version_text {
	const char *p;
	size_t len;
	struct frontmatter fm; /* its data is empty if it is not valid YAML */
	const char *content;   /* the body without surrounding blanks */
	size_t content_len;
};

struct version {
	/* Relative to the root: "knowledge/memories/001-x.md". */
	const char *path;
	/* Git's object name; NULL for a file of the work tree. */
	const char *blob;
	struct instant changed; /* modification time of a file */
	int64_t id;		/* of a memory; 0 for another document */

	/* Kept for every version: */
	bool wanted;		/* must be read */
	bool compared;		/* SUM is needed too */
	bool known;		/* read; the following fields are valid */
	bool missing;		/* cannot be read */
	bool stays;		/* its text stays loaded */
	bool current;		/* equal to the file of the work tree */
	bool superseded;	/* it has a `superseded` key */
	bool sensitive, always; /* it has the mark */
	const char *created;	/* NULL if it has none */
	size_t len, content_len;
	uint64_t content_hash; /* ignoring line ends */
	/* Of the whole text, ignoring line ends; NULL unless COMPARED. */
	const char *sum;

	const struct version_text *text; /* NULL: not loaded */
};

/* The kind of the file at PATH, relative to the root. */
enum version_kind {
	VERSION_NONE, /* not part of the history */
	VERSION_MEMORY,
	VERSION_DOCUMENT, /* context, article or category file */
};
enum version_kind version_kind(const char *path);

/* Return true if PATH is in the archive. */
bool version_is_archived(const char *path);

/* Load the LEN bytes of TEXT into V. The parsed text is allocated in A; TEXT
 * is borrowed. NULL: it cannot be read. */
void version_read(struct version *v, const char *text, size_t len,
		  struct arena *a);

/* Set the fields of V that are kept, from its loaded text. Strings are
 * allocated in A. */
void version_keep(struct version *v, struct arena *a);

/* Set the fields as version_keep() does, from the record R, read from V's file.
 * Returns false if R does not suffice. */
bool version_keep_record(struct version *v, const struct record *r,
			 struct arena *a);

/* Return true if X and Y have the same text, ignoring line ends. Versions with
 * a blob are compared by its name; otherwise both must be COMPARED. */
bool version_same(const struct version *x, const struct version *y);

/* Return true if X and Y are versions of one memory or document. A new memory
 * that reuses an id is another one. */
bool version_is_one(const struct version *x, const struct version *y);

/* Compare two versions by id, then by path, for qsort() of an array of pointers to
 * them. */
int version_by_id(const void *a, const void *b);

enum change_kind {
	CHANGE_LEARNED,
	CHANGE_EDITED,
	CHANGE_MERGED,
	CHANGE_MOVED, /* only its path changed */
	CHANGE_SUPERSEDED,
	CHANGE_ARCHIVED,
	CHANGE_FORGOTTEN,
	CHANGE_RESTORED,
};

struct history_change {
	enum change_kind kind;
	const struct version *was, *now; /* at most one is NULL */
	struct instant at; /* in the work tree: when the file was modified */
	/* For a merge: the versions of its parents. */
	const struct version **others;
	size_t nothers;
};

struct history_step {
	const char *commit; /* NULL: the work tree */
	const char *author; /* NULL for the work tree */
	struct instant at;  /* time of the commit */
	/* In a history from new to old, within a commit from the highest id;
	 * in a comparison by id, then path. */
	struct history_change *changes;
	size_t n;
};

struct store;

struct history {
	struct store *store;
	const char *dir; /* of the work tree, for git; NULL outside git */
	struct arena arena;
	struct history_step *steps; /* newest first */
	size_t n, cap;
	/* The current version of one memory or document; NULL if it is gone. */
	const struct version *latest;
	const char *from; /* of a comparison: its first commit */
	bool in_git;
	/* A version is too large or missing, so it was not read. */
	bool partial;
	/* A command that fetches missing objects; NULL if none are missing. */
	const char *remedy;
};

/* The subject of a history. */
struct history_want {
	int64_t id;	  /* of a memory; 0: use PATH, or everything */
	const char *path; /* relative to the root, now; or NULL */
	bool texts; /* keep the texts of all versions, as for one memory */
};

#endif
