/* file-notes.h: items about one file each, in files/DEVICE:INODE.md.
 *
 *	# /home/ada/project/main.c
 *
 *	- TEXT [from: CONVERSATION, 2026-02-09]
 *
 * The name is the file's device and inode, so that notes survive a rename; and
 * where an editor has put a new file in the place of the old one, the heading
 * tells whose they are, and they get the new name.  A path that is there counts
 * more than a number, which the system gives away again.
 *
 * Known limit: the notes on a file that is gone go to whatever gets its number,
 * if notes are made on that.
 */
#ifndef CO_HARVEST_FILE_NOTES_H
#define CO_HARVEST_FILE_NOTES_H

#include "store/store.h"

#define FILE_NOTES_FOLDER "files"

/* Find where notes on the file PATH go: 1 (*NAME, in A, of the file that has
 * them, or that is to be made; *ABOUT its path, links resolved), 0: there is no
 * such file, or no place for its notes, -1.  The lock of S is ours. */
int file_notes_locate(struct store *s, const char *path, struct arena *a,
		      const char **name, const char **about, struct err *e);

/* The path that the notes in TEXT are about, in A: of their heading; NULL where
 * it has none. */
const char *file_notes_about(const char *text, size_t len, struct arena *a);

/* Append TEXT (empty: what new notes begin with), its heading about ABOUT, unless
 * the file that it names is there. */
void file_notes_label(struct buf *out, const struct buf *text,
		      const char *about, struct arena *a);

/* True if NAME can be that of notes. */
bool file_notes_is_name(const char *name);

#endif
