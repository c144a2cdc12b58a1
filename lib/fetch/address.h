/* address.h: addresses that must not be reached for an untrusted URL. */
#ifndef CO_FETCH_ADDRESS_H
#define CO_FETCH_ADDRESS_H

#include "base/base.h"

#include <sys/socket.h>

/* Return why the IPv4 or IPv6 address A is not public ("loopback", "private",
 * ...), a static string, or NULL if it is public. An IPv6 address is public
 * only if it is allocated as global unicast and embeds no IPv4 address. */
const char *address_not_public(const struct sockaddr *a);

#endif
