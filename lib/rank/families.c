/* families.c: a counting sort by family, and a sort by place in each family. */
#include "rank/families.h"

#include "base/ascii.h"
#include "base/mem.h"

static uint32_t family_number(uint32_t family, uint32_t nfamilies)
{
	family &= ~FAMILIES_ARTICLE;
	return family <= nfamilies ? family : 0;
}

/* Count the members of each family into start[family]. Set 0 for families that
 * are too small or too large. */
static void count_members(struct families *k, const uint32_t *family,
			  uint32_t n)
{
	bool *article = mem_alloc(k->nfamilies + 1);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = family_number(family[i], k->nfamilies);

		k->start[f]++;
		article[f] = family[i] & FAMILIES_ARTICLE;
	}
	k->start[0] = 0;
	for (uint32_t f = 1; f <= k->nfamilies; f++) {
		if (k->start[f] < 2 ||
		    (!article[f] && k->start[f] > FAMILIES_CONVERSATION_MAX))
			k->start[f] = 0;
	}
	free(article);
}

static int by_place(const void *a, const void *b)
{
	const struct families_member *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->doc < y->doc ? -1 : x->doc > y->doc;
}

/* Sort N members by place, unless they are sorted: most are. */
static void sort_by_place(struct families_member *m, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (by_place(&m[i - 1], &m[i]) > 0) {
			qsort(m, n, sizeof(*m), by_place);
			return;
		}
	}
}

void families_init(struct families *k, const uint32_t *family,
		   const int64_t *place, uint32_t n, uint32_t nfamilies)
{
	uint32_t total = 0, *next;

	k->nfamilies = nfamilies;
	k->start = mem_alloc(((size_t)nfamilies + 2) * sizeof(*k->start));
	next = mem_alloc(((size_t)nfamilies + 2) * sizeof(*next));
	count_members(k, family, n);
	for (uint32_t f = 0; f <= nfamilies; f++) {
		uint32_t size = k->start[f];

		next[f] = size ? total : UINT32_MAX;
		k->start[f] = total;
		total += size;
	}
	k->start[nfamilies + 1] = total;
	k->members = mem_alloc(((size_t)total + 1) * sizeof(*k->members));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = family_number(family[i], nfamilies);

		if (next[f] != UINT32_MAX)
			k->members[next[f]++] =
				(struct families_member){place[i], i};
	}
	for (uint32_t f = 1; f <= nfamilies; f++)
		sort_by_place(k->members + k->start[f],
			      k->start[f + 1] - k->start[f]);
	free(next);
}

void families_release(struct families *k)
{
	free(k->start);
	free(k->members);
}

/* Return true if the LEN bytes of WORD mean a talk between people or
 * programs. */
static bool is_talk(const char *word, size_t len)
{
	static const char list[] =
		" call channel chat conv conversation dialog dialogue "
		"discussion "
		"email interview issue mail meeting message pr retro room run "
		"session sess standup sync talk thread transcript ";
	char key[16];

	if (len > sizeof(key) - 3)
		return false;
	snprintf(key, sizeof(key), " %.*s ", (int)len, word);
	for (char *p = key; *p; p++)
		*p = ascii_is_upper(*p) ? (char)(*p | 0x20) : *p;
	return strstr(list, key) != NULL;
}

/* One conversation is identified by a number: with a word for talking, or long
 * enough to be a date or an id. A word without a number (user-told, detected,
 * chat) is a kind of memory; a word with a short number (gpt-4, v2) is a
 * program. */
bool families_is_conversation(const char *source)
{
	bool talk = false, number = false, id = false;
	size_t len;

	if (strstr(source, "://"))
		return false; /* a page */
	for (const char *p = source; *p; p += len ? len : 1) {
		size_t digits = 0, hex = 0, letters = 0;

		for (len = 0; ascii_is_digit(p[len]) || ascii_is_hex(p[len]) ||
			      ascii_is_letter(p[len]);
		     len++) {
			digits += ascii_is_digit(p[len]);
			hex += ascii_is_hex(p[len]);
		}
		while (ascii_is_letter(p[letters]))
			letters++;
		talk |= is_talk(p, letters);
		number |= digits > 0;
		id |= len >= 6 && hex == len && digits >= 2;
		/* 2026-02-09 */
		id |= digits == 4 && len == 4 && p[4] == '-' &&
		      ascii_is_digit(p[5]) && ascii_is_digit(p[6]) &&
		      p[7] == '-' && ascii_is_digit(p[8]);
	}
	return id || (talk && number);
}

uint32_t *families_number(struct families_numbers *f, uint64_t key)
{
	struct table_look k;

	if (f->n && f->items[f->last].key == key)
		return &f->items[f->last].number;
	k = table_look(&f->by_key, NULL, 0, key);
	while (table_next(&k, &f->last)) {
		if (f->items[f->last].key == key)
			return &f->items[f->last].number;
	}
	f->last = f->n;
	*MEM_ADD(f->items, f->n, f->cap) = (struct families_numbered){key, 0};
	table_put(&f->by_key, NULL, 0, key, f->last);
	return &f->items[f->last].number;
}

void families_numbers_release(struct families_numbers *f)
{
	free(f->items);
	table_release(&f->by_key);
	*f = (struct families_numbers){0};
}
