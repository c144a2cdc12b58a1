/* jsonc.c: edit JSON with comments, and undo the edits to the byte. */
#include "format/jsonc.h"

#include "../expect.h"

static struct arena arena;

static struct value value_of(const char *json)
{
	struct value v = {.kind = VALUE_NULL};
	struct err e;

	if (jsonc_parse(json, strlen(json), &arena, &v, &e) < 0)
		expect_failed("failed: '%s': %s", json, e.text);
	return v;
}

static void text_of(struct buf *out, const char *text)
{
	buf_cut(out, 0);
	buf_adds(out, text);
}

static void put(const char *was, const char *value, const char *want)
{
	jsonc_path path = {JSONC_KEY("m"), JSONC_KEY("co"), JSONC_END};
	struct value v = value_of(value);
	struct buf text = {0};
	struct err e = {0};

	text_of(&text, was);
	if (jsonc_put(&text, path, &v, &e) < 0)
		unit_comment(e.text);
	expect_buf(&text, was, want);
	/* Putting the value again changes nothing. */
	text_of(&text, want);
	jsonc_put(&text, path, &v, &e);
	expect_buf(&text, want, want);
	buf_release(&text);
}

/* Do as put(), and check that dropping the value restores WAS. */
static void both(const char *was, const char *value, const char *want)
{
	jsonc_path path = {JSONC_KEY("m"), JSONC_KEY("co"), JSONC_END};
	struct buf text = {0};
	struct err e = {0};

	put(was, value, want);
	text_of(&text, want);
	if (jsonc_drop(&text, path, &e) < 0)
		unit_comment(e.text);
	expect_buf(&text, want, was);
	text_of(&text, was);
	jsonc_drop(&text, path, &e);
	expect_buf(&text, was, was);
	buf_release(&text);
}

static void test_members(void)
{
	put("", "1", "{\n  \"m\": {\n    \"co\": 1\n  }\n}\n");
	both("{}", "1", "{\n  \"m\": {\n    \"co\": 1\n  }\n}");
	put("{ \n }\n", "1", "{\n  \"m\": {\n    \"co\": 1\n  }\n}\n");
	both("{\"a\": 1}\n", "1", "{\"a\": 1, \"m\": {\"co\": 1}}\n");
	both("{\"a\":1,\"m\":{\"x\":[]}}", "{\"k\":[1,2]}",
	     "{\"a\":1,\"m\":{\"x\":[], \"co\": {\"k\": [1, 2]}}}");
	both("{\n\t\"a\": 1\n}\n", "{\"k\": [\"x\", \"y\"], \"l\": {}}",
	     "{\n\t\"a\": 1,\n\t\"m\": {\n\t\t\"co\": {\n\t\t\t\"k\": "
	     "[\"x\", \"y\"],\n\t\t\t\"l\": {}\n\t\t}\n\t}\n}\n");
	both("{\r\n    \"a\": 1\r\n}\r\n", "1",
	     "{\r\n    \"a\": 1,\r\n    \"m\": {\r\n        \"co\": 1\r\n"
	     "    }\r\n}\r\n");
	both("{\n  \"m\": {\n    \"x\": 1\n  },\n  \"z\": 2\n}\n", "1",
	     "{\n  \"m\": {\n    \"x\": 1,\n    \"co\": 1\n  },\n"
	     "  \"z\": 2\n}\n");
}

static void test_comments(void)
{
	both("// top\n{\n  \"a\": 1 // one\n  /* end */\n}\n// bottom\n", "1",
	     "// top\n{\n  \"a\": 1, // one\n  /* end */\n  \"m\": {\n"
	     "    \"co\": 1\n  }\n}\n// bottom\n");
	both("{\n  \"a\": 1, // one\n}\n", "1",
	     "{\n  \"a\": 1, // one\n  \"m\": {\n    \"co\": 1\n  },\n}\n");
	both("{\"a\": 1 // one\n}", "1",
	     "{\"a\": 1, // one\n\"m\": {\n  \"co\": 1\n}\n}");
	put("{\n  // nothing yet\n}\n", "1",
	    "{\n  // nothing yet\n  \"m\": {\n    \"co\": 1\n  }\n}\n");
	both("{\n  \"m\": {\n    // mine\n    \"x\": \"a//b\"\n  }\n}\n", "1",
	     "{\n  \"m\": {\n    // mine\n    \"x\": \"a//b\",\n"
	     "    \"co\": 1\n  }\n}\n");
	both("\xEF\xBB\xBF{\n\"a\":[1,2,],}\n", "1",
	     "\xEF\xBB\xBF{\n\"a\":[1,2,],\n\"m\": {\n  \"co\": 1\n},}\n");
}

static void drop(const char *was, jsonc_path path, const char *want)
{
	struct buf text = {0};
	struct err e = {0};

	text_of(&text, was);
	if (jsonc_drop(&text, path, &e) < 0)
		unit_comment(e.text);
	expect_buf(&text, was, want);
	buf_release(&text);
}

