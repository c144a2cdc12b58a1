/* sendable.h: the files of a store that co sync may commit, and so send. These are all
 * except temporary files, files of this machine, links, repositories, sensitive memories
 * and articles, and files that are attached to sensitive articles only. A broken memory
 * or article may be sensitive. A file below a link is not sent, and neither is its
 * removal: the link is not followed, so the file may exist.
 *
 * PATH is below the top of the work tree, as git prints it. PREFIX is of the store's
 * files there: "DIR/", or "" for a store that is a repository itself, as the user's.
 */
#ifndef CO_SETUP_SENDABLE_H
#define CO_SETUP_SENDABLE_H

#include "base/strings.h"
#include "base/table.h"
#include "store/store.h"

struct sendable {
	bool user;		     /* it is the user's store */
	const char *top, *prefix;    /* borrowed */
	const struct report *report; /* of the store; gets the refused files */
	bool no_articles; /* they cannot be read, so any may be sensitive */
	struct table by_path;
	const char **paths; /* of memories and articles that may be sent */
	size_t n, cap;
	struct strings attached; /* to these, below knowledge/ */
	struct strings closed;	 /* attached to sensitive articles */
	struct arena arena;
};

/* Set M to the files of S, whose work tree is at TOP. A directory that is a link is
 * reported, and none of its files may be sent. Return 0, or -1 if a file cannot be read.
 * Release M with sendable_release() in any case. */
int sendable_load(struct sendable *m, struct store *s, const char *top,
		  const char *prefix, struct err *e);
void sendable_release(struct sendable *m);

/* Return true if the file of LINE, as git status --porcelain -z prints it, may be sent.
 * The removal of a file may. */
bool sendable_allows(struct sendable *m, const char *line);

/* Return true if PATH, in the user's store, is a file of this machine. */
bool sendable_is_local(const char *path);

/* Return true if PATH is in a directory of memories, or an article. */
bool sendable_has_marks(const char *prefix, const char *path);

#endif
