/* owner.c: the user's list is read only for a directory of another user. It is read
 * without settings.h, which uses this module to check the project's settings.
 */
#include "repo/owner.h"

#include "format/jsonc.h"
#include "sys/dirs.h"
#include "sys/file.h"

#include <unistd.h>

#define SETTINGS_MAX ((size_t)64 * 1024)

/* Return true if ENTRY of the list matches FOLDER. */
static bool matches_folder(const struct value *entry, const char *folder)
{
	const char *p = entry->kind == VALUE_STR ? entry->u.s.p : "";
	size_t len = strlen(p);

	if (!strcmp(p, "*"))
		return true;
	if (*p != '/')
		return false;
	if (len > 2 && !strcmp(p + len - 2, "/*"))
		return !strncmp(p, folder, len - 1) && folder[len - 1];
	while (len > 1 && p[len - 1] == '/')
		len--;
	return strlen(folder) == len && !memcmp(p, folder, len);
}

static bool is_listed(const struct value *settings, const char *folder)
{
	const struct value *list = jsonc_dotted(settings, "safe.directory");
	const struct value *item;

	for (size_t i = 0; (item = value_item_or_self(list, i)); i++) {
		if (matches_folder(item, folder))
			return true;
	}
	return false;
}

static bool settings_list(const char *folder)
{
	struct arena a = {0};
	struct buf path = {0}, text = {0};
	struct value settings;
	char *config = NULL;
	bool is;

	if (dirs_config(&config, NULL) < 0)
		return false;
	buf_addf(&path, "%s/settings.json", config);
	is = file_read_path(path.p, SETTINGS_MAX, &text, NULL) == 1 &&
	     jsonc_parse(text.p, text.len, &a, &settings, NULL) == 0 &&
	     is_listed(&settings, folder);
	free(config);
	buf_release(&path);
	buf_release(&text);
	arena_release(&a);
	return is;
}

bool owner_is_trusted(uid_t owner, const char *folder)
{
	const uid_t us = geteuid();
	const char *sudo = us == 0 ? getenv("SUDO_UID") : NULL;
	char *end;

	if (owner == us || owner == 0)
		return true;
	if (sudo && *sudo && strtoul(sudo, &end, 10) == owner && !*end)
		return true;
	return settings_list(folder);
}