static void test_drops(void)
{
	jsonc_path b = {JSONC_KEY("b"), JSONC_END};
	jsonc_path item = {JSONC_KEY("l"), JSONC_ITEM(1), JSONC_KEY("h"),
			   JSONC_ITEM(0), JSONC_END};

	drop("{\"a\": 1, \"b\": 2, \"c\": 3}", b, "{\"a\": 1, \"c\": 3}");
	drop("{\"b\": 2, \"c\": 3}", b, "{ \"c\": 3}");
	drop("{\n  \"b\": 2,\n  \"c\": 3\n}\n", b, "{\n  \"c\": 3\n}\n");
	drop("{\n  \"a\": 1, // one\n  \"b\": 2, // two\n  \"c\": 3\n}\n", b,
	     "{\n  \"a\": 1, // one\n   // two\n  \"c\": 3\n}\n");
	drop("{\n  // why\n  \"b\": 2\n}\n", b, "{\n  // why\n  \n}\n");
	drop("{\"b\": 2}", b, "{}");
	drop("{\"l\": [1, {\"h\": [{\"x\": 1}]}, 2]}", item, "{\"l\": [1, 2]}");
	drop("{\"l\": [1, {\"h\": [{\"x\": 1}, 5]}, 2]}", item,
	     "{\"l\": [1, {\"h\": [ 5]}, 2]}");
	drop("{\"l\": [1]}", item, "{\"l\": [1]}");
	drop("{\"l\": 7}", item, "{\"l\": 7}");
}

static void append(const char *was, const char *want)
{
	jsonc_path path = {JSONC_KEY("h"), JSONC_KEY("s"), JSONC_END};
	struct value v = value_of("{\"c\": \"x\"}");
	struct buf text = {0};
	struct err e = {0};

	text_of(&text, was);
	if (jsonc_append(&text, path, &v, &e) < 0)
		unit_comment(e.text);
	expect_buf(&text, was, want);
	buf_release(&text);
}

static void test_appends(void)
{
	append("{}\n", "{\n  \"h\": {\n    \"s\": [\n      {\n"
		       "        \"c\": \"x\"\n      }\n    ]\n  }\n}\n");
	append("{\"h\": {\"s\": [1]}}",
	       "{\"h\": {\"s\": [1, {\"c\": \"x\"}]}}");
	append("{\n \"h\": {\n  \"s\": [\n   {\n    \"c\": 1\n   }\n  ]\n }\n}",
	       "{\n \"h\": {\n  \"s\": [\n   {\n    \"c\": 1\n   },\n   {\n"
	       "    \"c\": \"x\"\n   }\n  ]\n }\n}");
	append("{\n  \"h\": {\"s\": []}\n}",
	       "{\n  \"h\": {\"s\": [\n    {\n      \"c\": \"x\"\n    }\n"
	       "  ]}\n}");
}

/* Check that WAS cannot be edited, that the error is WHY, and that WAS
 * stays. */
static void refused(const char *was, const char *why)
{
	jsonc_path path = {JSONC_KEY("m"), JSONC_KEY("co"), JSONC_END};
	struct value v = value_of("1");
	struct buf text = {0};
	struct err e = {0};

	text_of(&text, was);
	expect(jsonc_put(&text, path, &v, &e) < 0, was);
	expect_buf(&text, was, was);
	buf_adds(&text, e.text);
	expect_buf(&text, was, why);
	buf_release(&text);
}

static void test_refusals(void)
{
	refused("[]", "1:1: expected an object");
	refused("{", "1:2: expected a key");
	refused("{\"a\" 1}", "1:6: expected :");
	refused("{\"a\": 1 \"b\": 2}", "1:9: expected , or }");
	refused("{\"a\": [1 2]}", "1:10: expected , or ]");
	refused("{\"a\": 01}", "1:7: expected a value");
	refused("{\"a\": 1.}", "1:7: a bad number");
	refused("{\"a\": tru}", "1:7: expected a value");
	refused("{\"a\": \"x}", "1:7: a string never ends");
	refused("{\"a\": \"\\x\"}", "1:8: a bad escape");
	refused("{\"a\": \"\\u12g4\"}", "1:8: a bad escape");
	refused("{\"a\": \"\t\"}", "1:8: a control in a string");
	refused("{} /* ", "1:4: a comment never ends");
	refused("{} x", "1:4: unexpected text after the value");
	refused("{\"a\": 1,\n\"a\": 2}", "2:1: a key given twice");
	refused("{\"a\": 1, \"\\u0061\": 2}", "1:10: a key given twice");
	refused("{\"m\": 7}", "the value at 'm' must be an object");
	refused("{\"m\": []}", "the value at 'm' must be an object");
	refused("\xff{}", "1:1: not UTF-8 text");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"putting a member and dropping it restores every byte",
		 test_members},
		{"putting or dropping a member keeps comments", test_comments},
		{"dropping a member or an item drops its comma", test_drops},
		{"an item is appended to a list, which is created if missing",
		 test_appends},
		{"invalid text is refused with line and column", test_refusals},
	};
	const int status = unit_run(tests, ARRAY_LEN(tests));

	arena_release(&arena);
	return status;
}
