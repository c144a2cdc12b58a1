/* notes.h: read memories from Markdown and from JSON. */
#ifndef CO_EXCHANGE_NOTES_H
#define CO_EXCHANGE_NOTES_H

#include "exchange/context-json.h"

/* Send each item and paragraph of the file NAME, the LEN bytes of P. If the
 * file has a heading TITLE (NULL: none), only send the entries below it. */
int notes_send_entries(const struct note_sink *s, const char *name,
		       const char *title, const char *p, size_t len,
		       struct err *e);

/* Send the file as one memory. TITLED: add its name as a heading unless it
 * begins with one. */
int notes_send_whole(const struct note_sink *s, const char *name, bool titled,
		     const char *p, size_t len, struct err *e);

/* Send a file of co: a memory as a record with its frontmatter; a category
 * file, known by its NAME, item by item; an export file by file. */
int notes_send_file(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e);

/* Send the memories in the file NAME, the LEN bytes of JSON at P. Messages name
 * the path of S. Returns 0 or -1, with ERR_DATA if nothing can be read.
 *
 * An entity of server-memory becomes one memory: its name and kind, its
 * observations, and its relations, one per line. Of records, the files of an
 * older co, which are detected by content and by NAME, are added to the kept of
 * S and must be sent later.
 */
int notes_send_entities(const struct note_sink *s, const char *name,
			const char *p, size_t len, struct err *e);
int notes_send_mem0(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e);
int notes_send_records(const struct note_sink *s, const char *name,
		       const char *p, size_t len, struct err *e);

#endif
