/* category.c: one row for each category. */
#include "harvest/category.h"

static const struct {
	const char *name, *file, *template;
} categories[CATEGORIES] = {
	[CATEGORY_FACTS] = {"facts", "facts.md", "# Facts\n\n"},
	[CATEGORY_DECISIONS] = {"decisions", "decisions.md", "# Decisions\n\n"},
	[CATEGORY_QUESTIONS] = {"questions", "questions.md", "# Questions\n\n"},
	[CATEGORY_PLAYBOOKS] = {"playbooks", "playbooks.md", "# Playbooks\n\n"},
	[CATEGORY_TASKS] = {"tasks", "tasks.md",
			    "# Tasks\n\n## Open\n\n## Done\n"},
	[CATEGORY_FILES] = {"files", NULL, NULL},
};

const char *category_name(enum category c)
{
	return categories[c].name;
}

const char *category_file(enum category c)
{
	return categories[c].file;
}

const char *category_template(enum category c)
{
	return categories[c].template;
}

enum category category_of_name(const char *name)
{
	enum category c = CATEGORY_FACTS;

	while (c < CATEGORIES && strcmp(categories[c].name, name) != 0)
		c++;
	return c;
}

enum category category_of_file(const char *file)
{
	enum category c = CATEGORY_FACTS;

	while (c < CATEGORY_FILES && strcmp(categories[c].file, file) != 0)
		c++;
	return c < CATEGORY_FILES ? c : CATEGORIES;
}
