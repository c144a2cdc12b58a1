/* file-write.h: create, replace and move files safely.
 *
 * A file is never edited in place. The new content is written to a temporary
 * file, which is synced and renamed; then the directory is synced, before
 * success is reported. After a crash at any point, the file has the old content
 * or the new one.
 *
 * Writers normally hold the store's lock. Some file systems do not share it
 * between machines, so these functions are also safe without it: a temporary
 * name (FILE_TEMP and a random number) is used only once, and
 * file_replace_from() compares the old content before and after. file_tidy()
 * removes old temporary files, which killed writers have left.
 *
 * In all functions DIR is an open directory, NAME a name in it, and PATH the
 * name for error messages.
 */
#ifndef CO_SYS_FILE_WRITE_H
#define CO_SYS_FILE_WRITE_H

#include "sys/file.h"

#define FILE_TEMP ".co-tmp" /* prefix of temporary names */

/* Create the regular file NAME with LEN bytes of P, durably. Returns 1, 0 if
 * the name exists (nothing is changed), or -1. */
int file_create(int dir, const char *name, const char *path, unsigned mode,
		const char *p, size_t len, struct err *e);

/* Like file_create(), with the temporary file in the directory TEMP, if that is
 * on the same file system. Use it for a DIR in which file_tidy() is never
 * called. */
int file_create_from(int temp, int dir, const char *name, const char *path,
		     unsigned mode, const char *p, size_t len, struct err *e);

/* Like file_create_from(), but the caller syncs DIR, before it reports success. */
int file_create_unsynced(int temp, int dir, const char *name, const char *path,
			 unsigned mode, const char *p, size_t len,
			 struct err *e);

/* Replace the regular file NAME, which must exist, durably. Its mode is kept,
 * and its owner if permitted. Returns 0 or -1. */
int file_replace(int dir, const char *name, const char *path, const char *p,
		 size_t len, struct err *e);

/* Replace the file NAME only if its content is WAS, with the temporary file in
 * TEMP, see file_create_from(). Returns 0; 1 if the file system cannot exchange
 * names, so that a concurrent change may be lost; -1: ERR_BUSY if the content
 * is not WAS (it is kept), or another error. If a concurrent writer replaced
 * our text while it was being taken back, LOST (unless NULL) gets the text of
 * that writer, who does not know that it is gone. */
int file_replace_from(int temp, int dir, const char *name, const char *path,
		      const struct buf *was, const char *p, size_t len,
		      struct buf *lost, struct err *e);

/* Like file_replace_from(), but the caller syncs DIR, before it reports success. */
int file_replace_unsynced(int temp, int dir, const char *name, const char *path,
			  const struct buf *was, const char *p, size_t len,
			  struct buf *lost, struct err *e);

/* Move NAME from DIR to TO_DIR as TO_NAME, never over an existing file. The
 * caller then syncs TO_DIR, and after it DIR: after a crash the file may have
 * both names but never none. Returns 1, 0 if the name exists, or -1; ERR_BUSY
 * if NAME is gone. */
int file_rename(int dir, const char *name, int to_dir, const char *to_name,
		const char *path, struct err *e);

/* Like file_rename(), but the file never has both names, even on a file system without
 * an exclusive rename. No other process may write to TO_DIR, since there a file could be
 * replaced. */
int file_put_away(int dir, const char *name, int to_dir, const char *to_name,
		  const char *path, struct err *e);

/* Remove temporary files of killed writers, at least an hour old, from DIR. Errors are
 * ignored. */
void file_tidy(int dir);

/* Remove the file NAME durably. Returns 0 or -1. */
int file_remove(int dir, const char *name, const char *path, struct err *e);

/* Remove the directory NAME in ABOVE with everything in it, if it is at most LEVELS
 * directories deep, itself included. Links are removed, not followed. Not durable.
 * Return 0, or -1 with errno set if something remains. */
int file_remove_tree(int above, const char *name, int levels);

#endif
