/* deadline.c: the parent and the child have a pair of sockets. A message of the child is
 * a letter and a number; after ANSWER, OFFER and LEAVE, that many bytes follow. The
 * parent sends one byte when it has delivered an offer.
 *
 * Only the child allocates, reads files and takes locks; the parent polls. The parent
 * never waits for the child's end: a process that reads from a hung disk cannot even be
 * killed. So the child is a grandchild, which needs no waitpid(). It is a direct child
 * only if the parent ends soon anyway.
 *
 * On a slow machine the wait may end before the child has started. The child notices
 * that when it sends its first message: the other end is closed.
 */
#include "sys/deadline.h"

#include "base/compat.h"
#include "base/instant.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_SECONDS 60 /* lifetime of a child */

enum {
	ALLOW = 'T',
	BEGIN = 'R',
	BIND = 'B',
	LEAVE = 'L',
	ANSWER = 'A',
	OFFER = 'O'
};

struct header {
	uint32_t kind, number;
};

static int send_header(const struct deadline *w, uint32_t kind, size_t number)
{
	struct header h = {kind, (uint32_t)number};

	return io_write(w->socket, (const char *)&h, sizeof(h));
}

/* Send the LEN bytes at P as KIND, in one write, so that the parent wakes up once. */
static int send_text(const struct deadline *w, uint32_t kind, const char *p,
		     size_t len)
{
	const struct header h = {kind, (uint32_t)len};
	struct buf whole = {0};
	int r;

	buf_add(&whole, (const char *)&h, sizeof(h));
	buf_add(&whole, p, len);
	r = io_write(w->socket, whole.p, whole.len);
	buf_release(&whole);
	return r;
}

void deadline_allow(struct deadline *w, int ms)
{
	send_header(w, ALLOW, (size_t)ms);
}

void deadline_bind(struct deadline *w)
{
	if (send_header(w, BIND, (size_t)getpid()) < 0)
		_exit(0);
}

void deadline_leave(struct deadline *w, const char *p, size_t len)
{
	send_text(w, LEAVE, p, len);
}

void deadline_answer(struct deadline *w, const char *p, size_t len)
{
	dup2(STDOUT_FILENO, STDIN_FILENO);
	send_text(w, ANSWER, p, len);
	close(w->socket);
}

bool deadline_offer(struct deadline *w, const char *p, size_t len)
{
	struct pollfd ready = {w->socket, POLLIN, 0};
	char done;

	dup2(STDOUT_FILENO, STDIN_FILENO);
	return send_text(w, OFFER, p, len) == 0 &&
	       poll(&ready, 1, DEADLINE_OFFER_MS) == 1 &&
	       io_read(w->socket, &done, 1) == 1;
}

void deadline_end(struct deadline *w)
{
	close(w->socket);
}

void deadline_stay(unsigned seconds)
{
	alarm(seconds);
}

/* Leave the caller's session, so that its signals do not reach the child, and
 * close inherited descriptors, on whose end another process may wait. */
static void detach(int own)
{
	setsid();
	signal(SIGHUP, SIG_IGN);
	compat_close_others(own);
}

