/* fuzz.h: included by every fuzzer.
 *
 * A fuzzer is one function that accepts any bytes and aborts if a property does
 * not hold. Built with FUZZING, libFuzzer calls it (see t/fuzz/run). Built
 * without, the main() here is a test: it replays the kept inputs of
 * t/fuzz/corpus/ and prints TAP, so that every machine repeats past
 * failures.
 */
#ifndef CO_FUZZ_H
#define CO_FUZZ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Abort with a message unless OK. WHAT states the property. */
static inline void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz: does not hold: %s\n", what);
	abort();
}

/* Cut the first line off the LEN bytes of *P. Return a copy in A, without the
 * end of line. */
static inline const char *fuzz_line(const char **p, size_t *len, size_t *line,
				    struct arena *a)
{
	const char *end = *len ? memchr(*p, '\n', *len) : NULL;
	const char *copy;

	*line = end ? (size_t)(end - *p) : *len;
	copy = arena_copy(a, *p, *line);
	*p += *line + (end != NULL);
	*len -= *line + (end != NULL);
	return copy;
}

/* Check that E has a code and one line of text. */
static inline void must_be_error(const struct err *e)
{
	must(e->code >= ERR_NO && e->code <= ERR_HELPER, "an error has a code");
	must(*e->text, "an error has a sentence");
	must(memchr(e->text, '\0', sizeof(e->text)), "which ends");
}

#ifndef FUZZING
#include "sys/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUZZ_INPUT_MAX ((size_t)1024 * 1024)
#define FUZZ_SECONDS_MAX 600 /* of processor time, against hangs */

static int fuzz_inputs;

/* Pass TEXT to the fuzzer, and release it. Print PATH first, so that the input
 * of a crash is known. */
static void fuzz_play(const char *path, struct buf *text)
{
	/* A block of the exact size lets a sanitizer see a read beyond its
	 * end. */
	uint8_t *exact = text->len ? mem_alloc(text->len) : NULL;

	printf("# %s\n", path);
	fflush(stdout);
	if (exact)
		memcpy(exact, text->p, text->len);
	LLVMFuzzerTestOneInput(exact, text->len);
	fuzz_inputs++;
	free(exact);
	buf_release(text);
}

struct fuzz_folder {
	int fd;
	const char *path;
};

static int fuzz_play_entry(void *ctx, const char *name, enum file_kind kind)
{
	const struct fuzz_folder *folder = ctx;
	struct buf text = {0}, path = {0};
	struct err e;

	if (*name == '.')
		return 0;
	if (file_read_walked(folder->fd, name, name, kind, FUZZ_INPUT_MAX,
			     &text, &e) != 1) {
		printf("# %s\n", e.text);
		return 1;
	}
	buf_addf(&path, "%s/%s", folder->path, name);
	fuzz_play(path.p, &text);
	buf_release(&path);
	return 0;
}

/* Replay PATH, a file or a directory of files. Return 0, or -1 after printing a
 * comment with the reason. */
static int fuzz_replay(const char *path)
{
	struct fuzz_folder folder = {-1, path};
	struct buf text = {0};
	struct stat st;
	struct err e;
	int r;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		r = file_read_path(path, FUZZ_INPUT_MAX, &text, &e);
		if (r == 1)
			fuzz_play(path, &text);
		else
			printf("# %s: %s\n", path, r ? e.text : "not there");
		return r == 1 ? 0 : -1;
	}
	r = file_open_dir(AT_FDCWD, path, path, &folder.fd, &e);
	if (r != 1) {
		printf("# %s: %s\n", path, r ? e.text : "not there");
		return -1;
	}
	r = file_walk(folder.fd, path, fuzz_play_entry, &folder, &e);
	close(folder.fd);
	return r ? -1 : 0;
}

/* Replay the files and directories of the operands, or else
 * t/fuzz/corpus/FOLDER/NAME of the source tree CO_SOURCE. */
int main(int argc, char **argv)
{
	static const char file[] = __BASE_FILE__; /* t/fuzz/FOLDER/NAME.c */
	const char *source = getenv("CO_SOURCE");
	const char *name = strstr(file, "t/fuzz/") + strlen("t/fuzz/");
	const int len = (int)(strlen(name) - strlen(".c"));
	const struct rlimit limit = {FUZZ_SECONDS_MAX, FUZZ_SECONDS_MAX + 60};
	struct buf path = {0};
	int failed = 0;

	setrlimit(RLIMIT_CPU, &limit);
	puts("1..1");
	for (int i = 1; i < argc; i++)
		failed |= fuzz_replay(argv[i]);
	if (argc == 1) {
		buf_addf(&path, "%s/t/fuzz/corpus/%.*s", source ? source : ".",
			 len, name);
		failed |= fuzz_replay(path.p);
		buf_release(&path);
	}
	failed |= !fuzz_inputs;
	printf("%s 1 - fuzz/%.*s holds for its %d kept input%s\n",
	       failed ? "not ok" : "ok", len, name, fuzz_inputs,
	       fuzz_inputs == 1 ? "" : "s");
	return failed ? 1 : 0;
}
#endif

#endif
