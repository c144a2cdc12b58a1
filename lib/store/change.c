/* change.c: see change.h. */
#include "store/change.h"

#include "sys/file.h"

#include <fcntl.h>
#include <sys/stat.h>

struct change *change_of(struct store *s)
{
	if (!s->change) {
		s->change = mem_alloc(sizeof(*s->change));
		*s->change = (struct change){.lock_fd = -1,
					     .reach_fd = -1,
					     .shared_fd = -1,
					     .unsynced = -1,
					     .log = OPLOG_NONE};
	}
	return s->change;
}

int change_sync_left(struct store *s, struct err *e)
{
	struct change *c = s->change;

	if (c->unsynced >= 0 &&
	    file_sync_dir(c->unsynced, s->repo.path, &c->sync_why) < 0)
		c->sync_failed = true;
	file_close(c->unsynced);
	c->unsynced = -1;
	return c->sync_failed ? err_take(e, &c->sync_why) : 0;
}

static bool is_same_directory(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

int change_sync(struct store *s, int dir, const char *path, struct err *e)
{
	struct change *c = s->change;

	if (!c->sync_last)
		return file_sync_dir(dir, path, e);
	if (c->unsynced >= 0 && is_same_directory(c->unsynced, dir))
		return 0;
	if (change_sync_left(s, e) < 0)
		return -1;
	c->unsynced = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	return c->unsynced < 0 ? file_sync_dir(dir, path, e) : 0;
}

void change_release(struct store *s)
{
	struct change *c = s->change;

	if (!c)
		return;
	if (c->locked)
		c->unlock(s);
	oplog_close(&c->log);
	if (c->secrets)
		c->free_secrets(c->secrets);
	free(c->saved);
	free(c);
	s->change = NULL;
}
