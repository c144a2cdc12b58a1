/* category.c: see category.h. */
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

const char *category_template(enum category c)
{
	return categories[c].template;
}
