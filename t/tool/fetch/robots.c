/* robots.c PATH...: print the paths that the robots.txt on standard input
 * allows. */
#include "fetch/robots.h"

#include "sys/file.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct buf text = {0};
	struct err e;

	if (file_read_fd(STDIN_FILENO, "-", 2 * ROBOTS_MAX, &text, &e) < 0)
		return 2;
	for (int i = 1; i < argc; i++) {
		if (robots_allow(buf_str(&text), text.len, argv[i]))
			puts(argv[i]);
	}
	buf_release(&text);
	return 0;
}
