/* ground.c: the modules that all others use: mem, table, buf, err, utf8,
 * instant. */
#include "../expect.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/compat.h"
#include "base/err.h"
#include "base/instant.h"
#include "base/sha256.h"
#include "base/table.h"
#include "base/utf8.h"

#include <errno.h>
#include <sys/wait.h>

static void check_str(const char *got, const char *want)
{
	if (strcmp(got, want) != 0)
		expect_failed("failed: got '%s', wanted '%s'", got, want);
}

static void test_buf(void)
{
	struct buf b = {0};
	char *p;

	check_str(buf_str(&b), "");
	buf_cut(&b, 0);
	buf_adds(&b, "one");
	buf_addc(&b, '\0');
	buf_addf(&b, "%d", 23);
	expect(b.len == 6 && !memcmp(b.p, "one\00023", 7), "a NUL is kept");
	buf_cut(&b, 3);
	check_str(b.p, "one");
	for (int i = 0; i < 100000; i++)
		buf_addc(&b, 'x');
	expect(b.len == 100003 && b.p[b.len] == '\0', "the buffer grows");
	p = buf_take(&b);
	expect(!b.p && !b.len && p[100002] == 'x',
	       "the buffer is empty after buf_take()");
	free(p);
	p = buf_take(&b);
	check_str(p, "");
	free(p);
}

static void test_arena(void)
{
	struct arena a = {0};
	char *first = arena_strdup(&a, "first");
	char *big = arena_alloc(&a, 1 << 20);

	expect((uintptr_t)big % 16 == 0, "memory is aligned");
	expect(!big[0] && !big[(1 << 20) - 1], "memory is zeroed");
	memset(big, 'x', 1 << 20);
	check_str(first, "first");
	check_str(arena_printf(&a, "%s-%d", "a", 7), "a-7");
	check_str(arena_copy(&a, "abc", 2), "ab");
	arena_reset(&a);
	big = arena_alloc(&a, 64);
	expect(!big[0] && !big[63], "memory is zeroed again");
	arena_release(&a);
	expect(!a.blocks, "released, it is empty");
}

/* Return the number of entries for KEY and MORE in T. Set *THERE if I is
 * one. */
static size_t count(const struct table *t, const char *key, uint64_t more,
		    size_t i, bool *there)
{
	struct table_look k = table_look(t, key, strlen(key), more);
	size_t n = 0, found;

	*there = false;
	for (; table_next(&k, &found); n++)
		*there |= found == i;
	return n;
}

#define KEYS 20000

/* Put KEYS keys, printed by FMT, and drop every third. The table must find each
 * key that is left, no other, and almost no collision. */
static void test_keys(const char *fmt)
{
	struct table t = {0};
	struct arena a = {0};
	char **keys = mem_resize(NULL, KEYS, sizeof(*keys));
	size_t wrong = 0, found = 0;
	bool there;

	for (size_t i = 0; i < KEYS; i++) {
		keys[i] = arena_printf(&a, fmt, (int)i / 2);
		table_put(&t, keys[i], strlen(keys[i]), i % 2, i);
		found += count(&t, keys[i], i % 2, i, &there) - 1;
		wrong += !there;
	}
	for (size_t i = 0; i < KEYS; i += 3) {
		table_drop(&t, keys[i], strlen(keys[i]), i % 2, i);
		table_drop(&t, keys[i], strlen(keys[i]), i % 2, i);
	}
	for (size_t i = 0; i < KEYS; i++) {
		found += count(&t, keys[i], i % 2, i, &there);
		wrong += there != (i % 3 != 0);
	}
	expect(t.n == KEYS - (KEYS + 2) / 3, "the table counts");
	expect(!wrong, "the table finds every key and no other");
	expect(found >= t.n && found < t.n + 10, "keys do not collide");
	table_release(&t);
	arena_release(&a);
	free(keys);
}

static void test_table(void)
{
	struct table t = {0};
	bool there;

	expect(!count(&t, "a", 0, 0, &there), "an empty table is empty");
	table_drop(&t, "a", 1, 0, 0);
	for (size_t i = 0; i < 100; i++)
		table_put(&t, "a", 1, 0, i);
	expect(count(&t, "a", 0, 99, &there) == 100 && there,
	       "all entries of one key are found");
	expect(!count(&t, "a", 1, 0, &there),
	       "the number is a part of the key");
	expect(!count(&t, "", 0, 0, &there), "the bytes are a part of the key");
	table_release(&t);
	expect(!t.slots && !t.n, "released, it is empty");
	test_keys("%d");
	test_keys("0001-a-longer-name-of-a-memory-%d.md");
	/* hash_bytes() returns equal hashes for these keys with any seed. */
	test_keys("\xDB\x28\xB4\xA0\xD1\x7E\x03\xE7%08d--------");
}

