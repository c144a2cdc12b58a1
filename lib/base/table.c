/* table.c: open addressing, at most three quarters full; an item is moved by the
 * half of its hash that its slot keeps, so that no key is looked at twice.
 *
 * SipHash-1-3 (Aumasson and Bernstein, 2012): of hash.h's, texts are known that
 * meet under every seed.
 */
#include "base/table.h"

#include "base/mem.h"

#include <sys/random.h>
#include <unistd.h>

#define SIZE_MIN ((size_t)64)

struct table_slot {
	uint32_t hash;
	uint32_t item; /* and 1; 0: free */
};

static inline uint64_t turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void stir(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = turn(v[1], 13) ^ v[0];
	v[0] = turn(v[0], 32);
	v[2] += v[3];
	v[3] = turn(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = turn(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = turn(v[1], 17) ^ v[2];
	v[2] = turn(v[2], 32);
}

static inline void take(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	stir(v);
	v[0] ^= word;
}

static uint32_t hash_of(const struct table *t, const void *key, size_t len,
			uint64_t more)
{
	const uint64_t *seed = t->seed;
	uint64_t v[4] = {
		seed[0] ^ 0x736F6D6570736575u, seed[1] ^ 0x646F72616E646F6Du,
		seed[0] ^ 0x6C7967656E657261u, seed[1] ^ 0x7465646279746573u};
	const unsigned char *p = key;
	uint64_t word;

	take(v, more);
	for (size_t left = len; left; p += 8, left -= 8) {
		word = 0;
		memcpy(&word, p, left < 8 ? left : 8);
		take(v, word);
		if (left < 8)
			break;
	}
	take(v, len);
	v[2] ^= 0xFF;
	for (int i = 0; i < 3; i++)
		stir(v);
	return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

struct table_look table_look(const struct table *t, const void *key, size_t len,
			     uint64_t more)
{
	struct table_look k = {t, 0, 0};

	if (!t->n)
		return k;
	k.hash = hash_of(t, key, len, more);
	k.slot = k.hash & (t->size - 1);
	return k;
}

bool table_next(struct table_look *k, size_t *i)
{
	const struct table *t = k->t;
	const struct table_slot *slot;

	if (!t->n)
		return false;
	while ((slot = &t->slots[k->slot])->item) {
		k->slot = (k->slot + 1) & (t->size - 1);
		if (slot->hash != k->hash)
			continue;
		*i = slot->item - 1;
		return true;
	}
	return false;
}

static void place(struct table *t, struct table_slot new)
{
	size_t at = new.hash &(t->size - 1);

	while (t->slots[at].item)
		at = (at + 1) & (t->size - 1);
	t->slots[at] = new;
}

static void grow(struct table *t)
{
	const struct table old = *t;

	/* Without, where it lies is hard to guess too. */
	if (!old.size && getentropy(t->seed, sizeof(t->seed)) < 0)
		t->seed[0] = (uintptr_t)t;
	t->size = old.size ? old.size * 2 : SIZE_MIN;
	t->slots = mem_alloc(t->size * sizeof(*t->slots));
	for (size_t i = 0; i < old.size; i++) {
		if (old.slots[i].item)
			place(t, old.slots[i]);
	}
	free(old.slots);
}

static void put(struct table *t, uint32_t hash, size_t i)
{
	place(t, (struct table_slot){hash, (uint32_t)i + 1});
	t->n++;
}

void table_put(struct table *t, const void *key, size_t len, uint64_t more,
	       size_t i)
{
	if (t->n >= t->size / 4 * 3)
		grow(t);
	put(t, hash_of(t, key, len, more), i);
}

struct table_look table_look_to_put(struct table *t, const void *key,
				    size_t len, uint64_t more)
{
	uint32_t hash;

	if (t->n >= t->size / 4 * 3)
		grow(t);
	hash = hash_of(t, key, len, more);
	return (struct table_look){t, hash, hash & (t->size - 1)};
}

void table_put_looked(struct table *t, const struct table_look *k, size_t i)
{
	put(t, k->hash, i);
}

void table_drop(struct table *t, const void *key, size_t len, uint64_t more,
		size_t i)
{
	struct table_look k = table_look(t, key, len, more);
	const size_t mask = t->size - 1;
	size_t hole, at, found;

	do {
		if (!table_next(&k, &found))
			return;
	} while (found != i);
	/* What stands behind moves up, unless it would stand before the slot
	 * where it is looked for first. */
	at = k.slot;
	hole = (at - 1) & mask;
	for (; t->slots[at].item; at = (at + 1) & mask) {
		if (((at - t->slots[at].hash) & mask) < ((at - hole) & mask))
			continue;
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole].item = 0;
	t->n--;
}

void table_release(struct table *t)
{
	free(t->slots);
	*t = (struct table){0};
}
