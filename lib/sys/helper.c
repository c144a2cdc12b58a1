/* helper.c: see process.h. */
#include "sys/process.h"

#include "sys/execpath.h"

static int find_program(const struct helper *f, struct buf *path, struct err *e)
{
	const char *name = f->words[0];

	if (!name || !*name)
		return err_set(e, ERR_HELPER, "no program is named");
	if (*name == '/')
		buf_adds(path, name);
	else if (strchr(name, '/'))
		return err_set(e, ERR_HELPER, "the path '%s' is not absolute",
			       name);
	else if (!execpath_find(path, name, f->argv0))
		return err_set(e, ERR_HELPER, "no program '%s'", name);
	return 0;
}

/* Return the arguments of F with PATH as the first. The caller frees the
 * list. */
static const char **build_argv(const struct helper *f, const char *path)
{
	const char **argv;
	size_t n = 0;

	while (f->words[n])
		n++;
	argv = mem_alloc((n + 1) * sizeof(*argv));
	memcpy(argv, f->words, n * sizeof(*argv));
	argv[0] = path;
	return argv;
}

static int check_result(const struct helper *f, const struct process *c,
			struct err *e)
{
	const char *name = f->words[0], *said = buf_str(&c->errors);
	const int line = (int)strcspn(said, "\n");

	if (c->late)
		return err_set(e, ERR_HELPER, "'%s' did not answer within %d s",
			       name, (f->timeout_ms + 999) / 1000);
	if (c->flooded || c->output.len > f->max)
		return err_set(e, ERR_HELPER, "'%s' answered with too much",
			       name);
	if (!c->status)
		return 0;
	if (c->status > 128)
		return err_set(e, ERR_HELPER, "'%s' was ended by signal %d",
			       name, c->status - 128);
	if (line)
		return err_set(e, ERR_HELPER, "'%s' failed: %.*s", name, line,
			       said);
	return err_set(e, ERR_HELPER, "'%s' failed with status %d", name,
		       c->status);
}

int process_start_helper(const struct helper *f, const struct buf *in,
			 struct process *c, struct err *e)
{
	const char **argv = NULL;
	struct buf path = {0};
	int r = find_program(f, &path, e);

	c->dir = f->dir;
	c->of_suite = f->of_suite;
	if (r == 0) {
		argv = build_argv(f, path.p);
		r = process_start(c, argv, buf_str(in), in->len, f->timeout_ms,
				  e);
	}
	free(argv);
	buf_release(&path);
	return r;
}

int process_run_helper(const struct helper *f, const struct buf *in,
		       struct buf *out, struct err *e)
{
	struct process c = {0};
	int r;

	buf_cut(out, 0);
	r = process_start_helper(f, in, &c, e);
	if (r == 0) {
		process_finish(&c);
		r = check_result(f, &c, e);
	}
	if (r == 0)
		buf_add(out, buf_str(&c.output), c.output.len);
	process_release(&c);
	return r;
}
