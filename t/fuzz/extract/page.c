/* page.c: any bytes as an HTML page or plain text.
 *
 * Properties: the result is UTF-8 without NULs and CRs, within the limit.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "extract/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	static const char *const types[] = {"text/html",
					    "text/html; charset=shift_jis",
					    "text/plain", NULL};
	struct extract x = {.base = "https://example.org/a/b?c"};
	struct err e;

	if (!len)
		return 0;
	extract_load();
	x.said = types[p[0] & 3];
	x.whole = p[0] & 4;
	if (extract_text(&x, p + 1, len - 1, &e) == 0) {
		must(utf8_check(x.markdown.p, x.markdown.len) == x.markdown.len,
		     "the text is UTF-8");
		must(!memchr(x.markdown.p, 0, x.markdown.len) &&
			     !memchr(x.markdown.p, '\r', x.markdown.len),
		     "the text has no NULs and CRs");
	}
	extract_release(&x);
	return 0;
}
