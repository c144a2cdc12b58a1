/* co-browse: open all memories as a web page. */
#include "cli/out.h"
#include "cli/stores.h"
#include "overview/browse.h"

#include <signal.h>
#include <unistd.h>

static bool print, global, sensitive;
static const char *output;

static const struct opt opts[] = {
	FLAG(0, "print", &print,
	     "print the path of the page, and do not open it"),
	{.kind = OPT_OR},
	{OPT_STR, 'o', "output", &output, "FILE", NULL,
	 "write the page to FILE, or with - to standard output"},
	FLAG(0, "global", &global, "use only the user's store"),
	FLAG(0, "sensitive", &sensitive,
	     "include the texts of sensitive memories"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-browse",
	.summary = "open all memories as a web page",
	.opts = opts,
};

static struct store stores[2], *known[2];
static size_t n_known;
static bool unread; /* a store could not be opened, so the page is incomplete */

/* Open the stores that can be opened. End the process if there are none. */
static void open_stores(void)
{
	for (int user = global; user < 2; user++) {
		unread |= !cli_open_store_if(&stores[user], user);
		if (stores[user].repo.root.path)
			known[n_known++] = &stores[user];
	}
	if (!n_known && !unread)
		cli_open_store(&stores[1], true); /* reports the reason */
	if (!n_known)
		exit(cli_finish(0));
}

static void make_page(struct buf *page)
{
	const struct browse b = {known, n_known, sensitive};
	struct err e;

	if (browse_page(page, &b, cli_report(), &e) < 0)
		cli_die(&e);
}

/* Write PAGE to the user's cache directory, and print its path. */
static void keep_page(const struct buf *page, struct buf *path)
{
	struct err e;

	if (browse_file_path(path, known[0], &e) < 0 ||
	    browse_file_keep(path->p, page->p, page->len, &e) < 0) {
		cli_complain(&e);
		cli_hint("'co browse --output=FILE' writes it elsewhere");
		exit(cli_finish(0));
	}
	out_path(path->p, false);
}

static void write_page(const struct buf *page)
{
	const char *path;
	struct err e;

	if (!strcmp(output, "-"))
		cli_out(page->p, page->len);
	else if (browse_file_write(output, page->p, page->len, &cli_arena,
				   &path, &e) < 0)
		cli_complain(&e);
	else
		out_path(path, false);
}

/* Replace the process by PROGRAM, which shows PATH. */
static void exec_viewer(const char *program, const char *path)
{
	struct err e;

	cli_flush();
	signal(SIGXFSZ, SIG_DFL);
	execl(program, program, path, (char *)NULL);
	err_sys(&e, "cannot run '%s'", program);
	cli_complain(&e);
}

int main(int argc, char **argv)
{
	struct buf page = {0}, path = {0}, program = {0};
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (print && output)
		cli_usage("--print and --output exclude each other");
	open_stores();
	make_page(&page);
	if (output)
		write_page(&page);
	else
		keep_page(&page, &path);
	buf_release(&page);
	for (size_t i = 0; i < n_known; i++)
		store_close(known[i]);
	if (!output && !print && !unread && !cli_failed()) {
		if (browse_file_viewer(&program, argv[0]))
			exec_viewer(program.p, path.p);
		else if (isatty(STDOUT_FILENO))
			cli_hint("open this file in a browser: none was found");
	}
	buf_release(&program);
	buf_release(&path);
	return cli_finish(0);
}
