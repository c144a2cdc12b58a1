/* bare-save: make the system calls of a durable save, and nothing else. usage:
 * bare-save KNOWLEDGE [names]
 *
 * It makes the calls of co-memory-save in their order: read the text, lock the
 * directory, remove files of a dead writer, read the first 4 KiB of each memory
 * for its id (with `names`: take the ids from the names, and read nothing),
 * write a temporary file, sync it, rename it, sync the directory, print the
 * path.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define TEMP ".bare-tmp"

static void fail(const char *what)
{
	perror(what);
	exit(4);
}

/* Return the id of the file NAME in DIR. */
static int id_of(int dir, const char *name)
{
	char text[4097];
	const int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW);
	const ssize_t n = read(fd, text, sizeof(text) - 1);
	const char *id;

	close(fd);
	if (n < 0)
		fail(name);
	text[n] = '\0';
	id = strstr(text, "\nid: ");
	return id ? atoi(id + strlen("\nid: ")) : 0;
}

/* Return the highest id in DIR. */
static int highest(int dir, int by_names)
{
	DIR *d = fdopendir(openat(dir, ".", O_RDONLY | O_DIRECTORY));
	struct dirent *entry;
	int max = 0;

	if (!d)
		fail("opendir");
	while ((entry = readdir(d))) {
		const char *name = entry->d_name;
		int id;

		if (name[0] == '.')
			continue;
		id = by_names ? atoi(name) : id_of(dir, name);
		max = id > max ? id : max;
	}
	closedir(d);
	return max;
}

int main(int argc, char **argv)
{
	char body[4096], text[8192], name[64];
	int knowledge, dir, fd, id, len;
	ssize_t n;

	if (argc < 2) {
		fputs("usage: bare-save KNOWLEDGE [names] <TEXT\n", stderr);
		return 2;
	}
	n = read(0, body, sizeof(body));
	knowledge = open(argv[1], O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (n < 0 || knowledge < 0 || flock(knowledge, LOCK_EX))
		fail(argv[1]);
	dir = openat(knowledge, "memories",
		     O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (dir < 0)
		fail("memories");
	unlinkat(knowledge, TEMP, 0);
	unlinkat(dir, TEMP, 0);
	id = highest(dir, argc > 2) + 1;
	snprintf(name, sizeof(name), "%03d-bare.md", id);
	len = snprintf(text, sizeof(text),
		       "---\nid: %d\ncreated: 2026-02-09T14:30:00Z\n"
		       "tags: []\nsource: user-told\n---\n\n%.*s\n",
		       id, (int)n, body);
	fd = openat(dir, TEMP, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0 || write(fd, text, (size_t)len) != len || fsync(fd) ||
	    close(fd) || renameat2(dir, TEMP, dir, name, RENAME_NOREPLACE) ||
	    fsync(dir))
		fail(name);
	flock(knowledge, LOCK_UN);
	printf("%s/memories/%s\n", argv[1], name);
	return 0;
}
