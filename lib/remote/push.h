/* push.h: make a project of a remote index have the documents of a commit.
 *
 * Only memories, items and sections of articles that a search finds unasked are sent: no
 * drafts, no trash, no sensitive, expired or replaced memories, and nothing of the user
 * store. A document that looks as if it held a secret is not sent.
 *
 * The server keeps the *basis* of what it has: all that decides which documents a commit
 * has, that is, the version of co, the tree of the store, and the time when the first of
 * them expires. If it is that of the commit, the documents are not even read. Else the
 * digest of the documents is compared. If it is equal, nothing is sent. Else the server
 * gets what it lacks, and removes what it has too much, in one transaction. A push that
 * withheld a document, and a purge, leave no basis.
 */
#ifndef CO_REMOTE_PUSH_H
#define CO_REMOTE_PUSH_H

#include "base/sha256.h"
#include "remote/remote.h"
#include "store/store.h"

#define PUSH_TRIES 3 /* if others push at the same time */

struct push {
	/* Set before the call: */
	struct store *store; /* of the project */
	const char *rev;     /* a commit */
	bool dry;	     /* compare, but change nothing */
	bool force; /* compare all, and replace those of another history */
	/* Called for each document that would be sent, with its path, and for each one
	 * that would be removed, with its hash and ADDED false. Or NULL. */
	void (*plan)(void *ctx, const char *what, bool added);
	void *ctx;
	const struct report *report; /* gets a document that is not sent */

	/* Results, the strings in ARENA: */
	const char *project;	 /* its name on the server */
	const char *commit, *at; /* AT: when it was made */
	char digest[SHA256_HEX];
	size_t documents, withheld; /* WITHHELD: not sent, and reported */
	size_t added, removed;
	struct arena arena;
};

/* Push as P says to R. The commit, not the work tree, says which project it is, and
 * whether that is shared. Return 1; 0 if the server had these documents already; or -1:
 * ERR_USAGE, no such commit; ERR_NO, the commit is of no project with a name on the server,
 * is not shared, or is of another history than that of the server; ERR_DATA, its settings are
 * malformed; ERR_BUSY, others pushed meanwhile; ERR_HELPER; ERR_SYSTEM. Release P with
 * push_release() in every case. */
int push_run(struct push *p, const struct remote *r, struct err *e);
void push_release(struct push *p);

#endif
