/* learn-article.h: `co learn` for a web page or a file, saved as an article. */
#ifndef CO_LEARN_LEARN_ARTICLE_H
#define CO_LEARN_LEARN_ARTICLE_H

#include "base/strings.h"
#include "store/store.h"

struct learn_article {
	struct store *store;
	const struct strings *tags;
	bool yes, dry, allow_private, json;
};

/* True if there are OPERANDS and each is a web address, or a file whose path
 * begins with /, ./ or ../. */
bool learn_article_is_meant(char **operands);

/* Load, show, confirm and save each of OPERANDS. A failure is reported, and the
 * next operand follows. Return the status for main(). */
int learn_article_each(const struct learn_article *l, char **operands);

/* Return true if YES is set or the answer to QUESTION is yes. Without a
 * terminal, print a hint at -y and return false. */
bool learn_article_agreed(const char *question, bool yes);

#endif
