/* contradicted.c: count the pairs that co list --contradicted compares. */
#include "../expect.h"

#include "search/similar.h"

#define MANY 2000

/* Fill FOUND with N records whose text is BEFORE, a number and AFTER. */
static void add_records(struct results *found, int n, const char *before,
			const char *after)
{
	struct arena a = {0};

	for (int i = 1; i <= n; i++) {
		struct record r = {.id = i,
				   .path = arena_printf(&a, "/far/%d.md", i),
				   .created = "2026-02-09T14:30:00Z"};

		r.content = arena_printf(&a, "%s%d%s", before, i, after);
		r.content_len = strlen(r.content);
		results_add(found, NULL, &r, NULL);
		arena_reset(&a);
	}
	results_sort(found);
	arena_release(&a);
}

/* Compare N such records. Set *KEPT to the number of contradicted records. */
static struct contradicted_work compare(int n, const char *before,
					const char *after, size_t *kept)
{
	struct results found = {.order = RESULTS_BY_ID, .whole = true};
	struct contradicted_work work;

	add_records(&found, n, before, after);
	work = similar_contradicted_keep(&found);
	*kept = found.n;
	results_release(&found);
	return work;
}

static void test_alike(void)
{
	size_t kept;
	const struct contradicted_work work = compare(
		MANY, "Note ", ": the webhook is retried three times", &kept);

	expect(kept == 0, "numbers of headings contradict nothing");
	expect(work.pairs <= (size_t)MANY * CONTRADICTED_ALIKE,
	       "the work is a multiple of the memories");
	expect(work.partly == MANY - CONTRADICTED_ALIKE - 1,
	       "records with too many similar ones are counted");
}

static void test_few(void)
{
	size_t kept;
	const struct contradicted_work work =
		compare(CONTRADICTED_ALIKE + 1, "Note ",
			": the webhook is retried three times", &kept);

	expect(work.pairs == CONTRADICTED_ALIKE * (CONTRADICTED_ALIKE + 1) / 2,
	       "each pair is compared");
	expect(work.partly == 0, "none is left out");
}

static void test_values(void)
{
	size_t kept;
	const struct contradicted_work work =
		compare(MANY, "The gateway listens on port ", "", &kept);

	expect(kept == MANY, "all contradict each other");
	expect(work.pairs < MANY, "and one comparison of each shows it");
}

static const struct unit_test tests[] = {
	{"many similar memories are compared only with the nearest",
	 test_alike},
	{"a hundred similar memories are all compared", test_few},
	{"a pair that is known to contradict is not compared", test_values},
};

int main(void)
{
	return unit_run(tests, ARRAY_LEN(tests));
}
