/* robots.c: a path in the first line, and any bytes as a robots.txt behind it.
 *
 * Holds: neither a group for others nor other ends of lines change the answer;
 * escapes that need not be are none; who forbids all and no more forbids it.
 */
#include "../fuzz.h"

#include "fetch/robots.h"

static bool allows(const struct buf *text, const char *path)
{
	return robots_allow(buf_str(text), text->len, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	struct arena a = {0};
	struct buf text = {0}, other = {0}, escaped = {0};
	size_t line;
	const char *path =
		arena_printf(&a, "/%s", fuzz_line(&p, &len, &line, &a));
	bool said;

	buf_add(&text, p, len);
	said = allows(&text, path);
	buf_add(&other, p, len);
	buf_adds(&other, "\nAllow:\nUser-agent: other\nDisallow: /\n");
	must(allows(&other, path) == said, "a group for others is not for us");
	buf_cut(&other, 0);
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\n')
			buf_addc(&other, '\r');
		buf_addc(&other, p[i]);
	}
	must(allows(&other, path) == said, "ends of lines are the same");
	for (const char *c = path; *c; c++) {
		if ((*c | 32) >= 'a' && (*c | 32) <= 'z' &&
		    !(c > path &&
		      (c[-1] == '%' || (c > path + 1 && c[-2] == '%'))))
			buf_addf(&escaped, "%%%02x", (unsigned)*c);
		else
			buf_addc(&escaped, *c);
	}
	must(allows(&text, buf_str(&escaped)) == said,
	     "an escape is what it is");
	buf_cut(&other, 0);
	buf_adds(&other, "user-agent: *\ndisallow: /\n");
	must(!allows(&other, path), "what is forbidden is not allowed");
	buf_release(&text);
	buf_release(&other);
	buf_release(&escaped);
	arena_release(&a);
	return 0;
}
