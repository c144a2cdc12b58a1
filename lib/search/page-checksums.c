/* page-checksums.c: read and write functions between SQLite and the system.
 *
 * SQLite accepts other functions in place of the system's, but does not tell
 * them whose call it is. So the list of watched files is shared by the whole
 * process. A page is recognized by its length and offset, its file by the
 * inode. Other reads and writes, such as of the first bytes before the page
 * size is known, are passed on.
 *
 * A page that was never written is all zeros, and so is its checksum. SQLite
 * reads one only when it reuses a page that was freed before it was written.
 */
#include "search/page-checksums.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/table.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE 16 /* pages read at once */
#define TEXT (PAGE_CHECKSUMS_SIZE - PAGE_CHECKSUMS_RESERVED)

static struct watch {
	dev_t dev;
	ino_t ino;
	uint64_t seed, change;
	uint64_t pages; /* number of pages when it was first watched */
	bool taken;
} * files;
static size_t nfiles, cap;
static struct table by_inode; /* index of the taken ones */

int page_checksums_watch(const char *path, uint64_t seed)
{
	struct stat st;
	size_t i = 0;

	if (lstat(path, &st) < 0)
		return -1;
	while (i < nfiles && files[i].taken)
		i++;
	if (i == nfiles)
		files = mem_grow(files, nfiles++, &cap, sizeof(*files));
	files[i] = (struct watch){
		.dev = st.st_dev,
		.ino = st.st_ino,
		.seed = seed,
		.pages = (uint64_t)st.st_size / PAGE_CHECKSUMS_SIZE,
		.taken = true,
	};
	table_put(&by_inode, NULL, 0, st.st_ino, i);
	return (int)i;
}

void page_checksums_leave(int watch)
{
	if (watch < 0)
		return;
	files[watch].taken = false;
	table_drop(&by_inode, NULL, 0, files[watch].ino, (size_t)watch);
}

uint64_t page_checksums_change(int watch)
{
	return watch < 0 ? 0 : files[watch].change;
}

/* Return the watch of the file FD if LEN and AT are those of a page, else
 * NULL. */
static struct watch *find_watch(int fd, size_t len, off_t at)
{
	struct table_look k;
	struct stat st;
	size_t i;

	if (len != PAGE_CHECKSUMS_SIZE || at < 0 || at % PAGE_CHECKSUMS_SIZE ||
	    fstat(fd, &st) < 0)
		return NULL;
	k = table_look(&by_inode, NULL, 0, st.st_ino);
	while (table_next(&k, &i)) {
		if (files[i].ino == st.st_ino && files[i].dev == st.st_dev)
			return &files[i];
	}
	return NULL;
}

/* Return the checksum of PAGE. It is never 0, which marks an unwritten page. */
static uint64_t page_sum(const void *page, uint64_t seed, uint64_t index)
{
	const uint64_t sum = hash_words(page, TEXT, seed + index);

	return sum ? sum : 1;
}

static uint64_t stored_sum(const char *page)
{
	uint64_t sum;

	memcpy(&sum, page + TEXT, sizeof(sum));
	return sum;
}

static bool is_empty(const char *page)
{
	return !*page && !memcmp(page, page + 1, PAGE_CHECKSUMS_SIZE - 1);
}

static ssize_t page_checksums_pread(int fd, void *p, size_t len, off_t at)
{
	const ssize_t n = pread(fd, p, len, at);
	const uint64_t index = (uint64_t)at / PAGE_CHECKSUMS_SIZE;
	const struct watch *w;

	if (n != PAGE_CHECKSUMS_SIZE)
		return n;
	w = find_watch(fd, len, at);
	if (!w || stored_sum(p) == page_sum(p, w->seed, index) ||
	    (index >= w->pages && is_empty(p)))
		return n;
	errno = EIO;
	return -1;
}

static ssize_t page_checksums_pwrite(int fd, const void *p, size_t len,
				     off_t at)
{
	struct watch *w = find_watch(fd, len, at);
	char page[PAGE_CHECKSUMS_SIZE];
	uint64_t old = 0, sum;
	ssize_t n;

	if (!w)
		return pwrite(fd, p, len, at);
	sum = page_sum(p, w->seed, (uint64_t)at / PAGE_CHECKSUMS_SIZE);
	memcpy(page, p, TEXT);
	memcpy(page + TEXT, &sum, sizeof(sum));
	if (pread(fd, &old, sizeof(old), at + TEXT) != sizeof(old))
		old = 0;
	n = pwrite(fd, page, sizeof(page), at);
	if (n == PAGE_CHECKSUMS_SIZE)
		w->change += sum - old;
	return n;
}

static ssize_t page_checksums_read(int fd, void *p, size_t len)
{
	const off_t at =
		len == PAGE_CHECKSUMS_SIZE ? lseek(fd, 0, SEEK_CUR) : -1;
	ssize_t n;

	if (at < 0)
		return read(fd, p, len);
	n = page_checksums_pread(fd, p, len, at);
	if (n > 0)
		lseek(fd, at + n, SEEK_SET);
	return n;
}

static ssize_t page_checksums_write(int fd, const void *p, size_t len)
{
	const off_t at =
		len == PAGE_CHECKSUMS_SIZE ? lseek(fd, 0, SEEK_CUR) : -1;
	ssize_t n;

	if (at < 0)
		return write(fd, p, len);
	n = page_checksums_pwrite(fd, p, len, at);
	if (n > 0)
		lseek(fd, at + n, SEEK_SET);
	return n;
}

const struct page_checksums_call page_checksums_calls[PAGE_CHECKSUMS_CALLS] = {
	{"read", (void (*)(void))page_checksums_read},
	{"pread", (void (*)(void))page_checksums_pread},
	{"pread64", (void (*)(void))page_checksums_pread},
	{"write", (void (*)(void))page_checksums_write},
	{"pwrite", (void (*)(void))page_checksums_pwrite},
	{"pwrite64", (void (*)(void))page_checksums_pwrite},
};

/* Check N pages, beginning with the one that has the index INDEX. */
static bool check_pages(const char *page, size_t n, uint64_t seed,
			uint64_t index, uint64_t *total)
{
	for (; n; n--, page += PAGE_CHECKSUMS_SIZE, index++) {
		const uint64_t sum = stored_sum(page);

		if (sum ? sum != page_sum(page, seed, index) : !is_empty(page))
			return false;
		*total += sum;
	}
	return true;
}

bool page_checksums_check(int dir, const char *name, uint64_t seed,
			  uint64_t *total)
{
	const size_t most = (size_t)PIECE * PAGE_CHECKSUMS_SIZE;
	int fd = file_open(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	char *piece = mem_alloc(most);
	uint64_t index = 0;
	bool good = fd >= 0;
	size_t len = most;

	*total = 0;
	while (good && len == most) {
		ssize_t n = 1;

		for (len = 0; n > 0 && len<most; len += n> 0 ? (size_t)n : 0)
			n = read(fd, piece + len, most - len);
		good = n >= 0 && len % PAGE_CHECKSUMS_SIZE == 0 &&
		       (len || index) &&
		       check_pages(piece, len / PAGE_CHECKSUMS_SIZE, seed,
				   index, total);
		index += PIECE;
	}
	free(piece);
	file_close(fd);
	return good;
}
