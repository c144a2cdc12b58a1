/* co-memory-write: replace the text of a memory that has not changed. */
#include "cli/out.h"
#include "cli/stores.h"

#include <unistd.h>

static const char *expected;
static struct out out;
static bool global, allow_secret;

static const struct opt opts[] = {
	OPT_EXPECT(&expected, "its current file"),
	OPT_ALLOW_SECRET(&allow_secret, "write"),
	OPT_GLOBAL(&global),
	OUT_OPTS(&out),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-memory-write",
	.summary = "replace the file of a memory, if it is unchanged",
	.synopsis = "--expect=SHA256 [--allow-secret] [--global] "
		    "[--json|--format=TEMPLATE] [-z] [-q] ID|PATH",
	.operands = "ID|PATH",
	.input = "the whole file as it is to be, frontmatter and text",
	.opts = opts,
};

/* Return the path of the memory OPERAND of S. End the process if there is
 * none. */
static const char *locate_memory(struct store *s, const char *operand,
				 struct arena *a)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_DRAFTS,
					  AREA_ARCHIVE};
	const char *path = NULL;
	int64_t id;
	struct err e;
	int found = 0;

	if (!store_is_id(operand, &id) && !store_is_global_id(operand, &id))
		found = store_locate(s, AREA_ANY, operand, a, &path, &e);
	for (size_t i = 0; i < ARRAY_LEN(areas) && !path && !found; i++)
		found = store_locate(s, areas[i], operand, a, &path, &e);
	if (found == 0)
		store_absent(s, operand, &e);
	if (found != 1)
		cli_die(&e);
	return path;
}

static void write_input(struct store *s, const char *path, struct arena *a)
{
	struct buf text = {0};
	struct record r;
	struct err e;

	if (file_read_fd(STDIN_FILENO, "-", STORE_FILE_MAX, &text, &e) < 0 ||
	    save_edit(s, &(struct save_edit){.path = path, .text = &text}, a,
		      &r, &e) < 0)
		cli_die(&e);
	out_record(&out, &r);
	buf_release(&text);
}

int main(int argc, char **argv)
{
	struct store store;
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (n != 1)
		cli_usage("missing memory: give an id or a path");
	if (!expected)
		cli_usage("--expect is missing: 'co-memory-show "
			  "--format=%%(sha256) ID' prints the sum");
	out_open(&out, &cli_arena);
	cli_open_store(&store, global || cli_is_global(operands[0]));
	store_allow_secret(&store, allow_secret);
	cli_expect(&store, expected);
	write_input(&store, locate_memory(&store, operands[0], &cli_arena),
		    &cli_arena);
	store_close(&store);
	return cli_finish(0);
}
