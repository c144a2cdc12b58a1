/* media-type.c: parameters follow semicolons. Quotes need not be balanced. */
#include "text/media-type.h"

#include <strings.h>

#define BLANKS " \t"

const char *media_type_charset(const char *type, struct arena *a)
{
	static const char key[] = "charset=";

	for (const char *p = strchr(type, ';'); p; p = strchr(p, ';')) {
		size_t len;

		p++;
		p += strspn(p, BLANKS);
		if (strncasecmp(p, key, strlen(key)) != 0)
			continue;
		p += strlen(key);
		p += strspn(p, "\"'");
		len = strcspn(p, "\"';," BLANKS);
		return len ? arena_copy(a, p, len) : NULL;
	}
	return NULL;
}
