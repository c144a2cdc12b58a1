/* steps.h: the data of a history, for the modules that build it. */
#ifndef CO_HISTORY_STEPS_H
#define CO_HISTORY_STEPS_H

#include "history/version.h"

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

struct change {
	enum change_kind kind;
	const struct version *was, *now; /* at most one is NULL */
	struct instant at; /* in the work tree: when the file was modified */
	/* For a merge: the versions of its parents. */
	const struct version **others;
	size_t nothers;
};

struct step {
	const char *commit; /* NULL: the work tree */
	const char *author; /* NULL for the work tree */
	struct instant at;  /* time of the commit */
	/* In a history newest first, see changes_order(); in a comparison by
	 * id, then path. */
	struct change *changes;
	size_t n;
};

struct store;

struct history {
	struct store *store;
	const char *dir; /* of the work tree, for git; NULL outside git */
	struct arena arena;
	struct step *steps; /* newest first */
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
