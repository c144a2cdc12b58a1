/* unicode.c: folding, slugs and character classes. */
#include "base/unicode.h"

#include "../expect.h"
#include "base/utf8.h"

static struct buf out;

static void fold(const char *text, const char *want)
{
	unicode_fold(&out, text, strlen(text), true);
	expect_buf(&out, text, want);
}

static void compose(const char *text, const char *want)
{
	unicode_fold(&out, text, strlen(text), false);
	expect_buf(&out, text, want);
}

static void slug(const char *text, const char *want)
{
	unicode_slug(&out, text, strlen(text));
	expect_buf(&out, text, want);
}

static void test_fold(void)
{
	fold("", "");
	fold("Hello, WORLD 12", "hello, world 12");
	fold("STRASSE straße STRAẞE", "strasse strasse strasse");
	fold("ISTANBUL İstanbul istanbul ıstanbul",
	     "istanbul istanbul istanbul "
	     "istanbul");
	fold("I\u0307stanbul i\u0307", "istanbul i");
	fold("I\u0323\u0307", "\u1ECB");
	fold("CAFÉ cafe\u0301 Cafe\u0301", "café café café");
	fold("ΑΣΣΟΣ ἀσσος", "ασσοσ ἀσσοσ");
	fold("ПРИВЕТ", "привет");
	fold("日本語 ﬁ K", "日本語 fi k");
	fold("\u1112\u1161\u11AB", "한");
	compose("CAFE\u0301 İ ß", "CAFÉ İ ß");
	compose("q\u0307\u0323", "q\u0323\u0307");
}

/* The quick checks are right for each character. */
static void test_become(void)
{
	char text[4];

	for (uint32_t c = 0x80; c < 0x110000; c++) {
		const size_t len = utf8_put(c, text);
		bool ascii = false, ideograph = false;
		size_t size;

		if (c >= 0xD800 && c <= 0xDFFF)
			continue;
		buf_cut(&out, 0);
		unicode_fold(&out, text, len, true);
		buf_addc(&out, ' ');
		unicode_fold(&out, text, len, false);
		for (size_t i = 0; i < out.len; i += size) {
			const uint32_t to =
				utf8_decode(out.p + i, out.len - i, &size);

			ascii |= to < 0x80 && to != ' ';
			ideograph |= to != c && to >= 0x4E00 && to <= 0x9FFF;
		}
		expect(!ascii || unicode_may_become_ascii(text, len),
		       "the check for ASCII is true");
		expect(!ideograph || unicode_may_become_ideograph(text, len),
		       "the check for ideographs is true");
	}
	buf_cut(&out, 0);
	expect(unicode_may_become_ascii("i\u0307x", 4),
	       "folding removes the dot");
	expect(!unicode_may_become_ascii("\u00E9t\u00E9 \u4E2D", 9),
	       "most characters stay");
}

static void check_lower(const char *text, const char *want)
{
	struct buf got = {0};

	unicode_lower(&got, text, strlen(text));
	expect_buf(&got, text, want);
	buf_release(&got);
}

static void test_lower(void)
{
	check_lower("Python 3", "python 3");
	check_lower("Straße ÄÖÜ", "straße äöü");
	check_lower("İI", "ii");
	check_lower("CAFE\u0301", "caf\u00E9");
	check_lower("日本", "日本");
	check_lower("", "");
}

static void test_fold_bytes(void)
{
	unicode_fold(&out, "A\0\xFF\xC3", 4, true);
	expect(out.len == 8 && !memcmp(out.p, "a\0\xEF\xBF\xBD\xEF\xBF\xBD", 8),
	       "NULs stay and invalid bytes become U+FFFD");
	buf_cut(&out, 0);
}

/* Fold more marks than the window holds. No mark is lost, and the text stays
 * valid. */
