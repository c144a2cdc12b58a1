/* file.h: opening and reading files safely; see file-write.h for writing.
 *
 * A repository may be hostile.  Names are single components, opened relative
 * to a folder's descriptor, never through a symbolic link; a FIFO or a device
 * is never waited for; every read is counted against a limit.
 */
#ifndef CO_SYS_FILE_H
#define CO_SYS_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* openat() with O_CLOEXEC, called again when it is interrupted; -1 with errno
 * set. */
int file_open(int dir, const char *name, int flags, unsigned mode);

/* Open the folder NAME in the folder DIR (AT_FDCWD and a path are allowed) for
 * reading.  *FD is yours, release with close().  Returns 1, 0 when it is
 * absent, -1 (ERR_SYSTEM; ERR_DATA for a link or another thing than a folder).
 * PATH is what sentences call it. */
int file_open_dir(int dir, const char *name, const char *path, int *fd,
		  struct err *e);

/* The same, and the folder is made where it is absent, with MODE, and its
 * parent synced.  *MADE (may be NULL) tells whether it was. */
int file_make_dir(int dir, const char *name, const char *path, unsigned mode,
		  int *fd, bool *made, struct err *e);

/* Open the folder BELOW ("a/b") of the folder DIR, called ABOVE, name by name, never
 * through a link.  MODE, unless 0, makes what is absent.  1 (*FD is the caller's), 0
 * when it is absent, -1 as file_open_dir().  "" is no folder of DIR. */
int file_open_below(int dir, const char *above, const char *below,
		    unsigned mode, int *fd, struct err *e);

/* Open the folder at the absolute PATH, and make it and those above it, with
 * MODE, where they are absent.  Links on the way are followed. */
int file_make_path(const char *path, unsigned mode, int *fd, struct err *e);

/* Replace OUT's contents by those of the regular file NAME in DIR.  Returns 1,
 * 0 when it is absent, -1: ERR_SYSTEM, or ERR_DATA for a link, FIFO, device,
 * folder, or more than MAX bytes. */
int file_read(int dir, const char *name, const char *path, size_t max,
	      struct buf *out, struct err *e);

/* The same for a path that a person gave: links are followed, pipes and
 * devices are read, "-" is standard input.  An absent file is an error
 * (ERR_SYSTEM). */
int file_read_path(const char *path, size_t max, struct buf *out,
		   struct err *e);

/* For a folder of the user's own, where a file may be a link, as GNU stow makes
 * them: *REAL, yours, is the folder in which the file NAME of DIR really lies, and
 * *THERE, in A, its name in it; DIR itself, opened again, where it is no link or
 * absent.  ERR_DATA: the link leads nowhere. */
int file_follow(int dir, const char *name, const char *path, struct arena *a,
		int *real, const char **there, struct err *e);

/* file_read() of what file_follow() finds. */
int file_read_followed(int dir, const char *name, const char *path, size_t max,
		       struct buf *out, struct err *e);

/* A person's PATH made absolute, links resolved, in A; as it is where it leads
 * to no file with a name, as a pipe's does, and for "-".  NULL with E filled. */
const char *file_absolute(const char *path, struct arena *a, struct err *e);

/* Read the descriptor FD to its end; PATH is what sentences call it. */
int file_read_fd(int fd, const char *path, size_t max, struct buf *out,
		 struct err *e);

/* The same of a regular file that has just been found to have SIZE bytes, SIZE_MAX
 * where that is not known: not asked for more once it gave these alone. */
int file_read_sized(int fd, const char *path, size_t size, size_t max,
		    struct buf *out, struct err *e);

/* Return true if the system says that there is no file NAME in the directory DIR
 * (AT_FDCWD and a path are allowed): ENOENT or ENOTDIR.  Any other failure, as
 * EACCES, EIO, ELOOP or ESTALE, says nothing about the file: false.  FOLLOWS: a
 * link counts as the file that it leads to.  Leaves errno as the system set
 * it, or 0 where the file is there. */
bool file_is_gone(int dir, const char *name, bool follows);

/* fsync(), called again when it is interrupted; -1 with errno set. */
int file_sync(int fd);

/* fsync() of the folder DIR, called PATH. */
int file_sync_dir(int dir, const char *path, struct err *e);

enum file_kind { FILE_REGULAR, FILE_FOLDER, FILE_LINK, FILE_OTHER };

/* What the MODE of stat() makes a file. */
enum file_kind file_kind_of(unsigned mode);

/* Walk the entries of the folder DIR, `.` and `..` aside, in no order.  FN
 * gets each name and its kind; nonzero from FN ends the walk and is returned,
 * else 0, or -1 (ERR_SYSTEM): an unreadable folder is never an empty one. */
typedef int file_walk_fn(void *ctx, const char *name, enum file_kind kind);
int file_walk(int dir, const char *path, file_walk_fn *fn, void *ctx,
	      struct err *e);

/* file_read() for an entry of a walk, whose KIND saves asking again; and the
 * same for what one read of LEN bytes gives, however many follow. */
int file_read_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t max, struct buf *out,
		     struct err *e);
int file_peek_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t len, struct buf *out,
		     struct err *e);

#endif
