/* inherit.c: see inherit.h. */
#include "sys/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* True and *ST is DIR, if what is made in it is to be given away. */
static bool is_of_another(int dir, struct stat *st)
{
	return geteuid() == 0 && fstat(dir, st) == 0 && st->st_uid != 0;
}

int inherit_mkdir(int dir, const char *name, unsigned mode)
{
	struct stat st;

	if (mkdirat(dir, name, (mode_t)mode) < 0)
		return -1;
	if (is_of_another(dir, &st) &&
	    fchownat(dir, name, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		errno = 0;
	return 0;
}

int inherit_owner(int dir, int fd)
{
	struct stat st;

	if (is_of_another(dir, &st) && fchown(fd, st.st_uid, st.st_gid) < 0)
		errno = 0;
	return 0;
}