static void be_child(deadline_fn *work, void *ctx, int in)
{
	struct deadline w = {in};
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

/* The parent's state while it waits for the child. */
struct wait_state {
	struct buf held; /* bytes received */
	size_t parsed;	 /* how many of them were parsed */
	int64_t since;	 /* start of the limit, in ms */
	int64_t allowed; /* limit, in ms */
	pid_t bound;	 /* process to kill at the limit; 0: none */
	bool offered;	 /* the answer is that of deadline_offer() */
	struct buf left; /* fallback answer */
};

/* Parse the messages that are complete. Returns 1 if the whole answer has come
 * and was appended to OUT, else 0. */
static int parse_messages(struct wait_state *w, struct buf *out)
{
	const struct buf *held = &w->held;
	struct header h;

	while (held->len - w->parsed >= sizeof(h)) {
		const char *p = held->p + w->parsed;
		size_t size = sizeof(h);
		struct buf *to = NULL;

		memcpy(&h, p, sizeof(h));
		if (h.kind == ANSWER || h.kind == OFFER)
			to = out;
		if (h.kind == LEAVE)
			to = &w->left;
		if (to)
			size += h.number;
		if (held->len - w->parsed < size)
			return 0;
		w->parsed += size;
		if (h.kind == BEGIN)
			w->since = instant_monotonic_ms();
		if (h.kind == ALLOW || h.kind == BEGIN)
			w->allowed = h.number;
		if (h.kind == BIND)
			w->bound = (pid_t)h.number;
		if (h.kind == LEAVE)
			buf_cut(to, 0);
		if (to)
			buf_add(to, p + sizeof(h), h.number);
		w->offered = h.kind == OFFER;
		if (to == out)
			return 1;
	}
	return 0;
}

/* Wait until FD can be read or the time is over. Return as poll(). */
static int wait_for_message(int fd, const struct wait_state *w)
{
	struct pollfd ready = {fd, POLLIN, 0};
	int n;

	do {
		const int64_t left =
			w->since + w->allowed - instant_monotonic_ms();

		n = left > 0 ? poll(&ready, 1, (int)left) : 0;
	} while (n < 0 && errno == EINTR);
	return n;
}

static int wait_for_answer(int fd, struct wait_state *w, struct buf *out,
			   struct err *e)
{
	int r = 0;

	w->since = instant_monotonic_ms();
	while (!r) {
		ssize_t n = wait_for_message(fd, w);

		if (n <= 0)
			return err_set(e, ERR_BUSY, "no answer within %lld ms",
				       (long long)w->allowed);
		buf_grow(&w->held, 65536);
		n = io_read(fd, w->held.p + w->held.len, 65536);
		if (n <= 0) {
			w->bound = 0;
			return err_set(e, ERR_HELPER,
				       "ended without an answer");
		}
		w->held.len += (size_t)n;
		r = parse_messages(w, out);
	}
	return 0;
}

/* Fork the process that runs WORK: a direct child if the caller ENDS soon, else a
 * grandchild. It gets the end IN of the sockets and closes the end OURS. */
static int fork_child(deadline_fn *work, void *ctx, int in, int ours, bool ends,
		      struct err *e)
{
	pid_t pid = fork();

	if (pid < 0)
		return err_sys(e, "cannot start a process");
	if (!pid) {
		pid = ends ? 0 : fork();
		if (pid)
			_exit(pid < 0);
		close(ours);
		be_child(work, ctx, in);
	}
	while (!ends && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* Tell the child at FD that its offer was delivered, and wait until it has closed its
 * end. */
static void confirm_delivery(int fd, const struct wait_state *w)
{
	char none;

	if (io_write(fd, "", 1) == 0 && wait_for_message(fd, w) > 0)
		(void)!io_read(fd, &none, 1);
}

int deadline_run(deadline_fn *work, void *ctx, struct buf *out, struct err *e)
{
	return deadline_run_deliver(work, ctx, NULL, out, e);
}

int deadline_run_deliver(deadline_fn *work, void *ctx,
			 deadline_deliver_fn *deliver, struct buf *out,
			 struct err *e)
{
	struct wait_state w = {.allowed = DEADLINE_FIRST_MS};
	int ends[2], r;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return err_sys(e, "cannot make a pair of sockets");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	r = fork_child(work, ctx, ends[1], ends[0], deliver, e);
	close(ends[1]);
	if (!r)
		r = wait_for_answer(ends[0], &w, out, e);
	if (!r && deliver && deliver(ctx, out) && w.offered)
		confirm_delivery(ends[0], &w);
	close(ends[0]);
	if (r < 0 && w.bound)
		kill(w.bound, SIGKILL);
	if (r < 0)
		buf_add(out, buf_str(&w.left), w.left.len);
	buf_release(&w.held);
	buf_release(&w.left);
	return r;
}

/* deadline_read(): the answer is the reports, one a line, a NUL and the
 * output. */
struct read_job {
	deadline_read_fn *fn;
	void *ctx;
	int ms;
};

static void append_report(void *ctx, const struct err *e)
{
	buf_addf(ctx, "%d %s\n", (int)e->code, e->text);
}

static void read_files(void *ctx, struct deadline *w)
{
	const struct read_job *rd = ctx;
	struct buf answer = {0}, text = {0};
	const struct report report = {append_report, &answer};

	dup2(STDOUT_FILENO, STDIN_FILENO);
	send_header(w, BEGIN, (size_t)rd->ms);
	deadline_bind(w);
	rd->fn(rd->ctx, &text, &report);
	buf_addc(&answer, '\0');
	buf_add(&answer, buf_str(&text), text.len);
	deadline_answer(w, answer.p, answer.len);
}

/* Pass the reports in the lines of P to R. */
static void forward_reports(const char *p, const struct report *r)
{
	char *text;

	for (; *p; p += strcspn(p, "\n") + 1) {
		const long code = strtol(p, &text, 10);

		err_warn(r, (enum err_code)code, "%.*s",
			 (int)strcspn(text + 1, "\n"), text + 1);
		p = text;
	}
}

int deadline_read(deadline_read_fn *fn, void *ctx, int ms, struct buf *out,
		  const struct report *r, struct err *e)
{
	struct read_job rd = {fn, ctx, ms};
	struct buf answer = {0};
	int result = deadline_run(read_files, &rd, &answer, e);

	if (!result) {
		const size_t reports = strlen(buf_str(&answer)) + 1;

		forward_reports(buf_str(&answer), r);
		buf_add(out, answer.p + reports, answer.len - reports);
	}
	buf_release(&answer);
	return result;
}
