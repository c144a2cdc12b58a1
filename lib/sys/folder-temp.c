/* folder-temp.c: a new directory is locked after it was made. If another process
 * swept it in between, its name leads elsewhere, and another one is made.
 *
 * Known limit: where directories cannot be locked, nothing is swept.
 */
#include "sys/folder.h"

#include "sys/file-write.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANDOM "XXXXXX" /* which mkdtemp() replaces */
#define ATTEMPTS 100

/* Open the directory NAME of ABOVE and lock it. Return its descriptor, or -1 if it is
 * not one of ours, is in use or was swept. *LOCKED is false if it cannot be locked. */
static int open_unused(int above, const char *name, bool *locked)
{
	const int fd =
		file_open(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	struct stat st;

	if (fd < 0)
		return -1;
	*locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
	if ((*locked || errno != EWOULDBLOCK) && fstat(fd, &st) == 0 &&
	    st.st_uid == geteuid() && file_is_at(fd, above, name))
		return fd;
	close(fd);
	return -1;
}

/* Remove the directories in TEMP that killed processes left. */
static void sweep(const char *temp, const char *prefix, int levels)
{
	const int above = file_open(AT_FDCWD, temp, O_RDONLY | O_DIRECTORY, 0);
	const size_t len = strlen(prefix);
	struct file_list in;
	struct arena a = {0};

	if (above < 0)
		return;
	file_list(above, temp, &a, &in, NULL);
	for (size_t i = 0; i < in.n; i++) {
		const char *name = in.items[i].name;
		bool locked;
		int fd;

		if (in.items[i].kind != FILE_FOLDER ||
		    strncmp(name, prefix, len) != 0 ||
		    strlen(name + len) != strlen(RANDOM))
			continue;
		fd = open_unused(above, name, &locked);
		if (fd >= 0 && locked)
			file_remove_tree(above, name, levels);
		file_close(fd);
	}
	arena_release(&a);
	close(above);
}

int folder_temp_make(struct folder_temp *t, const char *prefix, int levels,
		     struct err *e)
{
	static bool swept;
	const char *temp = getenv("TMPDIR");
	struct buf path = {0};
	bool locked;

	temp = temp && *temp == '/' ? temp : "/tmp";
	if (!swept)
		sweep(temp, prefix, levels);
	swept = true;
	*t = (struct folder_temp){.fd = -1, .levels = levels};
	for (int i = 0; i < ATTEMPTS && t->fd < 0; i++) {
		buf_cut(&path, 0);
		buf_addf(&path, "%s/%s" RANDOM, temp, prefix);
		if (!mkdtemp(path.p))
			break;
		t->fd = open_unused(AT_FDCWD, path.p, &locked);
		if (t->fd < 0) {
			const int why = errno;

			rmdir(path.p);
			errno = why;
		}
	}
	if (t->fd < 0)
		err_sys(e, "cannot make a directory '%s'", path.p);
	else
		t->path = mem_strdup(path.p);
	buf_release(&path);
	return t->fd < 0 ? -1 : 0;
}

void folder_temp_remove(struct folder_temp *t)
{
	file_remove_tree(AT_FDCWD, t->path, t->levels);
	close(t->fd);
	free(t->path);
	*t = (struct folder_temp){.fd = -1};
}
