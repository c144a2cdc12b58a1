/* idle.c: make the vectors that documents lack while no call is served.
 *
 * A question makes a few itself, since somebody waits for its answer. A program with
 * the lowest priority makes the others, and continues while calls are served. It ends
 * with the server; the vectors that it has written stay.
 */
#include "mcp/mcp.h"

#include "base/instant.h"
#include "sys/process.h"

#include <sys/resource.h>
#include <unistd.h>

#define QUIET_MS 2000		 /* after the last message */
#define MAKE_MS (10 * 60 * 1000) /* for one store */

/* The options of co-index-update for each store. */
static const char *const stores[] = {NULL, "--global"};

int mcp_idle_patience(const struct mcp *m)
{
	int64_t left;

	if (m->maker.pid)
		return process_patience(&m->maker);
	if (m->queue || m->ending || process_is_inside() ||
	    (m->indexed == ARRAY_LEN(stores) && !m->saved))
		return -1;
	left = m->heard + QUIET_MS - instant_monotonic_ms();
	return left > 0 ? (int)left : 0;
}

/* Start the program for the next store. Failing is no harm: a question makes the
 * vectors that it needs most. */
static void start_maker(struct mcp *m)
{
	struct buf path = {0};
	char parent[64];
	const char *argv[] = {NULL, "--quiet", parent, NULL, NULL};

	snprintf(parent, sizeof(parent), "--with-parent=%ld", (long)getpid());
	if (m->saved)
		m->indexed = 0;
	m->saved = false;
	argv[3] = stores[m->indexed];
	buf_addf(&path, "%sco-index-update", m->folder);
	argv[0] = path.p;
	if (process_start(&m->maker, argv, "", 0, MAKE_MS, NULL) == 0)
		setpriority(PRIO_PGRP, (id_t)m->maker.pid, 19);
	else
		m->indexed = ARRAY_LEN(stores);
	buf_release(&path);
}

void mcp_idle_look(struct mcp *m)
{
	if (m->maker.pid && process_work(&m->maker)) {
		m->indexed++;
		process_release(&m->maker);
	}
	if (!m->maker.pid && mcp_idle_patience(m) == 0)
		start_maker(m);
}
