#include "rank/corpus.h"

#include "base/mem.h"

void corpus_add(struct corpus_list *l, uint32_t doc, uint32_t n)
{
	*MEM_ADD(l->items, l->n, l->cap) = (struct posting){doc, n};
}

static int by_document(const void *a, const void *b)
{
	const struct posting *x = a, *y = b;

	return (x->doc > y->doc) - (x->doc < y->doc);
}

void corpus_sort(struct corpus_list *l)
{
	size_t i = 1;

	while (i < l->n && l->items[i - 1].doc <= l->items[i].doc)
		i++;
	if (i < l->n)
		qsort(l->items, l->n, sizeof(*l->items), by_document);
}