static void test_err(void)
{
	static struct err e;
	char path[6000];

	expect(err_set(&e, ERR_DATA, "bad '%s'", "x") == -1, "it fails");
	expect(e.code == ERR_DATA, "the code is kept");
	check_str(e.text, "bad 'x'");
	errno = ENOENT;
	err_sys(&e, "cannot open '%s'", "y");
	check_str(e.text, "cannot open 'y': No such file or directory");
	for (size_t i = 0; i + 2 < sizeof(path); i += 2)
		memcpy(path + i, "\xC3\xA9", 2);
	path[sizeof(path) - 2] = '\0';
	err_set(&e, ERR_NO, "%s", path);
	expect(!strcmp(e.text + strlen(e.text) - 3, "...") &&
		       utf8_check(e.text, strlen(e.text)) == strlen(e.text),
	       "a long sentence is cut at a character");
	expect(err_set(NULL, ERR_NO, "nobody listens") == -1,
	       "NULL is allowed");
}

static void test_utf8(void)
{
	static const struct {
		const char *bytes;
		size_t len, good;
	} cases[] = {
		{"plain", 5, 5},
		{"\xC3\xA9", 2, 2},
		{"\xE6\x97\xA5", 3, 3},
		{"\xF0\x9F\xA6\x8A", 4, 4},
		{"a\xC0\xAF", 3, 1},	    /* overlong */
		{"\xE0\x80\x80", 3, 0},	    /* overlong */
		{"\xED\xA0\x80", 3, 0},	    /* surrogate */
		{"\xF4\x90\x80\x80", 4, 0}, /* beyond U+10FFFF */
		{"\xF0\x9F\xA6", 3, 0},	    /* cut short */
		{"ab\x80", 3, 2},	    /* lone continuation */
		{"\xFF\xFE", 2, 0},
	};
	static const char mixed[] = "a\xE6\x97\xA5z";
	const char *p = " \t x\0y \n";
	size_t len = 8, size;
	char out[4];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect(utf8_check(cases[i].bytes, cases[i].len) ==
			       cases[i].good,
		       cases[i].bytes);
	for (uint32_t c = 1; c < 0x110000; c += 7) {
		if (c >= 0xD800 && c <= 0xDFFF)
			continue;
		size = utf8_put(c, out);
		if (utf8_decode(out, size, &len) != c || len != size)
			expect(false, "encode and decode agree");
	}
	expect(utf8_cut(mixed, 5, 2) == 1 && utf8_cut(mixed, 5, 4) == 4 &&
		       utf8_cut(mixed, 5, 9) == 5,
	       "a cut never splits a character");
	expect(utf8_prefix(mixed, 5, 2) == 4, "characters are counted");
	expect(!utf8_is_ascii("0123456789012345678901234567890123\xC3", 35) &&
		       utf8_is_ascii("0123456789012345678901234567890123", 34),
	       "ASCII and other text are distinguished");
	len = 8;
	utf8_strip(&p, &len);
	expect(len == 3 && !memcmp(p, "x\0y", 3), "a NUL is not a blank");
}

/* Return the bytes that the first N characters of P take, counted one by
 * one. */
static size_t slow_prefix(const char *p, size_t len, size_t n)
{
	size_t i = 0, size;

	for (; n && i < len; n--, i += size)
		utf8_decode(p + i, len - i, &size);
	return i;
}

/* Characters of three bytes are handled in pairs. Try every possible lead byte,
 * whole and broken, between others. */
static void test_wide(void)
{
	static const unsigned char of[] = {0xE0, 0xE1, 0xE4, 0xE9, 0xEC,
					   0xED, 0xEE, 0xEF, 0xF0, 0x80,
					   0x9F, 0xA0, 0xBF, 0xC3, 'a'};
	uint32_t random = 1;
	char p[24];

	for (size_t round = 0; round < 200000; round++) {
		size_t wide = 0, n;

		for (size_t i = 0; i < sizeof(p); i++) {
			random = random * 1103515245 + 12345;
			/* Mostly three bytes of one character. */
			p[i] = (char)(random >> 28 ? i % 3 ? 0x80 | random >> 26
							   : 0xE0 | random >> 28
						   : of[(random >> 16) %
							ARRAY_LEN(of)]);
		}
		n = random >> 8 & 31;
		while (utf8_is_wide(p + wide, sizeof(p) - wide))
			wide += 3;
		if (utf8_wide(p, sizeof(p)) != wide ||
		    utf8_check(p, wide) != wide)
			expect(false, "wide characters are found in pairs");
		if (utf8_prefix(p, sizeof(p), n) !=
		    slow_prefix(p, sizeof(p), n))
			expect(false, "characters in pairs are counted");
	}
	expect(utf8_prefix("\xE6\x97\xA5\xE6\x97\xA5", 6, SIZE_MAX) == 6,
	       "a text may have fewer characters than requested");
}

