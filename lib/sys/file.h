/* file.h: open and read files safely. See file-write.h for writing.
 *
 * A repository may be hostile. File names are single components, opened
 * relative to a directory's descriptor, never through a symbolic link. A FIFO
 * or device never blocks. Every read has a size limit.
 *
 * In all functions PATH is the name for error messages. Descriptors are
 * close-on-exec.
 */
#ifndef CO_SYS_FILE_H
#define CO_SYS_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* Call openat() with O_CLOEXEC, retrying on EINTR. A file that root creates in DIR gets
 * the owner of DIR, unless DIR is AT_FDCWD. So with O_CREAT and without O_EXCL, a caller
 * with another DIR must also pass O_NOFOLLOW. Returns -1 with errno set. */
int file_open(int dir, const char *name, int flags, unsigned mode);

/* Call mkdirat(), and give the directory the owner and group of DIR as file_open() does.
 * Returns 0, or -1 with errno set. */
int file_mkdir(int dir, const char *name, unsigned mode);

/* Open the directory NAME in DIR for reading; AT_FDCWD with a path is allowed.
 * The caller closes *FD. Returns 1, 0 if it is absent, or -1: ERR_DATA for a
 * link or a file that is not a directory, else ERR_SYSTEM. */
int file_open_dir(int dir, const char *name, const char *path, int *fd,
		  struct err *e);

/* Open the directory NAME in DIR, creating it with MODE if it is absent and
 * syncing DIR. The caller closes *FD. *MADE, unless NULL, tells whether it was
 * created. Returns 0, or -1 as file_open_dir(). */
int file_make_dir(int dir, const char *name, const char *path, unsigned mode,
		  int *fd, bool *made, struct err *e);

/* Open the directory at the relative path BELOW ("a/b") in DIR, component by
 * component, never through a link. ABOVE is the path of DIR, for error
 * messages. If MODE is not 0, absent directories are created with it. BELOW
 * must not be "". The caller closes *FD. Returns 1, 0 if absent, or -1 as
 * file_open_dir(). */
int file_open_below(int dir, const char *above, const char *below,
		    unsigned mode, int *fd, struct err *e);

/* Open the directory at the absolute PATH, creating it and its parents with
 * MODE if they are absent. Links are followed. The caller closes *FD. Returns 0
 * or -1. */
int file_make_path(const char *path, unsigned mode, int *fd, struct err *e);

/* Read the regular file NAME in DIR, replacing the contents of OUT. Returns 1,
 * 0 if it is absent, or -1: ERR_DATA for a link, FIFO, device, directory or a
 * file of more than MAX bytes, else ERR_SYSTEM. */
int file_read(int dir, const char *name, const char *path, size_t max,
	      struct buf *out, struct err *e);

/* Read a PATH that a person gave, replacing the contents of OUT. Unlike
 * file_read(), it follows links and reads pipes and devices; "-" is standard
 * input. Returns 1, or -1: ERR_SYSTEM also if the file is absent. */
int file_read_path(const char *path, size_t max, struct buf *out,
		   struct err *e);

/* Like file_read_path(), for an operand or the value of an option. It waits until a
 * program opens a FIFO for writing; file_read_path() reads such a FIFO as empty. So PATH
 * must not come from a directory or from data. */
int file_read_operand(const char *path, size_t max, struct buf *out,
		      struct err *e);

/* Resolve the file NAME in DIR, which may be a link, as made by GNU stow. Only
 * for directories of the user, not of a repository. *REAL is the directory of
 * the real file, which the caller closes, and *THERE its name there, in A. If
 * NAME is not a link, or is absent, *REAL is DIR opened again. Returns 0, or -1:
 * ERR_DATA if the link is dangling. */
int file_follow(int dir, const char *name, const char *path, struct arena *a,
		int *real, const char **there, struct err *e);

/* Read the file that file_follow() finds. Returns as file_read(). */
int file_read_followed(int dir, const char *name, const char *path, size_t max,
		       struct buf *out, struct err *e);

