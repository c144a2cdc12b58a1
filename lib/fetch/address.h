/* address.h: addresses that nobody outside may be led to. */
#ifndef CO_FETCH_ADDRESS_H
#define CO_FETCH_ADDRESS_H

#include "base/base.h"

#include <sys/socket.h>

/* What makes A, IPv4 or IPv6, no address of the public network: "loopback",
 * "private" and so on, static; NULL where it is one.  Of IPv6 those alone are
 * public that were given out as such and hold no IPv4 address. */
const char *address_not_public(const struct sockaddr *a);

#endif
