/* frontmatter.c: split a document, compute places, edit it without changing
 * other bytes, check limits of writing, and read JSON streams. */
#include "../expect.h"

#include "format/frontmatter.h"
#include "format/json-read.h"

static struct arena arena;

static void check_str(const char *got, const char *want, const char *what)
{
	if (strcmp(got, want) != 0)
		expect_failed("failed: %s: got [%s], wanted [%s]", what, got,
			      want);
}

static void test_split(void)
{
	static const struct {
		const char *text, *yaml, *body; /* no YAML: no header */
	} cases[] = {
		{"", NULL, ""},
		{"body", NULL, "body"},
		{"---\n---\n", "", ""},
		{"---\n---", "", ""},
		{"---\na: 1\n---\nb\n", "a: 1\n", "b\n"},
		{"---  \na: 1\n---\t \n\nb", "a: 1\n", "\nb"},
		{"---\r\na: 1\r\n---\r\nb\r\n", "a: 1\r\n", "b\r\n"},
		{"---\na: 1\n---\r", "a: 1\n", ""},
		{"\xEF\xBB\xBF---\na: 1\n---\nb", "a: 1\n", "b"},
		{"\xEF\xBB\xBF"
		 "b",
		 NULL, "b"},
		{"---\na: 1\n", NULL, "---\na: 1\n"},
		{"---", NULL, "---"},
		{"---\na: 1\n----\n", NULL, "---\na: 1\n----\n"},
		{"---\na: 1\n--- x\n---\nb", "a: 1\n--- x\n", "b"},
		{"---\na: 1\n ---\n---\nb", "a: 1\n ---\n", "b"},
		{"---x\na: 1\n---\n", NULL, "---x\na: 1\n---\n"},
		{"\n---\na: 1\n---\n", NULL, "\n---\na: 1\n---\n"},
		{" ---\na: 1\n---\n", NULL, " ---\na: 1\n---\n"},
		{"---\ra: 1\r---\rb", NULL, "---\ra: 1\r---\rb"},
		{"---\na: |\n  x\n---\nb\n---\nc", "a: |\n  x\n", "b\n---\nc"},
	};
	struct frontmatter fm;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *text = cases[i].text, *yaml = cases[i].yaml;

		frontmatter_split(&fm, text, strlen(text));
		expect(fm.present == (yaml != NULL), text);
		check_str(text + fm.body, cases[i].body, text);
		expect(!yaml || (fm.yaml_len == strlen(yaml) &&
				 !memcmp(text + fm.yaml, yaml, fm.yaml_len)),
		       text);
		expect(fm.data.kind == VALUE_MAP && !fm.data.u.map.n, text);
	}
}

static void test_content(void)
{
	static const char text[] = "---\na: 1\n---\n\n \t\r\n  b \n c\v\f\n\n";
	struct frontmatter fm;
	const char *p;
	size_t len;

	frontmatter_split(&fm, text, strlen(text));
	frontmatter_content(&fm, &p, &len);
	expect(len == 5 && !memcmp(p, "b \n c", 5), "the content is stripped");
	frontmatter_split(&fm, "---\n---\n \n", 10);
	frontmatter_content(&fm, &p, &len);
	expect(len == 0, "a blank body has no content");
}

static void test_place(void)
{
	static const char text[] = "\xEF\xBB\xBF---\na: \xC3\xA9\xC3\xA9x\n";
	struct frontmatter fm;
	int line, col;

	frontmatter_split(&fm, text, strlen(text));
	frontmatter_place(&fm, 3, &line, &col);
	expect(line == 1 && col == 1, "a BOM is not counted");
	frontmatter_place(&fm, 0, &line, &col);
	expect(line == 1 && col == 1,
	       "an offset before the frontmatter is the first place");
	frontmatter_place(&fm, 14, &line, &col);
	expect(line == 2 && col == 6, "columns are characters");
}

/* Set KEY of TEXT to V. Return the new document or the error. */
static const char *set(const char *text, const char *key, const struct value *v)
{
	struct frontmatter fm;
	struct buf out = {0};
	struct err e;
	const char *r;

	if (frontmatter_parse(&fm, text, strlen(text), "x", &arena, &e))
		return arena_strdup(&arena, e.text);
	buf_adds(&out, "|");
	if (frontmatter_set(&out, &fm, key, v, &e)) {
		expect(out.len == 1, "a failed edit appends nothing");
		buf_release(&out);
		return arena_strdup(&arena, e.text);
	}
	r = arena_copy(&arena, out.p + 1, out.len - 1);
	buf_release(&out);
	return r;
}

