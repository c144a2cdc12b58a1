/* fuzz.h: what every fuzzer includes.
 *
 * A fuzzer is one function that takes any bytes and does not return where
 * something that must hold does not.  Built with FUZZING, libFuzzer calls it
 * (see t/fuzz/run); built without, the main() here plays files and folders of
 * them, so that what was once found stays found on every machine.
 */
#ifndef CO_FUZZ_H
#define CO_FUZZ_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End here, loudly, unless OK; WHAT says what was to hold. */
static inline void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz: does not hold: %s\n", what);
	abort();
}

/* Cut the first line off the LEN bytes of *P: a copy in A, its end left out.
 */
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

/* E holds a code and one line of text. */
static inline void must_be_error(const struct err *e)
{
	must(e->code >= ERR_NO && e->code <= ERR_HELPER, "an error has a code");
	must(*e->text, "an error has a sentence");
	must(memchr(e->text, '\0', sizeof(e->text)), "which ends");
}

#ifndef FUZZING
#include "sys/file.h"

#include <fcntl.h>
#include <unistd.h>

#define FUZZ_INPUT_MAX ((size_t)1024 * 1024)

struct fuzz_folder {
	int fd;
	const char *path;
};

static int fuzz_play(void *ctx, const char *name, enum file_kind kind)
{
	const struct fuzz_folder *folder = ctx;
	struct buf text = {0};
	struct err e;
	uint8_t *exact;

	if (*name == '.')
		return 0;
	if (file_read_walked(folder->fd, name, name, kind, FUZZ_INPUT_MAX,
			     &text, &e) != 1) {
		fprintf(stderr, "fuzz: %s\n", e.text);
		return 1;
	}
	/* Of its own size, so that a sanitizer sees a byte too far. */
	fprintf(stderr, "%s/%s\n", folder->path, name);
	exact = text.len ? mem_alloc(text.len) : NULL;
	if (exact)
		memcpy(exact, text.p, text.len);
	LLVMFuzzerTestOneInput(exact, text.len);
	free(exact);
	buf_release(&text);
	return 0;
}

/* Play the files of the folders that are named.  Each name goes to standard
 * error first, which tells where the end came. */
int main(int argc, char **argv)
{
	struct err e;
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		struct fuzz_folder folder = {-1, argv[i]};

		if (file_open_dir(AT_FDCWD, argv[i], argv[i], &folder.fd, &e) !=
			    1 ||
		    file_walk(folder.fd, argv[i], fuzz_play, &folder, &e) != 0)
			failed = 1;
		close(folder.fd);
	}
	return failed;
}
#endif

#endif
