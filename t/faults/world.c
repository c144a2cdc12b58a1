/* world.c: the standard streams are the files in, out and err, and descriptor
 * WORLD_LOG is the file log. An error here ends the process. */
#include "world.h"

#include "base/buf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 25 /* less than the wait for a lock */
#define NOT_STARTED 99

char *world_path(const struct world *w, const char *name)
{
	struct buf path = {0};

	buf_addf(&path, "%s/%s", w->dir, name);
	return buf_take(&path);
}

const char *world_text(const struct world *w, const char *name, struct arena *a)
{
	char *path = world_path(w, name);
	const char *text = tree_text(path, a);

	free(path);
	return text;
}

static void write_input(const struct world *w, const char *text)
{
	char *path = world_path(w, "in");
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
	free(path);
}

static void redirect(const struct world *w, const char *name, int flags, int to)
{
	char *path = world_path(w, name);
	int fd = open(path, flags, 0666);

	if (fd < 0 || dup2(fd, to) < 0)
		_exit(NOT_STARTED);
	if (fd != to)
		close(fd);
	free(path);
}

static void NORETURN become(const struct world *w, const char *program,
			    const char *const *argv,
			    const char *const *settings)
{
	const int out = O_WRONLY | O_CREAT | O_TRUNC;
	char *home = world_path(w, "run/home");
	char *work = world_path(w, "run/work");

	redirect(w, "in", O_RDONLY, 0);
	redirect(w, "out", out, 1);
	redirect(w, "err", out, 2);
	redirect(w, "log", out | O_APPEND, WORLD_LOG);
	setenv("HOME", home, 1);
	for (; *settings; settings += 2)
		setenv(settings[0], settings[1], 1);
	if (chdir(work) < 0)
		_exit(NOT_STARTED);
	alarm(SECONDS_MAX);
	execv(program, (char *const *)(uintptr_t)argv);
	_exit(NOT_STARTED);
}

int world_start(const struct world *w, const char *bin, const char *const *argv,
		const char *input, const char *const *settings)
{
	struct buf program = {0};
	int status = 0;
	pid_t pid;

	write_input(w, input);
	buf_addf(&program, "%s/%s", bin, argv[0]);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become(w, program.p, argv, settings);
	while (waitpid(pid, &status, 0) < 0)
		;
	/* An editor may outlive the program that started it. */
	while (wait(NULL) > 0)
		;
	buf_release(&program);
	return status;
}

void world_make(const struct world *w, const char *before)
{
	const char *const argv[] = {"sh", "-ec", before, NULL};
	const char *const none[] = {NULL};
	char *run = world_path(w, "run"), *base = world_path(w, "base");
	char *home = world_path(w, "run/home");
	char *work = world_path(w, "run/work");

	tree_remove(run);
	tree_remove(base);
	if (mkdir(run, 0777) < 0 || mkdir(home, 0777) < 0 ||
	    mkdir(work, 0777) < 0 ||
	    world_start(w, "/bin", argv, "", none) != 0 ||
	    rename(run, base) < 0) {
		fprintf(stderr, "cannot make a world: %s\n", before);
		exit(4);
	}
	free(run);
	free(base);
	free(home);
	free(work);
}

void world_run(const struct world *w, struct run *r, const char *bin,
	       const char *const *argv, const char *input,
	       const char *const *settings)
{
	char *run = world_path(w, "run"), *base = world_path(w, "base");

	*r = (struct run){0};
	tree_remove(run);
	tree_copy(base, run);
	r->status = world_start(w, bin, argv, input, settings);
	r->out = world_text(w, "out", &r->arena);
	r->err = world_text(w, "err", &r->arena);
	tree_read(&r->tree, run);
	free(run);
	free(base);
}

void run_release(struct run *r)
{
	tree_release(&r->tree);
	arena_release(&r->arena);
}
