/* sweep.c: hit every call of every scenario with a fault, and judge the result.
 *
 *	sweep BIN FAULTBIN DIR JOBS quick|full [SCENARIO]
 *
 * BIN has the programs, FAULTBIN the same programs with wrap.c. They run in DIR,
 * an empty directory (best in memory), in JOBS processes. A quick sweep tries
 * the worst error of each call, and kills only before calls that change
 * something. A full one tries all errors, each for one call and for all later
 * ones. PART=2/3 in the environment: only every third instant, starting at the
 * second.
 *
 * Both hit each system call, but one in sixteen allocations. Between two system
 * calls the files are the same, so a failed allocation differs from another one
 * only in its caller. Of each caller there, the allocations 1, 2, 4, 8 and so on
 * are hit. A caller whose failure ended the program, as mem.h does, leaves what a
 * kill before the next system call leaves: its allocations are counted over the
 * whole run.
 */
#include "verdict.h"
#include "web.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOWN_MAX 12 /* bad states shown by a process */

static const char *faultbin;
static bool quick;
static struct trial now;

/* The state of one process of the sweep. */
static struct {
	unsigned number, of; /* it takes every OF-th instant */
	unsigned long turn, instants, runs, bad;
} job;

/* Run the scenario with SETTINGS. */
static void run(struct run *r, const char *const *settings)
{
	world_run(&now.world, r, faultbin, now.s->argv, now.s->input, settings);
}

/* Make the world of S, and run S once without a fault. Return its calls, in its
 * arena. */
static const char *begin(const struct scenario *s)
{
	static const char *const log[] = {"CO_FAULT_LOG", WORLD_LOG_TEXT, NULL};
	char *base = world_path(&now.world, "base");

	now.s = s;
	now.nbetween = 0;
	world_make(&now.world, s->before);
	tree_read(&now.before, base);
	run(&now.good, log);
	free(base);
	return world_text(&now.world, "log", &now.good.arena);
}

static void end(void)
{
	for (size_t i = 0; i < now.nbetween; i++)
		tree_release(&now.between[i]);
	tree_release(&now.before);
	run_release(&now.good);
}

static void show(const struct run *r, const struct fault *f, const char *what)
{
	if (job.bad++ >= SHOWN_MAX)
		return;
	printf("%s: %s %lu: %s%s %s: %s\n"
	       "  status %#x, without a fault %#x\n"
	       "  stdout: %s\n  stderr: %s\n",
	       now.s->name, f->call, f->at,
	       f->error ? strerror(f->error) : "killed", f->stays ? "+" : "",
	       f->more ? f->more : "", what, (unsigned)r->status,
	       (unsigned)now.good.status, r->out, r->err);
}

/* Set the call of F to the one that was hit in R: a program that waits for another may
 * make one call more or less than before. */
static void set_hit(struct fault *f, struct run *r)
{
	const char *said = world_text(&now.world, "log", &r->arena);

	f->was_hit = *said;
	if (*said)
		f->call =
			arena_copy(&r->arena, said + 2, strcspn(said + 2, " "));
}

/* Return whether the program ended for lack of memory. */
static bool hit(const struct fault *wanted)
{
	const char *settings[7] = {NULL}, **next = settings;
	struct fault was = *wanted, *f = &was;
	struct buf spec = {0};
	struct run r;
	const char *what;
	bool ended;

	buf_addf(&spec, "%s:%lu:", f->memory ? "mem" : "sys", f->at);
	if (f->error)
		buf_addf(&spec, "%d%s", f->error, f->stays ? "+" : "");
	else
		buf_adds(&spec, "KILL");
	if (f->at) {
		*next++ = "CO_FAULT";
		*next++ = spec.p;
		*next++ = "CO_FAULT_HIT";
		*next++ = WORLD_LOG_TEXT;
	}
	if (f->more) {
		*next++ = f->more;
		*next++ = "1";
	}
	run(&r, settings);
	job.runs++;
	if (f->at && !f->memory)
		set_hit(f, &r);
	what = verdict(&now, &r, f);
	if (what)
		show(&r, f, what);
	ended = strstr(r.err, "co: out of memory\n");
	run_release(&r);
	buf_release(&spec);
	return ended;
}

/* The errors of each call, worst first. A quick sweep uses the first QUICK of
 * them. An error that means an absent file is not a fault. */
