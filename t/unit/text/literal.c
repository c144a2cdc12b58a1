/* literal.c: literal search finds the same as a plain loop. */
#include "text/match.h"

#include "../expect.h"

#include <strings.h>

static unsigned state = 42;

static unsigned pick(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % below;
}

static bool plain(const char *text, size_t len, const char *p, size_t n,
		  bool sensitive)
{
	for (size_t i = 0; i + n <= len; i++) {
		if (sensitive ? !strncmp(text + i, p, n)
			      : !strncasecmp(text + i, p, n))
			return true;
	}
	return false;
}

static void test_all(void)
{
	static const char from[] = "aAbBxX .-1@[`{";
	char text[24], pattern[5];
	struct match *m;
	struct err e;

	for (int i = 0; i < 200000 && !failures; i++) {
		const size_t len = pick(20), n = 1 + pick(4);
		const bool sensitive = pick(2);

		for (size_t k = 0; k < len; k++)
			text[k] = from[pick(sizeof(from) - 1)];
		for (size_t k = 0; k < n; k++)
			pattern[k] = from[pick(sizeof(from) - 1)];
		text[len] = pattern[n] = '\0';
		if (match_new(&m, pattern, n,
			      MATCH_LITERAL | (sensitive ? MATCH_CASE : 0),
			      &e) < 0)
			unit_stop("cannot compile", e.text);
		expect(match_test(m, text, len, &e) ==
			       plain(text, len, pattern, n, sensitive),
		       pattern);
		match_free(m);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"literal search finds the same as a plain loop", test_all},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
