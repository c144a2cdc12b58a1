/* notes.h: read memories from Markdown and from JSON. */
#ifndef CO_EXCHANGE_NOTES_H
#define CO_EXCHANGE_NOTES_H

#include "exchange/context-json.h"

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
