/* documents.c: a pass over the view, without the texts, by a crew, since it
 * waits for memory most of the time; then one over what it found, in order.
 *
 * Families are told apart by a hash of their source or group: two that had one
 * would be taken for one family, which ranks a little worse and once in 2^64.
 */
#include "search/documents.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "base/table.h"
#include "rank/families.h"

/* Fewer are listed sooner than a thread is started. */
#define LEAST 4096

#define NO_FAMILY UINT32_MAX

struct family {
	uint64_t key;
	uint32_t number; /* or NO_FAMILY; 0: to be told */
};

struct family_list {
	struct family *items;
	size_t n, cap;
	struct table by_key;
};

struct taking {
	struct documents *d;
	const struct cache *c;
	uint64_t *keys; /* of the families of all */
	bool *whole;
	struct family_list families;
};

static uint32_t *number_of(struct family_list *f, uint64_t key)
{
	struct table_look k = table_look(&f->by_key, NULL, 0, key);
	size_t i;

	while (table_next(&k, &i)) {
		if (f->items[i].key == key)
			return &f->items[i].number;
	}
	f->items = mem_grow(f->items, f->n, &f->cap, sizeof(*f->items));
	f->items[f->n] = (struct family){key, 0};
	table_put(&f->by_key, NULL, 0, key, f->n);
	return &f->items[f->n++].number;
}

/* What tells families apart; 0: none. */
static uint64_t key_of(const struct view_doc *doc)
{
	uint64_t key;

	if (!doc->group && !doc->source)
		return 0;
	key = doc->group ? hash_bytes(&doc->group, sizeof(doc->group), 1)
			 : hash_bytes(doc->source, strlen(doc->source), 0);
	return key ? key : 1;
}

static void take_some(void *ctx, unsigned who, size_t from, size_t to)
{
	struct taking *l = ctx;
	struct documents *d = l->d;
	struct view_doc doc;

	(void)who;
	for (size_t i = from; i < to; i++) {
		l->whole[i] = view_head(l->c, i, &doc);
		if (!l->whole[i])
			continue;
		l->keys[i] = key_of(&doc);
		d->numbers[i] = doc.number;
		d->lengths[i] = DOCUMENTS_MISSING;
		d->kinds[i] = (uint8_t)doc.kind;
		d->place[i] = doc.group ? (int64_t)doc.order : doc.at.sec;
	}
}

/* The number of the family that document I belongs to, 0 for none. */
static uint32_t family_of(struct taking *l, size_t i)
{
	struct view_doc doc;
	uint32_t *family;

	if (!l->keys[i])
		return 0;
	family = number_of(&l->families, l->keys[i]);
	if (*family)
		return *family == NO_FAMILY ? 0 : *family;
	if (view_head(l->c, i, &doc) && doc.group)
		*family = ++l->d->nfamilies | FAMILIES_ARTICLE;
	else if (families_is_conversation(doc.source))
		*family = ++l->d->nfamilies;
	else
		*family = NO_FAMILY;
	return *family == NO_FAMILY ? 0 : *family;
}

/* What was found, without those that are damaged: false if any is. */
static bool settle(struct taking *l, size_t n)
{
	struct documents *d = l->d;

	for (size_t i = 0; i < n; i++) {
		if (!l->whole[i])
			continue;
		d->numbers[d->n] = d->numbers[i];
		d->lengths[d->n] = d->lengths[i];
		d->kinds[d->n] = d->kinds[i];
		d->place[d->n] = d->place[i];
		d->family[d->n++] = family_of(l, i);
	}
	return d->n == n;
}

void documents_list(struct documents *d, struct cache *c)
{
	const size_t n = view_count(c), room = n + 1;
	struct taking l = {.d = d, .c = c};
	struct parallel crew;

	documents_release(d);
	d->numbers = mem_resize(NULL, room, sizeof(*d->numbers));
	d->lengths = mem_resize(NULL, room, sizeof(*d->lengths));
	d->kinds = mem_resize(NULL, room, sizeof(*d->kinds));
	d->family = mem_resize(NULL, room, sizeof(*d->family));
	d->place = mem_resize(NULL, room, sizeof(*d->place));
	l.keys = mem_resize(NULL, room, sizeof(*l.keys));
	l.whole = mem_resize(NULL, room, sizeof(*l.whole));
	parallel_begin(&crew, take_some, &l, n, LEAST);
	parallel_end(&crew);
	if (!settle(&l, n))
		view_spoil(c);
	free(l.keys);
	free(l.whole);
	free(l.families.items);
	table_release(&l.families.by_key);
}

void documents_release(struct documents *d)
{
	free(d->numbers);
	free(d->lengths);
	free(d->kinds);
	free(d->family);
	free(d->place);
	*d = (struct documents){0};
}