/* Return the PATH that a person gave as an absolute path without links, in A;
 * or unchanged, if it is "-" or names no file in a directory, as for a pipe.
 * Returns NULL on error. */
const char *file_absolute(const char *path, struct arena *a, struct err *e);

/* Return PATH, whose file may be missing, as an absolute path in A. Links are resolved in
 * the part of it that exists. */
const char *file_resolve(const char *path, struct arena *a);

/* Return the last component of PATH, borrowed. */
const char *file_name_of(const char *path);

/* Close FD, unless it is -1. */
void file_close(int fd);

/* Read the descriptor FD to its end, replacing the contents of OUT. Returns 0
 * or -1. */
int file_read_fd(int fd, const char *path, size_t max, struct buf *out,
		 struct err *e);

/* Like file_read_fd(), for a regular file whose size was just found to be SIZE
 * (SIZE_MAX: unknown). Saves the last read() if the file has this size. */
int file_read_sized(int fd, const char *path, size_t size, size_t max,
		    struct buf *out, struct err *e);

/* Return true if the system reports ENOENT or ENOTDIR for the file NAME in DIR;
 * AT_FDCWD with a path is allowed. Any other failure (EACCES, EIO, ELOOP,
 * ESTALE) does not show that the file is absent: false. FOLLOWS: follow a link.
 * errno is left as set by the system, 0 if the file exists. */
bool file_is_gone(int dir, const char *name, bool follows);

/* Return true if the paths X and Y lead to one file; links are followed. */
bool file_is_same(const char *x, const char *y);

/* Return true if the open file FD still has the name NAME in DIR. No link is followed;
 * AT_FDCWD with a path is allowed. */
bool file_is_at(int fd, int dir, const char *name);

/* Return 1 if the file NAME in DIR exists, 0 if file_is_gone(), or -1. AT_FDCWD with a
 * path is allowed. No link is followed. */
int file_exists(int dir, const char *name, const char *path, struct err *e);

/* Call fsync(), retrying on EINTR. Returns -1 with errno set. */
int file_sync(int fd);

/* Call fsync() for the directory DIR. PATH is a file in it. Returns 0 or -1. */
int file_sync_dir(int dir, const char *path, struct err *e);

enum file_kind { FILE_REGULAR, FILE_FOLDER, FILE_LINK, FILE_OTHER };

/* Return the kind of a file from the MODE of stat(). */
enum file_kind file_kind_of(unsigned mode);

/* Call FN for each entry of the directory DIR except "." and "..", in no
 * defined order. If FN returns nonzero, the walk stops and returns that value.
 * Else returns 0, or -1 with ERR_SYSTEM if the directory cannot be read. */
typedef int file_walk_fn(void *ctx, const char *name, enum file_kind kind);
int file_walk(int dir, const char *path, file_walk_fn *fn, void *ctx,
	      struct err *e);

/* The entries of a directory, sorted by name. */
struct file_list {
	struct file_entry {
		const char *name;
		enum file_kind kind;
	} * items;
	size_t n;
};

/* Set *LIST to the entries of the directory DIR except "." and "..", in A. Returns 0;
 * or -1 as file_walk(), and *LIST has the entries that were read before. */
int file_list(int dir, const char *path, struct arena *a,
	      struct file_list *list, struct err *e);

/* Read an entry of a walk, as file_read(), without another stat(): KIND is the
 * kind that the walk reported. file_peek_walked() reads the first LEN bytes at
 * most, in one read, whatever the size of the file. */
int file_read_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t max, struct buf *out,
		     struct err *e);
int file_peek_walked(int dir, const char *name, const char *path,
		     enum file_kind kind, size_t len, struct buf *out,
		     struct err *e);

/* Return true if PATH has no part that is empty, "." or "..". Unless a link is
 * on the way, it then leads to a place below the directory it starts from. */
bool file_is_plain(const char *path);

#endif
