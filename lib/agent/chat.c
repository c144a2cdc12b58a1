/* chat.c: an array, and a table of those in it that have an id. */
#include "agent/chat.h"

const struct chat_message *chat_find(const struct chat *c, const char *id)
{
	struct table_look k = table_look(&c->by_id, id, strlen(id), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(c->items[i].id, id))
			return &c->items[i];
	}
	return NULL;
}

void chat_put(struct chat *c, const struct chat_message *m)
{
	const struct chat_message *old = chat_find(c, m->id);

	if (old) {
		c->items[old - c->items] = *m;
		return;
	}
	c->items = mem_grow(c->items, c->n, &c->cap, sizeof(*c->items));
	c->items[c->n++] = *m;
	if (*m->id)
		table_put(&c->by_id, m->id, strlen(m->id), 0, c->n - 1);
}

void chat_rewind(struct chat *c, const char *id)
{
	const struct chat_message *m = chat_find(c, id);
	const size_t left = m ? (size_t)(m - c->items) : 0;

	while (c->n > left) {
		const char *gone = c->items[--c->n].id;

		table_drop(&c->by_id, gone, strlen(gone), 0, c->n);
	}
}

void chat_release(struct chat *c)
{
	free(c->items);
	table_release(&c->by_id);
	*c = (struct chat){0};
}
