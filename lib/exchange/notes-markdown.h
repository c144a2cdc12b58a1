/* notes-markdown.h: memories that are Markdown. */
#ifndef CO_EXCHANGE_NOTES_MARKDOWN_H
#define CO_EXCHANGE_NOTES_MARKDOWN_H

#include "exchange/note.h"

/* Send what the file NAME, of LEN bytes at P, holds: each item and paragraph; if
 * it has a heading TITLE (NULL: any), those below it alone. */
int notes_send_entries(const struct note_sink *s, const char *name,
		       const char *title, const char *p, size_t len,
		       struct err *e);

/* Send the file as one memory; TITLED puts its name in front, as a heading,
 * unless it begins with one. */
int notes_send_whole(const struct note_sink *s, const char *name, bool titled,
		     const char *p, size_t len, struct err *e);

/* Send a file of the suite: a memory as a record, with its frontmatter; of a
 * category file, by its NAME, each item; of what co-export prints in one, each
 * file that it holds. */
int notes_send_file(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e);

#endif
