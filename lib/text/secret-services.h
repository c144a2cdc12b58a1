/* secret-services.h: the shapes of keys that nothing but a service's name tells
 * from any other string: FASTLY_TOKEN=... */
#ifndef CO_VENDORS_H
#define CO_VENDORS_H

#include "text/secret-rules.h"

extern const struct shape vendors[];
extern const size_t vendors_count;

#endif
