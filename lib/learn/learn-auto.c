/* learn-auto.c: the setting goes to the user's store, since it holds for all
 * projects.
 */
#include "learn/learn.h"

#include "cli/cli.h"
#include "cli/stores.h"
#include "repo/settings.h"
#include "setup/settings-write.h"

int learn_auto_set(const char *value, bool alone)
{
	const bool on = !strcmp(value, "true");
	const struct value v = value_str(on ? "on" : "off");
	const struct settings *settings;
	struct arena a = {0};
	struct store user;
	struct err e;

	if (!alone)
		cli_usage(
			"--auto cannot be used with another option or operand");
	cli_open_store(&user, true);
	if (settings_write(&user, "harvest.auto", &v, false, &e) < 0 ||
	    settings_user(&settings, &a, cli_report(), &e) < 0)
		cli_die(&e);
	cli_make_store(&user);
	cli_outs(on ? "✓ Each session that ends is harvested into drafts: "
		      "'co review' shows them\n"
		    : "✓ Sessions that end are not harvested\n");
	if (on && !strcmp(settings_str(settings, "llm.provider"), "none"))
		cli_note("no model is set yet: 'llm.provider' in the user's "
			 "settings names one, see co-settings(5)");
	store_close(&user);
	arena_release(&a);
	return cli_finish(0);
}
