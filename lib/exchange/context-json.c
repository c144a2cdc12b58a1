#include "exchange/context-json.h"

const struct context_section context_sections[CONTEXT_SECTIONS] = {
	{"user",
	 "user",
	 "user_preferences.json",
	 "user_preferences",
	 3,
	 {{"name", CONTEXT_TEXT},
	  {"timezone", CONTEXT_TEXT},
	  {"working_hours", CONTEXT_TEXT},
	  {"preferences", CONTEXT_MAP},
	  {"notes", CONTEXT_LIST}}},
	{"project",
	 "project",
	 "project_insights.json",
	 "project_insights",
	 3,
	 {{"name", CONTEXT_TEXT},
	  {"type", CONTEXT_TEXT},
	  {"architecture", CONTEXT_LIST},
	  {"patterns", CONTEXT_LIST},
	  {"conventions", CONTEXT_LIST},
	  {"notes", CONTEXT_LIST}}},
	{"learned_facts",
	 "learned",
	 "learned_facts.json",
	 "learned_facts",
	 0,
	 {{"facts", CONTEXT_LIST},
	  {"corrections", CONTEXT_LIST},
	  {"clarifications", CONTEXT_LIST}}},
};

const struct context_field *context_field(unsigned section, const char *key)
{
	const struct context_field *f = context_sections[section].fields;
	const size_t len = strcspn(key, ".");

	while (f->name &&
	       (strlen(f->name) != len || memcmp(f->name, key, len) != 0))
		f++;
	return f->name && (f->kind == CONTEXT_MAP) == (key[len] == '.') ? f
									: NULL;
}
