/* co: run a command of the suite by exec. */
#include "cli/cli.h"
#include "sys/execpath.h"

#include <unistd.h>

static struct strings dirs;
static bool version;

static const struct opt opts[] = {
	{OPT_LIST, 'C', NULL, &dirs, "DIR", NULL, "run as if started in DIR"},
	FLAG(0, "version", &version, "print the version"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co",
	.summary = "manage memories for AI agents and people",
	.synopsis = "[-C DIR]... COMMAND [ARGUMENT...]\n"
		    "--version",
	.operands = "COMMAND [ARGUMENT...]",
	.opts = opts,
};

static struct execpath suite;

/* Return the index of the command in ARGV. The arguments after it belong to the
 * command. */
static int find_command(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1;
		if (!strcmp(argv[i], "-C") && i + 1 < argc)
			i++;
	}
	return i < argc ? i : argc;
}

/* Append the table of co itself, then one line per command. */
static void print_spec(struct buf *out)
{
	command_spec(out, &cmd);
	for (size_t i = 0; i < suite.n; i++) {
		const struct execpath_program *p = &suite.items[i];

		buf_addf(out, "command\t%s\t%s\t%s\n", p->name, p->kind,
			 p->summary);
	}
}

static void print_commands(struct buf *out)
{
	command_list_text(out, &suite, false);
}

static int print_text(void (*what)(struct buf *), const char *argv0, int status)
{
	struct buf out = {0};

	command_list(&suite, argv0, &cli_arena);
	what(&out);
	cli_out_text(buf_str(&out), out.len);
	buf_release(&out);
	return cli_finish(status);
}

static int report_unknown(const char *name, const char *argv0)
{
	struct buf guess = {0};

	execpath_list(&suite, argv0, &cli_arena);
	command_guess(&guess, &suite, name);
	cli_note("no such command '%s'", name);
	cli_hint("%s", guess.len ? guess.p : "'co help' lists the commands");
	buf_release(&guess);
	return cli_finish(ERR_NOCMD);
}

/* Replace the process by the program at PATH, after changing to the directories
 * of -C. ALIAS: what its messages name instead of the program, or NULL. */
static void NORETURN exec_command(const char *path, char **argv,
				  const char *alias)
{
	struct err e;

	for (size_t i = 0; i < dirs.n; i++) {
		if (!chdir(dirs.items[i]))
			continue;
		err_sys(&e, "cannot enter '%s'", dirs.items[i]);
		cli_die(&e);
	}
	/* -C overrides the project directory that an agent sets. */
	if (dirs.n) {
		unsetenv("CLAUDE_PROJECT_DIR");
		unsetenv("GEMINI_PROJECT_DIR");
	}
	argv[0] = alias ? arena_printf(&cli_arena, "co %s:%s", alias, path)
			: arena_strdup(&cli_arena, path);
	execv(path, argv);
	err_sys(&e, "cannot run '%s'", path);
	cli_die(&e);
}

/* If **ARGV is an alias, replace it by the command and its option, and return
 * true. */
static bool expand_alias(char ***argv)
{
	const char *words = command_alias(**argv);
	size_t n = 0;
	char **to;

	if (!words)
		return false;
	while ((*argv)[n])
		n++;
	to = arena_alloc(&cli_arena, (n + 2) * sizeof(*to));
	*to = arena_strdup(&cli_arena, words);
	to[1] = strchr(*to, ' ');
	if (to[1])
		*to[1]++ = '\0';
	memcpy(to + 1 + (to[1] != NULL), *argv + 1, n * sizeof(*to));
	*argv = to;
	return true;
}

/* Replace the process by the program for the command *ARGV or for the command
 * it is an alias of. Return if there is none. */
static void run_command(char **argv, const char *argv0)
{
	const char *program = arena_printf(&cli_arena, "co-%s", *argv);
	const char *typed = *argv, *alias = NULL;
	struct buf path = {0};

	if (!execpath_find(&path, program, argv0) && expand_alias(&argv)) {
		alias = typed;
		program = arena_printf(&cli_arena, "co-%s", *argv);
		execpath_find(&path, program, argv0);
	}
	if (path.len)
		exec_command(path.p, argv, alias);
	buf_release(&path);
}

int main(int argc, char **argv)
{
	int at = find_command(argc, argv), n;
	char *name = argv[at], *argv0 = argv[0];
	bool spec = at > 1 && !strcmp(argv[at - 1], "--spec");
	bool help = at > 1 && !strcmp(argv[at - 1], "-h");

	argv[spec || help ? at - 1 : at] = NULL;
	cli_start(&cmd, at, argv, &n);
	if (help)
		return print_text(print_commands, argv0, 0);
	if (spec)
		return print_text(print_spec, argv0, 0);
	if (version) {
		cli_outs("co " CO_VERSION "\n");
		return cli_finish(0);
	}
	if (!name)
		return print_text(print_commands, argv0, ERR_USAGE);
	argv[at] = name;
	run_command(argv + at, argv0);
	return report_unknown(name, argv0);
}
