/* literal.h: looking for an ASCII text in ASCII, upper and lower case aside. */
#ifndef CO_TEXT_LITERAL_H
#define CO_TEXT_LITERAL_H

#include "base/base.h"

struct literal {
	const char *p;
	size_t len;
	size_t rare;	/* the offset of a character in it that few have */
	bool sensitive; /* upper and lower case differ */
};

/* Look for the LEN > 0 bytes of P, borrowed for as long as L is used. */
void literal_init(struct literal *l, const char *p, size_t len, bool sensitive);

/* True if the LEN bytes of P hold it. */
bool literal_holds(const struct literal *l, const char *p, size_t len);

#endif
