/* change.c: see change.h. */
#include "store/change.h"

#include <unistd.h>

struct change *change_of(struct store *s)
{
	if (!s->change) {
		s->change = mem_alloc(sizeof(*s->change));
		*s->change = (struct change){.lock_fd = -1,
					     .reach_fd = -1,
					     .shared_fd = -1,
					     .log = OPLOG_NONE};
	}
	return s->change;
}

void change_release(struct store *s)
{
	struct change *c = s->change;

	if (!c)
		return;
	if (c->locked)
		c->unlock(s);
	oplog_close(&c->log);
	if (c->secrets)
		c->free_secrets(c->secrets);
	free(c->saved);
	free(c);
	s->change = NULL;
}
