/* new-folder.c: a directory that is filled, then renamed. */
#include "../expect.h"
#include "sys/new-folder.h"

#include <fcntl.h>
#include <unistd.h>

/* A descriptor that cannot be read stands in for a disk that fails. */
static void test_unreadable(void)
{
	struct new_folder f;
	struct err e;
	const int fd = open("source", O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0 || new_folder_begin(&f, "target", &e) < 0) {
		expect(false, "a directory is begun");
		return;
	}
	expect(new_folder_put(&f, "one", "1", 1, &e) == 0 &&
		       new_folder_copy(&f, "two", fd, "source", &e) == 0 &&
		       e.code == ERR_SYSTEM,
	       "the file is reported");
	close(fd);
	expect(new_folder_finish(&f, &e) == 0 && !access("target/one", F_OK),
	       "the others are kept");
	expect(access("target/two", F_OK) < 0, "no part of it is kept");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a file that cannot be read to its end is not copied",
		 test_unreadable},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