static void test_instant(void)
{
	static const struct {
		const char *text;
		const char *utc; /* NULL: no such time */
	} cases[] = {
		{"2026-02-09T14:30:00Z", "2026-02-09T14:30:00Z"},
		{"2026-02-09T14:30:00", "2026-02-09T14:30:00Z"},
		{"2026-02-09T14:30:00.123456+00:00", "2026-02-09T14:30:00Z"},
		{"2026-02-09T00:30:00+09:00", "2026-02-08T15:30:00Z"},
		{"2026-02-09T23:30:00-0130", "2026-02-10T01:00:00Z"},
		{"2024-02-29T12:00:00+01", "2024-02-29T11:00:00Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
		{"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"},
		{"9999-12-31T23:59:59-23:59", NULL},
		{"0001-01-01T00:00:00+01:00", NULL},
		{"2000-02-29T12:00:00Z", "2000-02-29T12:00:00Z"},
		{"1900-02-28T23:59:59Z", "1900-02-28T23:59:59Z"},
		{"1900-02-29T12:00:00Z", NULL},
		{"2100-02-29T12:00:00Z", NULL},
		{"2026-02-29T12:00:00Z", NULL},
		{"2026-13-01T12:00:00Z", NULL},
		{"2026-00-10T12:00:00Z", NULL},
		{"2026-02-09T24:00:00Z", NULL},
		{"2026-02-09T12:60:00Z", NULL},
		{"2026-02-09", NULL},
		{"2026-02-09 12:00:00", NULL},
		{"2026-02-09T12:00:00junk", NULL},
		{"2026-02-09T12:00:00.", NULL},
		{"2026-02-09T12:00:00+1", NULL},
		{"not-a-timestamp", NULL},
		{"", NULL},
	};
	struct instant a, b;
	char text[INSTANT_TEXT];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool ok =
			instant_parse(cases[i].text, strlen(cases[i].text), &a);

		expect(ok == !!cases[i].utc, cases[i].text);
		if (ok && cases[i].utc)
			check_str(instant_format(a, text), cases[i].utc);
	}
	instant_parse("2026-02-09T15:00:00+09:00", 25, &a);
	instant_parse("2026-02-09T14:30:00Z", 20, &b);
	expect(instant_cmp(a, b) < 0 && instant_cmp(b, a) > 0 &&
		       !instant_cmp(a, a),
	       "instants are compared, not strings");
	expect(instant_parse_day("2026-02-09", 10, &a),
	       "a day is its first instant");
	check_str(instant_format_name(a, text), "20260209T000000Z");
	expect(!instant_parse_day("2026-02-30", 10, &a), "a day must exist");
}

/* The digests are those of the examples of FIPS 180-4, and of a million
 * letters. */
static void test_sha256(void)
{
	static const struct {
		const char *text, *hex;
	} cases[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb924"
		     "27ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223"
			"b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "248d6a61d20638b8e5c026930c3e6039"
		 "a33ce45964ff2167f6ecedd419db06c1"},
	};
	char hex[SHA256_HEX];
	struct sha256 s;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		sha256_begin(&s);
		sha256_take(&s, cases[i].text, strlen(cases[i].text));
		check_str(sha256_end(&s, hex), cases[i].hex);
	}
	sha256_begin(&s);
	for (size_t i = 0, n; i < 1000000; i += n) {
		static const char letters[] =
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

		n = i % 95 + 1 < 1000000 - i ? i % 95 + 1 : 1000000 - i;
		sha256_take(&s, letters, n);
	}
	check_str(sha256_end(&s, hex), "cdc76e5c9914fb9281a1c7e284d73e67"
				       "f1809a48a497200e046d39ccc7112cd0");
}

/* Only file systems known to stamp exactly are trusted. */
static void test_stamps(void)
{
	const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	expect(proc < 0 || !compat_stamps_exactly(proc),
	       "/proc is not trusted");
	if (proc >= 0)
		close(proc);
}

static void multiply(void)
{
	mem_resize(NULL, SIZE_MAX / 4 + 2, 4);
}

static void add_up(void)
{
	struct buf b = {0};

	buf_addc(&b, 'a');
	buf_grow(&b, SIZE_MAX);
}

/* A size that overflows must not allocate a small block. */
static void test_overflow(void)
{
	void (*const fns[])(void) = {multiply, add_up};

	for (size_t i = 0; i < ARRAY_LEN(fns); i++) {
		const pid_t child = fork();
		int status = 0;

		if (!child) {
			close(STDERR_FILENO);
			fns[i]();
			_exit(0);
		}
		expect(waitpid(child, &status, 0) == child &&
			       WIFEXITED(status) && WEXITSTATUS(status) == 4,
		       "the process ends");
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"SHA-256 gives the published digests", test_sha256},
		{"stamps of an unknown file system are not trusted",
		 test_stamps},
		{"a size that is too large for memory ends the process",
		 test_overflow},
		{"bytes are appended, cut and taken, NULs included", test_buf},
		{"memory of an arena is aligned and zeroed, and released at "
		 "once",
		 test_arena},
		{"a table finds each of its keys and no other", test_table},
		{"an error has a code and a sentence, cut at a character",
		 test_err},
		{"UTF-8 is checked, decoded, cut and counted", test_utf8},
		{"characters of three bytes are found and counted in pairs",
		 test_wide},
		{"instants are read, compared and written, and bad dates "
		 "refused",
		 test_instant},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
