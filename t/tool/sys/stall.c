/* stall.c: stall DIR: mount a file system on DIR that accepts all requests and
 * answers none, so that a process that uses it blocks and cannot be killed until
 * this program ends. Print a line once it is mounted. Exit 77 if mounting is not
 * allowed. */
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static char request[1024 * 1024 + 4096];

/* Answer the version request, which the kernel sends before any other. */
static int answer_init(int fd)
{
	struct {
		struct fuse_out_header head;
		struct fuse_init_out init;
	} answer = {{sizeof(answer), 0, 0},
		    {.major = FUSE_KERNEL_VERSION,
		     .minor = FUSE_KERNEL_MINOR_VERSION,
		     .max_readahead = 4096,
		     .max_write = 4096}};
	struct fuse_in_header in;

	if (read(fd, request, sizeof(request)) < (ssize_t)sizeof(in))
		return -1;
	memcpy(&in, request, sizeof(in));
	answer.head.unique = in.unique;
	return write(fd, &answer, sizeof(answer)) == sizeof(answer) ? 0 : -1;
}

int main(int argc, char **argv)
{
	char options[128];
	int fd = open("/dev/fuse", O_RDWR);

	if (argc != 2)
		return 2;
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other", fd,
		 getuid(), getgid());
	if (fd < 0 || mount("stall", argv[1], "fuse.stall",
			    MS_NOSUID | MS_NODEV, options) < 0) {
		perror("stall");
		return 77;
	}
	if (answer_init(fd) < 0)
		return 1;
	puts("mounted");
	fflush(stdout);
	while (read(fd, request, sizeof(request)) > 0 || errno == EINTR)
		;
	return 0;
}
#else
int main(void)
{
	return 77;
}
#endif
