/* match.c: searching, its Unicode and its limits. */
#include "text/match.h"

#include "../expect.h"
#include "base/buf.h"
#include "base/instant.h"

static struct err e;

/* Return the result of searching TEXT for PATTERN, or -2 if PATTERN is
 * invalid. */
static int search(const char *pattern, unsigned flags, const char *text,
		  size_t len)
{
	struct match *m;
	int found;

	if (match_new(&m, pattern, strlen(pattern), flags, &e) < 0)
		return -2;
	found = match_test(m, text, len, &e);
	match_free(m);
	return found;
}

static void check(int want, const char *pattern, unsigned flags,
		  const char *text)
{
	int got = search(pattern, flags, text, strlen(text));

	if (got != want)
		expect_failed("failed: '%s' (%u) in '%s': %d, not %d", pattern,
			      flags, text, got, want);
}

static void test_caseless(void)
{
	static const unsigned both[] = {0, MATCH_LITERAL};

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		check(1, "async", both[i], "Use ASYNC/await");
		check(0, "async", both[i] | MATCH_CASE, "Use ASYNC/await");
		check(1, "STRASSE", both[i], "die Hauptstraße");
		check(1, "straße", both[i], "HAUPTSTRASSE");
		check(0, "STRASSE", both[i] | MATCH_CASE, "die Hauptstraße");
		check(1, "ISTANBUL", both[i], "İstanbul");
		check(1, "istanbul", both[i], "ISTANBUL");
		check(1, "İstanbul", both[i], "istanbul");
		check(1, "ISPARTA", both[i], "ısparta");
		check(1, "caf\u00E9", both[i], "CAFE\u0301");
		check(1, "cafe\u0301", both[i], "caf\u00E9");
		check(1, "cafe\u0301", both[i] | MATCH_CASE, "caf\u00E9");
		check(0, "cafe\u0301", both[i] | MATCH_CASE, "CAF\u00C9");
		check(0, "cafe", both[i], "caf\u00E9");
		check(1, "テキスト", both[i], "日本語のテキスト");
		check(1, "العربية", both[i], "اللغة العربية");
		check(1, "हिन्दी", both[i], "यह हिन्दी है");
		check(1, "👨‍👩‍👧", both[i],
		      "eine 👨‍👩‍👧 da");
		check(1, "ΣΊΣΥΦΟΣ", both[i], "σίσυφος");
		check(1, "", both[i], "anything");
		check(1, "", both[i], "");
		check(0, "é", both[i], "plain ASCII");
		check(1, "\u212A", both[i], "k");
	}
}

static void test_expression(void)
{
	check(1, "^two$", 0, "one\r\ntwo\r\nthree");
	check(1, "^two$", 0, "one\ntwo\n");
	check(0, "^wo", 0, "two");
	check(0, "one.two", 0, "one\ntwo");
	check(1, "\\S\\W\\D", 0, "é-x");
	check(0, "^\\W+$", 0, "é");
	check(1, "^\\w+$", 0, "héllo");
	check(1, "gr[üÜ]n", 0, "GRÜN");
	check(1, "\\x{1F600}", 0, "a 😀");
	check(0, "\\x{1F600}", 0, "plain");
	check(1, "\\é", 0, "É");
	check(1, "(?i)É", MATCH_CASE, "é");
	check(1, "a|É", 0, "xé");
	check(1, "(a)(b)\\2", 0, "abb");
	check(1, "\\Qa.b", 0, "a.b");
	check(0, "a.b", MATCH_LITERAL, "axb");
	check(1, "(", MATCH_LITERAL, "f(x)");
	check(1, "\\Q\\E", MATCH_LITERAL, "\\Q\\E");
	check(1, "(*UTF)é", 0, "É");
}

