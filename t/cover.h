/* cover.h: stands before every file that is built to be counted: a process
 * that ends by _exit() counts as well.  Includes nothing, since a file may use
 * a name of the system's for its own. */
void __gcov_dump(void);
void _Exit(int) __attribute__((noreturn));

#define _exit cover_exit

__attribute__((weak, noreturn)) void cover_exit(int status)
{
	__gcov_dump();
	_Exit(status);
}
