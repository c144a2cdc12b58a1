/* database.c: database FILE [COMMAND]: run the SQL of standard input on a
 * SQLite database, as an agent that keeps its sessions there does; then run
 * COMMAND while the database is open. Exit with the status of COMMAND. */
#include "base/buf.h"
#include "base/compat.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int run_command(char *command)
{
	char *const argv[] = {"/bin/bash", "-c", command, NULL};
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    compat_spawn_in(NULL, &pid, argv[0], &actions, NULL, argv,
			    environ) != 0)
		return 4;
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

int main(int argc, char **argv)
{
	struct buf sql = {0};
	char chunk[4096];
	sqlite3 *db;
	ssize_t n;
	int status = 0;

	while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) > 0)
		buf_add(&sql, chunk, (size_t)n);
	if (argc < 2 || argc > 3 || sqlite3_open(argv[1], &db) != SQLITE_OK)
		return 2;
	if (sqlite3_exec(db, buf_str(&sql), NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "database: %s\n", sqlite3_errmsg(db));
		return 3;
	}
	if (argc == 3)
		status = run_command(argv[2]);
	sqlite3_close(db);
	buf_release(&sql);
	return status;
}
