/* file-notes.h: items about one file each, in files/DEVICE:INODE.md.
 *
 *	# /home/ada/project/main.c
 *
 *	- TEXT [from: CONVERSATION, 2026-02-09]
 *
 * The name is the device and inode number of the file, so notes survive a
 * rename of the file. If an editor replaced the file, the heading identifies
 * the notes, and they are renamed to the new number. An existing path counts
 * more than a number, because the system reuses numbers.
 *
 * Known limit: if a file is gone and another gets its number, new notes about
 * that one go to the old notes.
 */
#ifndef CO_HARVEST_FILE_NOTES_H
#define CO_HARVEST_FILE_NOTES_H

#include "base/strings.h"
#include "store/store.h"

#define FILE_NOTES_FOLDER "files"

/* Find the notes about the file PATH, creating no file. Returns 1, 0 if the
 * file does not exist or cannot have notes, or -1. *NAME is the file name of
 * the notes, existing or new; *ABOUT is PATH with links resolved. Both are
 * allocated in A. The caller must hold the lock of S. */
int file_notes_locate(struct store *s, const char *path, struct arena *a,
		      const char **name, const char **about, struct err *e);

/* Return the path in the heading of the notes TEXT, allocated in A, or NULL if
 * there is none. */
const char *file_notes_about(const char *text, size_t len, struct arena *a);

/* Append the notes TEXT with ABOUT as the path in the heading. A heading whose
 * file still exists is kept. An empty TEXT gets a heading. */
void file_notes_label(struct buf *out, const struct buf *text,
		      const char *about, struct arena *a);

/* Return true if NAME is a valid file name of notes. */
bool file_notes_is_name(const char *name);

/* Append the file names of all notes of S to NAMES, in order, allocated in A. Returns 0
 * or -1. The caller frees the array of NAMES, also after -1. */
int file_notes_list(struct store *s, struct strings *names, struct arena *a,
		    struct err *e);

#endif
