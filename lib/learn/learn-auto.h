/* learn-auto.h: the option --auto of co learn, which sets harvest.auto. */
#ifndef CO_LEARN_LEARN_AUTO_H
#define CO_LEARN_LEARN_AUTO_H

#include "base/base.h"

/* Set harvest.auto in the user's settings as VALUE, "true" or "false", says, and
 * tell what that means: the status of main().  Ends with 2 unless the option
 * stands ALONE. */
int learn_auto_set(const char *value, bool alone);

#endif
