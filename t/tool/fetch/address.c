/* address.c ADDRESS...: print the kind of each address that is not public. */
#include "fetch/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct sockaddr_in in = {.sin_family = AF_INET};
		struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
		const struct sockaddr *a = (const struct sockaddr *)&in;
		const char *what;

		if (inet_pton(AF_INET, argv[i], &in.sin_addr) != 1) {
			if (inet_pton(AF_INET6, argv[i], &in6.sin6_addr) != 1)
				return 2;
			a = (const struct sockaddr *)&in6;
		}
		what = address_not_public(a);
		printf("%s %s\n", argv[i], what ? what : "-");
	}
	return 0;
}
