/* unlocked.c: run a program as if its files were on another file system, by a
 * filter of its system calls.
 *
 *	unlocked WHAT... -- COMMAND...
 *
 *	flock     flock() always succeeds: locks of other machines are not seen,
 *	          as on many shared file systems
 *	shared    the type of the file system is unknown
 *	exchange  two names cannot be exchanged
 *	replace   renameat2() supports no flags
 *	link      there are no hard links
 */
#ifdef __linux__
#include "base/base.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 64

static struct sock_filter code[MOST];
static unsigned short n;

static void add(unsigned short what, unsigned k, unsigned char yes,
		unsigned char no)
{
	code[n++] = (struct sock_filter)BPF_JUMP(what, k, yes, no);
}

/* Let CALL return -1 with ERROR, or 0. With BITS, only if its fifth argument
 * has one of them. */
static void answer(long call, unsigned bits, int error)
{
	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, bits ? 3 : 1);
	if (bits) {
		/* Test the lower half of the argument. */
		const unsigned at =
			(unsigned)offsetof(struct seccomp_data, args[4]) +
			(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);

		add(BPF_LD | BPF_W | BPF_ABS, at, 0, 0);
		add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	}
	add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error, 0, 0);
}

static void add_rule(const char *what)
{
	if (!strcmp(what, "flock")) {
		answer(SYS_flock, 0, 0);
	} else if (!strcmp(what, "shared")) {
		answer(SYS_fstatfs, 0, ENOSYS);
	} else if (!strcmp(what, "exchange")) {
		answer(SYS_renameat2, RENAME_EXCHANGE, EINVAL);
	} else if (!strcmp(what, "replace")) {
		answer(SYS_renameat2, RENAME_EXCHANGE | RENAME_NOREPLACE,
		       EINVAL);
	} else if (!strcmp(what, "link")) {
		answer(SYS_linkat, 0, EPERM);
	} else {
		fprintf(stderr, "unlocked: what is '%s'?\n", what);
		_exit(2);
	}
}

int main(int argc, char **argv)
{
	struct sock_fprog program = {.filter = code};
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		add_rule(argv[i]);
	if (i + 1 >= argc) {
		fputs("usage: unlocked WHAT... -- COMMAND...\n", stderr);
		return 2;
	}
	add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("unlocked");
		return 3;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 127;
}
#else
int main(void)
{
	return 3;
}
#endif
