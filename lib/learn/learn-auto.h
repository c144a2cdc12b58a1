/* learn-auto.h: the option --auto of `co learn`, which sets harvest.auto. */
#ifndef CO_LEARN_LEARN_AUTO_H
#define CO_LEARN_LEARN_AUTO_H

#include "base/base.h"

/* Set harvest.auto in the user's settings to VALUE, "true" or "false", and
 * print the effect. Return the status for main(). End the process with 2 unless
 * ALONE, that is, --auto was given without other arguments. */
int learn_auto_set(const char *value, bool alone);

#endif
