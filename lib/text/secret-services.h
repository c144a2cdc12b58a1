/* secret-services.h: the rules for keys that nothing but a service's name tells
 * from any other string: FASTLY_TOKEN=... */
#ifndef CO_TEXT_SECRET_SERVICES_H
#define CO_TEXT_SECRET_SERVICES_H

#include "text/secret-rules.h"

extern const struct secret_rule secret_services[];
extern const size_t secret_services_count;

#endif
