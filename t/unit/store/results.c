/* results.c: which fields of results are kept, in how many bytes, and where. */
#include "../expect.h"

#include "store/results.h"

#define MANY 40000 /* with texts larger than SPOOL_MEMORY in total */

static const char *const tags[] = {"one", "two words"};

/* Return record I of many, in an order unlike ids and times. Its texts are in
 * A. */
static struct record make(uint32_t i, struct arena *a)
{
	const uint32_t id = (i * 7919u) % MANY + 1;
	struct record r = {.id = id,
			   .path = arena_printf(a, "/far/%u.md", id),
			   .created = "2026-02-09T14:30:00Z",
			   .at = {.sec = (int64_t)(id / 3)},
			   .tags = (const char **)(uintptr_t)tags,
			   .ntags = id % 3,
			   .source = id % 2 ? "somebody" : NULL};

	r.content = arena_printf(a, "%u %0150d", id, 7);
	r.content_len = strlen(r.content);
	return r;
}

static void add_many(struct results *h)
{
	struct arena a = {0};

	for (uint32_t i = 0; i < MANY; i++) {
		const struct record r = make(i, &a);

		results_add(h, NULL, &r, NULL);
		arena_reset(&a);
	}
	arena_release(&a);
	results_sort(h);
}

static void expect_record(const struct results *h, size_t i, uint32_t id)
{
	struct arena a = {0};
	struct buf text = {0};
	struct record r;

	results_get(h, &h->items[i], &a, &r);
	buf_addf(&text, "%u %0150d", id, 7);
	expect(r.id == id && r.at.sec == id / 3, "the right one");
	expect(r.ntags == id % 3 && (!r.ntags || !strcmp(r.tags[0], "one")) &&
		       (r.ntags < 2 || !strcmp(r.tags[1], "two words")),
	       "its tags");
	expect(id % 2 ? r.source && !strcmp(r.source, "somebody") : !r.source,
	       "its source");
	expect(!strcmp(r.created, "2026-02-09T14:30:00Z"), "its date");
	expect(!strcmp(r.path, arena_printf(&a, "/far/%u.md", id)), "its path");
	if (h->whole)
		expect(r.content_len == text.len, "its whole content");
	expect(r.content_len > 80 && r.content_len <= text.len &&
		       !memcmp(r.content, text.p, r.content_len),
	       "its content");
	buf_release(&text);
	arena_release(&a);
}

static void test_all(bool spools)
{
	struct results h = {.order = RESULTS_BY_ID, .whole = true};

	add_many(&h);
	expect(h.n == MANY, "all are kept");
	expect(!h.packed.pieces == !spools, "many texts are spooled to a file");
	expect(!spools || h.packed.held <= SPOOL_MEMORY,
	       "at most SPOOL_MEMORY bytes stay in memory");
	for (uint32_t i = 0; i < MANY; i++)
		expect_record(&h, i, i + 1);
	results_reorder(&h, RESULTS_NEWEST);
	expect_record(&h, 0, MANY);
	results_release(&h);
}

static void test_best(void)
{
	struct results h = {.order = RESULTS_NEWEST, .max = 10};

	add_many(&h);
	expect(h.n == 10 && h.cap < 100, "only the best are kept");
	expect(h.packed.held < 1024 * 1024, "less than 1 MiB was packed");
	for (uint32_t i = 0; i < 10; i++)
		expect_record(&h, i, MANY - i);
	results_release(&h);
}

static void count(void *ctx, const struct record *x, const struct record *y)
{
	*(size_t *)ctx += x->id == y->id;
}

static void test_doubles(void)
{
	struct results h = {.order = RESULTS_NEWEST};
	struct arena a = {0};
	struct record r = make(5, &a);
	size_t n = 0;

	add_many(&h);
	results_each_double(&h, count, &n);
	expect(n == 0, "no record is a duplicate");
	r.path = "/near/5.md";
	results_add(&h, NULL, &r, NULL);
	results_each_double(&h, count, &n);
	expect(n == 1, "one record is a duplicate");
	r.scope = SCOPE_GLOBAL;
	results_add(&h, NULL, &r, NULL);
	results_each_double(&h, count, &n);
	expect(n == 2, "a duplicate is in the same store");
	results_release(&h);
	arena_release(&a);
}

/* Records arrive in order of ids, except the last few. */
static void test_nearly_sorted(void)
{
	static const uint32_t last[] = {500, 1, 2001, 500, 1999, 77, 2000};
	const size_t n = 1000 + ARRAY_LEN(last);
	struct results h = {.order = RESULTS_BY_ID};
	struct arena a = {0};
	int64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct record r = make(0, &a);

		r.id = i < 1000 ? 2 * i + 2 : last[i - 1000];
		sum += r.id;
		results_add(&h, NULL, &r, NULL);
	}
	results_sort(&h);
	expect(h.n == n && h.items[0].id == 1, "all are there");
	for (size_t i = 0; i < n; i++) {
		expect(!i || h.items[i - 1].id <= h.items[i].id, "in order");
		sum -= h.items[i].id;
	}
	expect(sum == 0, "each id is there as often as it was added");
	results_release(&h);
	arena_release(&a);
}

static void test_spooled(void)
{
	_Static_assert(sizeof(struct result) <= 40, "a hit takes 40 bytes");
	test_all(true);
}

static void run_all(bool spools)
{
	test_all(spools);
	test_best();
	test_doubles();
	test_nearly_sorted();
}

/* Set TMPDIR to the directory NAME of the working directory. */
static void set_tmpdir(const char *name)
{
	char *here = realpath(".", NULL);
	struct buf path = {0};

	buf_addf(&path, "%s/%s", here, name);
	setenv("TMPDIR", path.p, 1);
	buf_release(&path);
	free(here);
}

static void test_no_file(void)
{
	set_tmpdir("absent");
	run_all(false);
}

static void test_nothing_left(void)
{
	unit_enter_home();
	mkdir("scratch", 0777);
	set_tmpdir("scratch");
	run_all(true);
	expect(rmdir("scratch") == 0, "the directory is empty");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a hit takes a few bytes, and large texts go to a file",
		 test_spooled},
		{"with a limit, only the best results are kept", test_best},
		{"results with equal ids are duplicates only in one store",
		 test_doubles},
		{"results that arrive nearly in order are sorted",
		 test_nearly_sorted},
		{"if no file can be made, texts stay in memory", test_no_file},
		{"no temporary file is left", test_nothing_left},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
