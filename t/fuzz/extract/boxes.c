/* boxes.c: any bytes as the words of a printed document, with their boxes.
 *
 * Properties: UTF-8 stays UTF-8; pages end with form feeds; the result is not
 * longer than the input, except for marks.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "extract/printed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	struct arena a = {0};
	struct buf out = {0}, whole = {0};

	p = len ? arena_copy(&a, p, len) : "";
	printed_are_boxes(p, len);
	printed_boxes_are_reversed(p, len);
	printed_add_boxes(&out, p, len);
	must(out.len && out.p[out.len - 1] == '\f', "a page ends");
	must(out.len <= 2 * len + 1, "the result is not much longer");
	must(utf8_check(p, len) < len || utf8_check(out.p, out.len) == out.len,
	     "UTF-8 stays UTF-8");
	printed_add(&whole, out.p, out.len);
	must(!whole.len || !memchr(whole.p, '\f', whole.len),
	     "printed_add() removes all form feeds");
	buf_release(&out);
	buf_release(&whole);
	arena_release(&a);
	return 0;
}
