/* reclaim.c: the steps of a harvest after the reply.
 *
 * reclaim SOURCE FROM <REPLY   write items, ledger, deletion, ledger
 * reclaim --settle             mark removed sources as deleted
 */
#include "harvest/harvest-source.h"

#include <unistd.h>

static void end(const struct err *e)
{
	fprintf(stderr, "reclaim: %s\n", e->text);
	exit((int)e->code);
}

static void complain(void *ctx, const struct err *e)
{
	(void)ctx;
	fprintf(stderr, "reclaim: %s\n", e->text);
}

static void run(struct ledger *l, const char *path, const char *from)
{
	struct arena a = {0};
	struct buf text = {0};
	struct reply reply;
	char key[SHA256_HEX];
	struct err e;

	if (harvest_source_key(path, key, &e) < 0)
		end(&e);
	if (file_read_fd(STDIN_FILENO, "-", REPLY_MAX, &text, &e) < 0 ||
	    reply_parse(&reply, buf_str(&text), text.len, &a, &e) < 0 ||
	    harvest_source(l, path, key, &reply, from, "2026-02-09", true, NULL,
			   &e) < 0)
		end(&e);
	buf_release(&text);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	const struct report report = {complain, NULL};
	struct store s;
	struct ledger l;
	struct err e;

	if (argc < 2)
		return 2;
	if (store_open(&s, SCOPE_PROJECT, &report, &e) < 0)
		end(&e);
	if (ledger_open(&l, &s, &e) < 0)
		end(&e);
	if (!strcmp(argv[1], "--settle")) {
		if (ledger_finish(&l, true, &e) < 0)
			end(&e);
	} else {
		run(&l, argv[1], argc > 2 ? argv[2] : "conv");
	}
	ledger_release(&l);
	store_close(&s);
	return 0;
}
