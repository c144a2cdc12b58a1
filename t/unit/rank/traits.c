/* traits.c: the traits of a text and of a question. */
#include "rank/traits.h"

#include "../expect.h"
#include "base/buf.h"

static const struct {
	unsigned bit;
	char letter;
} bits[] = {{TRAIT_TIME, 't'}, {TRAIT_NAME, 'n'},    {TRAIT_SELF, 's'},
	    {TRAIT_ASKS, 'a'}, {TRAIT_INFORMS, 'i'}, {TRAIT_TITLED, 'h'},
	    {TRAIT_CODE, 'c'}, {TRAIT_COMMIT, 'm'}};

static void check(const char *want, unsigned traits, const char *text)
{
	char got[ARRAY_LEN(bits) + 1] = "", *p = got;

	for (size_t i = 0; i < ARRAY_LEN(bits); i++) {
		if (traits & bits[i].bit)
			*p++ = bits[i].letter;
	}
	if (strcmp(got, want) != 0)
		expect_failed("'%s': '%s', not '%s'", text, got, want);
}

/* Check texts, each after its traits, with LF and with CRLF line ends. */
static void check_texts(const char *const (*texts)[2], size_t n)
{
	struct buf crlf = {0};

	for (size_t i = 0; i < n; i++) {
		const char *p = texts[i][1];

		check(texts[i][0], traits_of_text(p, strlen(p)), p);
		buf_cut(&crlf, 0);
		for (; *p; p++)
			buf_adds(&crlf, *p == '\n' ? "\r\n" : (char[]){*p, 0});
		check(texts[i][0], traits_of_text(buf_str(&crlf), crlf.len),
		      buf_str(&crlf));
	}
	buf_release(&crlf);
}

static void test_times(void)
{
	static const char *const texts[][2] = {
		{"i", "The pool has ten connections."},
		{"ti", "The pool was made in 2023."},
		{"ti", "It began yesterday"},
		{"ti", "two weeks, and then more"},
		{"ti", "it ends in May"},
		{"i", "it may end"},
		{"i", "port 8080, 123 or 20234"},
		{"ti", "the May\u2019s release"},
		{"ti", "they met \u201cyesterday\u201d"},
		{"ti", "2019\u20132021"},
		{"ti", "the day\u2014any\u2026"},
		{"ti", "\u2039today\u203a \u00abthen\u00bb"},
		{"i", "the day\u00e9 and \u00e9may"},
	};

	check_texts(texts, ARRAY_LEN(texts));
}

static void test_names(void)
{
	static const char *const texts[][2] = {
		{"ni", "the flight to Lisbon is late"},
		{"i", "Lisbon is far. Paris is near! Rome: far"},
		{"i", "the API and a B"},
		{"si", "then I went"},
		{"ti", "on Monday, in March"},
		{"ni", "say Konstantinopolitanische twice"},
		{"i", "first line\nSecond line"},
		{"i", "He said \u201cPlease go\u201d"},
		{"i", "\u201cIt is so.\u201d Then all of it went."},
		{"i", "It is so\u2026 Then it went"},
		{"ni", "the \u2018Lisbon\u2019 office"},
		{"ni", "it is \u2014 Lisbon"},
	};

	check_texts(texts, ARRAY_LEN(texts));
}

static void test_self(void)
{
	static const char *const texts[][2] = {
		{"si", "I\u2019m glad"},   {"si", "I've seen it"},
		{"si", "that is my cup"},  {"si", "what we do"},
		{"i", "myth, weld, iron"},
	};

	check_texts(texts, ARRAY_LEN(texts));
}

static void test_questions(void)
{
	static const char *const texts[][2] = {
		{"a", "How is it?"},
		{"a", "How is it? And what of the rest?  \n"},
		{"a", "How is it?\nAnd what of the rest?\n"},
		{"ai", "It is late. How is it?"},
		{"i", "How is it? It is late."},
		{"a", "Wow! How is it?"},
		{"a", "\u201cHow is it?\u201d And who is there?"},
		{"ai", "So it is\u2026 How is it?"},
		{"", "\u2014 \u2026"},
		{"i", "How is it? 3.5"},
		{"ai", "\u4f60\u597d\uff1f"},
		{"", ""},
		{"", "?!."},
		{"", "\u2019"},
		{"", "How is it? \u2019\u2019"},
		{"", "Is it the users\u2019? \u2019"},
		{"i", "\u2019tis"},
	};

	check_texts(texts, ARRAY_LEN(texts));
	expect(traits_is_question("How is it? \r\n", 13), "blanks may follow");
}

static void test_kinds(void)
{
	static const char *const texts[][2] = {
		{"ih", "One title\n\nand its text"},
		{"i", "One title\nand its text"},
		{"i", "One title\n\n"},
		{"ic", "int f(int x)\n{\n\treturn g(x, 2);\n}\n"},
		{"ic", "def f(self, x):\n    y = self.g(x)\n    return y[0]\n"},
		{"i", "run f(x) and g(y); see [1]"},
		{"im", "rank: find dates"},
		{"ihm", "rank: find dates\n\nin each form"},
		{"im", "feat(api)!: Let it go"},
		{"im", "Fix the parser"},
		{"im", "More of it (#12)"},
		{"ihm", "More of it\n\nSigned-off-by: x"},
		{"i", "Fix the parser by hand each time."},
		{"ih", "Fix the parser by hand.\n\nEach time"},
		{"ihm",
		 "More of the words of it (#12)\n\nEach time that it is late"},
		{"i", "Fix the parser\nby hand"},
		{"i", "Note: it is late"},
		{"i", "More of it (12)"},
		{"ih", "More of it\n\nSee: x"},
	};

	check_texts(texts, ARRAY_LEN(texts));
}

static void test_wanted(void)
{
	static const char *const questions[][2] = {
		{"t", "When did it begin?"},
		{"t", "and when was that"},
		{"", "What is done when it rains?"},
		{"t", "For how long did it rain?"},
		{"t", "On what date was it?"},
		{"t", "in which year"},
		{"n", "Where is it?"},
		{"n", "Tell me who was there"},
		{"", "the one who came"},
		{"n", "Which city did she like?"},
		{"n", "what book"},
		{"", "what booklet"},
		{"", "which of them"},
		{"tn", "When and where is it?"},
		{"n", "Where are the users\u2019 files?"},
		{"n", "\u2019 where is it\u2019"},
		{"n", "\u201cWhere is it\u201d"},
		{"n", "so \u2014 where is it"},
		{"t", "when\u2019s the teams\u2019\u2019 day"},
		{"", "\u2019"},
		{"", ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(questions); i++)
		check(questions[i][0],
		      traits_wanted(questions[i][1], strlen(questions[i][1])),
		      questions[i][1]);
}

static const struct unit_test tests[] = {
	{"months, years and words like yesterday are words for a time",
	 test_times},
	{"a capitalized word inside a sentence is a name", test_names},
	{"I, my and we show that the author speaks of themselves", test_self},
	{"a text is classified as asking, informing, or both", test_questions},
	{"code, commits and titles are recognized by their form", test_kinds},
	{"a question wants a time, a name, or neither", test_wanted},
};

int main(void)
{
	return unit_run(tests, ARRAY_LEN(tests));
}
