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
const char *category_name(enum category c);
const char *category_file(enum category c);
const char *category_template(enum category c);

/* The category that NAME, one of CATEGORY_WORDS, or FILE means: CATEGORIES where
 * it is none. */
enum category category_of_name(const char *name);
enum category category_of_file(const char *file);

#endif
