/* robots.c: a path in the first line, and any bytes as a robots.txt after it.
 *
 * Properties: groups for other agents and other line ends do not change the
 * result; unnecessary escapes have no effect; a file that forbids everything
 * forbids the path.
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
	must(allows(&other, path) == said,
	     "a group for other agents has no effect");
	buf_cut(&other, 0);
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\n')
			buf_addc(&other, '\r');
		buf_addc(&other, p[i]);
	}
	must(allows(&other, path) == said, "line ends have no effect");
	for (const char *c = path; *c; c++) {
		if ((*c | 32) >= 'a' && (*c | 32) <= 'z' &&
		    !(c > path &&
		      (c[-1] == '%' || (c > path + 1 && c[-2] == '%'))))
			buf_addf(&escaped, "%%%02x", (unsigned)*c);
		else
			buf_addc(&escaped, *c);
	}
	must(allows(&text, buf_str(&escaped)) == said,
	     "an unnecessary escape has no effect");
	buf_cut(&other, 0);
	buf_adds(&other, "user-agent: *\ndisallow: /\n");
	must(!allows(&other, path),
	     "a file that forbids everything forbids the path");
	buf_release(&text);
	buf_release(&other);
	buf_release(&escaped);
	arena_release(&a);
	return 0;
}
