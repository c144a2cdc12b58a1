/* unsaved.c: a session ends again while its texts are being saved. */
#include "../expect.h"
#include "transcript/unsaved.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct identity store = {.path = "/none", .dir = "1:2"};

/* Store the first N of two texts of a session. */
static int keep(size_t n)
{
	static const char *const texts[] = {"one", "two"};
	struct unsaved u = {.store = &store, .source = "claude/s", .why = "w"};
	struct err e;
	int r;

	for (size_t i = 0; i < n; i++)
		unsaved_add(&u, texts[i], strlen(texts[i]));
	r = unsaved_keep(&u, &e);
	buf_release(&u.texts);
	return r;
}

struct seen {
	size_t n;
	bool ends_again;
};

/* An unsaved_fn. */
static int count(void *ctx, const char *source, const char *p, size_t len,
		 struct err *e)
{
	struct seen *seen = ctx;

	(void)source;
	(void)p;
	(void)len;
	(void)e;
	seen->n++;
	return seen->ends_again ? keep(2) : 0;
}

static void test_ends_again(void)
{
	struct seen first = {.ends_again = true}, next = {0}, last = {0};
	struct err e;

	expect(keep(1) == 0 && unsaved_each(&store, count, &first, &e) == 0 &&
		       first.n == 1,
	       "the text is passed on");
	expect(unsaved_each(&store, count, &next, &e) == 0 && next.n == 2,
	       "texts that were added meanwhile are kept");
	expect(unsaved_each(&store, count, &last, &e) == 0 && !last.n,
	       "a file whose texts were all passed on is removed");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"texts that are added while others are passed on are kept",
		 test_ends_again},
	};
	char home[4096];

	if (!getcwd(home, sizeof(home)))
		return 1;
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	return unit_run(tests, ARRAY_LEN(tests));
}
