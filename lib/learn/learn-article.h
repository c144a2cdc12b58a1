/* learn-article.h: co learn, where what it is given names a page or a file. */
#ifndef CO_LEARN_LEARN_ARTICLE_H
#define CO_LEARN_LEARN_ARTICLE_H

#include "base/strings.h"
#include "store/store.h"

struct learn_article {
	struct store *store;
	const struct strings *tags;
	bool yes, dry, allow_private, json;
};

/* True if all of OPERANDS, which are some, are URLs of the web, or begin with /,
 * ./ or ../ and are files. */
bool learn_article_is_meant(char **operands);

/* Bring what each of OPERANDS names, show it, ask, and keep it; what fails is
 * complained of, and the rest goes on.  The status of main(). */
int learn_article_each(const struct learn_article *l, char **operands);

/* True if the answer to QUESTION is yes, or YES is set; where nobody can be asked,
 * false, and how to say so is told. */
bool learn_article_agreed(const char *question, bool yes);

#endif
