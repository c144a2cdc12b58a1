/* retraction.c: read lines KIND<tab>EARLIER<tab>LATER. Print the number of each
 * earlier text that a later text retracts, a tab, and the number of the later
 * text, from 1. With an operand, compare each later text only with the earlier
 * text of its line. */
#include "search/retraction.h"

#define TEXTS_MAX 1000

static struct retraction_text earlier[TEXTS_MAX];
static struct embed_text later[TEXTS_MAX];
static struct alike words[TEXTS_MAX];
static struct terms terms;
static struct arena arena;

static size_t read_pairs(void)
{
	static char line[1 << 16];
	size_t n = 0;

	while (n < TEXTS_MAX && fgets(line, sizeof(line), stdin)) {
		const char *p = strchr(line, '\t') + 1;
		const size_t len = strcspn(p, "\t");
		const char *q = p + len + 1;

		alike_read(&words[n], &terms, p, len);
		earlier[n].text =
			(struct embed_text){arena_copy(&arena, p, len), len};
		earlier[n].words = &words[n];
		later[n].len = strcspn(q, "\n");
		later[n].p = arena_copy(&arena, q, later[n].len);
		n++;
	}
	return n;
}

/* Print the texts from FROM up to TO that the later text I retracts. */
static void print_found(size_t i, size_t from, size_t to)
{
	for (size_t k = from; k < to; k++)
		earlier[k].found = false;
	retraction_find(&terms, &later[i], earlier + from, to - from);
	for (size_t k = from; k < to; k++) {
		if (earlier[k].found)
			printf("%zu\t%zu\n", k + 1, i + 1);
	}
}

int main(int argc, char **argv)
{
	const size_t n = read_pairs();

	(void)argv;
	for (size_t i = 0; i < n; i++)
		print_found(i, argc > 1 ? i : 0, argc > 1 ? i + 1 : n);
	for (size_t i = 0; i < n; i++)
		alike_release(&words[i]);
	terms_release(&terms);
	arena_release(&arena);
	return 0;
}
