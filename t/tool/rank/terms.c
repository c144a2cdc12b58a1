/* terms.c: with --stems, print the stem of each line; with --stops, each line
 * that is not a stop word; else the terms of each line, one per line: position,
 * term, and flags. */
#include "rank/stem.h"
#include "rank/terms.h"

#include <unistd.h>

static int show(void *ctx, const struct term *t)
{
	size_t *at = ctx;

	*at += !t->colocated;
	printf("%zu %.*s%s [%zu-%zu of %zu]\n", *at, (int)t->len, t->p,
	       t->whole	      ? " whole"
	       : t->colocated ? " beside"
			      : "",
	       t->start, t->end, t->from);
	return 0;
}

/* A search for the stem must also look at the word, and know its prefix. */
static void stem(struct stem_cache *c, const char *word, size_t len)
{
	const char known = stem_first(word, len);
	bool first[256] = {false};
	size_t n;
	const char *stem = stem_cached(c, word, len, &n);

	first[(unsigned char)*stem] = true;
	stem_widen(first);
	printf("%.*s%s\n", (int)n, stem,
	       first[(unsigned char)*word] && known == *stem ? "" : " missed");
}

int main(int argc, char **argv)
{
	struct terms t = {.question = argc > 1 && !strcmp(argv[1], "-q")};
	bool stems = argc > 1 && !strcmp(argv[1], "--stems");
	bool stops = argc > 1 && !strcmp(argv[1], "--stops");
	struct stem_cache cache = {0};
	static char line[1 << 16];

	while (fgets(line, sizeof(line), stdin)) {
		size_t at = 0, len = strcspn(line, "\n");

		if (stops && !words_is_stop(line, len))
			printf("%s", line);
		else if (stems)
			stem(&cache, line, len);
		else if (!stops)
			terms_each(&t, line, len, show, &at);
	}
	stem_cache_release(&cache);
	terms_release(&t);
	return 0;
}
