/* remember.c: any bytes as what a person says.
 *
 * Holds: what is asked for is stripped and of a length; and what the suite
 * itself put into a prompt asks for nothing, whatever stands in it.
 */
#include "../fuzz.h"

#include "agent/remember.h"
#include "base/utf8.h"
#include "text/injected.h"

static int ask(void *ctx, const char *p, size_t len)
{
	size_t *n = ctx, left = len;
	const char *stripped = p;

	utf8_strip(&stripped, &left);
	must(left == len && len >= REMEMBER_MIN && len <= REMEMBER_MAX,
	     "what is asked for is stripped, and of a length");
	++*n;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	struct buf inside = {0};
	size_t n = 0;

	remember_each(p, size, ask, &n);
	n = 0;
	buf_adds(&inside, "before\n");
	injected_add(&inside, p, size);
	remember_each(inside.p, inside.len, ask, &n);
	must(!n, "what the suite put in asks for nothing");
	buf_release(&inside);
	return 0;
}
