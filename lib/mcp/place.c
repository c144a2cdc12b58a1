/* place.c: the records are sorted, by id and the project's before the user's,
 * and many: their lines are looked at from the end, and not parsed.
 */
#include "mcp/place.h"

#include <inttypes.h>

#define ID "{\"id\":"
#define GLOBAL "\"scope\":\"global\""

const char *mcp_place_format(struct mcp_place at, char text[MCP_PLACE_TEXT])
{
	snprintf(text, MCP_PLACE_TEXT, "%" PRId64 "%c", at.id,
		 at.scope == SCOPE_GLOBAL ? 'g' : 'p');
	return text;
}

bool mcp_place_parse(struct mcp_place *at, const char *text)
{
	const size_t digits = strspn(text, "0123456789");
	char again[MCP_PLACE_TEXT];

	if (!digits || digits > 9 ||
	    (text[digits] != 'p' && text[digits] != 'g'))
		return false;
	at->id = strtoll(text, NULL, 10);
	at->scope = text[digits] == 'g' ? SCOPE_GLOBAL : SCOPE_PROJECT;
	return !strcmp(mcp_place_format(*at, again), text);
}

size_t mcp_place_last(const char *p, size_t len)
{
	if (len && p[len - 1] == '\n')
		len--;
	while (len && p[len - 1] != '\n')
		len--;
	return len;
}

/* True if the record on the line P stands before AT. */
static bool is_before(const char *p, size_t len, struct mcp_place at)
{
	int64_t id = 0;

	if (len > strlen(ID) && !memcmp(p, ID, strlen(ID)))
		id = strtoll(p + strlen(ID), NULL, 10);
	if (id != at.id)
		return id < at.id;
	/* In a string each quote stands behind a backslash. */
	return at.scope == SCOPE_GLOBAL &&
	       !memmem(p, len, GLOBAL, strlen(GLOBAL));
}

size_t mcp_place_before(const char *p, size_t len, struct mcp_place at)
{
	while (len) {
		const size_t start = mcp_place_last(p, len);

		if (is_before(p + start, len - start, at))
			break;
		len = start;
	}
	return len;
}
