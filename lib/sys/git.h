/* git.h: run git, for the few commands that read its history, resolve its
 * merges or set it up.
 *
 * All functions use the repository of the directory DIR and ignore GIT_DIR and
 * the like, which git sets for its hooks.
 *
 * Commands that only read files never run git: its configuration may name
 * programs.
 */
#ifndef CO_SYS_GIT_H
#define CO_SYS_GIT_H

#include "base/buf.h"
#include "base/err.h"
#include "sys/process.h"

/* Run git in the directory DIR with the arguments WORDS, a NULL-terminated
 * list, and LEN bytes of INPUT as standard input. Replace the contents of OUT
 * by its output. Returns its exit status, or -1 with ERR_HELPER: git is
 * missing, was killed or exited with 128 or more (the message ends with the
 * first line of its errors); or DIR lies in a repository without a worktree,
 * which a clone may contain. A signal that ends this process takes effect when git has
 * ended: it may be merging files. */
int git_run(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e);

/* Like git_run(), for a command that may run hooks of the user: up to 20 minutes. */
int git_run_long(const char *dir, const char *const *words, const char *input,
		 size_t len, struct buf *out, struct err *e);

/* Like git_run(), for a command that only reads objects and refs or writes
 * index entries. It runs no hook, monitor, pager or signature program of the
 * configuration, and fetches no objects that a partial clone lacks. */
int git_ask(const char *dir, const char *const *words, const char *input,
	    size_t len, struct buf *out, struct err *e);

/* Call git_ask() without input; the words follow E. */
#define GIT_ASK(dir, out, e, ...) \
	git_ask(dir, (const char *const[]){__VA_ARGS__, NULL}, "", 0, out, e)

/* Like git_ask(), but pass the output to TAKE as it arrives, without a size
 * limit. If TAKE stops the command, returns -1 and leaves E unchanged. */
int git_ask_taking(const char *dir, const char *const *words, const char *input,
		   size_t len, process_take_fn *take, void *ctx, struct err *e);

/* If the repository of DIR is a partial clone, which may lack objects, add to E, an
 * error of git, the shell command COMMAND that fetches them. Always returns -1. */
int git_explain_lack(const char *dir, const char *command, struct err *e);

/* Replace VALUE by the value of the option KEY in the repository of DIR; LOCAL: from
 * its own configuration only. Returns 1, 0 if the option is unset, or -1. */
int git_option(const char *dir, bool local, const char *key, struct buf *value,
	       struct err *e);

/* Fail with ERR_SYSTEM if this is root and DIR belongs to another user. What git makes
 * there would be root's, and then git does not work for that user. Returns 0 or -1. */
int git_check_user(const char *dir, struct err *e);

/* Like git_run(), for fetch and push: up to 20 minutes. Neither git nor ssh asks for
 * a password; a command that the user has set for ssh runs as it is. */
int git_transfer(const char *dir, const char *const *words, struct buf *out,
		 struct err *e);

#endif