static const struct errors {
	const char *call;
	size_t quick;
	int errors[8];
} errors[] = {
	{"open", 1, {EIO, EMFILE, EACCES, ENOMEM, ENFILE, EPERM}},
	{"create", 1, {ENOSPC, EIO, EROFS, EDQUOT, EACCES, EMFILE, ENOMEM}},
	{"mkdirat", 1, {ENOSPC, EROFS, EACCES, EDQUOT, EIO, EMLINK, ENOMEM}},
	{"mkdtemp", 1, {ENOSPC, EROFS, EACCES, EDQUOT, EIO}},
	{"write", 1, {ENOSPC, EIO, EDQUOT, EFBIG, EPIPE, EBADF}},
	{"fsync", 1, {EIO, ENOSPC, EDQUOT, EROFS, EINVAL}},
	{"fsync-remade", 1, {EIO}},
	{"close", 1, {EIO, ENOSPC, EDQUOT, EINTR}},
	{"renameat", 1, {EIO, ENOSPC, EROFS, EACCES, EDQUOT, EXDEV}},
	{"renameat2", 2, {EIO, EINVAL, ENOSPC, ENOSYS, EROFS, EDQUOT, EXDEV}},
	{"linkat", 1, {ENOSPC, EIO, EROFS, EMLINK, EPERM}},
	{"unlinkat", 1, {EIO, EACCES, EROFS}},
	{"rmdir", 0, {EIO, EACCES, EROFS}},
	{"read", 1, {EIO, EAGAIN, ENOMEM}},
	{"readdir", 1, {EIO, ENOMEM}},
	{"fdopendir", 1, {ENOMEM, EMFILE}},
	{"opendir", 1, {ENOMEM, EMFILE, EIO, EACCES}},
	{"flock", 1, {EIO, ENOLCK, ENOMEM, EBADF}},
	{"posix_spawn", 1, {EAGAIN, ENOMEM}},
	{"fork", 1, {EAGAIN, ENOMEM}},
	{"pipe", 1, {EMFILE, ENFILE}},
	{"waitpid", 0, {0}},
	{"getcwd", 1, {ENOMEM, ENOENT, EACCES}},
	{"poll", 0, {ENOMEM}},
	{NULL, 1, {EIO, EACCES, ENOMEM}},
};

/* Return whether a process that ends before CALL may leave another state than
 * one that ends a call earlier. */
static bool changes(const char *call)
{
	static const char list[] = " create mkdirat mkdtemp write fsync "
				   "fsync-remade renameat renameat2 linkat "
				   "unlinkat rmdir posix_spawn fork close ";
	struct buf word = {0};
	bool found;

	buf_addf(&word, " %s ", call);
	found = strstr(list, word.p) != NULL;
	buf_release(&word);
	return found;
}

static void hit_call(const char *call, unsigned long at, const char *more)
{
	const struct errors *set = errors;
	struct fault f = {.call = call, .at = at, .more = more};

	job.instants++;
	while (set->call && strcmp(set->call, call) != 0)
		set++;
	if (!quick || changes(call))
		hit(&f);
	for (size_t i = 0; i < ARRAY_LEN(set->errors) && set->errors[i]; i++) {
		if (quick && i >= set->quick)
			break;
		f.error = set->errors[i];
		f.stays = false;
		hit(&f);
		f.stays = f.error == ENOSPC || f.error == EIO ||
			  f.error == EMFILE || f.error == EROFS;
		if (f.stays && !quick)
			hit(&f);
	}
}

/* A place in the code that allocates. */
struct caller {
	const char *line;     /* of the log */
	unsigned long recent; /* allocations since the last system call */
	unsigned long all;
	bool ends; /* the program, if it gets no memory: see mem.h */
};

static struct {
	struct caller *items;
	size_t n, cap;
} callers;

/* Return the caller that the first line of LOG names. */
static struct caller *find_caller(const char *log)
{
	const size_t len = strcspn(log, "\n") + 1;

	for (size_t i = 0; i < callers.n; i++) {
		if (!strncmp(callers.items[i].line, log, len))
			return &callers.items[i];
	}
	*MEM_ADD(callers.items, callers.n, callers.cap) =
		(struct caller){.line = log};
	return &callers.items[callers.n - 1];
}

static bool is_power(unsigned long n)
{
	return !(n & (n - 1));
}

static void hit_allocation(struct caller *c, unsigned long at, const char *more)
{
	struct fault f = {.call = "allocation",
			  .memory = true,
			  .at = at,
			  .error = ENOMEM,
			  .more = more};

	job.instants++;
	c->ends = hit(&f);
	f.stays = true;
	if (!quick)
		hit(&f);
}

static bool is_my_turn(void)
{
	return ++job.turn % job.of == job.number;
}

