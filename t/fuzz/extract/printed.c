/* printed.c: any text as the pages that a helper read.
 *
 * Holds: it becomes longer by ends of lines alone; what is UTF-8 stays that; no page ends are left, and one page has all of its words.
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
	must(out.len <= 2 * len + 1, "it is not much longer");
	must(!out.len || !memchr(out.p, '\f', out.len), "it is one page");
	must(utf8_check(p, len) < len || !out.len ||
		     utf8_check(out.p, out.len) == out.len,
	     "UTF-8 stays that");
	len = strcspn(p, "\f\xc2\xe2");
	printed_add(&page, p, len);
	utf8_strip(&p, &len);
	must(memmem(buf_str(&page), page.len, p, len), "a page is whole");
	buf_release(&out);
	buf_release(&page);
	arena_release(&a);
	return 0;
}
