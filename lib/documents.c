/* documents.c: one pass over the view, without the texts.
 *
 * Families are told apart by a hash of their source or group: two that had one
 * would be taken for one family, which ranks a little worse and once in 2^64.
 */
#include "documents.h"

#include "hash.h"
#include "kin.h"

#define NO_FAMILY UINT32_MAX

struct families {
	uint64_t *keys; /* 0: free */
	uint32_t *values;
	size_t used, size; /* a power of two */
};

struct taking {
	struct documents *d;
	struct families families;
};

static uint32_t *slot_of(struct families *f, uint64_t key)
{
	size_t i = key & (f->size - 1);

	while (f->keys[i] && f->keys[i] != key)
		i = (i + 1) & (f->size - 1);
	if (!f->keys[i]) {
		f->keys[i] = key;
		f->used++;
	}
	return &f->values[i];
}

static void make_room(struct families *f)
{
	const struct families old = *f;

	if (f->used * 2 < f->size)
		return;
	f->size = old.size ? old.size * 2 : 64;
	f->used = 0;
	f->keys = mem_alloc(f->size * sizeof(*f->keys));
	f->values = mem_alloc(f->size * sizeof(*f->values));
	for (size_t i = 0; i < old.size; i++) {
		if (old.keys[i])
			*slot_of(f, old.keys[i]) = old.values[i];
	}
	free(old.keys);
	free(old.values);
}

/* The number of the family that DOC belongs to, 0 for none. */
static uint32_t family_of(struct taking *l, const struct cache_doc *doc)
{
	uint32_t *family;
	uint64_t key;

	if (!doc->group && !doc->source)
		return 0;
	key = doc->group ? hash_bytes(&doc->group, sizeof(doc->group), 1)
			 : hash_bytes(doc->source, strlen(doc->source), 0);
	make_room(&l->families);
	family = slot_of(&l->families, key ? key : 1);
	if (*family)
		return *family == NO_FAMILY ? 0 : *family;
	if (doc->group)
		*family = ++l->d->nfamilies | KIN_ARTICLE;
	else if (kin_is_conversation(doc->source))
		*family = ++l->d->nfamilies;
	else
		*family = NO_FAMILY;
	return *family == NO_FAMILY ? 0 : *family;
}

static int take(void *ctx, const struct cache_doc *doc)
{
	struct taking *l = ctx;
	struct documents *d = l->d;
	const size_t i = d->n++;

	d->numbers[i] = doc->number;
	d->lengths[i] = DOCUMENTS_MISSING;
	d->kinds[i] = (uint8_t)doc->kind;
	d->family[i] = family_of(l, doc);
	d->place[i] = doc->group ? (int64_t)doc->order : doc->at.sec;
	return 0;
}

void documents_list(struct documents *d, struct cache *c)
{
	const size_t room = cache_count(c) + 1;
	struct taking l = {.d = d};

	documents_release(d);
	d->numbers = mem_resize(NULL, room, sizeof(*d->numbers));
	d->lengths = mem_resize(NULL, room, sizeof(*d->lengths));
	d->kinds = mem_resize(NULL, room, sizeof(*d->kinds));
	d->family = mem_resize(NULL, room, sizeof(*d->family));
	d->place = mem_resize(NULL, room, sizeof(*d->place));
	cache_each_head(c, take, &l);
	free(l.families.keys);
	free(l.families.values);
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