/* Hit allocation AT, which the first line of LOG names, if it is one to hit. The turn
 * must not depend on what earlier hits showed, since each process makes others. */
static void choose_allocation(const char *log, unsigned long at,
			      const char *more)
{
	struct caller *c = find_caller(log);
	const bool recent = is_power(++c->recent), all = is_power(++c->all);

	if ((recent || all) && is_my_turn() && (all || !c->ends))
		hit_allocation(c, at, more);
}

static void choose_call(const char *log, unsigned long at, const char *only,
			const char *more)
{
	struct arena a = {0};
	const char *call = arena_copy(&a, log + 2, strcspn(log + 2, " "));

	if ((!only || !strcmp(only, call)) && is_my_turn())
		hit_call(call, at, more);
	arena_release(&a);
}

/* Hit CALLS, or only the system calls named ONLY. */
static void hit_calls(const char *calls, const char *only, const char *more)
{
	unsigned long allocations = 0, others = 0;

	callers.n = 0;
	for (const char *p = calls; *p; p += strcspn(p, "\n") + 1) {
		if (*p == 's') {
			choose_call(p, ++others, only, more);
			for (size_t i = 0; i < callers.n; i++)
				callers.items[i].recent = 0;
		} else if (!only) {
			choose_allocation(p, ++allocations, more);
		}
	}
}

/* Hit the calls that are made with the setting MORE. */
static void hit_logged(const char *only, const char *more)
{
	const char *log[] = {"CO_FAULT_LOG", WORLD_LOG_TEXT, more, "1", NULL};
	struct run r;

	run(&r, log);
	hit_calls(world_text(&now.world, "log", &r.arena), only, more);
	run_release(&r);
}

static void sweep(const struct scenario *s)
{
	static const char *const settings[] = {"CO_EINTR", "CO_SHORT",
					       "CO_DTYPE"};

	const char *calls = begin(s);

	hit_calls(calls, NULL, NULL);
	if (strstr(calls, "s fork "))
		hit_logged(NULL, "CO_PARENT");
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const struct fault f = {.call = "each", .more = settings[i]};

		if (++job.turn % job.of == job.number)
			hit(&f);
	}
	/* What the file system does not report is requested by separate
	 * calls. */
	if (!quick)
		hit_logged("fstatat", "CO_DTYPE");
	end();
}

static int work(const char *dir, unsigned number, unsigned of, const char *only)
{
	struct buf path = {0};

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 4;
	job.number = number;
	job.of = of;
	buf_addf(&path, "%s/%u", dir, number);
	now.world.dir = buf_take(&path);
	if (mkdir(now.world.dir, 0777) < 0)
		return 4;
	for (size_t i = 0; i < nscenarios; i++) {
		if (!only || !strcmp(only, scenarios[i].name))
			sweep(&scenarios[i]);
	}
	printf("%lu instants, %lu runs, %lu bad\n", job.instants, job.runs,
	       job.bad);
	fflush(stdout);
	return job.bad != 0;
}

/* A killed process leaves files in TMPDIR, which are removed with FOLDER. */
static void set_environment(const char *folder)
{
	struct buf path = {0};

	buf_addf(&path, "%s:/usr/bin:/bin", now.bin);
	clearenv();
	setenv("PATH", path.p, 1);
	setenv("TMPDIR", folder, 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC", 1);
	setenv("CO_NOW", "2026-02-09T14:30:00Z", 1);
	setenv("EDITOR",
	       "edit() { sed -i -e 's/first/EDITED/' -e 's/old/EDITED/' \"$1\" "
	       "&& touch ~/.local/state/edited; }; edit",
	       1);
	buf_release(&path);
}

int main(int argc, char **argv)
{
	unsigned of, part = 1, parts = 1;
	const char *wanted = getenv("PART");
	int bad = 0, status;
	pid_t web, pid;

	if (argc < 6 ||
	    (wanted && (sscanf(wanted, "%u/%u", &part, &parts) != 2 ||
			part < 1 || part > parts)))
		return 2;
	now.bin = argv[1];
	faultbin = argv[2];
	of = (unsigned)strtoul(argv[4], NULL, 10);
	quick = !strcmp(argv[5], "quick");
	set_environment(argv[3]);
	web = web_start();
	for (unsigned i = 0; i < of; i++) {
		if (fork() == 0)
			_exit(work(argv[3], (part - 1) * of + i, parts * of,
				   argv[6]));
	}
	while (of && (pid = wait(&status)) > 0) {
		bad |= status;
		of -= pid != web;
	}
	kill(web, SIGKILL);
	return bad != 0;
}
