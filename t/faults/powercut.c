/* powercut.c: powercut DIR: cut the power of the ext4 file system of DIR.
 * Unwritten data is lost, and nothing can be written until the file system is
 * mounted again. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define EXT4_IOC_SHUTDOWN _IOR('X', 125, uint32_t)
#define NO_LOG_FLUSH 2

int main(int argc, char **argv)
{
	uint32_t how = NO_LOG_FLUSH;
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;

	if (fd < 0 || ioctl(fd, EXT4_IOC_SHUTDOWN, &how) < 0) {
		perror("powercut");
		return 4;
	}
	close(fd);
	return 0;
}
