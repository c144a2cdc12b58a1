/* repo.h: an open root, and the directory knowledge/ in it. */
#ifndef CO_REPO_REPO_H
#define CO_REPO_REPO_H

#include "repo/known-projects.h"

struct repo {
	struct root root;
	int fd;	    /* knowledge/; -1: absent */
	char *path; /* absolute path of knowledge/ */
};

/* Open the root of SCOPE into REPO. An absent root reads as empty. Return 0 or -1.
 * Release REPO with repo_close(), which keeps the scope. */
int repo_open(struct repo *repo, enum scope scope, struct err *e);

/* Open knowledge/ of REPO, whose root is open. Return 0, or -1 with REPO closed. */
int repo_open_knowledge(struct repo *repo, struct err *e);
void repo_close(struct repo *repo);

/* Make the root and knowledge/ if they are absent, and set *MADE if the root was.
 * Return 0 or -1. */
int repo_make(struct repo *repo, bool *made, struct err *e);

#endif
