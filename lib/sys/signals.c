/* signals.c: Linux keeps a blocked signal pending even if it is ignored, so each that is
 * pending is looked up. */
#include "sys/signals.h"

#include "base/base.h"

static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

void signals_hold(bool stop, sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(held); i++) {
		if (stop || held[i] != SIGTSTP)
			sigaddset(&set, held[i]);
	}
	sigprocmask(SIG_BLOCK, &set, before);
}

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

bool signals_pending(void)
{
	sigset_t waiting;

	sigpending(&waiting);
	for (size_t i = 0; i < ARRAY_LEN(held); i++) {
		if (sigismember(&waiting, held[i]) && !is_ignored(held[i]))
			return true;
	}
	return false;
}
