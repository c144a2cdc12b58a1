/* sweep: the least work of a program that looks at every memory, in one
 * process. usage: sweep DIR [read]
 *
 * Calls readdir and fstatat for each *.md in DIR, and with `read` also open,
 * read and close.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char text[64 * 1024];

/* Return the bytes of NAME in DIR. */
static long take(int dir, const char *name)
{
	const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	long bytes = 0;
	ssize_t n;

	while ((n = read(fd, text, sizeof(text))) > 0)
		bytes += n;
	close(fd);
	return bytes;
}

int main(int argc, char **argv)
{
	DIR *d = opendir(argc > 1 ? argv[1] : ".");
	long files = 0, bytes = 0;
	struct dirent *entry;

	if (!d) {
		perror("sweep");
		return 4;
	}
	while ((entry = readdir(d))) {
		const size_t len = strlen(entry->d_name);
		struct stat st;

		if (len < 4 || strcmp(entry->d_name + len - 3, ".md") != 0 ||
		    fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		files++;
		bytes += argc > 2 ? take(dirfd(d), entry->d_name)
				  : (long)st.st_size;
	}
	closedir(d);
	printf("%ld files, %ld bytes\n", files, bytes);
	return 0;
}
