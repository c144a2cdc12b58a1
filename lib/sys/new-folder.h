/* new-folder.h: a folder that appears with all its files, or not at all.
 *
 * It is filled under a temporary name beside its place, synced, and takes its name
 * in one step.  Killed at any instant, there is nothing under that name, or all;
 * what a killed one left is removed by the next to be made there, once it is old.
 */
#ifndef CO_SYS_NEW_FOLDER_H
#define CO_SYS_NEW_FOLDER_H

#include "base/strings.h"
#include "sys/file.h"

/* Its own.  A zeroed one is not begun. */
struct new_folder {
	char *path;	  /* links resolved */
	char *temp;	  /* its name for now */
	const char *name; /* the end of PATH */
	int above, fd;	  /* the folder it is to stand in, and itself */
	struct strings folders, files; /* in it, as they were made */
};

/* Begin F, which is to stand at PATH, where there is nothing, or an empty folder
 * to take the place of; with the mode that one has.  1; 0 and nothing is begun
 * where there is a folder that has something in it, that we are in, or that is on
 * another file system than the one above; -1. */
int new_folder_begin(struct new_folder *f, const char *path, struct err *e);

/* Put LEN bytes of P into F as the file NAME, or FOLDER/NAME.  -1; ERR_DATA: there
 * is one of that name. */
int new_folder_put(struct new_folder *f, const char *name, const char *p,
		   size_t len, struct err *e);

/* Give F its name, durably, and release it; -1: ERR_SYSTEM, and nothing of it is
 * left. */
int new_folder_finish(struct new_folder *f, struct err *e);

/* Remove F instead; one that is not begun or is finished may be given. */
void new_folder_drop(struct new_folder *f);

#endif