static void test_fold_marks(void)
{
	struct buf text = {0};
	size_t marks = 0;

	buf_adds(&text, "a");
	for (int i = 0; i < 100000; i++)
		buf_adds(&text, i < 50000 ? "\u0301" : "\u0323");
	unicode_fold(&out, text.p, text.len, true);
	expect(utf8_check(out.p, out.len) == out.len,
	       "the result is valid UTF-8");
	for (size_t i = 0; i + 1 < out.len; i++)
		marks += !memcmp(out.p + i, "\u0301", 2) ||
			 !memcmp(out.p + i, "\u0323", 2);
	expect(marks >= 99998, "all marks are kept");
	buf_cut(&out, 0);
	buf_release(&text);
}

static void test_slug(void)
{
	slug("User prefers async/await", "user-prefers-async-await");
	slug("Uses SQLAlchemy 2.0", "uses-sqlalchemy-2-0");
	slug("  several   blanks  ", "several-blanks");
	slug("Café au lait", "cafe-au-lait");
	slug("Cafe\u0301 au lait", "cafe-au-lait");
	slug("Straße", "strasse");
	slug("Łódź, Øre, đak, Æsir, Þór, œuvre",
	     "lodz-ore-dak-aesir-thor-oeuvre");
	slug("ısırgan İzmir", "isirgan-izmir");
	slug("ＦＵＬＬ width", "full-width");
	slug("日本語", "memory");
	slug("日本語 and test", "and-test");
	slug("", "memory");
	slug("../../etc/passwd", "etc-passwd");
	slug("-rf $(reboot) `id`", "rf-reboot-id");
	slug("\xFF\xFE \x1B[31m", "31m");
	slug("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	slug("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b",
	     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	slug("ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß",
	     "ssssssssssssssssssssssssssssssssssssssssssssssssss");
}

/* A slug of any character is a safe file name. */
static void test_slug_form(void)
{
	char text[4];

	for (uint32_t c = 1; c < 0x110000; c++) {
		size_t i = 0;

		if (c >= 0xD800 && c < 0xE000)
			continue;
		unicode_slug(&out, text, utf8_put(c, text));
		while (i < out.len &&
		       (out.p[i] == '-' ? i > 0 && i + 1 < out.len &&
						  out.p[i - 1] != '-'
					: strchr("abcdefghijklmnopqrstuv"
						 "wxyz0123456789",
						 out.p[i]) != NULL))
			i++;
		if (i < out.len || !out.len || out.len > 50) {
			expect_failed("failed: U+%04X became '%s'", (unsigned)c,
				      out.p);
		}
		buf_cut(&out, 0);
	}
}

static void test_classes(void)
{
	expect(unicode_is_word('a') && unicode_is_word(0x0939) &&
		       unicode_is_word(0x0301) && !unicode_is_word('-') &&
		       !unicode_is_word(0x3002),
	       "words are made of letters, digits and marks");
	expect(unicode_is_foreign(0x0928) && unicode_is_foreign(0x4E00) &&
		       unicode_is_foreign(0x094D) && !unicode_is_foreign('a') &&
		       !unicode_is_foreign(0xE9) && !unicode_is_foreign(0x301),
	       "letters that are not Latin are foreign");
	expect(unicode_is_emoji(0x1F600) && unicode_is_emoji(0x2764) &&
		       unicode_is_emoji(0x1F3FD) && !unicode_is_emoji('1'),
	       "emoji are recognized");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"letters of every script are folded and composed", test_fold},
		{"characters that may fold to ASCII or an ideograph are known",
		 test_become},
		{"letters of every script become lower case", test_lower},
		{"folding keeps NULs and replaces invalid bytes",
		 test_fold_bytes},
		{"folding loses no mark of a very long sequence",
		 test_fold_marks},
		{"a slug has the letters and digits with a Latin form",
		 test_slug},
		{"a slug has only lower case ASCII and single dashes",
		 test_slug_form},
		{"words, foreign letters and emoji are distinguished",
		 test_classes},
	};
	const int status = unit_run(tests, ARRAY_LEN(tests));

	buf_release(&out);
	return status;
}
