/* json.c: any bytes as JSON.
 *
 * Properties: a value is written as one line of UTF-8 that reads back equal; a
 * stream of texts is read to its end, and each text moves the offset; invalid
 * JSON is refused with a line and a column.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "format/json-write.h"

static void must_name_place(const struct err *e)
{
	int line, col, end = 0;

	must_be_error(e);
	must(sscanf(e->text, "%d:%d: %n", &line, &col, &end) == 2 && end,
	     "an error has a line and a column");
}

static void write_and_read(const struct value *v, struct arena *a)
{
	struct buf out = {0};
	struct value back;
	struct err e;

	must(json_write_value(&out, v, &e) == 0,
	     "a value that was read can be written");
	must(utf8_check(out.p, out.len) == out.len, "JSON is UTF-8");
	must(!memchr(out.p, '\n', out.len), "written JSON is one line");
	must(json_parse(out.p, out.len, a, &back, &e) == 0,
	     "written JSON can be read");
	must(value_equal(v, &back), "the values stay");
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena a = {0};
	struct value v;
	struct err e;
	size_t at = 0, before = 0, n = 0;
	int one = json_parse(text, size, &a, &v, &e), r;

	if (one < 0)
		must_name_place(&e);
	while ((r = json_parse_at(text, size, &at, &a, &v, &e)) > 0) {
		must(at > before && at <= size, "a stream moves on");
		before = at;
		write_and_read(&v, &a);
		n++;
	}
	if (r < 0)
		must_name_place(&e);
	must((one == 0) == (r == 0 && n == 1), "one text is a stream of one");
	arena_release(&a);
	return 0;
}
