/* zstd-read.c: read valid, torn and hostile frames, with or without the
 * library. */
#include "reader/reader.h"
#include "reader/zstd-read.h"

#include "../expect.h"

#define MAGIC "\x28\xb5\x2f\xfd"
#define WINDOW_128K "\x00\x38" /* no size, no checksum */
#define WINDOW_16M "\x00\x70"
#define LAST_RAW_5 "\x29\x00\x00" /* an uncompressed block of 5 bytes */
#define HELLO MAGIC WINDOW_128K LAST_RAW_5 "hello"
#define MAX ((size_t)1024 * 1024)

/* "tabs " 400 times, as zstd -3 compresses it. */
static const char tabs[] = "\x28\xb5\x2f\xfd\x64\xd0\x06\x65\x00\x00\x28\x74"
			   "\x61\x62\x73\x20\x01\x00\xc8\xe3\x2f\x5a\x8f\x5d"
			   "\x8d\xcd";

static struct buf out;

/* Return the error of decompressing the LEN bytes of P, or ERR_NONE. */
static enum err_code result(const char *p, size_t len)
{
	struct err e = {0};

	buf_cut(&out, 0);
	return zstd_read(&out, p, len, MAX, &e) < 0 ? e.code : ERR_NONE;
}

#define RESULT(text) result(text, sizeof(text) - 1)

static bool has_library(void)
{
	struct buf name = {0};
	bool has;

	reader_library(&name);
	has = strcmp(buf_str(&name), "no zstd") != 0;
	buf_release(&name);
	return has;
}

static void test_frames(void)
{
	struct buf want = {0};

	if (!has_library()) {
		expect(RESULT(HELLO) == ERR_SYSTEM, "no frame is read");
		return;
	}
	expect(RESULT(HELLO) == ERR_NONE, "an uncompressed block");
	expect_buf(&out, "HELLO", "hello");
	for (int i = 0; i < 400; i++)
		buf_adds(&want, "tabs ");
	expect(RESULT(tabs) == ERR_NONE, "a compressed block");
	expect_buf(&out, "tabs", buf_str(&want));
	buf_release(&want);
}

static void test_damage(void)
{
	if (!has_library())
		return;
	for (size_t n = 0; n < sizeof(HELLO) - 1; n++)
		expect(result(HELLO, n) == ERR_DATA, "a torn frame");
	for (size_t n = 0; n < sizeof(tabs) - 1; n++)
		expect(result(tabs, n) == ERR_DATA, "a torn frame");
	expect(RESULT("{\"version\": 1}") == ERR_DATA, "not a frame");
	expect(RESULT(HELLO HELLO) == ERR_DATA, "two frames");
	expect(RESULT(HELLO "\n") == ERR_DATA, "bytes after its end");
	expect(RESULT("\x27\xb5\x2f\xfd" WINDOW_128K LAST_RAW_5 "hello") ==
		       ERR_DATA,
	       "a format from before version 1.0");
}

static void test_limits(void)
{
	struct buf bomb = {0};

	if (!has_library())
		return;
	expect(RESULT(MAGIC WINDOW_16M LAST_RAW_5 "hello") == ERR_SYSTEM,
	       "a window that takes much memory");
	buf_add(&bomb, MAGIC WINDOW_128K, 6);
	/* Blocks of 128 KiB that repeat one byte. */
	for (int i = 0; i < 100000; i++)
		buf_add(&bomb, "\x02\x00\x10 ", 4);
	expect(result(bomb.p, bomb.len) == ERR_SYSTEM, "more than the limit");
	expect(out.len < 2 * MAX, "little more than the limit is written");
	buf_release(&bomb);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a frame is decompressed, or refused without the library",
		 test_frames},
		{"a frame that is torn, or not the only one, is refused",
		 test_damage},
		{"a frame cannot take more memory than the limits",
		 test_limits},
	};
	const int status = unit_run(tests, ARRAY_LEN(tests));

	buf_release(&out);
	return status;
}
