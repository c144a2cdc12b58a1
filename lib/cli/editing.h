/* editing.h: let the person edit a text until it is valid. */
#ifndef CO_CLI_EDITING_H
#define CO_CLI_EDITING_H

#include "sys/editor.h"

/* Call editor_edit() for ED. If the result is invalid, print why, and on a terminal ask
 * whether to edit it again. Print errors, that nothing was changed, and for a kept edit
 * that the command RESUME opens it. Return 1 if the edit was used, 0 if nothing was
 * changed. End the process after an error. */
int editing_run(struct editor ed, const char *resume);

#endif
