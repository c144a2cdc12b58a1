/* chat.c: an array, and a table of open addressing that leads into it.
 *
 * Taking back shortens the array alone: a slot counts only where the message
 * that it leads to still has the id that was looked for.  The table is made
 * anew, of what is left, when it is full, so that each message costs the same.
 */
#include "chat.h"

#include "hash.h"

#define SLOTS_MIN 64

/* The slot of ID, the empty one where it would stand if it is absent. */
static size_t find_slot(const struct chat *c, const char *id)
{
	size_t i = hash_bytes(id, strlen(id), 0) & (c->nslots - 1);

	while (c->slots[i]) {
		const size_t at = c->slots[i] - 1;

		if (at < c->n && strcmp(c->items[at].id, id) == 0)
			break;
		i = (i + 1) & (c->nslots - 1);
	}
	return i;
}

static void note(struct chat *c, size_t at)
{
	c->slots[find_slot(c, c->items[at].id)] = (uint32_t)at + 1;
	c->used++;
}

static void make_room(struct chat *c)
{
	if (c->used < c->nslots / 2)
		return;
	free(c->slots);
	c->nslots = SLOTS_MIN;
	while (c->nslots < 4 * c->n)
		c->nslots *= 2;
	c->slots = mem_alloc(c->nslots * sizeof(*c->slots));
	c->used = 0;
	for (size_t i = 0; i < c->n; i++) {
		if (*c->items[i].id)
			note(c, i);
	}
}

const struct chat_message *chat_find(const struct chat *c, const char *id)
{
	size_t at;

	if (!*id || !c->nslots)
		return NULL;
	at = c->slots[find_slot(c, id)];
	return at ? &c->items[at - 1] : NULL;
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
	if (!*m->id)
		return;
	make_room(c);
	if (!chat_find(c, m->id))
		note(c, c->n - 1);
}

void chat_rewind(struct chat *c, const char *id)
{
	const struct chat_message *m = chat_find(c, id);

	c->n = m ? (size_t)(m - c->items) : 0;
}

void chat_release(struct chat *c)
{
	free(c->items);
	free(c->slots);
	*c = (struct chat){0};
}
