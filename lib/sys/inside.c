/* inside.c: see inside.h. */
#include "sys/inside.h"

#include "base/mem.h"

extern char **environ;

bool inside_is(void)
{
	const char *mark = getenv(INSIDE_VARIABLE);

	return mark && !strcmp(mark, "1");
}

char **inside_environment(void)
{
	static char mark[] = INSIDE_VARIABLE "=1";
	const size_t name = strlen(INSIDE_VARIABLE "=");
	char **list;
	size_t n = 0, kept = 0;

	while (environ && environ[n])
		n++;
	list = mem_alloc((n + 2) * sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		if (strncmp(environ[i], mark, name) != 0)
			list[kept++] = environ[i];
	}
	list[kept++] = mark;
	list[kept] = NULL;
	return list;
}
