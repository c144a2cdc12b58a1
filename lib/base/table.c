/* table.c: open addressing, at most three quarters full. A slot keeps 32 bits
 * of the hash, so that growing the table needs no key.
 *
 * The hash is SipHash-1-3 (Aumasson and Bernstein, 2012). hash.h is not used:
 * collisions that hold under every seed are known for it.
 */
#include "base/table.h"

#include "base/mem.h"

#include <sys/random.h>

#define SIZE_MIN ((size_t)64)

struct table_slot {
	uint32_t hash;
	uint32_t item; /* index + 1; 0: free slot */
};

static inline uint64_t rotate_left(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate_left(v[1], 13) ^ v[0];
	v[0] = rotate_left(v[0], 32);
	v[2] += v[3];
	v[3] = rotate_left(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate_left(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate_left(v[1], 17) ^ v[2];
	v[2] = rotate_left(v[2], 32);
}

/* Add WORD to the state V. */
static inline void sip_absorb(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
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

	sip_absorb(v, more);
	for (size_t left = len; left; p += 8, left -= 8) {
		word = 0;
		memcpy(&word, p, left < 8 ? left : 8);
		sip_absorb(v, word);
		if (left < 8)
			break;
	}
	sip_absorb(v, len);
	v[2] ^= 0xFF;
	for (int i = 0; i < 3; i++)
		sip_round(v);
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

static void insert_slot(struct table *t, struct table_slot new)
{
	size_t at = new.hash &(t->size - 1);

	while (t->slots[at].item)
		at = (at + 1) & (t->size - 1);
	t->slots[at] = new;
}

static void grow_table(struct table *t)
{
	const struct table old = *t;

	/* Fallback: an address is also hard to guess. */
	if (!old.size && getentropy(t->seed, sizeof(t->seed)) < 0)
		t->seed[0] = (uintptr_t)t;
	t->size = old.size ? old.size * 2 : SIZE_MIN;
	t->slots = mem_alloc(t->size * sizeof(*t->slots));
	for (size_t i = 0; i < old.size; i++) {
		if (old.slots[i].item)
			insert_slot(t, old.slots[i]);
	}
	free(old.slots);
}

static void insert_hashed(struct table *t, uint32_t hash, size_t i)
{
	insert_slot(t, (struct table_slot){hash, (uint32_t)i + 1});
	t->n++;
}

void table_put(struct table *t, const void *key, size_t len, uint64_t more,
	       size_t i)
{
	if (t->n >= t->size / 4 * 3)
		grow_table(t);
	insert_hashed(t, hash_of(t, key, len, more), i);
}

struct table_look table_look_to_put(struct table *t, const void *key,
				    size_t len, uint64_t more)
{
	uint32_t hash;

	if (t->n >= t->size / 4 * 3)
		grow_table(t);
	hash = hash_of(t, key, len, more);
	return (struct table_look){t, hash, hash & (t->size - 1)};
}

void table_put_looked(struct table *t, const struct table_look *k, size_t i)
{
	insert_hashed(t, k->hash, i);
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
	/* Move later slots of the run back into the hole, unless a slot would
	 * move before the position where its search begins. */
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
