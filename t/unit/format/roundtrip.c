/* roundtrip.c: written values read back equal, as YAML and as JSON, for values
 * that a reader could take for something else. The argument is the number of
 * values. */
#include "../expect.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "format/yaml.h"

#include <math.h>

static const char *const texts[] = {
	"",
	" ",
	"a",
	"a ",
	" a",
	"-",
	"- a",
	"-a",
	"?",
	"? a",
	":",
	": a",
	"a:",
	"a: b",
	"a:b",
	"a #b",
	"a#b",
	"#",
	"#a",
	"&a",
	"*a",
	"!a",
	"|",
	">",
	"'",
	"\"",
	"it's",
	"\"a\"",
	"\\",
	"a\\b",
	"%a",
	"@a",
	"`a",
	"[",
	"]",
	"{",
	"}",
	"[a]",
	"a, b",
	"a]",
	"~",
	"null",
	"Null",
	"NULL",
	"true",
	"False",
	"TRUE",
	"yes",
	"No",
	"on",
	"OFF",
	"y",
	"n",
	"=",
	"<<",
	"0",
	"1",
	"-1",
	"+1",
	"010",
	"0x10",
	"0X10",
	"0o7",
	"0b1",
	"1_000",
	"0x_f",
	"12:30",
	"12:30:45",
	"190:20:30.15",
	"1.5",
	".5",
	"5.",
	"1e3",
	"1e+3",
	"1.e3",
	"_1",
	"1_",
	".inf",
	"-.INF",
	".nan",
	"+.inf",
	".",
	"..",
	"...",
	"... a",
	"---",
	"--- a",
	"2026-02-09",
	"2026-02-09T14:30:00Z",
	"2026-02-09 14:30:00",
	"1.2.3",
	"9999999999999",
	"99999999999999999999",
	"1e999",
	"0.1",
	"-0",
	"-0.0",
	"a\nb",
	"a\n",
	"\n",
	"\na",
	"a\tb",
	"\t",
	"a\r\nb",
	"\x01",
	"\x1B[31m",
	"\x7F",
	"\xC2\x85",
	"\xC2\x9B",
	"\xC2\xA0",
	"\xE2\x80\xA8",
	"\xE2\x80\xA9",
	"\xEF\xBB\xBF",
	"\xEF\xBF\xBE",
	"\xEF\xBF\xBF",
	"\xC3\xA9t\xC3\xA9",
	"\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE",
	"\xF0\x9F\x91\xA9",
	"a b c",
	"https://example.org/x?y=1#z",
	"key",
	"id",
	"tags",
	"</x>",
	"$HOME",
	"100%",
	"a & b",
	"x!",
	"(a)",
	"C++",
	"C#",
	"a: [b",
	"'a",
	"a'",
	"\"a",
};

static uint64_t dice = 1402;
static long tries = 5000;

static size_t roll(size_t n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (size_t)(dice % n);
}

/* Return one of the texts, two joined, one with a NUL, or a long one. */
static struct value make_string(struct arena *a)
{
	struct value v = {.kind = VALUE_STR};
	struct buf b = {0};
	size_t kind = roll(40);

	buf_adds(&b, texts[roll(ARRAY_LEN(texts))]);
	if (kind < 8)
		buf_adds(&b, texts[roll(ARRAY_LEN(texts))]);
	if (kind == 8)
		buf_addc(&b, '\0');
	for (int i = 0; kind == 9 && i < 300; i++)
		buf_adds(&b, texts[roll(ARRAY_LEN(texts))]);
	v.u.s.p = arena_copy(a, buf_str(&b), b.len);
	v.u.s.len = b.len;
	buf_release(&b);
	return v;
}

static struct value make_number(void)
{
	static const double floats[] = {0.0,  -0.0,   1.0,     0.1,  1e22,
					1e-7, 5e-324, 1.5e300, 1e15, 123456.0};
	struct value v = {.kind = VALUE_FLOAT};

	if (roll(2)) {
		v.u.f = floats[roll(ARRAY_LEN(floats))];
		return v;
	}
	switch (roll(4)) {
	case 0:
		return value_int(INT64_MIN);
	case 1:
		return value_int(INT64_MAX);
	default:
		return value_int((int64_t)roll(100) - 50);
	}
}

static struct value make_value(struct arena *a, int depth);

static struct value make_list(struct arena *a, int depth)
{
	struct value v = {.kind = VALUE_LIST};

