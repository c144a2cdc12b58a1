/* catalog.c: any bytes as the catalog of a store, with valid checksums, so that
 * the data after them is read.
 *
 * Properties: an accepted catalog lies within the file, its strings end, and
 * each entry can be read, found and written again.
 */
#include "../fuzz.h"

#include "base/hash.h"
#include "cache/catalog-write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct cache_dir dir = {.fd = -1};

static void remove_dir(void)
{
	unlinkat(dir.fd, CATALOG_NAME, 0);
	rmdir(dir.path);
}

static void open_dir(void)
{
	char name[] = "/tmp/co-fuzz-XXXXXX";

	must(mkdtemp(name) != NULL, "the directory is opened");
	dir.fd = open(name, O_RDONLY | O_DIRECTORY);
	dir.path = mem_strdup(name);
	must(cache_dir_lock(&dir, 0) == 1, "the directory is locked");
	atexit(remove_dir);
}

static void mend_entry(char *data, size_t size, char *at, uint64_t identity)
{
	struct catalog_entry e;

	memcpy(&e, at, sizeof(e));
	if (e.at <= size && size - e.at > (uint64_t)e.meta_len + e.body_len) {
		e.meta_sum = hash_bytes(data + e.at, e.meta_len, identity);
		e.body_hash =
			hash_bytes(data + e.at + e.meta_len, e.body_len, 0);
	}
	e.sum = hash_bytes((char *)&e + sizeof(e.sum),
			   sizeof(e) - sizeof(e.sum), identity);
	memcpy(at, &e, sizeof(e));
}

/* Correct the checksums of the SIZE bytes of DATA as far as possible. */
static void mend(char *data, size_t size)
{
	const size_t front = offsetof(struct catalog_format_head, front);
	const size_t skip = offsetof(struct catalog_format_commit, size);
	struct catalog_format_head h;

	memcpy(&h, data, sizeof(h));
	for (uint64_t i = 0, at = h.entries;
	     i < h.nentries && at < size &&
	     size - at >= sizeof(struct catalog_entry);
	     i++, at += sizeof(struct catalog_entry))
		mend_entry(data, size, data + at, h.identity);
	for (uint64_t at = h.size;
	     at < size && size - at >= sizeof(struct catalog_format_commit);) {
		struct catalog_format_commit c;
		uint64_t entry = at + sizeof(c);

		memcpy(&c, data + at, sizeof(c));
		if (c.size < sizeof(c) || c.size > size - at)
			break;
		for (uint32_t i = 0;
		     i < c.nentries && entry < size &&
		     size - entry >= sizeof(struct catalog_entry);
		     i++, entry += sizeof(struct catalog_entry))
			mend_entry(data, size, data + entry, h.identity);
		c.sum = hash_bytes(data + at + skip, (size_t)c.size - skip,
				   h.identity ^ at);
		memcpy(data + at, &c, sizeof(c));
		at += (size_t)c.size;
	}
	if (h.front > front && h.front <= size)
		h.sum = hash_bytes(data + front, (size_t)h.front - front, 0);
	memcpy(data, &h, sizeof(h));
}

static void put(const char *data, size_t size)
{
	const int fd = cache_dir_new(&dir);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size,
	     "the file is written");
	close(fd);
	must(cache_dir_put(&dir, CATALOG_NAME) == 0, "the file is renamed");
}

static int count(void *ctx, size_t i)
{
	(void)i;
	++*(size_t *)ctx;
	return 0;
}

static void look(const struct catalog *s)
{
	struct catalog_strings text;
	size_t found = 0;

	for (size_t i = 0; i < catalog_count(s); i++) {
		const struct catalog_entry *e = catalog_entry(s, i);
		const char *body;

		if (!catalog_check(s, e))
			continue;
		must(memchr(catalog_meta(s, e), '\0', e->meta_len) != NULL,
		     "a path is terminated");
		if (catalog_strings(e, catalog_meta(s, e), &text))
			must(strlen(text.path) + strlen(text.title) <
				     e->meta_len,
			     "a string is inside the file");
		body = catalog_body(s, e);
		must(!body || !body[e->body_len], "a body is terminated");
		catalog_each_equal(s, e->key, count, &found);
	}
}

/* Read the SIZE bytes of DATA, of the store that they name, and write the
 * result. */
static void read_all(const char *data, size_t size)
{
	struct catalog_format_head h;
	struct buf path = {0};
	struct stat st = {0};
	struct catalog s, again;

	memcpy(&h, data, sizeof(h));
	st.st_dev = (dev_t)h.dev;
	st.st_ino = (ino_t)h.ino;
	buf_add(&path, data + sizeof(h),
		strnlen(data + sizeof(h), size - sizeof(h)));
	put(data, size);
	if (catalog_open(&s, &dir, buf_str(&path), &st, false) == 1) {
		look(&s);
		if (catalog_write_replace(&s, &dir, buf_str(&path), &st) == 0) {
			must(catalog_open(&again, &dir, buf_str(&path), &st,
					  false) == 1,
			     "a written catalog is read");
			look(&again);
			catalog_close(&again);
		}
	}
	catalog_close(&s);
	buf_release(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy;

	if (size < sizeof(struct catalog_format_head))
		return 0;
	if (dir.fd < 0)
		open_dir();
	copy = mem_alloc(size);
	memcpy(copy, data, size);
	mend(copy, size);
	read_all(copy, size);
	free(copy);
	return 0;
}
