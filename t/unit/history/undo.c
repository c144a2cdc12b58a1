/* undo.c: operations are undone and redone in random order, and compared with a
 * model without files: a memory is a list of lines, or absent. The argument is
 * the number of operations, 60 by default, or 1000 with CO_MANY in the
 * environment. */
#include "../expect.h"
#include "history/undo.h"
#include "store/journal.h"
#include "store/save.h"
#include "store/trash.h"

#include <inttypes.h>
#include <stdlib.h>

#define LINES 5 /* changing lines of a memory */
#define MEMORIES 40

/* The state of a memory: whether it exists, and a number for each line. */
struct text {
	bool there;
	int line[LINES];
};

/* One operation: up to two memories, before and after. */
struct model_op {
	int n, of[2];
	struct text before[2], after[2];
};

static struct store store;
static struct arena arena;
static struct err e;
static struct text now[MEMORIES];
static const char *paths[MEMORIES];
static int nmemories, next_value = 1;
static struct model_op *ops;
static bool *undone;
static int64_t *undoes;
static int nops;
static uint64_t seed;
static int counts[3]; /* undone, nothing to do, conflicts */
static int most = 60;

static int pick(int n)
{
	seed = seed * 6364136223846793005U + 1442695040888963407U;
	return (int)((seed >> 33) % (uint64_t)n);
}

/* Append the text of MEMORY: its lines, each between lines that never
 * change. */
static void body(struct buf *out, int memory, const struct text *t)
{
	buf_addf(out, "Memory %d\n", memory);
	for (int i = 0; i < LINES; i++)
		buf_addf(out, "\n%d: %d\n\nend %d of %d\n", i, t->line[i], i,
			 memory);
}

static void fail(const char *what)
{
	expect_failed("failed: operation %d", nops + 1);
	unit_stop(what, e.text);
}

static struct model_op *begin(int n)
{
	struct model_op *op = &ops[nops];

	*op = (struct model_op){.n = n};
	operation_end(&store);
	return op;
}

static void set(struct model_op *op, int i, int memory, const struct text *t)
{
	op->of[i] = memory;
	op->before[i] = now[memory];
	op->after[i] = now[memory] = *t;
}

static void save(void)
{
	struct model_op *op = begin(1);
	struct text t = {.there = true};
	struct store_new n = {0};
	struct buf text = {0};
	struct record r;

	for (int i = 0; i < LINES; i++)
		t.line[i] = next_value++;
	body(&text, nmemories, &t);
	n.content = text.p;
	n.len = text.len;
	if (save_memory(&store, &n, &arena, &r, &e) < 0)
		fail("save");
	paths[nmemories] = r.path;
	set(op, 0, nmemories++, &t);
	buf_release(&text);
	nops++;
}

static void change(int memory)
{
	struct model_op *op = begin(1);
	struct buf was = {0}, text = {0};
	struct text t = now[memory];
	const char *end;

	t.line[pick(LINES)] = next_value++;
	if (file_read_path(paths[memory], STORE_FILE_MAX, &was, &e) < 0)
		fail("read");
	end = strstr(was.p, "\n---\n");
	end = strstr(end, "Memory ");
	buf_add(&text, was.p, (size_t)(end - was.p));
	body(&text, memory, &t);
	if (save_edit(&store,
		      &(struct save_edit){.path = paths[memory],
					  .was = &was,
					  .text = &text},
		      NULL, NULL, &e) < 0)
		fail("change");
	set(op, 0, memory, &t);
	buf_release(&was);
	buf_release(&text);
	nops++;
}

static void forget(int a, int b)
{
	struct model_op *op = begin(a == b ? 1 : 2);
	const char *both[] = {paths[a], paths[b]};
	const struct text none = {0};

	if (trash_remove(&store, both, (size_t)op->n, false, &arena, NULL, &e) <
	    0)
		fail("forget");
	set(op, 0, a, &none);
	if (op->n == 2)
		set(op, 1, b, &none);
	nops++;
}

static bool same(const struct text *a, const struct text *b)
{
	return a->there == b->there &&
	       (!a->there || !memcmp(a->line, b->line, sizeof(a->line)));
}

/* Remove the change from BEFORE to AFTER from T. Return false on a conflict. */
static bool without(struct text *t, const struct text *before,
		    const struct text *after)
{
	const struct text is = *t;

	if (same(t, before))
		return true;
	if (same(t, after)) {
		*t = *before;
		return true;
	}
	if (!t->there || !before->there || !after->there)
		return false;
	for (int i = 0; i < LINES; i++) {
		if (is.line[i] == after->line[i])
			t->line[i] = before->line[i];
		else if (before->line[i] != after->line[i] &&
			 is.line[i] != before->line[i])
			return false;
	}
	return true;
}

