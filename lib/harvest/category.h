/* category.h: the kinds of items, and where each is kept below knowledge/. */
#ifndef CO_HARVEST_CATEGORY_H
#define CO_HARVEST_CATEGORY_H

#include "base/base.h"

enum category {
	CATEGORY_FACTS,
	CATEGORY_DECISIONS,
	CATEGORY_QUESTIONS,
	CATEGORY_PLAYBOOKS,
	CATEGORY_TASKS,
	CATEGORY_FILES /* notes on one file each, see file-notes.h */
};
#define CATEGORIES 6
#define CATEGORY_WORDS "facts|decisions|questions|playbooks|tasks|files"

/* "facts" and so on; "facts.md", NULL for CATEGORY_FILES; what a new file
 * begins with. */
const char *category_template(enum category c);

#endif
