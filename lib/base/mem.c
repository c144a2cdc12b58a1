/* mem.c: see mem.h. */
#include "base/mem.h"

#include <unistd.h>

void mem_none(void)
{
	static const char text[] = "co: out of memory\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(4);
	_exit(4);
}

void *mem_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		mem_none();
	return p;
}

void *mem_resize(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		mem_none();
	p = realloc(p, n && size ? n * size : 1);
	if (!p)
		mem_none();
	return p;
}

char *mem_strdup(const char *s)
{
	size_t len = strlen(s);

	return memcpy(mem_alloc(len + 1), s, len);
}

void *mem_grow(void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	*cap = *cap ? *cap * 2 : 16;
	return mem_resize(items, *cap, size);
}