static void test_set_string(void)
{
	static const struct {
		const char *text, *key, *val, *want;
	} cases[] = {
		{"---\na: 1\n---\nb\n", "a", "x", "---\na: x\n---\nb\n"},
		{"---\na:   1   # why\nb: 2\n---\n", "a", "x: y",
		 "---\na:   \"x: y\"   # why\nb: 2\n---\n"},
		{"---\na:\t1\nb:   # why\n---\n", "a", "x",
		 "---\na:\tx\nb:   # why\n---\n"},
		{"---\na:   # why\n---\n", "a", "x",
		 "---\na: x   # why\n---\n"},
		{"---\n{a:   1}\n---\n", "a", "x", "---\n{a:   x}\n---\n"},
		{"---\r\na: 1\r\nb: 2\r\n---\r\nc\r\n", "a", "x",
		 "---\r\na: x\r\nb: 2\r\n---\r\nc\r\n"},
		{"---\r\na: 1\r\n---\r\nc\r\n", "b", "x",
		 "---\r\na: 1\r\nb: x\r\n---\r\nc\r\n"},
		{"---\na:\n---\n", "a", "x", "---\na: x\n---\n"},
		{"---\na: # why\nb:\n---\n", "a", "x",
		 "---\na: x # why\nb:\n---\n"},
		{"---\na:\n  - 1 # one\n  - 2\n# end\nb: 1\n---\n", "a", "x",
		 "---\na: x\n# end\nb: 1\n---\n"},
		{"---\na: # why\n- 1\n- 2\nb: 1\n---\n", "a", "x",
		 "---\na: # why\n x\nb: 1\n---\n"},
		{"---\na: |\n  one\n  two\n\nb: 1\n---\n", "a", "x",
		 "---\na: x\n\nb: 1\n---\n"},
		{"---\na: one\n  two\nb: 1\n---\n", "a", "x",
		 "---\na: x\nb: 1\n---\n"},
		{"---\na: [1,\n  2] # c\nb: 1\n---\n", "a", "x",
		 "---\na: x # c\nb: 1\n---\n"},
		{"---\n\"a\": {b: c}\n---\n", "a", "x", "---\n\"a\": x\n---\n"},
		{"---\na: []#c\n---\n", "a", "x", "---\na: x #c\n---\n"},
		{"---\n? a\n: 1\n---\n", "a", "x", "---\n? a\n: x\n---\n"},
		{"---\n{a: 1, b: 2}\n---\n", "a", "x",
		 "---\n{a: x, b: 2}\n---\n"},
		{"---\n{a: 1}\n---\n", "b", "x", "---\n{a: 1, b: x}\n---\n"},
		{"---\n{}\n---\n", "b", "x", "---\n{b: x}\n---\n"},
		{"---\n  a: 1\n---\n", "b", "x", "---\n  a: 1\n  b: x\n---\n"},
		{"---\na: 1\n# end\n---\n", "b", "no",
		 "---\na: 1\n# end\nb: \"no\"\n---\n"},
		{"---\n---\nc", "b", "x", "---\nb: x\n---\nc"},
		{"---\n# c\n---\n", "b", "x", "---\n# c\nb: x\n---\n"},
		{"c\n", "b", "x", "---\nb: x\n---\nc\n"},
		{"c\r\n", "b", "x", "---\r\nb: x\r\n---\r\nc\r\n"},
		{"", "b", "x", "---\nb: x\n---\n"},
		{"---\nopen", "b", "x", "---\nb: x\n---\n---\nopen"},
		{"\xEF\xBB\xBF"
		 "c",
		 "b", "x", "\xEF\xBB\xBF---\nb: x\n---\nc"},
		{"---\na: &x 1\nb: *x\n---\n", "b", "z",
		 "---\na: &x 1\nb: z\n---\n"},
		{"---\na: &x 1\nb: *x\n---\n", "a", "z",
		 "'the result':3:4: Invalid YAML in frontmatter: alias 'x' "
		 "names no anchor"},
		{"---\nt: \xC3\xA9\xC3\xA9\na: {b: \xC3\xA9} # \xC3\xA9\n---\n",
		 "a", "\xC3\xA8",
		 "---\nt: \xC3\xA9\xC3\xA9\na: \xC3\xA8 # \xC3\xA9\n---\n"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct value v = value_str(cases[i].val);

		check_str(set(cases[i].text, cases[i].key, &v), cases[i].want,
			  cases[i].text);
	}
}

static void test_set_others(void)
{
	struct value items[] = {value_str("a"), value_str("1.0"),
				value_str("b c")};
	struct value list = {.kind = VALUE_LIST}, id = value_int(7);

	check_str(set("---\nid: 3 # first\n---\n", "id", &id),
		  "---\nid: 7 # first\n---\n", "an integer");
	list.u.list.items = items;
	check_str(set("---\ntags:\n  - x\n---\n", "tags", &list),
		  "---\ntags: []\n---\n", "an empty list");
	list.u.list.n = 3;
	check_str(set("---\ntags: []\n---\n", "tags", &list),
		  "---\ntags: [a, \"1.0\", b c]\n---\n", "a list");
}

/* Remove KEY from TEXT, or add COMMENT below KEY if COMMENT is given. */
static const char *alter(const char *text, const char *key, const char *comment)
{
	struct frontmatter fm;
	struct buf out = {0};
	struct err e;
	const char *r;

	if (frontmatter_parse(&fm, text, strlen(text), "x", &arena, &e) ||
	    (comment ? frontmatter_remark(&out, &fm, key, comment, &e)
		     : frontmatter_remove(&out, &fm, key, &e)))
		return arena_strdup(&arena, e.text);
	r = arena_copy(&arena, buf_str(&out), out.len);
	buf_release(&out);
	return r;
}

static void test_remove(void)
{
	static const struct {
		const char *text, *key, *want;
	} cases[] = {
		{"---\na: 1\n# b's\nb: 2\n---\nc\n", "a",
		 "---\n# b's\nb: 2\n---\nc\n"},
		{"---\na: 1 # why\nb: 2\n---\n", "a", "---\nb: 2\n---\n"},
		{"---\nb: 2 # why\na: 1\n---\n", "a", "---\nb: 2 # why\n---\n"},
		/* The key's block ends at the start of the next line. */
		{"---\na:\n  - 1\n  - 2\nb: 2 # why\n---\n", "a",
		 "---\nb: 2 # why\n---\n"},
		{"---\na: |\n  one\nb: 2 # why\n---\n", "a",
		 "---\nb: 2 # why\n---\n"},
		{"---\n{a: 1, b:  2, c:  3}\n---\n", "a",
		 "---\n{b:  2, c:  3}\n---\n"},
		{"---\n{a:  1, b: 2, c:  3}\n---\n", "b",
		 "---\n{a:  1, c:  3}\n---\n"},
		{"---\n{a:  1, b: 2}\n---\n", "b", "---\n{a:  1}\n---\n"},
		/* An alias to a removed anchor is replaced by its value. */
		{"---\na: &x 1\nb: *x # why\n---\nc", "a", "---\nb: 1\n---\nc"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_str(alter(cases[i].text, cases[i].key, NULL),
			  cases[i].want, cases[i].text);
}

static void test_remark(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"---\na: 1\nb: 2\n---\nc\n", "---\na: 1\n# x\nb: 2\n---\nc\n"},
		{"---\r\na: 1\r\nb: 2\r\n---\r\n",
		 "---\r\na: 1\r\n# x\r\nb: 2\r\n---\r\n"},
		{"---\na:\n  - 1\nb: 2\n---\n",
		 "---\na:\n  - 1\n# x\nb: 2\n---\n"},
		{"---\na: [1,\n  2]\nb: 2\n---\n",
		 "---\na: [1,\n  2]\n# x\nb: 2\n---\n"},
		{"---\n{a: 1,\n b: 2}\n---\n",
		 "---\n{a: 1,\n# x\n b: 2}\n---\n"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_str(alter(cases[i].text, "a", "# x"), cases[i].want,
			  cases[i].text);
}

/* Return DEPTH nested maps. */
static struct value nest(int depth)
{
	struct value v = {.kind = VALUE_MAP};

	v.u.map.n = 1;
	v.u.map.pairs = arena_alloc(&arena, sizeof(struct value_pair));
	v.u.map.pairs[0].key = value_str("a");
	v.u.map.pairs[0].val = depth > 1 ? nest(depth - 1) : value_int(1);
	return v;
}

static void test_write_limits(void)
{
	static char big[FRONTMATTER_MAX];
	struct value v = nest(FRONTMATTER_DEPTH);
	struct buf out = {0};
	struct err e;

	expect(frontmatter_write(&out, &v, &e) == 0, "8 deep is written");
	buf_cut(&out, 0);
	v = nest(FRONTMATTER_DEPTH + 1);
	expect(frontmatter_write(&out, &v, &e) < 0 && e.code == ERR_DATA &&
		       !out.len,
	       "9 deep is refused");
	check_str(e.text, "frontmatter is nested deeper than 8", "depth");
	v = nest(1);
	memset(big, 'x', sizeof(big) - 1);
	v.u.map.pairs[0].val = value_str(big);
	expect(frontmatter_write(&out, &v, &e) < 0 && !out.len,
	       "64 KiB and more are refused");
	check_str(e.text, "frontmatter is larger than 64 KiB", "size");
	big[sizeof(big) - 5] = '\0';
	v.u.map.pairs[0].val = value_str(big);
	expect(frontmatter_write(&out, &v, &e) == 0, "64 KiB are written");
	buf_cut(&out, 0);
	v.u.map.pairs[0].val = value_str("\xFF");
	expect(frontmatter_write(&out, &v, &e) < 0 && !out.len,
	       "invalid UTF-8 is refused");
	v.u.map.n = 0;
	expect(frontmatter_write(&out, &v, &e) == 0 && !out.len,
	       "an empty map writes nothing");
	buf_release(&out);
}

static void test_join(void)
{
	static const char *const bodies[] = {"",
					     "b",
					     "---\na: 1\n---\n",
					     "---\n---\n",
					     "---\nx",
					     "\xEF\xBB\xBFx",
					     "\xEF\xBB\xBF---\n---\n"};
	struct value v = {.kind = VALUE_MAP};
	struct frontmatter fm;
	struct buf out = {0};
	struct err e;

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		buf_cut(&out, 0);
		expect(!frontmatter_join(&out, &v, bodies[i], strlen(bodies[i]),
					 &e),
		       "an empty map can be joined to any body");
		frontmatter_parse(&fm, buf_str(&out), out.len, "x", &arena, &e);
		check_str(buf_str(&out) + fm.body, bodies[i], "body");
		expect(!fm.data.u.map.n, "no key appears");
	}
	buf_release(&out);
}

static void test_json_stream(void)
{
	static const char text[] = " {\"a\":1}\n[2] 3\n\"x\" tru";
	static const enum value_kind kinds[] = {VALUE_MAP, VALUE_LIST,
						VALUE_INT, VALUE_STR};
	struct value v;
	struct err e;
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		expect(json_parse_at(text, strlen(text), &at, &arena, &v, &e) ==
				       1 &&
			       v.kind == kinds[i],
		       "each call reads one text");
	}
	expect(json_parse_at(text, strlen(text), &at, &arena, &v, &e) < 0 &&
		       !strncmp(e.text, "3:7: ", 5),
	       "an error has its place in the stream");
	at = 0;
	expect(json_parse_at(" \n", 2, &at, &arena, &v, &e) == 0,
	       "blanks are not a text");
}

static void test_json_errors(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"", "1:1: expected a JSON text"},
		{"{}\n x", "2:2: unexpected text after the JSON text"},
		{"{\"a\":1,\"a\":2}",
		 "1:10: duplicate object key near '\"a\"'"},
		{"99999999999999999999",
		 "1:20: too big integer near '99999999999999999999'"},
	};
	char deep[131];
	struct value v;
	struct err e;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		expect(json_parse(cases[i].text, strlen(cases[i].text), &arena,
				  &v, &e) < 0 &&
			       e.code == ERR_DATA,
		       cases[i].text);
		check_str(e.text, cases[i].want, cases[i].text);
	}
	expect(json_parse("\"\\ud800\"", 8, &arena, &v, &e) < 0,
	       "a lone surrogate is an error");
	memset(deep, '[', 65);
	memset(deep + 65, ']', 65);
	expect(json_parse(deep, 130, &arena, &v, &e) < 0, "65 deep");
	check_str(e.text, "1:65: nested deeper than 64", "65 deep");
	expect(json_parse(deep + 1, 128, &arena, &v, &e) == 0, "64 deep");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a document is split into frontmatter and body", test_split},
		{"the content of a document is its body without blanks at the "
		 "ends",
		 test_content},
		{"places in a document are lines and columns of characters",
		 test_place},
		{"setting a string changes no other byte", test_set_string},
		{"setting a number or a list changes no other byte",
		 test_set_others},
		{"removing a key changes no other byte", test_remove},
		{"a comment is added below a key and changes no other byte",
		 test_remark},
		{"frontmatter is written within its limits of depth and size",
		 test_write_limits},
		{"a body is joined to frontmatter, and reads back as it was",
		 test_join},
		{"a stream of JSON is read text by text", test_json_stream},
		{"JSON errors name line and column", test_json_errors},
	};
	const int status = unit_run(tests, ARRAY_LEN(tests));

	arena_release(&arena);
	return status;
}