	v.u.list.n = roll(4);
	v.u.list.items = arena_alloc(a, 4 * sizeof(v));
	for (size_t i = 0; i < v.u.list.n; i++)
		v.u.list.items[i] = make_value(a, depth - 1);
	return v;
}

static bool has_key(const struct value *map, const struct value *key)
{
	for (size_t i = 0; i < map->u.map.n; i++) {
		if (value_equal(&map->u.map.pairs[i].key, key))
			return true;
	}
	return false;
}

static struct value make_map(struct arena *a, int depth)
{
	struct value v = {.kind = VALUE_MAP};
	size_t n = roll(5);

	v.u.map.pairs = arena_alloc(a, 5 * sizeof(struct value_pair));
	while (n-- > 0) {
		struct value_pair *pair = &v.u.map.pairs[v.u.map.n];

		pair->key = make_string(a);
		pair->val = make_value(a, depth - 1);
		/* jansson accepts no NUL in keys. */
		if (!memchr(pair->key.u.s.p, '\0', pair->key.u.s.len) &&
		    !has_key(&v, &pair->key))
			v.u.map.n++;
	}
	return v;
}

static struct value make_value(struct arena *a, int depth)
{
	struct value v = {.kind = VALUE_NULL};

	switch (roll(depth > 0 ? 12 : 8)) {
	case 0:
		return v;
	case 1:
		v.kind = VALUE_BOOL;
		v.u.b = roll(2);
		return v;
	case 2:
		return make_number();
	case 8:
	case 9:
		return make_list(a, depth);
	case 10:
	case 11:
		return make_map(a, depth);
	default:
		return make_string(a);
	}
}

/* Write DATA as YAML and read it back with libyaml, since frontmatter_write()
 * may check with another reader. */
static bool try_yaml(const struct value *data, struct arena *a)
{
	struct buf out = {0};
	struct value back;
	struct err e;
	size_t fault;
	bool ok;

	ok = frontmatter_write(&out, data, &e) == 0;
	if (!ok)
		unit_comment(e.text);
	if (ok && out.len)
		ok = yaml_parse(out.p + 4, out.len - 8, 4, FRONTMATTER_DEPTH, a,
				&back, &fault, &e) == 0 &&
		     value_equal(&back, data);
	if (!ok)
		expect_failed("failed: YAML does not read back:\n%s",
			      buf_str(&out));
	buf_release(&out);
	return ok;
}

static bool try_json(const struct value *data, struct arena *a)
{
	struct buf out = {0};
	struct value back;
	struct err e;
	bool ok;

	ok = json_write_value(&out, data, &e) == 0 &&
	     json_parse(out.p, out.len, a, &back, &e) == 0 &&
	     value_equal(&back, data);
	for (size_t i = 0; i < out.len; i++) {
		if ((unsigned char)out.p[i] < 0x20 || out.p[i] == 0x7F)
			ok = false;
	}
	if (!ok)
		expect_failed("failed: JSON does not read back: %s",
			      buf_str(&out));
	buf_release(&out);
	return ok;
}

/* YAML has infinities, NaN and large integers, and JSON has not. */
static void test_beyond_json(void)
{
	static const char text[] = "---\na: .inf\nb: -.inf\nc: .nan\n"
				   "d: -99999999999999999999\n---\n";
	struct frontmatter fm;
	struct arena a = {0};
	struct buf out = {0};
	struct err e;

	expect(frontmatter_parse(&fm, text, strlen(text), "x", &a, &e) == 0 &&
		       fm.data.u.map.pairs[3].val.kind == VALUE_BIGINT,
	       "YAML reads them");
	expect(frontmatter_write(&out, &fm.data, &e) == 0 &&
		       !strcmp(out.p, text),
	       "they are written without a change");
	expect(json_write_unfit(&fm.data) &&
		       json_write_value(&out, &fm.data, &e) < 0 &&
		       e.code == ERR_DATA,
	       "JSON refuses them");
	buf_release(&out);
	arena_release(&a);
}

static void test_back(void)
{
	struct arena a = {0};

	for (long i = 0; i < tries && failures < 5; i++) {
		struct value data = make_map(&a, FRONTMATTER_DEPTH - 1);

		if (try_yaml(&data, &a))
			try_json(&data, &a);
		arena_reset(&a);
	}
	arena_release(&a);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{"every value that is written reads back equal, as YAML and as "
		 "JSON",
		 test_back},
		{"numbers that JSON lacks are written as YAML only",
		 test_beyond_json},
	};

	if (argc > 1)
		tries = strtol(argv[1], NULL, 10);
	return unit_run(tests, ARRAY_LEN(tests));
}
