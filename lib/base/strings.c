/* strings.c: see strings.h. */
#include "base/strings.h"

#include "base/mem.h"

void strings_add(struct strings *list, const char *item)
{
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n++] = item;
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
