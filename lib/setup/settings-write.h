/* settings-write.h: changing the settings.json of a store. */
#ifndef CO_SETUP_SETTINGS_WRITE_H
#define CO_SETUP_SETTINGS_WRITE_H

#include "format/value.h"
#include "store/store.h"

/* Set KEY, checked by settings_parse(), to V, or with NULL take it away, under
 * the lock of S; a store that is absent is made.  1, 0 where nothing changed, -1:
 * ERR_DATA, the file is malformed; ERR_BUSY; ERR_SYSTEM. */
int settings_write(struct store *s, const char *key, const struct value *v,
		   struct err *e);

/* The same where KEY has no value yet, else 0: of two at once, the first is
 * heard. */
int settings_write_new(struct store *s, const char *key, const struct value *v,
		       struct err *e);

#endif
