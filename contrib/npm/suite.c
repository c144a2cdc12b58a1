/* suite.c: all programs in one, which is the one that its first word names.
 *
 * Programs on their own carry the same libraries each.  A package has this one
 * instead, and beside it a file of a few lines for each of their names, which
 * runs it: see pack.
 */
#include "base/base.h"

#include <stdio.h>

#define PROGRAM(name, entry) int entry(int argc, char **argv);
#include "suite.h"
#undef PROGRAM

static const struct {
	const char *name;
	int (*entry)(int argc, char **argv);
} programs[] = {
#define PROGRAM(name, entry) {name, entry},
#include "suite.h"
#undef PROGRAM
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(programs); i++) {
		if (!strcmp(argv[1], programs[i].name))
			return programs[i].entry(argc - 1, argv + 1);
	}
	fputs("usage: suite co-NAME [ARGUMENT...]\n", stderr);
	return 2;
}
