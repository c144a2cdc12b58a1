/* file-write.h: making, replacing and moving files safely.
 *
 * A file is never edited in place: its new content goes to a temporary file, is
 * synced, and takes the name in one step; the folder is synced before success
 * is reported.  Killed at any instant, the old file stands or the new one.
 *
 * Writers hold the store's lock, but where it does not reach another machine
 * that writes as well, nothing may get mixed or lost.  So each temporary name,
 * FILE_TEMP and a random number, is its writer's own and used once; one that a
 * killed writer left is removed when it is old.  What replaces a text is told
 * which one, and looks again in the end.
 */
#ifndef CO_SYS_FILE_WRITE_H
#define CO_SYS_FILE_WRITE_H

#include "sys/file.h"

#define FILE_TEMP ".co-tmp" /* what the temporary names begin with */

/* Make the regular file NAME in DIR with LEN bytes of P, durably.  Returns 1,
 * 0 when the name is taken (nothing is changed), -1. */
int file_create(int dir, const char *name, const char *path, unsigned mode,
		const char *p, size_t len, struct err *e);

/* The same, but the temporary file stands in the folder TEMP, if that is on the
 * same file system: for a DIR that nobody tidies. */
int file_create_from(int temp, int dir, const char *name, const char *path,
		     unsigned mode, const char *p, size_t len, struct err *e);

/* Replace the file NAME in DIR (which must exist and be regular) durably,
 * keeping its mode, and its owner where we may. */
int file_replace(int dir, const char *name, const char *path, const char *p,
		 size_t len, struct err *e);

/* The same by a temporary file in TEMP, as file_create_from(), and only if what
 * is replaced is WAS.  Returns 0; 1 where the file system cannot tell that, and
 * another's text may be gone; or -1: ERR_BUSY, it is another, and stays.  LOST,
 * unless NULL, gets a text that was put there and taken away on the way, whose
 * writer does not know. */
int file_replace_from(int temp, int dir, const char *name, const char *path,
		      const struct buf *was, const char *p, size_t len,
		      struct buf *lost, struct err *e);

/* Move NAME from DIR to TO_DIR as TO_NAME, never over another file; the caller
 * syncs the folders, where it went first: in doubt it stands twice, never
 * nowhere.  Returns 1, 0 when the name is taken, -1; ERR_BUSY: it is gone. */
int file_rename(int dir, const char *name, int to_dir, const char *to_name,
		const char *path, struct err *e);

/* The same into a folder that nobody else writes to: it never stands twice,
 * whatever the file system lacks. */
int file_put_away(int dir, const char *name, int to_dir, const char *to_name,
		  const char *path, struct err *e);

/* Remove the temporary files of DIR that are old, as dead writers leave them.
 * Cannot fail: what stays is in nobody's way. */
void file_tidy(int dir);

/* Remove the file NAME of DIR durably. */
int file_remove(int dir, const char *name, const char *path, struct err *e);

#endif
