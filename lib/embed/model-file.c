/* model-file.c: see model-file.h. Opening reads only the header, so that a command
 * that needs nothing else of a large model takes no time. */
#include "embed/model-file.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/mem.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_BYTES 8
#define HASH_BYTES 8

int model_file_set_damaged(const struct model_file *f, struct err *e)
{
	return err_set(e, ERR_DATA, "'%s' is damaged", f->path);
}

uint32_t model_file_number(const struct model_file *f, size_t i)
{
	uint32_t n;

	memcpy(&n, f->map + MAGIC_BYTES + i * sizeof(n), sizeof(n));
	return compat_le32(n);
}

uint64_t model_file_hash(const struct model_file *f)
{
	uint64_t hash;

	memcpy(&hash, f->map + f->kind->header - HASH_BYTES, sizeof(hash));
	return compat_le64(hash);
}

bool model_file_is_sound(const struct model_file *f, size_t index)
{
	const size_t header = f->kind->header, before = header - HASH_BYTES;
	uint64_t hash;
	char *known;

	if (index > f->size - header)
		return false;
	known = mem_alloc(before + index);
	memcpy(known, f->map, before);
	memcpy(known + before, f->map + header, index);
	hash = hash_bytes(known, before + index, 0);
	free(known);
	return hash == model_file_hash(f);
}

/* Map FD, and check the kind and version. Return 0 or -1. */
static int map_file(struct model_file *f, int fd, struct err *e)
{
	const struct model_file_kind *kind = f->kind;
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return err_sys(e, "cannot look at '%s'", f->path);
	if (!S_ISREG(st.st_mode) || st.st_size > (off_t)kind->most ||
	    st.st_size < (off_t)kind->header)
		return model_file_set_damaged(f, e);
	f->size = (size_t)st.st_size;
	p = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_sys(e, "cannot map '%s'", f->path);
	f->map = p;
	if (memcmp(f->map, kind->magic, MAGIC_BYTES))
		return err_set(e, ERR_DATA, "'%s' has no %s", f->path,
			       kind->contents);
	if (model_file_number(f, 0) != kind->version)
		return err_set(e, ERR_DATA, "'%s' is of version %u, not %u",
			       f->path, model_file_number(f, 0), kind->version);
	return 0;
}

int model_file_open(struct model_file *f, const char *path,
		    const struct model_file_kind *kind, struct err *e)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	int r;

	*f = (struct model_file){0};
	if (fd < 0)
		return errno == ENOENT ? 0
				       : err_sys(e, "cannot open '%s'", path);
	f->path = mem_strdup(path);
	f->kind = kind;
	r = map_file(f, fd, e);
	close(fd);
	if (r < 0) {
		model_file_close(f);
		return -1;
	}
	return 1;
}

void model_file_close(struct model_file *f)
{
	if (f->map)
		munmap((void *)(uintptr_t)f->map, f->size);
	free((char *)(uintptr_t)f->path);
	*f = (struct model_file){0};
}
