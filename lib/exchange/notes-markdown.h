/* notes-markdown.h: read memories from Markdown. */
#ifndef CO_EXCHANGE_NOTES_MARKDOWN_H
#define CO_EXCHANGE_NOTES_MARKDOWN_H

#include "exchange/note.h"

/* Send each item and paragraph of the file NAME, the LEN bytes of P.  If the
 * file has a heading TITLE (NULL: none), only send what is below it. */
int notes_send_entries(const struct note_sink *s, const char *name,
		       const char *title, const char *p, size_t len,
		       struct err *e);

/* Send the file as one memory.  TITLED: add its name as a heading unless it
 * begins with one. */
int notes_send_whole(const struct note_sink *s, const char *name, bool titled,
		     const char *p, size_t len, struct err *e);

/* Send a file of co: a memory as a record with its frontmatter; a category
 * file, known by its NAME, item by item; an export file by file. */
int notes_send_file(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e);

#endif
