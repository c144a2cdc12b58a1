/* args.c: the lines of any text as a command line.
 *
 * Properties: a command line is accepted, or refused as a usage error; operands
 * keep their order; arguments after `--` are operands; a number is valid.
 */
#include "../fuzz.h"

#include "cli/command.h"

#define ARGS_MAX_N 64

static struct {
	bool flag, letter;
	const char *text, *word;
	struct strings list;
	size_t count;
} given;

static const struct opt opts[] = {
	{OPT_FLAG, 'f', "flag", &given.flag, NULL, NULL, "a flag"},
	{OPT_FLAG, 'x', NULL, &given.letter, NULL, NULL, "a letter alone"},
	{OPT_STR, 0, "text", &given.text, "TEXT", NULL, "a text"},
	{OPT_LIST, 't', "tag", &given.list, "TAG", NULL, "one of many"},
	{OPT_COUNT, 'n', "count", &given.count, "N", NULL, "a number"},
	{OPT_WORD, 's', "sort", &given.word, "ORDER", "id|created", "a word"},
	{OPT_END, 0, NULL, NULL, NULL, NULL, NULL}};

static const struct cmd cmd = {
	.name = "co-fuzz",
	.summary = "take any command line",
	.operands = "ONE [MORE...]",
	.opts = opts,
};

/* Check that OPERANDS are some of ARGV, in the same order. */
static void must_be_in_order(char *const *operands, char *const *argv)
{
	for (; *operands; operands++) {
		while (*argv && strcmp(*argv, *operands))
			argv++;
		must(*argv++ != NULL, "operands keep their order");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;
	char *argv[ARGS_MAX_N + 2] = {"co-fuzz"}, *was[ARGS_MAX_N + 2];
	enum command_ask ask = COMMAND_RUN;
	struct arena a = {0};
	struct err e;
	size_t len;
	int n = 0, argc = 1;

	memset(&given, 0, sizeof(given));
	while (size && argc <= ARGS_MAX_N)
		argv[argc++] = (char *)fuzz_line(&p, &size, &len, &a);
	memcpy(was, argv, sizeof(was));
	if (command_parse(&cmd, argv, &n, &ask, &e) < 0) {
		must_be_error(&e);
		must(e.code == ERR_USAGE, "a refusal is a usage error");
	} else if (ask == COMMAND_RUN) {
		must(n >= 0 && n < argc && !argv[1 + n],
		     "the list of operands is terminated");
		must_be_in_order(argv + 1, was + 1);
		must(given.count <= 999999999, "a number is in its range");
		must(!given.word || !strcmp(given.word, "id") ||
			     !strcmp(given.word, "created"),
		     "a word is one of the allowed words");
		for (size_t i = 0; i < given.list.n; i++)
			must(given.list.items[i] != NULL,
			     "an element of a list has a value");
	}
	free(given.list.items);
	arena_release(&a);
	return 0;
}
