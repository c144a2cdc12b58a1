/* sandbox.c: Landlock and a seccomp filter, on Linux.
 *
 * A system call that is not on the list fails with EPERM instead of killing the
 * process, so that a library can do without an optional one.
 */
#include "sys/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED false
#endif

#ifdef __linux__
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

static bool restrict_files(void)
{
#ifdef LANDLOCK_ACCESS_FS_READ_FILE
	/* All access rights of Landlock's first version. */
	const struct landlock_ruleset_attr all = {
		.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
	const int rules =
		(int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	const bool closed =
		rules >= 0 && !syscall(SYS_landlock_restrict_self, rules, 0);

	if (rules >= 0)
		close(rules);
	return closed;
#else
	return false;
#endif
}

static bool restrict_calls(void)
{
#ifdef ARCH
	static const int allowed[] = {
		SYS_read,	  SYS_write,
		SYS_writev,	  SYS_pread64,
		SYS_lseek,	  SYS_close,
		SYS_mmap,	  SYS_munmap,
		SYS_mremap,	  SYS_mprotect,
		SYS_madvise,	  SYS_brk,
		SYS_futex,	  SYS_exit,
		SYS_exit_group,	  SYS_rt_sigreturn,
		SYS_rt_sigaction, SYS_rt_sigprocmask,
		SYS_sigaltstack,  SYS_clock_gettime,
		SYS_gettimeofday, SYS_getrandom,
		SYS_fstat,	  SYS_getpid,
		SYS_sched_yield,  SYS_restart_syscall,
		SYS_ppoll,
#ifdef SYS_poll
		SYS_poll,
#endif
	};
	struct sock_filter code[ARRAY_LEN(allowed) + 6];
	struct sock_fprog program = {.filter = code};
	size_t n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
						 ARCH, 1, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						 SECCOMP_RET_KILL_PROCESS);
	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
		code[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i],
			(unsigned char)(ARRAY_LEN(allowed) - i), 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						 SECCOMP_RET_ERRNO | EPERM);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						 SECCOMP_RET_ALLOW);
	program.len = (unsigned short)n;
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
	return false;
#endif
}

unsigned sandbox_close(void)
{
	unsigned closed = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	closed |= restrict_files() ? SANDBOX_FILES : 0;
	closed |= restrict_calls() ? SANDBOX_CALLS : 0;
	return closed;
}

bool sandbox_leave_network(void)
{
	return !unshare(CLONE_NEWNET) || !unshare(CLONE_NEWUSER | CLONE_NEWNET);
}
#else
unsigned sandbox_close(void)
{
	return 0;
}

bool sandbox_leave_network(void)
{
	return false;
}
#endif

void sandbox_limit(unsigned seconds, size_t bytes)
{
	const struct rlimit work = {seconds, seconds + 1};
	const struct rlimit memory = {bytes, bytes};

	setrlimit(RLIMIT_CPU, &work);
	if (!SANITIZED)
		setrlimit(RLIMIT_AS, &memory);
}

int sandbox_wait(pid_t pid, struct err *e)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return err_sys(e, "cannot wait for its reader");
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE); /* the reader of our output has gone, too */
	if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
		return err_set(e, ERR_SYSTEM, "it takes too long to read");
	return err_set(e, ERR_SYSTEM, "its reader died of signal %d",
		       WTERMSIG(status));
}
