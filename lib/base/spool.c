/* spool.c: an unlinked temporary file, mapped in pieces. Disk space for a piece
 * is allocated before it is mapped; otherwise a full disk would raise
 * SIGBUS. */
#include "base/spool.h"

#include "base/compat.h"

#include <sys/mman.h>
#include <unistd.h>

#define PIECE ((size_t)4 * 1024 * 1024)
#define ALIGNMENT ((size_t)16)

struct spool_piece {
	struct spool_piece *older;
	char *map;
	size_t size;
};

/* Open the temporary file, if it is not open. Returns false if that fails. */
static bool open_file(struct spool *s)
{
	if (s->fd || s->failed)
		return !s->failed;
	s->fd = compat_temp_file() + 1;
	s->failed = !s->fd;
	return !s->failed;
}

/* Extend the file by at least SIZE bytes and map them. Returns false on
 * failure. */
static bool add_piece(struct spool *s, size_t size)
{
	struct spool_piece *piece;
	char *map;

	size = (size + PIECE - 1) / PIECE * PIECE;
	if (!open_file(s) ||
	    compat_grow(s->fd - 1, (off_t)s->size, (off_t)size) < 0)
		return false;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd - 1,
		   (off_t)s->size);
	if (map == MAP_FAILED)
		return false;
	piece = arena_alloc(&s->arena, sizeof(*piece));
	*piece = (struct spool_piece){s->pieces, map, size};
	s->pieces = piece;
	s->size += size;
	s->used = 0;
	return true;
}

void *spool_alloc(struct spool *s, size_t size)
{
	if (size > SIZE_MAX / 2)
		mem_none();
	size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if (s->held + size > SPOOL_MEMORY && !s->failed) {
		if ((s->pieces && s->pieces->size - s->used >= size) ||
		    add_piece(s, size)) {
			s->used += size;
			return s->pieces->map + s->used - size;
		}
		s->failed = true;
	}
	s->held += size;
	return arena_alloc(&s->arena, size);
}

void spool_release(struct spool *s)
{
	for (struct spool_piece *p = s->pieces; p; p = p->older)
		munmap(p->map, p->size);
	if (s->fd)
		close(s->fd - 1);
	arena_release(&s->arena);
	*s = (struct spool){0};
}