static void test_word(void)
{
	static const unsigned both[] = {MATCH_WORD, MATCH_WORD | MATCH_LITERAL};

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		check(1, "cat", both[i], "a Cat.");
		check(0, "cat", both[i], "concatenate cats");
		check(1, "straße", both[i], "eine STRASSE da");
		check(0, "straße", both[i], "HAUPTSTRASSE");
		check(0, "caf", both[i], "café");
		check(1, "日本", both[i], "(日本)");
	}
	check(1, "c++", MATCH_WORD | MATCH_LITERAL, "in C++ and C");
	check(0, "c++", MATCH_WORD | MATCH_LITERAL, "in xC++");
	check(1, "a|ab", MATCH_WORD, "ab");
	check(0, "a|b", MATCH_WORD, "ab");
	check(-2, "a)|(b", MATCH_WORD, "xay");
	check(1, "\\Qa.b", MATCH_WORD, "x a.b y");
	check(1, "(?x) cat # a comment", MATCH_WORD, "a cat");
	check(0, "(?x) cat # a comment", MATCH_WORD, "cats");
	check(1, "(*UCP)(*LF)cat", MATCH_WORD, "a cat");
	check(1, "test", MATCH_START | MATCH_LITERAL, "it was tested");
	check(0, "test", MATCH_START | MATCH_LITERAL, "the latest");
}

static void test_bytes(void)
{
	expect(search("b", 0, "a\0b", 3) == 1, "a NUL does not end a text");
	expect(search("b", 0, "\xFF\xC3 b", 4) == 1,
	       "invalid bytes do not end a text");
	expect(search("\uFFFD", 0, "\xFF", 1) == 1,
	       "an invalid byte matches U+FFFD");
	expect(search("x", 0, NULL, 0) == 0, "an empty text can be searched");
}

static void refused(const char *pattern, size_t len, const char *want)
{
	struct match *m;

	expect(match_new(&m, pattern, len, 0, &e) == -1 && e.code == ERR_USAGE,
	       "the pattern is refused");
	if (strcmp(e.text, want) != 0)
		expect_failed("failed: got '%s', wanted '%s'", e.text, want);
}

static void test_refused(void)
{
	static char longest[MATCH_PATTERN_MAX + 1];
	struct match *m;

	refused("(", 1,
		"bad pattern '(' at offset 1: missing closing parenthesis");
	refused("é\\C", 4,
		"bad pattern 'é\\C' at offset 4: using \\C is disabled by the "
		"application");
	refused("a\xFF", 2, "bad pattern at offset 1: no UTF-8");
	memset(longest, 'a', sizeof(longest));
	refused(longest, sizeof(longest), "pattern longer than 4096 bytes");
	expect(match_new(&m, longest, sizeof(longest) - 1, 0, &e) == 0,
	       "a pattern of 4096 bytes is accepted");
	match_free(m);
}

/* Check that searching N bytes of 'a' ends soon, with or without an error that
 * names a limit. */
static void limited(const char *pattern, size_t n)
{
	const uint64_t begin = instant_processor_ns();
	struct buf text = {0};
	int found;

	while (text.len < n)
		buf_addc(&text, 'a');
	found = search(pattern, 0, text.p, text.len);
	expect(instant_processor_ns() - begin < UINT64_C(10000000000), pattern);
	if (found < 0)
		expect(found == -1 && e.code == ERR_SYSTEM &&
			       strstr(e.text, "stopped at its limit of "),
		       e.text);
	buf_release(&text);
}

static void test_limits(void)
{
	limited("(a+)+$b", 50);
	limited("(a|aa)+[^a]", 1 << 20);
	limited("a*a*[bc]", 1 << 20);
	limited("(?=.*b)a", 1 << 20);
	limited("a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?[bc]", 99);
	limited("(a(?1)?[bc])", 1 << 20);
	limited("(*LIMIT_MATCH=2000000000)(a+)+[bc]", 4096);
	limited("(*NO_JIT)(a+)+[bc]", 4096);
	limited("(*NO_START_OPT)(*NO_AUTO_POSSESS)a*a*a*[bc]", 1 << 16);
}

