/* address.c: IANA's registries of special addresses as two tables. The first
 * entry that matches decides. */
#include "fetch/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

struct net {
	unsigned char prefix[16];
	unsigned bits;
	const char *what; /* why it is not public; NULL: public */
};

/* Addresses for examples (192.0.2.0/24 and so on) are not listed, as they lead
 * nowhere. */
static const struct net v4[] = {
	{{0}, 8, "this network"},
	{{10}, 8, "private"},
	{{100, 64}, 10, "carrier-grade"},
	{{127}, 8, "loopback"},
	{{169, 254}, 16, "link-local"},
	{{172, 16}, 12, "private"},
	{{192, 0, 0}, 24, "reserved"},
	{{192, 88, 99}, 24, "a relay"},
	{{192, 168}, 16, "private"},
	{{198, 18}, 15, "for measuring"},
	{{224}, 4, "multicast"},
	{{240}, 4, "reserved"},
	{{0}, 0, NULL},
};

static const struct net v6[] = {
	{{0x20, 0x02}, 16, "IPv4 inside IPv6"},
	{{0x20, 0x01, 0x00, 0x00}, 32, "IPv4 inside IPv6"},
	{{0x20, 0x01, 0x00}, 23, "reserved"},
	{{0x3f, 0xff}, 20, "reserved"},
	{{0x20}, 3, NULL},
	{{[15] = 1}, 128, "loopback"},
	{{[15] = 0}, 128, "this network"},
	{{[10] = 0xff, 0xff}, 96, "IPv4 inside IPv6"},
	{{0}, 96, "IPv4 inside IPv6"},
	{{0x00, 0x64, 0xff, 0x9b}, 32, "IPv4 by NAT64"},
	{{0xfc}, 7, "unique local"},
	{{0xfe, 0x80}, 10, "link-local"},
	{{0xfe, 0xc0}, 10, "private"},
	{{0xff}, 8, "multicast"},
	{{0}, 0, "reserved"},
};

static bool has_prefix(const unsigned char *p, const struct net *net)
{
	const size_t whole = net->bits / 8, rest = net->bits % 8;

	return !memcmp(p, net->prefix, whole) &&
	       (!rest || !((p[whole] ^ net->prefix[whole]) >> (8 - rest)));
}

static const char *lookup_net(const struct net *net, const unsigned char *p)
{
	while (!has_prefix(p, net))
		net++;
	return net->what;
}

const char *address_not_public(const struct sockaddr *a)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (a->sa_family == AF_INET) {
		memcpy(&in, a, sizeof(in));
		return lookup_net(v4, (const unsigned char *)&in.sin_addr);
	}
	if (a->sa_family == AF_INET6) {
		memcpy(&in6, a, sizeof(in6));
		return lookup_net(v6, in6.sin6_addr.s6_addr);
	}
	return "no address";
}
