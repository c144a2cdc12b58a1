/* secret-services.h: rules for keys that are recognised only by the name of
 * their service: FASTLY_TOKEN=... */
#ifndef CO_TEXT_SECRET_SERVICES_H
#define CO_TEXT_SECRET_SERVICES_H

#include "text/secret-rules.h"

extern const struct secret_rule secret_services[];
extern const size_t secret_services_count;

#endif
