/* strings.c: see strings.h. */
#include "base/strings.h"

#include "base/mem.h"

bool strings_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

void strings_add(struct strings *list, const char *item)
{
	*MEM_ADD(list->items, list->n, list->cap) = item;
}

bool strings_has(const struct strings *list, const char *s)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!strcmp(list->items[i], s))
			return true;
	}
	return false;
}

bool strings_word_is_in(const char *words, const char *word, size_t len)
{
	while (*words) {
		const size_t n = strcspn(words, " ");

		if (n == len && !memcmp(words, word, len))
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

int strings_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define NAME_LONGEST 64 /* longer names are near to nothing */

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Return the number of letters to insert, delete, replace or swap with a neighbour to
 * make B of A: the optimal string alignment distance, with three rows of its table. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NAME_LONGEST + 1], la = strlen(a), lb = strlen(b);

	if (la > NAME_LONGEST || lb > NAME_LONGEST)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *now = rows[i % 3], *last = rows[(i - 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = min_size(min_size(last[j], now[j - 1]) + 1,
					  last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = min_size(now[j],
						  rows[(i + 1) % 3][j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

size_t strings_near(const char *known, const char *name)
{
	size_t len = strlen(name), d = distance(known, name);

	if (len > 2 && !strncmp(known, name, len))
		return 0;
	return d <= min_size(len < 6 ? 1 : len / 3, STRINGS_NEAR_MOST)
		       ? d
		       : SIZE_MAX;
}
