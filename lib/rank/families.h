/* families.h: which documents are neighbours.
 *
 * A family is one article or one conversation (see corpus.h). Its members have
 * an order. It is computed for each question, in time linear in the documents.
 */
#ifndef CO_RANK_FAMILIES_H
#define CO_RANK_FAMILIES_H

#include "base/table.h"

/* flag in a family's number: an article, of any size */
#define FAMILIES_ARTICLE UINT32_C(0x80000000)

/* More memories with one source are not one conversation. */
#define FAMILIES_CONVERSATION_MAX 200

struct families_member {
	int64_t place;
	uint32_t doc;
};

struct families {
	uint32_t nfamilies; /* numbered from 1 */
	uint32_t *start;    /* first member of each, in `members`; nfamilies + 2
			     * of them. An invalid family is empty */
	struct families_member *members;
};

/* The numbers of families by their keys, which are hashes of a source or an article.
 * A collision, once in 2^64, only ranks a little worse. A zeroed one is empty. */
struct families_numbers {
	struct families_numbered {
		uint64_t key;
		uint32_t number;
	} * items;
	size_t n, cap;
	size_t last; /* the last one found: usually the next one, too */
	struct table by_key;
};

#define FAMILIES_NONE UINT32_MAX /* for a key that is known to be no family's */

/* Return the number of KEY's family, which is 0 when KEY is new. The caller sets it.
 * Borrowed until the next call. */
uint32_t *families_number(struct families_numbers *f, uint64_t key);
void families_numbers_release(struct families_numbers *f);

/* Return true if SOURCE names one conversation: session-12, chat 2026-02-09, or
 * a long number. Return false for a kind of memory (user-told, detected), a
 * program (gpt-4) or a page. */
bool families_is_conversation(const char *source);

/* Fill K from FAMILY and PLACE of N documents. Family numbers above NFAMILIES
 * are ignored. Release K with families_release(). */
void families_init(struct families *k, const uint32_t *family,
		   const int64_t *place, uint32_t n, uint32_t nfamilies);
void families_release(struct families *k);

#endif
