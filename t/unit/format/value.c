/* value.c: test the equality of values, which every round trip relies on. */
#include "../expect.h"
#include "format/frontmatter.h"

static const struct {
	const char *a, *b;
	bool equal;
} cases[] = {
	{"a: 1", "a: 1", true},
	{"a: 1", "a:   1 # why", true},
	{"a: 1", "a: 2", false},
	{"a: 1", "a: \"1\"", false},
	{"a: 1", "a: 1.0", false},
	{"a: 1", "b: 1", false},
	{"a: 1", "a: 1\nb: 1", false},
	{"a: 1\nb: 2", "b: 2\na: 1", false},
	{"a: ~", "a: null", true},
	{"a: ~", "a: false", false},
	{"a: true", "a: True", true},
	{"a: true", "a: false", false},
	{"a: 0.0", "a: -0.0", false},
	{"a: .nan", "a: .NaN", true},
	{"a: .nan", "a: 1.5", false},
	{"a: 1.5", "a: 15e-1", true},
	{"a: 99999999999999999999", "a: 99999999999999999999", true},
	{"a: 99999999999999999999", "a: 99999999999999999998", false},
	{"a: xy", "a: x", false},
	{"a: xy", "a: xz", false},
	{"a: \"x\\0y\"", "a: \"x\\0z\"", false},
	{"a: [1, x]", "a:\n- 1\n- x", true},
	{"a: [1, x]", "a: [1, x, x]", false},
	{"a: [1, x]", "a: [x, 1]", false},
	{"a: []", "a: {}", false},
	{"a: {b: {c: 1}}", "a:\n  b:\n    c: 1", true},
	{"a: {b: {c: 1}}", "a: {b: {c: 2}}", false},
	{"a: {b: {c: 1}}", "a: {b: {d: 1}}", false},
};

/* Return the frontmatter with the lines YAML, allocated in A. */
static struct value read_yaml(const char *yaml, struct arena *a)
{
	const char *text = arena_printf(a, "---\n%s\n---\n", yaml);
	struct frontmatter fm;
	struct err e;

	if (frontmatter_parse(&fm, text, strlen(text), yaml, a, &e) < 0)
		expect(false, e.text);
	return fm.data;
}

static void test_all(void)
{
	struct arena a = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct value x = read_yaml(cases[i].a, &a);
		const struct value y = read_yaml(cases[i].b, &a);
		const char *what = arena_printf(
			&a, "'%s' %s '%s'", cases[i].a,
			cases[i].equal ? "equals" : "is not", cases[i].b);

		expect(value_equal(&x, &y) == cases[i].equal, what);
		expect(value_equal(&y, &x) == cases[i].equal, what);
	}
	arena_release(&a);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"values are equal if kind, order and every bit are equal",
		 test_all},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
