/* suite.c: the main() of co-suite, the one executable that holds the commands.
 *
 * Every command is a link to it, and runs under the name that it is called by.
 * A link of another name counts as the command that it leads to.  Where links
 * cannot be made, the first argument names the command: co-suite co-learn TEXT.
 */
#include "base/base.h"
#include "base/compat.h"

#include <limits.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as Linux follows */

typedef int command_main(int argc, char **argv);

#define PROGRAM(name, entry) command_main entry;
#include "suite.h"
#undef PROGRAM

static const struct {
	const char *name;
	command_main *entry;
} programs[] = {
#define PROGRAM(name, entry) {name, entry},
#include "suite.h"
#undef PROGRAM
};

/* Fault in all pages of data by one call, which takes half the time of as many
 * faults.  In a static executable the linker puts this in the place of the start of
 * the C library (--wrap).  Nothing of the library works yet, not even errno. */
extern char __init_array_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
typedef void hook(void);
int __real___libc_start_main(command_main *, int, char **, hook *, hook *,
			     hook *, void *) __attribute__((weak));
int __wrap___libc_start_main(command_main *, int, char **, hook *, hook *,
			     hook *, void *);

int __wrap___libc_start_main(command_main *entry, int argc, char **argv,
			     hook *init, hook *fini, hook *rtld_fini,
			     void *stack_end)
{
	compat_prefault(__init_array_start, _end);
	return __real___libc_start_main(entry, argc, argv, init, fini,
					rtld_fini, stack_end);
}

/* Return the main() of the command that PATH ends in, or NULL. */
static command_main *find(const char *path)
{
	const char *slash = strrchr(path, '/'),
		   *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		if (!strcmp(name, programs[i].name))
			return programs[i].entry;
	}
	return NULL;
}

/* Replace the link PATH by what it leads to; false where it is no link. */
static bool follow(char path[PATH_MAX])
{
	char target[PATH_MAX], *end = strrchr(path, '/');
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	size_t folder = end ? (size_t)(end + 1 - path) : 0;

	if (n <= 0)
		return false;
	if (target[0] == '/')
		folder = 0;
	if (folder + (size_t)n >= PATH_MAX)
		return false;
	memcpy(path + folder, target, (size_t)n);
	path[folder + (size_t)n] = '\0';
	return true;
}

/* Return the main() of the first command among the links that lead from the name
 * of the running program to its file, or NULL. */
static command_main *find_by_links(const char *argv0)
{
	char path[PATH_MAX];

	if (!compat_called(path, argv0))
		return NULL;
	for (int i = 0; i < LINKS_MAX; i++) {
		command_main *entry = find(path);

		if (entry)
			return entry;
		if (!follow(path))
			break;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	command_main *entry = argc > 0 ? find(argv[0]) : NULL;

	if (!entry && argc > 0)
		entry = find_by_links(argv[0]);
	if (entry)
		return entry(argc, argv);
	entry = argc > 1 ? find(argv[1]) : NULL;
	if (entry)
		return entry(argc - 1, argv + 1);
	fputs("usage: co-suite co-NAME [ARGUMENT...]\n"
	      "hint: run 'co help' for the commands\n",
	      stderr);
	return 2;
}
