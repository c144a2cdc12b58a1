/* settings-write.h: change the settings.json of a store. */
#ifndef CO_SETUP_SETTINGS_WRITE_H
#define CO_SETUP_SETTINGS_WRITE_H

#include "format/value.h"
#include "store/store.h"

/* Set KEY to V, or remove KEY if V is NULL. Holds the lock of S meanwhile, and
 * creates the store if it is absent. V must be valid for settings_parse().
 * NEW: change nothing if KEY has a value; of two concurrent calls, the first one
 * wins. Return 1, 0 if nothing changed, or -1: ERR_DATA, the file is malformed;
 * ERR_BUSY; ERR_SYSTEM. */
int settings_write(struct store *s, const char *key, const struct value *v,
		   bool new, struct err *e);

#endif
