/* inherit.c: see inherit.h. */
#include "sys/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return true and fill *ST if this process is root and DIR belongs to another
 * user. */
static bool is_owned_by_user(int dir, struct stat *st)
{
	return geteuid() == 0 && fstat(dir, st) == 0 && st->st_uid != 0;
}

int inherit_mkdir(int dir, const char *name, unsigned mode)
{
	struct stat st;

	if (mkdirat(dir, name, (mode_t)mode) < 0)
		return -1;
	if (is_owned_by_user(dir, &st) &&
	    fchownat(dir, name, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		errno = 0;
	return 0;
}

int inherit_owner(int dir, int fd)
{
	struct stat st;

	if (is_owned_by_user(dir, &st) && fchown(fd, st.st_uid, st.st_gid) < 0)
		errno = 0;
	return 0;
}
