/* keys.c: see keys.h. */
#include "cli/keys.h"

#include "base/date.h"
#include "cli/cli.h"
#include "evidence/cites.h"

int cli_cite(struct store *s, const struct strings *places, struct store_new *n,
	     struct arena *a, struct err *e)
{
	return cites_settle(&s->repo, places, n->extra, a, &n->extra, e);
}
