/* co-knowledge-check: list the faults of a store and their remedies. */
#include "cli/out.h"
#include "cli/stores.h"
#include "repair/repair.h"
#include "sys/dirs.h"
#include "text/sanitize.h"

#include <sys/stat.h>
#include <unistd.h>

static bool fix, dry, global, json, evidence;
static const char *since, *keep;

static const struct opt opts[] = {
	FLAG(0, "fix", &fix,
	     "repair double ids, wrong places and plain files first"),
	{OPT_STR, 0, "keep", &keep, "REV", NULL,
	 "with --fix, keep the ids of memories in the commit REV"},
	{OPT_STR, 0, "since", &since, "REV", NULL,
	 "report only faults that the commit REV does not have"},
	FLAG(0, "evidence", &evidence,
	     "also report citations that changed or are gone"),
	OPT_GLOBAL(&global),
	FLAG(0, "json", &json, "print faults as JSON, one a line"),
	OPT_DRY_RUN(&dry),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-knowledge-check",
	.summary = "find the faults of a store",
	.synopsis = "[--fix [--keep=REV] [-n]] [--since=REV|--global] "
		    "[--evidence] [--json] [-q]\n"
		    "[--since=REV|--global] [--evidence] [--json] [-q] PATH...",
	.operands = "[PATH...]",
	.opts = opts,
};

static char **selected_paths; /* print faults of these only; NULL: all */

static void print_repair(void *ctx, const char *what)
{
	struct buf line = {0};

	(void)ctx;
	sanitize_terminal(&line, what, strlen(what), false);
	if (!json)
		cli_outf("%s %s\n", dry ? "would repair" : "repaired",
			 buf_str(&line));
	buf_release(&line);
}

/* Return the canonical absolute path of PATH, or NULL if it does not exist. A
 * link is not followed if it is the last part. Allocated in A. */
static char *real_path(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/'), *folder = path;
	const char *name = slash ? slash + 1 : path;
	char *real, *kept;
	struct stat st;

	if (lstat(path, &st) < 0)
		return NULL;
	if (S_ISLNK(st.st_mode))
		folder = slash ? arena_copy(a, path, (size_t)(name - path))
			       : ".";
	real = realpath(folder, NULL);
	kept = !real		? NULL
	       : folder == path ? arena_strdup(a, real)
				: arena_printf(a, "%s/%s", real, name);
	free(real);
	return kept;
}

/* Return true if PATH is TOP or is below it. */
static bool is_below(const char *path, const char *top)
{
	const size_t len = strlen(top);

	return !strncmp(path, top, len) && strchr("/", path[len]);
}

/* Select PATHS. End the process if one is outside the store S. */
static void select_paths(char **paths, struct store *s, struct arena *a)
{
	const char *top =
		s->repo.fd < 0 ? NULL : real_path(s->repo.root.path, a);
	struct err e;

	selected_paths = *paths ? paths : NULL;
	for (; *paths; paths++) {
		char *real = real_path(*paths, a);

		if (real && top && is_below(real, top)) {
			*paths = real;
			continue;
		}
		if (real)
			err_set(&e, ERR_USAGE, "'%s' is outside the store",
				*paths);
		else
			err_sys(&e, "cannot open '%s'", *paths);
		cli_die(&e);
	}
}

/* Return true if PATH is selected. PATH may be NULL. */
static bool is_selected(const char *path, struct arena *a)
{
	const char *real = path ? real_path(path, a) : NULL;

	for (char **top = selected_paths; real && *top; top++) {
		if (is_below(real, *top))
			return true;
	}
	return false;
}

/* Remove the faults that are not selected from FAULTS. */
static void drop_unselected(struct check_faults *faults)
{
	struct arena a = {0};
	size_t n = 0;

	for (size_t i = 0; selected_paths && i < faults->n; i++) {
		const struct check_fault *f = &faults->items[i];

		if (is_selected(f->path, &a) || is_selected(f->other, &a))
			faults->items[n++] = *f;
		arena_reset(&a);
	}
	faults->n = selected_paths ? n : faults->n;
	arena_release(&a);
}

static void print_fault(const struct check_fault *f)
{
	const char *const fields[] = {f->kind, f->path, f->text, f->remedy};
	static const char *const names[] = {"fault", "path", "text", "remedy"};
	struct buf line = {0}, text = {0};

	/* Sanitized even in a pipe, which may end at a terminal. */
	if (!json) {
		dirs_add_shown(&text, f->text, STDOUT_FILENO);
		sanitize_terminal(&line, buf_str(&text), text.len, false);
		buf_adds(&line, "\n    remedy: ");
		sanitize_terminal(&line, f->remedy, strlen(f->remedy), false);
		buf_addc(&line, '\n');
	} else {
		json_write_open(&line, NULL, '{');
		for (size_t i = 0; i < ARRAY_LEN(fields); i++)
			json_write_text(&line, names[i], fields[i]);
		buf_adds(&line, "}\n");
	}
	out_buf(&line);
	buf_release(&text);
}

static int check(struct store *s)
{
	struct check_faults faults = {0};
	struct err e;
	int status;

	if ((fix && repair_store(s, keep, dry, print_repair, NULL, &e) < 0) ||
	    check_store(s, &faults, &e) < 0 ||
	    (since && check_since(&faults, s, since, &e) < 0) ||
	    (evidence && check_citations(&faults, s, &e) < 0))
		cli_die(&e);
	drop_unselected(&faults);
	for (size_t i = 0; i < faults.n; i++)
		print_fault(&faults.items[i]);
	if (!json)
		cli_outf(faults.n ? "%zu %s found\n" : "no faults found\n",
			 faults.n, faults.n == 1 ? "fault" : "faults");
	status = faults.n ? ERR_DATA : ERR_NONE;
	check_release(&faults);
	return status;
}

int main(int argc, char **argv)
{
	struct store s;
	int n, status;
	char **paths = cli_start(&cmd, argc, argv, &n);

	if ((dry || keep) && !fix)
		cli_usage("-n and --keep require --fix");
	if ((since || keep) && global)
		cli_usage("a commit is of the project's store");
	if (fix && n)
		cli_usage("--fix repairs the whole store: it takes no PATH");
	cli_open_store(&s, global);
	select_paths(paths, &s, &cli_arena);
	status = check(&s);
	store_close(&s);
	return cli_finish(status);
}
