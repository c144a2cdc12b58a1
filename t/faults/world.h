/* world.h: a HOME and a working directory in which programs run, and that can
 * be restored. */
#ifndef CO_WORLD_H
#define CO_WORLD_H

#include "tree.h"

/* The descriptor of wrap.c's log, higher than those that programs close when
 * they start. */
#define WORLD_LOG 300
#define WORLD_LOG_TEXT "300"

struct world {
	const char *dir; /* absolute; holds run/home, run/work and streams */
};

/* How a program ended, and the files that it left. */
struct run {
	int status; /* as waitpid() gives it */
	const char *out, *err;
	struct tree tree;
	struct arena arena;
};

/* Return the path of NAME in the world's directory. The caller owns it. */
char *world_path(const struct world *w, const char *name);

/* Return the text of that file, in A. */
const char *world_text(const struct world *w, const char *name,
		       struct arena *a);

/* Make the world with the shell lines BEFORE, and save a copy. */
void world_make(const struct world *w, const char *before);

/* Run ARGV, a program of the directory BIN, with INPUT and SETTINGS (names and
 * values, then NULL) in its environment. Return its status. */
int world_start(const struct world *w, const char *bin, const char *const *argv,
		const char *input, const char *const *settings);

/* Run ARGV in a fresh copy of the world, and read the result. Release it with
 * run_release(). */
void world_run(const struct world *w, struct run *r, const char *bin,
	       const char *const *argv, const char *input,
	       const char *const *settings);
void run_release(struct run *r);

#endif
