/* ledger.c: any ledger and log are read, or refused with a message; a line that
 * is put is found, all others stay, and the log is removed in the end. The
 * first line is a part of the ledger, in which | is a newline; the rest is the
 * log. */
#include "../fuzz.h"

#include "harvest/ledger.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(int dir, const char *name, const char *p, size_t len)
{
	const int fd = openat(dir, name,
			      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	must(fd >= 0 && write(fd, p, len) == (ssize_t)len && close(fd) == 0,
	     "a file is written");
}

static char folder[] = "/tmp/co-fuzz-XXXXXX";

static void remove_folder(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* Open a store in a directory of this process. */
static void begin(struct store *s)
{
	const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct err e;
	bool made;

	must(mkdtemp(folder) && chdir(folder) == 0 &&
		     setenv("HOME", folder, 1) == 0 &&
		     atexit(remove_folder) == 0,
	     "the directory is created");
	must(store_open(s, SCOPE_PROJECT, NULL, &e) == 0 &&
		     store_make(s, &made, &e) == 0,
	     "the store is opened");
	must(here >= 0 && fchdir(here) == 0 && close(here) == 0,
	     "the store is locked");
}

static void look(struct store *s)
{
	const struct ledger_entry put = {.key = "put",
					 .path = "/no/such",
					 .status = LEDGER_HARVESTED,
					 .items = {7}};
	struct ledger_entry is;
	struct arena a = {0};
	struct ledger l;
	struct err e;
	size_t n;

	if (ledger_open(&l, s, &e) < 0) {
		must_be_error(&e);
		goto out;
	}
	n = l.n + (ledger_find(&l, "put", &a, &is, &e) == 0);
	must(ledger_put(&l, &put, &e) == 0,
	     "a ledger that was read can be extended");
	must(ledger_find(&l, "put", &a, &is, &e) == 1 && is.items[0] == 7,
	     "a line that is put is found");
	must(l.n == n, "all other lines stay");
	must(ledger_finish(&l, true, &e) == 0, "finishing the ledger succeeds");
	must(ledger_find(&l, "put", &a, &is, &e) == 1 && is.deleted && l.n == n,
	     "no entry is lost");
	must(faccessat(s->repo.fd, LEDGER_LOG, F_OK, 0) < 0,
	     "the log is removed");
out:
	ledger_release(&l);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct store s;
	static bool begun;
	const char *p = size ? (const char *)data : "";
	struct arena a = {0};
	size_t len;
	char *line;

	if (!begun)
		begin(&s);
	begun = true;
	line = (char *)(uintptr_t)fuzz_line(&p, &size, &len, &a);
	for (size_t i = 0; i < len; i++)
		line[i] = line[i] == '|' ? '\n' : line[i];
	unlinkat(s.repo.fd, LEDGER_FILE, 0);
	unlinkat(s.repo.fd, LEDGER_LOG, 0);
	if (len)
		write_file(s.repo.fd, LEDGER_FILE, line, len);
	if (size)
		write_file(s.repo.fd, LEDGER_LOG, p, size);
	look(&s);
	arena_release(&a);
	return 0;
}
