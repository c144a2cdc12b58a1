/* counter.c: the line overwrites itself, at most ten times a second. */
#include "cli/counter.h"

#include "base/buf.h"
#include "base/instant.h"
#include "sys/io.h"
#include "sys/terminal.h"

#include <unistd.h>

#define PATIENCE_MS 1000
#define EVERY_MS 100
#define BAR 20 /* columns */

static int64_t next_draw_ms; /* monotonic; 0: no step was reported yet */
static bool possible, shown;

static void add_bar(struct buf *line, size_t done, size_t total)
{
	const size_t full = done < total ? done * BAR / total : BAR;

	buf_adds(line, " [");
	for (size_t i = 0; i < BAR; i++)
		buf_addc(line, i < full ? '#' : ' ');
	buf_adds(line, "]");
}

/* Return true if standard error is a terminal that can move its cursor. */
static bool can_show(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && isatty(STDERR_FILENO);
}

static void draw_step(void *ctx, const char *what, size_t done, size_t total)
{
	struct buf line = {0};
	size_t columns;
	int64_t now;

	(void)ctx;
	if (next_draw_ms && !possible)
		return;
	now = instant_monotonic_ms();
	if (!next_draw_ms) {
		next_draw_ms = now + PATIENCE_MS;
		possible = can_show();
	}
	if (now < next_draw_ms || !possible)
		return;
	next_draw_ms = now + EVERY_MS;
	buf_addf(&line, "\r%zu", done);
	if (total)
		buf_addf(&line, " of %zu", total);
	buf_addf(&line, " %s", what);
	if (total)
		add_bar(&line, done, total);
	columns = terminal_columns(STDERR_FILENO);
	/* A line wider than the terminal could not be overwritten. */
	if (!columns || line.len <= columns) {
		buf_adds(&line, "\033[K");
		shown = io_write(STDERR_FILENO, line.p, line.len) == 0;
	}
	buf_release(&line);
}

const struct progress *counter(void)
{
	static const struct progress progress = {draw_step, NULL};

	return &progress;
}

bool counter_is_shown(void)
{
	return shown;
}

void counter_clear(void)
{
	if (shown)
		io_write(STDERR_FILENO, "\r\033[K", strlen("\r\033[K"));
	shown = false;
}
