/* passages.h: the parts of a commit's message that are prose.
 *
 * A passage is a paragraph or an item of a list, on one line. Code, quotes, headings,
 * and lines for programs (Signed-off-by, Closes #12) are no passages.
 */
#ifndef CO_MINING_PASSAGES_H
#define CO_MINING_PASSAGES_H

#include "base/buf.h"

enum passage_kind {
	PASSAGE_TEXT,
	PASSAGE_ITEM,
	PASSAGE_TRAILER, /* of KEY, one of Learned, Decision and Because */
	PASSAGE_BREAKING /* after BREAKING CHANGE */
};

struct passage {
	enum passage_kind kind;
	const char *key; /* of a trailer, static; else NULL */
	const char *p;	 /* NUL-terminated */
	size_t len;
	size_t number; /* from 0 */
};

/* Call FN for each passage of BODY. It is borrowed until FN returns. */
typedef void passage_fn(void *ctx, const struct passage *p);
void passages_each(const char *body, passage_fn *fn, void *ctx);

/* Return the length of the first sentence of the LEN bytes of P, without blanks
 * after it. */
size_t passages_sentence(const char *p, size_t len);

#define PASSAGES_NAME_MIN 7 /* digits of an abbreviated commit */

/* Find the full or abbreviated name of the commit that BODY says it reverts. Returns
 * its length, at least PASSAGES_NAME_MIN; 0 if there is none. *NAME points into BODY. */
size_t passages_reverted(const char *body, const char **name);

/* Return true if BODY says that the commit corrects or continues a named one. */
bool passages_corrects(const char *body);

#endif
