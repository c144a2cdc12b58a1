/* robots.c: one pass over the lines, which applies the rules of the groups for
 * us and of those for all programs.
 *
 * Rules and path are normalized first: an escape that is not needed is decoded,
 * and bytes outside ASCII are escaped. A star matches as little as possible,
 * which is sufficient for a prefix, and linear.
 */
#include "fetch/robots.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <strings.h>

/* The decision of the groups of one kind. */
struct verdict {
	bool any; /* such a group exists */
	bool allow;
	size_t longest; /* length of the longest matching rule */
};

struct robots_parser {
	const struct buf *path;
	struct verdict us, all;
	bool for_us, for_all; /* the current group applies to them */
	bool rules;	      /* it has had a rule */
	struct buf rule;
};

static bool is_unreserved(uint32_t c)
{
	return c > 32 && c < 127 &&
	       (strchr("-._~", (int)c) || (c >= '0' && c <= '9') ||
		((c | 32) >= 'a' && (c | 32) <= 'z'));
}

static void append_normalized(struct buf *out, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		uint32_t c = (unsigned char)p[i];
		bool escape = c >= 127;

		if (c == '%' && len - i > 2 && utf8_hex(p + i + 1, 2, &c)) {
			escape = !is_unreserved(c);
			i += 2;
		}
		if (escape)
			buf_addf(out, "%%%02X", (unsigned)c);
		else
			buf_addc(out, (char)c);
	}
}

/* Return true if RULE matches the start of PATH. */
static bool matches_rule(const struct buf *rule, const struct buf *path)
{
	const char *p = buf_str(path), *r = buf_str(rule);
	const char *end = p + path->len, *last = r + rule->len;
	const bool whole = rule->len && last[-1] == '$';
	bool first = true;

	last -= whole;
	for (;;) {
		const char *star = memchr(r, '*', (size_t)(last - r));
		const size_t len = (size_t)((star ? star : last) - r);
		const char *at = p;

		if ((size_t)(end - p) < len)
			return false;
		if (first)
			at = memcmp(p, r, len) ? NULL : p;
		else if (!star && whole)
			at = memcmp(end - len, r, len) ? NULL : end - len;
		else if (len)
			at = memmem(p, (size_t)(end - p), r, len);
		if (!at)
			return false;
		p = at + len;
		if (!star)
			return !whole || p == end;
		r = star + 1;
		first = false;
	}
}

static void apply_rule(struct verdict *s, const struct buf *rule, bool allow)
{
	if (rule->len > s->longest || (rule->len == s->longest && allow)) {
		s->longest = rule->len;
		s->allow = allow;
	}
}

static void handle_rule(struct robots_parser *g, const char *p, size_t len,
			bool allow)
{
	g->rules = true;
	if (!len || (!g->for_us && !g->for_all))
		return;
	buf_cut(&g->rule, 0);
	append_normalized(&g->rule, p, len);
	if (!matches_rule(&g->rule, g->path))
		return;
	if (g->for_us)
		apply_rule(&g->us, &g->rule, allow);
	if (g->for_all)
		apply_rule(&g->all, &g->rule, allow);
}

/* Read a user-agent line. Several of them may begin one group. */
static void handle_agent(struct robots_parser *g, const char *p, size_t len)
{
	size_t name = 0;

	if (g->rules)
		g->for_us = g->for_all = g->rules = false;
	while (name < len && (p[name] == '-' || p[name] == '_' ||
			      ((p[name] | 32) >= 'a' && (p[name] | 32) <= 'z')))
		name++;
	if (name == strlen(ROBOTS_NAME) && !strncasecmp(p, ROBOTS_NAME, name))
		g->for_us = g->us.any = true;
	if (len && *p == '*')
		g->for_all = g->all.any = true;
}

static void handle_line(struct robots_parser *g, const char *p, size_t len)
{
	const char *colon, *hash = memchr(p, '#', len);
	size_t key;

	len = hash ? (size_t)(hash - p) : len;
	colon = memchr(p, ':', len);
	if (!colon)
		return;
	key = (size_t)(colon - p);
	len -= key + 1;
	colon++;
	utf8_strip(&p, &key);
	utf8_strip(&colon, &len);
	if (key == 10 && !strncasecmp(p, "user-agent", key))
		handle_agent(g, colon, len);
	else if (key == 5 && !strncasecmp(p, "allow", key))
		handle_rule(g, colon, len, true);
	else if (key == 8 && !strncasecmp(p, "disallow", key))
		handle_rule(g, colon, len, false);
}

bool robots_allow(const char *p, size_t len, const char *path)
{
	struct robots_parser g = {.us.allow = true, .all.allow = true};
	struct buf plain = {0};

	append_normalized(&plain, path, strlen(path));
	g.path = &plain;
	if (len > ROBOTS_MAX)
		len = ROBOTS_MAX;
	if (len >= 3 && !memcmp(p, "\xef\xbb\xbf", 3)) {
		p += 3;
		len -= 3;
	}
	while (len) {
		size_t line = 0;

		while (line < len && p[line] != '\n' && p[line] != '\r')
			line++;
		handle_line(&g, p, line);
		line += line < len;
		p += line;
		len -= line;
	}
	buf_release(&plain);
	buf_release(&g.rule);
	return (g.us.any ? &g.us : &g.all)->allow;
}
