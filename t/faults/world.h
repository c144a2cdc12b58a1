/* world.h: a HOME and a working directory that programs are run in, and that
 * can be had again as they were.
 */
#ifndef CO_WORLD_H
#define CO_WORLD_H

#include "tree.h"

/* Where wrap.c writes its log: beyond what is closed by who leaves all that it
 * inherited. */
#define WORLD_LOG 300
#define WORLD_LOG_TEXT "300"

struct world {
	const char *dir; /* absolute; holds run/home, run/work and streams */
};

/* How a program ended, and what it left. */
struct run {
	int status; /* as waitpid() gives it */
	const char *out, *err;
	struct tree tree;
	struct arena arena;
};

/* What is NAME in the world's folder; yours. */
char *world_path(const struct world *w, const char *name);

/* The text of that file; in A. */
const char *world_text(const struct world *w, const char *name,
		       struct arena *a);

/* Make the world by the shell lines BEFORE, and keep it for later. */
void world_make(const struct world *w, const char *before);

/* Run ARGV, a program of the folder BIN, on INPUT, with the SETTINGS (names
 * and values, NULL behind) in its environment; its status. */
int world_start(const struct world *w, const char *bin, const char *const *argv,
		const char *input, const char *const *settings);

/* The same in the world as it was made, and read what became of it; release
 * with run_release(). */
void world_run(const struct world *w, struct run *r, const char *bin,
	       const char *const *argv, const char *input,
	       const char *const *settings);
void run_release(struct run *r);

#endif