/* Set OP to the effect of undoing operation NUMBER in the model. Return 1, 0 if
 * there is nothing to do, or -1 on a conflict. */
static int model(int64_t number, struct model_op *op)
{
	const struct model_op *was = &ops[number - 1];

	*op = (struct model_op){0};
	for (int i = 0; i < was->n; i++) {
		struct text t = now[was->of[i]];

		if (!without(&t, &was->before[i], &was->after[i]))
			return -1;
		if (same(&t, &now[was->of[i]]))
			continue;
		op->of[op->n] = was->of[i];
		op->before[op->n] = now[was->of[i]];
		op->after[op->n++] = t;
	}
	return op->n > 0;
}

static void note(void *ctx, const struct undo_file *f)
{
	(void)ctx;
	(void)f;
}

/* Mark the undone operations, from the newest to the oldest, as the library
 * does. */
static void mark(void)
{
	for (int i = 0; i < nops; i++)
		undone[i] = false;
	for (int i = nops - 1; i >= 0; i--) {
		if (undoes[i] && !undone[i])
			undone[undoes[i] - 1] = true;
	}
}

static void undo(int64_t number)
{
	struct undo u = {.store = &store, .fn = note};
	const struct oplog_op *op;
	struct model_op made;
	int want, got;

	mark();
	if (undone[number - 1])
		return;
	want = model(number, &made);
	got = undo_number(&u, number, &op, &e);
	arena_release(&u.arena);
	if (got != want || (got < 0 && e.code != ERR_BUSY)) {
		expect_failed("failed: undo of %" PRId64 " gave %d, not %d",
			      number, got, want);
		unit_stop("undo", got < 0 ? e.text : "no error");
	}
	counts[got == 1 ? 0 : got == 0 ? 1 : 2]++;
	if (got != 1)
		return;
	for (int i = 0; i < made.n; i++)
		now[made.of[i]] = made.after[i];
	undoes[nops] = number;
	ops[nops++] = made;
}

static void check(void)
{
	struct buf want = {0}, text = {0};

	for (int i = 0; i < nmemories; i++) {
		const bool there = file_read_path(paths[i], STORE_FILE_MAX,
						  &text, &e) >= 0;

		buf_cut(&want, 0);
		body(&want, i, &now[i]);
		if (there != now[i].there ||
		    (there && !strstr(text.p, want.p))) {
			expect_failed("failed: after %d operations memory %d "
				      "is %s",
				      nops, i, there ? text.p : "gone");
			unit_stop("what was wanted",
				  now[i].there ? want.p : "gone");
		}
	}
	buf_release(&want);
	buf_release(&text);
}

static void step(void)
{
	const int what = pick(10);
	int a = nmemories ? pick(nmemories) : 0;
	int b = nmemories ? pick(nmemories) : 0;

	if (!nmemories || (what == 0 && nmemories < MEMORIES))
		save();
	else if (what < 5 && now[a].there)
		change(a);
	else if (what == 5 && now[a].there && now[b].there)
		forget(a, b);
	else if (nops)
		undo(1 + pick(nops));
}

/* Reset the model. */
static void reset(void)
{
	nmemories = nops = 0;
	next_value = 1;
	memset(now, 0, sizeof(now));
	memset(counts, 0, sizeof(counts));
}

/* Run MOST operations that WITH_SEED chooses. */
static void run(uint64_t with_seed)
{
	unit_enter_home();
	reset();
	seed = with_seed;
	ops = mem_alloc(((size_t)most + 1) * sizeof(*ops));
	undone = mem_alloc((size_t)most + 1);
	undoes = mem_alloc(((size_t)most + 1) * sizeof(*undoes));
	if (store_open(&store, SCOPE_PROJECT, NULL, &e) < 0)
		unit_stop("no store", e.text);
	for (int i = 0; nops < most && i < most * 10; i++) {
		step();
		check();
	}
	expect(counts[0] && counts[1] + counts[2],
	       "some undos have an effect, and some have none");
	printf("# %d operations, %d taken back, %d of nothing, %d not\n", nops,
	       counts[0], counts[1], counts[2]);
	store_close(&store);
	arena_release(&arena);
	free(ops);
	free(undone);
	free(undoes);
}

static void test_all(void)
{
	for (uint64_t i = 1; i <= 3; i++)
		run(i);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{"operations undone in any order match the model", test_all},
	};

	if (argc > 1)
		most = (int)strtol(argv[1], NULL, 10);
	else if (getenv("CO_MANY"))
		most = 1000;
	return unit_run(tests, ARRAY_LEN(tests));
}
