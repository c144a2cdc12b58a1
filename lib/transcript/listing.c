/* listing.c: see listing.h. */
#include "transcript/listing.h"

#include "repo/root.h"

/* The folders whose conversations are wanted: the project's, and where we
 * are. */
struct folders {
	const char *path[2];
};

/* A session, and whether it is of this project. */
struct ranked {
	struct session session;
	bool ours;
};
