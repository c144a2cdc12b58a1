/* request-mark.c: see request-mark.h. */
#include "text/request-mark.h"

bool request_mark_is_in(const char *p, size_t len)
{
	static const char name[] = "\n\n" REQUEST_MARK_NAME;
	static const char open[] = "\n\n<" REQUEST_MARK_TAG ">\n";
	const char *end = p + len, *at = p, *line;

	while ((at = memmem(at, (size_t)(end - at), name, sizeof(name) - 1))) {
		at += sizeof(name) - 1;
		line = memchr(at, '\n', (size_t)(end - at));
		if (line && (size_t)(end - line) >= sizeof(open) - 1 &&
		    !memcmp(line, open, sizeof(open) - 1))
			return true;
	}
	return false;
}