/* The limit of two seconds applies to all searches together. */
static void test_together(void)
{
	struct match *m;
	struct buf text = {0};
	int n = 0;

	for (int i = 0; i < 3000; i++)
		buf_addc(&text, 'a');
	expect(!match_new(&m, "a*a*[bc]", 8, 0, &e), "the pattern compiles");
	while (n < 10000 && match_test(m, text.p, text.len, &e) == 0)
		n++;
	expect(n < 10000, "many costly searches reach the limit");
	expect(match_test(m, "b", 1, &e) == -1,
	       "after the limit each search fails");
	expect(!strcmp(e.text, "search for 'a*a*[bc]' stopped at its limit of "
			       "2 seconds"),
	       e.text);
	match_free(m);
	buf_release(&text);
}

/* The pattern is compiled again after some searches. The results must not
 * change. */
static void test_many(void)
{
	struct match *m;
	int found = 0;

	expect(!match_new(&m, "needle|Nadel", 12, 0, &e),
	       "the pattern compiles");
	for (int i = 0; i < 20000; i++) {
		found += match_test(m, "a NEEDLE here", 13, &e);
		found += match_test(m, "eine NADEL für ", 16, &e);
		found += match_test(m, "hay", 3, &e);
		found += match_test(m, "Heu für", 8, &e);
	}
	expect(found == 40000, "each search finds its match");
	match_free(m);
}

/* Check that PATTERN matches in TEXT as WANT shows: each match between < and
 * >. */
static void check_spans(const char *pattern, unsigned flags, const char *text,
			const char *want)
{
	struct spans spans = {0};
	struct buf got = {0};
	struct match *m;
	size_t at = 0;

	expect(!match_new(&m, pattern, strlen(pattern), flags, &e), pattern);
	expect(!match_spans(m, text, strlen(text), &spans, &e), text);
	for (size_t i = 0; i < spans.n; i++) {
		const struct span *s = &spans.items[i];

		buf_addf(&got, "%.*s<%.*s>", (int)(s->start - at), text + at,
			 (int)(s->end - s->start), text + s->start);
		at = s->end;
	}
	buf_adds(&got, text + at);
	expect_buf(&got, pattern, want);
	buf_release(&got);
	free(spans.items);
	match_free(m);
}

static void test_spans(void)
{
	check_spans("needle", 0, "a Needle, NEEDLE", "a <Needle>, <NEEDLE>");
	check_spans("needle", MATCH_CASE, "a needle, NEEDLE",
		    "a <needle>, NEEDLE");
	check_spans("b*", 0, "abba b", "a<bb>a <b>");
	check_spans("x", 0, "", "");
	check_spans("a.c", MATCH_LITERAL, "abc a.c", "abc <a.c>");
	check_spans("for", MATCH_WORD, "before for it", "before <for> it");
	check_spans("^b", 0, "a\nb\nbb", "a\n<b>\n<b>b");
	check_spans("a\nb", 0, "xa\nby", "x<a\nb>y");
	/* These match although folding changes their length in bytes. */
	check_spans("strasse", 0, "die Straße, ja", "die <Straße>, ja");
	check_spans("ja", 0, "ẞẞ ja İİ ja", "ẞẞ <ja> İİ <ja>");
	check_spans("caf\u00E9", 0, "ein CAFE\u0301 hier",
		    "ein <CAFE\u0301> hier");
	check_spans("ja", 0, "CAFE\u0301 ja", "CAFE\u0301 <ja>");
	check_spans("テ", MATCH_LITERAL, "日本語のテキスト",
		    "日本語の<テ>キスト");
	check_spans("テ", MATCH_LITERAL, "ascii", "ascii");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"match_spans() returns every match, in every script",
		 test_spans},
		{"letters of every script match in either case", test_caseless},
		{"expressions match as in PCRE, line by line", test_expression},
		{"MATCH_WORD matches whole words, and MATCH_START their starts",
		 test_word},
		{"invalid UTF-8 and NUL can be searched", test_bytes},
		{"a bad or too long pattern is refused with its offset",
		 test_refused},
		{"a costly search stops at its limit", test_limits},
		{"many costly searches together stop at the same limit",
		 test_together},
		{"a pattern that is used many times gives the same results",
		 test_many},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
