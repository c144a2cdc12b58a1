/* arena.c: a list of blocks. Each allocation advances a pointer in the newest
 * block. The first block is small, because most arenas hold little and each
 * page that is touched costs a page fault. Later blocks double in size up to
 * BLOCK_MOST. */
#include "base/arena.h"

#include <stdarg.h>

#define BLOCK_FIRST ((size_t)1024)
#define BLOCK_MOST ((size_t)16 * 1024)
#define ALIGNMENT ((size_t)16)

struct arena_block {
	struct arena_block *older;
	size_t used, cap;
	_Alignas(16) char data[];
};

static struct arena_block *add_block(struct arena *a, size_t size)
{
	size_t cap = a->blocks ? a->blocks->cap * 2 : BLOCK_FIRST;
	struct arena_block *b;

	if (cap > BLOCK_MOST)
		cap = BLOCK_MOST;
	if (cap < size)
		cap = size;
	if (cap > SIZE_MAX - sizeof(*b))
		mem_none();
	b = mem_resize(NULL, 1, sizeof(*b) + cap);
	b->older = a->blocks;
	b->used = 0;
	b->cap = cap;
	a->blocks = b;
	return b;
}

/* Return SIZE bytes that are not zeroed, owned by A. */
static void *alloc_raw(struct arena *a, size_t size)
{
	struct arena_block *b = a->blocks;
	void *p;

	if (size > SIZE_MAX - ALIGNMENT)
		mem_none();
	size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if (!b || b->cap - b->used < size)
		b = add_block(a, size);
	p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(alloc_raw(a, size), 0, size);
}

char *arena_copy(struct arena *a, const char *p, size_t len)
{
	char *copy = alloc_raw(a, len + 1);

	if (len)
		memcpy(copy, p, len);
	copy[len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_copy(a, s, strlen(s)) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		mem_none();
	p = alloc_raw(a, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return p;
}

static void free_blocks(struct arena_block *b)
{
	while (b) {
		struct arena_block *older = b->older;

		free(b);
		b = older;
	}
}

void arena_reset(struct arena *a)
{
	if (!a->blocks)
		return;
	free_blocks(a->blocks->older);
	a->blocks->older = NULL;
	a->blocks->used = 0;
}

void arena_release(struct arena *a)
{
	free_blocks(a->blocks);
	a->blocks = NULL;
}
