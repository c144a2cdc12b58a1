/* ward.c: one pipe, from child to parent; a message is a letter, a number and,
 * for an answer, so many bytes.
 *
 * The child alone allocates, reads files and takes locks.  The parent polls.
 */
#include "ward.h"

#include "instant.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#define CHILD_SECONDS 60 /* to live, whoever still waits */
#define FDS_MOST 256 /* that we may have inherited and keep others waiting */

enum { ALLOW = 'T', ANSWER = 'A' };

struct header {
	uint32_t kind, number;
};

static void send_header(const struct ward *w, uint32_t kind, size_t number)
{
	struct header h = {kind, (uint32_t)number};

	stream_write(w->pipe, (const char *)&h, sizeof(h));
}

void ward_allow(struct ward *w, int ms)
{
	send_header(w, ALLOW, (size_t)ms);
}

void ward_answer(struct ward *w, const char *p, size_t len, bool detach,
		 unsigned seconds)
{
	if (detach) {
		setsid();
		signal(SIGHUP, SIG_IGN);
		for (int fd = 3; fd < FDS_MOST; fd++) {
			if (fd != w->pipe)
				close(fd);
		}
		dup2(STDOUT_FILENO, STDIN_FILENO);
		alarm(seconds);
	}
	send_header(w, ANSWER, len);
	stream_write(w->pipe, p, len);
	close(w->pipe);
}

static void be_child(ward_fn *work, void *ctx, int in)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct ward w = {in};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, SIG_DFL);
	alarm(CHILD_SECONDS);
	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	work(ctx, &w);
	_exit(0);
}

/* What HELD begins with: 1 once it is the whole answer, moved to OUT, 0 for
 * more to come; *MS is the time that is allowed. */
static int take(struct buf *held, struct buf *out, int64_t *ms)
{
	struct header h;
	size_t at = 0;

	while (held->len - at >= sizeof(h)) {
		memcpy(&h, held->p + at, sizeof(h));
		if (h.kind == ALLOW) {
			*ms = h.number;
			at += sizeof(h);
			continue;
		}
		if (held->len - at - sizeof(h) < h.number)
			return 0;
		buf_add(out, held->p + at + sizeof(h), h.number);
		return 1;
	}
	return 0;
}

static int wait_for(int fd, struct buf *out, struct err *e)
{
	const int64_t start = instant_ticks();
	int64_t allowed = WARD_FIRST_MS, left;
	struct buf held = {0};
	int r = 0;

	while (!r) {
		struct pollfd ready = {fd, POLLIN, 0};
		ssize_t n;

		left = start + allowed - instant_ticks();
		n = left > 0 ? poll(&ready, 1, (int)left) : 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			r = err_set(e, ERR_BUSY, "no answer within %lld ms",
				    (long long)allowed);
			break;
		}
		buf_grow(&held, 65536);
		n = stream_read(fd, held.p + held.len, 65536);
		if (n <= 0) {
			r = err_set(e, ERR_HELPER, "ended without an answer");
			break;
		}
		held.len += (size_t)n;
		r = take(&held, out, &allowed);
	}
	buf_release(&held);
	return r;
}

int ward_run(ward_fn *work, void *ctx, struct buf *out, struct err *e)
{
	int ends[2], r;
	pid_t pid;

	if (pipe(ends) < 0)
		return err_sys(e, "cannot make a pipe");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	pid = fork();
	if (pid < 0) {
		r = err_sys(e, "cannot start a process");
		close(ends[0]);
		close(ends[1]);
		return r;
	}
	if (!pid) {
		close(ends[0]);
		be_child(work, ctx, ends[1]);
	}
	close(ends[1]);
	r = wait_for(ends[0], out, e);
	close(ends[0]);
	/* Not waited for: in the middle of a read of a disk that does not
	 * answer it cannot even die. */
	if (r < 0)
		kill(pid, SIGKILL);
	return r < 0 ? -1 : 0;
}
