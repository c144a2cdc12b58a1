/* printed.c: any text as the pages that a helper read.
 *
 * Properties: the text grows only by ends of lines; UTF-8 stays UTF-8; no page
 * ends are left; a single page keeps all words.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "extract/printed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	struct arena a = {0};
	struct buf out = {0}, page = {0};

	p = len ? arena_copy(&a, p, len) : "";
	printed_add(&out, p, len);
	must(out.len <= 2 * len + 1, "the result is not much longer");
	must(!out.len || !memchr(out.p, '\f', out.len),
	     "the result has no page ends");
	must(utf8_check(p, len) < len || !out.len ||
		     utf8_check(out.p, out.len) == out.len,
	     "UTF-8 stays UTF-8");
	len = strcspn(p, "\f\xc2\xe2");
	printed_add(&page, p, len);
	utf8_strip(&p, &len);
	must(memmem(buf_str(&page), page.len, p, len),
	     "a single page keeps all words");
	buf_release(&out);
	buf_release(&page);
	arena_release(&a);
	return 0;
}
