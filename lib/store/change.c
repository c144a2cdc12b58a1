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
					     .log = {-1, -1, 0, 0, NULL}};
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
	if (c->log.ops >= 0) {
		close(c->log.ops);
		close(c->log.dir);
	}
	if (c->secrets)
		c->free_secrets(c->secrets);
	free(c);
	s->change = NULL;
}
