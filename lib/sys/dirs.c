/* dirs.c: see dirs.h. */
#include "sys/dirs.h"

#include <unistd.h>

static const char *absolute_variable(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] == '/' ? value : NULL;
}

const char *dirs_home(void)
{
	return absolute_variable("HOME");
}

static int build_path(const char *variable, const char *below_home, char **path,
		      struct err *e)
{
	const char *xdg = absolute_variable(variable), *home = dirs_home();
	struct buf b = {0};

	if (!xdg && !home)
		return err_set(e, ERR_SYSTEM,
			       "cannot find your directories: "
			       "neither HOME nor %s is an absolute path",
			       variable);
	buf_adds(&b, xdg ? xdg : home);
	while (b.len > 1 && b.p[b.len - 1] == '/')
		buf_cut(&b, b.len - 1);
	if (b.len == 1)
		buf_cut(&b, 0);
	buf_addf(&b, "%s/co-cli", xdg ? "" : below_home);
	*path = buf_take(&b);
	return 0;
}

int dirs_config(char **path, struct err *e)
{
	return build_path("XDG_CONFIG_HOME", "/.config", path, e);
}

int dirs_cache(char **path, struct err *e)
{
	return build_path("XDG_CACHE_HOME", "/.cache", path, e);
}

int dirs_state(char **path, struct err *e)
{
	return build_path("XDG_STATE_HOME", "/.local/state", path, e);
}

bool dirs_known(void)
{
	return absolute_variable("XDG_CONFIG_HOME") || dirs_home();
}

void dirs_forget(void)
{
	unsetenv("HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_CACHE_HOME");
	unsetenv("XDG_STATE_HOME");
}

/* Return the directory that the user's shell is in, or NULL. It differs from the working
 * directory after `co -C`. The caller frees it. */
static char *shell_directory(void)
{
	const char *path = getenv("PWD");

	return path && *path == '/' ? realpath(path, NULL) : NULL;
}

const char *dirs_shown_path(const char *path)
{
	char *here = isatty(STDOUT_FILENO) ? shell_directory() : NULL;
	const size_t len = here ? strlen(here) : 0;
	const bool below =
		len > 1 && !strncmp(path, here, len) && path[len] == '/';

	free(here);
	return below ? path + len + 1 : path;
}

void dirs_add_shown(struct buf *out, const char *text, int to)
{
	char *here = isatty(to) ? shell_directory() : NULL;
	struct buf prefix = {0};
	const char *at;

	buf_addf(&prefix, "'%s/", here ? here : "");
	while (here && here[1] && (at = strstr(text, prefix.p))) {
		buf_add(out, text, (size_t)(at - text) + 1);
		text = at + prefix.len;
	}
	buf_adds(out, text);
	buf_release(&prefix);
	free(here);
}
