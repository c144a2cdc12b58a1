/* suite.c: the main() of co-suite, the one executable that contains all
 * commands.
 *
 * Each command is a link to it; the name of the link selects the command. A
 * link of any other name is followed until a link with the name of a command is
 * found. Where links cannot be created, the first argument is the command:
 * co-suite co-learn TEXT.
 */
#include "base/base.h"
#include "base/compat.h"

#include <limits.h>
#include <unistd.h>

#define LINKS_MAX 40 /* the limit of Linux */

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

/* Map the data pages that relocation writes with one call, which takes half the
 * time of separate page faults. In a static executable, the linker (--wrap)
 * calls this function in place of the C library's start. The C library is not
 * initialized yet; even errno is unusable. */
extern char __init_array_start[] __attribute__((visibility("hidden")));
extern char __bss_start[] __attribute__((visibility("hidden")));
typedef void hook(void);
int __real___libc_start_main(command_main *, int, char **, hook *, hook *,
			     hook *, void *) __attribute__((weak));
int __wrap___libc_start_main(command_main *, int, char **, hook *, hook *,
			     hook *, void *);

int __wrap___libc_start_main(command_main *entry, int argc, char **argv,
			     hook *init, hook *fini, hook *rtld_fini,
			     void *stack_end)
{
	compat_prefault(__init_array_start, __bss_start);
	return __real___libc_start_main(entry, argc, argv, init, fini,
					rtld_fini, stack_end);
}

/* Return the main() of the command that is the last part of PATH, or NULL. */
static command_main *find_entry(const char *path)
{
	const char *slash = strrchr(path, '/'),
		   *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		if (!strcmp(name, programs[i].name))
			return programs[i].entry;
	}
	return NULL;
}

/* Replace the link PATH by its target. Return false if PATH is not a link. */
static bool follow_link(char path[PATH_MAX])
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

/* Follow the links from the name of the running program to its file. Return the
 * main() of the first one that is a command, or NULL. */
static command_main *find_by_links(const char *argv0)
{
	char path[PATH_MAX];

	if (!compat_called(path, argv0))
		return NULL;
	for (int i = 0; i < LINKS_MAX; i++) {
		command_main *entry = find_entry(path);

		if (entry)
			return entry;
		if (!follow_link(path))
			break;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	command_main *entry = argc > 0 ? find_entry(argv[0]) : NULL;

	if (!entry && argc > 0)
		entry = find_by_links(argv[0]);
	if (entry)
		return entry(argc, argv);
	entry = argc > 1 ? find_entry(argv[1]) : NULL;
	if (entry)
		return entry(argc - 1, argv + 1);
	fputs("usage: co-suite co-NAME [ARGUMENT...]\n"
	      "hint: run 'co help' for the commands\n",
	      stderr);
	return 2;
}
