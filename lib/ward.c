/* ward.c: one pipe, from child to parent; a message is a letter, a number and,
 * for an answer, so many bytes.
 *
 * The child alone allocates, reads files and takes locks.  The parent polls.
 *
 * On a slow machine the wait may end before the child knows what is asked of
 * it; it is then left alone, and finds out by its first message whether anybody
 * is still there.
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

enum { ALLOW = 'T', BIND = 'B', ANSWER = 'A' };

struct header {
	uint32_t kind, number;
};

static int send_header(const struct ward *w, uint32_t kind, size_t number)
{
	struct header h = {kind, (uint32_t)number};

	return stream_write(w->pipe, (const char *)&h, sizeof(h));
}

void ward_allow(struct ward *w, int ms)
{
	send_header(w, ALLOW, (size_t)ms);
}

void ward_bind(struct ward *w)
{
	if (send_header(w, BIND, 0) < 0)
		_exit(0);
}

void ward_answer(struct ward *w, const char *p, size_t len)
{
	dup2(STDOUT_FILENO, STDIN_FILENO);
	send_header(w, ANSWER, len);
	stream_write(w->pipe, p, len);
	close(w->pipe);
}

void ward_stay(unsigned seconds)
{
	alarm(seconds);
}

/* Be out of reach of signals to the caller's, and keep nobody waiting for the
 * end of what was inherited. */
static void detach(int pipe)
{
	setsid();
	signal(SIGHUP, SIG_IGN);
	for (int fd = STDERR_FILENO + 1; fd < FDS_MOST; fd++) {
		if (fd != pipe)
			close(fd);
	}
}

static void be_child(ward_fn *work, void *ctx, int in)
{
	struct ward w = {in};
	int null;

	detach(in);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
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
static int take(struct buf *held, struct buf *out, int64_t *ms, bool *bound)
{
	struct header h;
	size_t at = 0;

	while (held->len - at >= sizeof(h)) {
		memcpy(&h, held->p + at, sizeof(h));
		at += sizeof(h);
		if (h.kind == ALLOW)
			*ms = h.number;
		*bound = *bound || h.kind == BIND;
		if (h.kind != ANSWER)
			continue;
		if (held->len - at < h.number)
			return 0;
		buf_add(out, held->p + at, h.number);
		return 1;
	}
	return 0;
}

/* *BOUND: nobody needs the child without its answer. */
static int wait_for(int fd, struct buf *out, bool *bound, struct err *e)
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
		r = take(&held, out, &allowed, bound);
	}
	buf_release(&held);
	return r;
}

int ward_run(ward_fn *work, void *ctx, struct buf *out, struct err *e)
{
	bool bound = false;
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
	r = wait_for(ends[0], out, &bound, e);
	close(ends[0]);
	/* Not waited for: in the middle of a read of a disk that does not
	 * answer it cannot even die. */
	if (r < 0 && bound)
		kill(pid, SIGKILL);
	return r < 0 ? -1 : 0;
}
