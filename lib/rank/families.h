/* families.h: which documents are neighbours.
 *
 * A family is one article or one conversation (see corpus.h). Its members have
 * an order. It is computed for each question, in time linear in the documents.
 */
#ifndef CO_RANK_FAMILIES_H
#define CO_RANK_FAMILIES_H

#include "base/base.h"

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
