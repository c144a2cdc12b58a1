/* remember.c: any bytes as the words of a person.
 *
 * Properties: a text to remember is stripped and of limited length; text that
 * the suite itself put into a prompt is never one.
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
	     "a text to remember is stripped and of limited length");
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
	must(!n, "text between the suite's marks gives no text to remember");
	buf_release(&inside);
	return 0;
}
