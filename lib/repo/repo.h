/* repo.h: a root that is opened, with the folder of what is known below it. */
#ifndef CO_REPO_REPO_H
#define CO_REPO_REPO_H

#include "repo/known-projects.h"

struct repo {
	struct root root;
	int fd;	    /* knowledge/, -1 when absent */
	char *path; /* absolute path of knowledge/ */
};

/* Open that of SCOPE; an absent one reads as empty.  Release with
 * repo_close(), after which the scope is still told. */
int repo_open(struct repo *repo, enum scope scope, struct err *e);

/* The same of the project that P names: 1, 0 as known_project_open(), -1. */
int repo_open_known(struct repo *repo, struct known_project *p, struct err *e);

/* The same of the project in FOLDER, an absolute path: 1, 0 where there is none,
 * -1. */
int repo_open_at(struct repo *repo, const char *folder, struct err *e);
void repo_close(struct repo *repo);

/* Make the root and knowledge/ where they are absent; *MADE is set where the
 * root was. */
int repo_make(struct repo *repo, bool *made, struct err *e);

#endif
