/* steps.h: what a history is made of, for the modules that make it. */
#ifndef CO_HISTORY_STEPS_H
#define CO_HISTORY_STEPS_H

#include "history/version.h"

enum change_kind {
	CHANGE_LEARNED,
	CHANGE_EDITED,
	CHANGE_MERGED,
	CHANGE_MOVED, /* its file alone */
	CHANGE_SUPERSEDED,
	CHANGE_ARCHIVED,
	CHANGE_FORGOTTEN,
	CHANGE_RESTORED,
};

struct change {
	enum change_kind kind;
	const struct version *was, *now; /* one of them may be NULL */
	struct instant at; /* of the work tree: when the file was changed */
	const struct version **others; /* of a merge: what all sides had */
	size_t nothers;
};

struct step {
	const char *commit;	/* NULL: the work tree */
	const char *author;	/* NULL with that */
	struct instant at;	/* of the commit */
	struct change *changes; /* of a history the newest first, see
				 * changes_order(); of a comparison by id, then
				 * path */
	size_t n;
};

struct store;

struct history {
	struct store *store;
	const char *dir; /* of the work tree, where git is asked; NULL */
	struct arena arena;
	struct step *steps; /* the newest first */
	size_t n, cap;
	const struct version *latest; /* of what is there of one memory or
				       * document; NULL: it is gone */
	const char *from; /* of a comparison: the commit it begins at */
	bool in_git;
	bool partial; /* a version could not be had: it is too large, or */
	const char *remedy; /* a command that fetches what git has not here;
			     * NULL: it has all */
};

/* What is asked of. */
struct history_want {
	int64_t id;	  /* of one memory; 0: of PATH, or of all */
	const char *path; /* from the root; its file today, or NULL */
	bool texts;	  /* of all stay at hand, as those of one do */
};

#endif
