/* families.h: which documents stand next to one another.
 *
 * A family is one article or one conversation (see rank.h); its members stand
 * in an order.  Built for one question, in time linear in the documents.
 */
#ifndef CO_RANK_FAMILIES_H
#define CO_RANK_FAMILIES_H

#include "base/base.h"

/* In the number of a family: it is an article, of any size. */
#define FAMILIES_ARTICLE UINT32_C(0x80000000)

/* What shares a source and is more than this is no one conversation. */
#define FAMILIES_CONVERSATION_MAX 200

struct families_member {
	int64_t place;
	uint32_t doc;
};

struct families {
	uint32_t nfamilies; /* numbered from 1 */
	uint32_t *start;    /* of each in `members`, nfamilies + 2 of them; one
			     * that is no family is empty */
	struct families_member *members;
};

/* True if SOURCE names one conversation: session-12, chat 2026-02-09, or a
 * long number of its own; false for what names a kind (user-told, detected), a
 * program (gpt-4) or a page. */
bool families_is_conversation(const char *source);

/* Fill K from the FAMILY and the PLACE of N documents; release with
 * families_release().  Cannot fail.  Numbers above NFAMILIES are no family. */
void families_init(struct families *k, const uint32_t *family,
		   const int64_t *place, uint32_t n, uint32_t nfamilies);
void families_release(struct families *k);

#endif
