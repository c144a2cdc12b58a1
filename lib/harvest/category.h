/* category.h: the categories of items, and the file of each below
 * knowledge/. */
#ifndef CO_HARVEST_CATEGORY_H
#define CO_HARVEST_CATEGORY_H

#include "base/base.h"

enum category {
	CATEGORY_FACTS,
	CATEGORY_DECISIONS,
	CATEGORY_QUESTIONS,
	CATEGORY_PLAYBOOKS,
	CATEGORY_TASKS,
	CATEGORY_FILES /* notes about single files, see file-notes.h */
};
#define CATEGORIES 6
#define CATEGORY_WORDS "facts|decisions|questions|playbooks|tasks|files"

/* category_name() returns "facts" and so on. category_file() returns
 * "facts.md", or NULL for CATEGORY_FILES. category_template() returns the
 * initial text of a new file. All are static. */
const char *category_name(enum category c);
const char *category_file(enum category c);
const char *category_template(enum category c);

/* Return the category with the name NAME (one of CATEGORY_WORDS) or the file
 * name FILE, CATEGORIES if there is none. */
enum category category_of_name(const char *name);
enum category category_of_file(const char *file);

#endif
