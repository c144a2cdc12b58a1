/* robots.c: one pass over the lines, which judges the rules of our groups and of
 * those for all as they come.
 *
 * Both a rule and the path are brought to one form first: what need not be an
 * escape is none, and what is outside of ASCII is one.  A star takes as little
 * as it can, which is enough for a prefix, and linear.
 */
#include "fetch/robots.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <strings.h>

/* What one kind of groups says of the path. */
struct says {
	bool any; /* there is such a group */
	bool allow;
	size_t longest; /* of the rules that match */
};

struct reading {
	const struct buf *path;
	struct says us, all;
	bool for_us, for_all; /* what the group is for */
	bool rules;	      /* a rule of it was seen */
	struct buf rule;
};

static bool is_unreserved(uint32_t c)
{
	return c > 32 && c < 127 &&
	       (strchr("-._~", (int)c) || (c >= '0' && c <= '9') ||
		((c | 32) >= 'a' && (c | 32) <= 'z'));
}

static void add_plain(struct buf *out, const char *p, size_t len)
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

/* True if PATH begins as RULE says. */
static bool matches(const struct buf *rule, const struct buf *path)
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

static void judge(struct says *s, const struct buf *rule, bool allow)
{
	if (rule->len > s->longest || (rule->len == s->longest && allow)) {
		s->longest = rule->len;
		s->allow = allow;
	}
}

static void take_rule(struct reading *g, const char *p, size_t len, bool allow)
{
	g->rules = true;
	if (!len || (!g->for_us && !g->for_all))
		return;
	buf_cut(&g->rule, 0);
	add_plain(&g->rule, p, len);
	if (!matches(&g->rule, g->path))
		return;
	if (g->for_us)
		judge(&g->us, &g->rule, allow);
	if (g->for_all)
		judge(&g->all, &g->rule, allow);
}

/* A group may be for several, each named in a line of its own. */
static void take_agent(struct reading *g, const char *p, size_t len)
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

static void take_line(struct reading *g, const char *p, size_t len)
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
		take_agent(g, colon, len);
	else if (key == 5 && !strncasecmp(p, "allow", key))
		take_rule(g, colon, len, true);
	else if (key == 8 && !strncasecmp(p, "disallow", key))
		take_rule(g, colon, len, false);
}

bool robots_allow(const char *p, size_t len, const char *path)
{
	struct reading g = {.us.allow = true, .all.allow = true};
	struct buf plain = {0};

	add_plain(&plain, path, strlen(path));
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
		take_line(&g, p, line);
		line += line < len;
		p += line;
		len -= line;
	}
	buf_release(&plain);
	buf_release(&g.rule);
	return (g.us.any ? &g.us : &g.all)->allow;
}
