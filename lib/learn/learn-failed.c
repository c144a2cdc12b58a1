/* learn-failed.c: see learn.h. */
#include "learn/learn.h"

#include "cli/cli.h"

#include <unistd.h>

/* Return true if S is a project's store and this user cannot write there. */
static bool is_closed(const struct store *s)
{
	const struct root *r = &s->repo.root;

	return r->scope == SCOPE_PROJECT &&
	       (r->fd < 0 || access(r->path, W_OK) < 0);
}

void learn_failed(const struct store *s, const char *text, const char *replaces,
		  const struct err *e)
{
	cli_complain(e);
	if (!text[strspn(text, " \t\r\n")])
		cli_hint("'co learn TEXT' saves TEXT; 'co learn' without TEXT "
			 "opens the editor");
	else if (e->code == ERR_NO && replaces)
		cli_hint("'co list' shows the memories");
	else if (e->code == ERR_SYSTEM && is_closed(s))
		cli_hint("'co learn --global' saves for every project, in your "
			 "own directory");
}
