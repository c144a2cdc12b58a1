/* unicode.c: any bytes as text: UTF-8, folding, slugs.
 *
 * Properties: a decoded character encodes to its bytes; a cut splits no
 * character; a folded text is UTF-8, and folding it again or in another case
 * changes nothing; the slug of a slug is itself.
 */
#include "../fuzz.h"

#include "base/unicode.h"
#include "base/utf8.h"

static void decode_all(const char *p, size_t len)
{
	size_t bad = utf8_check(p, len), size, first = len;
	char again[4];

	for (size_t i = 0; i < len; i += size) {
		uint32_t c = utf8_decode(p + i, len - i, &size);

		must(size >= 1 && size <= 4 && size <= len - i,
		     "a character has 1 to 4 bytes");
		if (c == UTF8_BAD) {
			must(size == 1, "an invalid byte has length 1");
			first = i < first ? i : first;
			continue;
		}
		must(utf8_put(c, again) == size && !memcmp(again, p + i, size),
		     "a character encodes to its bytes");
	}
	must(first == bad, "the first bad byte is found");
	must(!utf8_is_ascii(p, len) || bad == len, "ASCII is UTF-8");
}

/* Compute utf8_prefix(), one character after another. */
static size_t prefix(const char *p, size_t len, size_t n)
{
	size_t i = 0, size;

	for (; n-- && i < len; i += size)
		utf8_decode(p + i, len - i, &size);
	return i;
}

static void cut_all(const char *p, size_t len)
{
	const char *stripped = p;
	size_t left = len, bad = utf8_check(p, len);

	for (size_t max = 0; max <= len && max < 200; max++) {
		size_t cut = utf8_cut(p, len, max);

		must(cut <= max && max - cut < 4, "a cut is near its limit");
		must(bad < len || utf8_check(p, cut) == cut,
		     "a cut splits no character");
		must(utf8_prefix(p, len, max) == prefix(p, len, max),
		     "a prefix has the requested number of characters");
	}
	utf8_strip(&stripped, &left);
	must(stripped >= p && stripped + left <= p + len,
	     "stripping stays inside the text");
	must(!left || (!strchr(" \t\n\v\f\r", *stripped) || !*stripped),
	     "stripping leaves no blank at the start");
}

/* Return the length of the longest sequence of marks, including marks that fold
 * to a letter. Very long sequences are folded in pieces, so the order of marks
 * may not be canonical (see base/unicode.c). */
static size_t most_marks(const char *p, size_t len)
{
	size_t most = 0, n = 0, size;

	for (size_t i = 0; i < len; i += size) {
		uint32_t c = utf8_decode(p + i, len - i, &size);

		n = c != UTF8_BAD && unicode_may_compose(c) ? n + 1 : 0;
		most = n > most ? n : most;
	}
	return most;
}

static void fold(const char *p, size_t len, bool caseless)
{
	struct buf once = {0}, twice = {0};

	unicode_fold(&once, p, len, caseless);
	must(utf8_check(buf_str(&once), once.len) == once.len,
	     "a folded text is UTF-8");
	unicode_fold(&twice, buf_str(&once), once.len, caseless);
	must(most_marks(p, len) > 100 ||
		     (once.len == twice.len &&
		      (!once.len || !memcmp(once.p, twice.p, once.len))),
	     "folding twice changes nothing");
	buf_release(&once);
	buf_release(&twice);
}

static void slug(const char *p, size_t len)
{
	struct buf once = {0}, twice = {0};

	unicode_slug(&once, p, len);
	must(once.len >= 1 && once.len <= 50, "a slug has 1 to 50 bytes");
	must(strspn(once.p, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
		     once.len,
	     "a slug has letters, digits and dashes");
	must(*once.p != '-' && once.p[once.len - 1] != '-' &&
		     !strstr(once.p, "--"),
	     "a slug has single dashes, and none at its ends");
	unicode_slug(&twice, once.p, once.len);
	must(!strcmp(once.p, twice.p), "a slug is a slug of itself");
	buf_release(&once);
	buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size ? (const char *)data : "";
	int line, col;

	decode_all(text, size);
	cut_all(text, size);
	fold(text, size, true);
	fold(text, size, false);
	slug(text, size);
	utf8_place(text, size, &line, &col);
	must(line >= 1 && col >= 1 && (size_t)line + (size_t)col <= size + 2,
	     "an offset is inside the text");
	return 0;
}
