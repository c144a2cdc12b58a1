/* strings.c: see strings.h. */
#include "base/strings.h"

#include "base/mem.h"

void strings_add(struct strings *list, const char *item)
{
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n++] = item;
}
