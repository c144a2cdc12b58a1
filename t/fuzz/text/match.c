/* match.c: the first byte is the flags, the rest of the first line the pattern,
 * and everything after it the subject.
 *
 * Properties: every search ends soon, and reports a limit that it reached; a
 * literal is found exactly if its folded form is in the folded subject;
 * repeating a search gives the same result.
 */
#include "../fuzz.h"

#include "base/instant.h"
#include "base/unicode.h"
#include "text/match.h"

#define SECOND UINT64_C(1000000000)

/* Return whether a literal search must find PATTERN in P. */
static bool lies_in(const char *pattern, size_t plen, const char *p, size_t len,
		    bool caseless)
{
	struct buf what = {0}, where = {0};
	bool found;

	unicode_fold(&what, pattern, plen, caseless);
	unicode_fold(&where, p, len, caseless);
	found = !what.len ||
		memmem(buf_str(&where), where.len, what.p, what.len);
	buf_release(&what);
	buf_release(&where);
	return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *pattern;
	unsigned flags = size ? *p & 15 : 0;
	const uint64_t began = instant_monotonic_ns();
	const uint64_t had = instant_processor_ns();
	struct match *m;
	struct arena a = {0};
	struct err e;
	size_t plen;
	int r;

	if (size) {
		p++;
		size--;
	}
	pattern = fuzz_line(&p, &size, &plen, &a);
	if (match_new(&m, pattern, plen, flags, &e) < 0) {
		must_be_error(&e);
		must(e.code == ERR_USAGE, "a bad pattern is a usage error");
	} else {
		r = match_test(m, p, size, &e);
		if (r < 0)
			must(e.code == ERR_SYSTEM,
			     "a limit is an error, not a missing match");
		else
			must(match_test(m, p, size, &e) == r ||
				     instant_monotonic_ns() - began > SECOND,
			     "repeating a search gives the same result");
		if (r >= 0 && (flags & ~(unsigned)MATCH_CASE) == MATCH_LITERAL)
			must(r == lies_in(pattern, plen, p, size,
					  !(flags & MATCH_CASE)),
			     "a literal is found exactly if it is there");
		match_free(m);
	}
	must(instant_processor_ns() - had < 8 * SECOND, "a search ends");
	arena_release(&a);
	return 0;
}
