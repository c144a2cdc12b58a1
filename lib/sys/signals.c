/* signals.c: Linux keeps a blocked signal pending even if it is ignored, so each that is
 * pending is looked up. */
#include "sys/signals.h"

#include "base/base.h"

static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void signals_hold(int more, sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(held); i++)
		sigaddset(&set, held[i]);
	if (more)
		sigaddset(&set, more);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* Return true if NUMBER is pending and this process does not ignore it. */
static bool is_pending(int number)
{
	struct sigaction action;
	sigset_t waiting;

	return sigpending(&waiting) == 0 && sigismember(&waiting, number) &&
	       (sigaction(number, NULL, &action) < 0 ||
		action.sa_handler != SIG_IGN);
}

bool signals_pending(void)
{
	static const int others[] = {SIGTSTP, SIGPIPE};
	bool is = false;

	for (size_t i = 0; i < ARRAY_LEN(held); i++)
		is = is || is_pending(held[i]);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		is = is || is_pending(others[i]);
	return is;
}
