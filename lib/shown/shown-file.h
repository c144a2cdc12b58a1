/* shown-file.h: the file of a ledger. */
#ifndef CO_SHOWN_SHOWN_FILE_H
#define CO_SHOWN_SHOWN_FILE_H

#include "repo/root.h"
#include "shown/log.h"

#define SHOWN_FILE_FOLDER "shown"
#define SHOWN_FILE_MAX ((size_t)1024 * 1024)

/* Append the name of the ledger of R. */
void shown_file_add(struct buf *name, const struct root *r);

/* Return the ledger of the project of the working directory. NAME, which is empty,
 * gets its name, and must live as long. */
struct log_file shown_file_here(struct buf *name);

#endif
