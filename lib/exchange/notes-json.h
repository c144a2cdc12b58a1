/* notes-json.h: memories that are JSON. */
#ifndef CO_EXCHANGE_NOTES_JSON_H
#define CO_EXCHANGE_NOTES_JSON_H

#include "exchange/context-json-read.h"

/* Send what LEN bytes of JSON at P hold, by format; places in sentences are
 * those of the sink's path.  -1 also with ERR_DATA, where nothing can be read.
 *
 * An entity of server-memory is one memory: its name and kind, its observations,
 * and what it has to do with others, a line each. */
int notes_send_entities(const struct note_sink *s, const char *p, size_t len,
			struct err *e);
int notes_send_mem0(const struct note_sink *s, const char *p, size_t len,
		    struct err *e);

/* Records; or, by what they hold and by the file's NAME, what an older co wrote:
 * that is KEPT, to be sent once all files are read. */
int notes_send_records(const struct note_sink *s, const char *name,
		       const char *p, size_t len, struct context_read *kept,
		       struct err *e);

#endif
