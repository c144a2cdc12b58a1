/* co-config: print the settings, or change one. */
#include "cli/out.h"
#include "cli/stores.h"
#include "repo/settings.h"
#include "setup/settings-write.h"

#include <unistd.h>

static bool global, unset, list, show_origin;

static const struct opt opts[] = {
	FLAG(0, "global", &global,
	     "use the user's settings instead of the project's"),
	FLAG(0, "unset", &unset, "remove KEY, and use its default"),
	FLAG('l', "list", &list, "list all settings, also those not set"),
	FLAG(0, "show-origin", &show_origin,
	     "print the file of each setting before it"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-config",
	.summary = "show the settings, or change one",
	.synopsis = "[--global] [-l] [--show-origin]\n"
		    "[--global] [--show-origin] KEY\n"
		    "[--global] KEY VALUE\n"
		    "[--global] --unset KEY",
	.operands = "[KEY] [VALUE]",
	.opts = opts,
};

static struct store stores[2]; /* project, user */

/* Return the effective settings; with --global those of the user only. */
static const struct settings *load_settings(void)
{
	const struct root *user = &stores[true].repo.root,
			  *project = &stores[false].repo.root;

	return settings_load(user->fd, user->path ? user->path : "",
			     global ? -1 : project->fd,
			     project->path ? project->path : "", &cli_arena,
			     cli_report());
}

static void print_setting(const struct settings *s, const char *key, bool named)
{
	const char *origin = settings_origin(s, key);
	const char *value = settings_str(s, key);
	struct buf line = {0};

	if (show_origin && !strcmp(origin, "default"))
		buf_adds(&line, "default\t");
	else if (show_origin)
		buf_addf(&line, "%s/settings.json\t",
			 stores[!strcmp(origin, "user")].repo.root.path);
	if (named)
		buf_addf(&line, "%s=", key);
	buf_addf(&line, "%s\n", value);
	out_buf(&line);
}

/* Print the value of KEY. Return the exit status. */
static int print_value(const char *key)
{
	const struct settings *s = load_settings();

	if (!*settings_str(s, key))
		return ERR_NO;
	print_setting(s, key, false);
	return 0;
}

/* Print the settings that a file sets; with --list, all. */
static void print_settings(void)
{
	const struct settings *s = load_settings();
	size_t n = 0;

	for (const struct settings_key *k = settings_keys; k->name; k++) {
		if (!list && !strcmp(settings_origin(s, k->name), "default"))
			continue;
		print_setting(s, k->name, true);
		n++;
	}
	if (!list)
		cli_hint("'co config%s --list' shows %s",
			 global ? " --global" : "",
			 n ? "all settings" : "the settings: none is changed");
}

/* Tell a person the value of KEY after a change. */
static void print_change(const char *key)
{
	const struct settings *s = load_settings();
	const char *value = settings_str(s, key);

	cli_outf("✓ %s is %s (%s)\n", key, *value ? value : "not set",
		 settings_origin(s, key));
}

/* Set KEY to V, or remove it if V is NULL. Return the exit status. */
static int change_setting(const char *key, const struct value *v)
{
	struct store *s = &stores[global];
	struct err e;
	int r;

	if (!v && s->repo.root.fd < 0)
		r = 0;
	else
		r = settings_write(s, key, v, false, &e);
	if (r < 0)
		cli_die(&e);
	if (v)
		cli_make_store(s);
	else if (!r)
		cli_note("'%s' is not set there", key);
	if (isatty(STDOUT_FILENO) && (v || r))
		print_change(key);
	return v || r ? 0 : ERR_NO;
}

/* Print a note if the project's settings override the user's KEY, which was
 * just set. */
static void warn_overridden(const char *key)
{
	if (global && !list && !unset) {
		global = false;
		if (!strcmp(settings_origin(load_settings(), key), "project"))
			cli_note("in this project its own settings say '%s'",
				 settings_str(load_settings(), key));
	}
}

static void check_usage(int n)
{
	if (list && (n || unset))
		cli_usage("--list takes no KEY");
	if (unset && n != 1)
		cli_usage("--unset wants a KEY and no VALUE");
	if (show_origin && (n > 1 || unset))
		cli_usage("--show-origin is for what is shown");
}

int main(int argc, char **argv)
{
	struct value v;
	struct err e;
	int n, status = ERR_NONE;
	char **operands = cli_start(&cmd, argc, argv, &n);

	check_usage(n);
	if (n &&
	    settings_parse(operands[0], operands[1],
			   !global && (n > 1 || unset), &cli_arena, &v, &e) < 0)
		cli_usage("%s", e.text);
	/* The user's settings do not depend on a project that is refused. */
	if (global)
		store_open(&stores[false], SCOPE_PROJECT, NULL, NULL);
	else
		cli_open_store_if(&stores[false], false);
	cli_open_store_if(&stores[true], true);
	if (n > 1 || unset)
		status = change_setting(operands[0], unset ? NULL : &v);
	else if (n)
		status = print_value(operands[0]);
	else
		print_settings();
	if (n > 1)
		warn_overridden(operands[0]);
	store_close(&stores[false]);
	store_close(&stores[true]);
	return cli_finish(status);
}
