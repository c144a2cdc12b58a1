/* robots.c: one pass over the lines, which applies the rules of the groups for
 * us and of those for all programs.
 *
 * Rules and path are normalized first: an escape that is not needed is decoded,
 * and bytes outside ASCII are escaped. A star matches as little as possible,
 * which is sufficient for a prefix, and linear.
 */
#include "fetch/robots.h"

#include "base/ascii.h"
#include "base/instant.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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
	return ascii_is_alnum((int)c) || (c && strchr("-._~", (int)c));
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

/* The cache. The name of a file is the hash of its site; its first line has the time
 * and the site. */

#define DAY (24 * 60 * 60)

/* Open the cache directory, creating it. Returns a descriptor, or -1. */
static int open_cache_dir(void)
{
	char *cache = NULL;
	struct buf path = {0};
	int fd = -1;

	if (dirs_cache(&cache, NULL) == 0) {
		buf_addf(&path, "%s/robots", cache);
		if (file_make_path(path.p, 0700, &fd, NULL) < 0)
			fd = -1;
	}
	free(cache);
	buf_release(&path);
	return fd;
}

static const char *hash_origin(const char *origin, char name[SHA256_HEX])
{
	return sha256_of(origin, strlen(origin), name);
}

/* Return true if the first line of TEXT has a time of the last 24 hours and
 * ORIGIN, and remove that line. */
static bool is_fresh(struct buf *text, const char *origin)
{
	const char *p = buf_str(text), *end = strchr(p, '\n');
	const size_t time = strcspn(p, " \n");
	const int64_t now = instant_now().sec;
	struct instant kept;

	if (!end || p[time] != ' ' || !instant_parse(p, time, &kept) ||
	    kept.sec > now || now - kept.sec >= DAY ||
	    (size_t)(end - p) != time + 1 + strlen(origin) ||
	    strncmp(p + time + 1, origin, strlen(origin)) != 0)
		return false;
	end++;
	memmove(text->p, end, text->len - (size_t)(end - p));
	buf_cut(text, text->len - (size_t)(end - p));
	return true;
}

bool robots_cache_get(const char *origin, struct buf *text)
{
	const int dir = open_cache_dir();
	char name[SHA256_HEX];
	bool found = false;

	if (dir < 0)
		return false;
	hash_origin(origin, name);
	found = file_read(dir, name, name, 2 * ROBOTS_MAX, text, NULL) == 1 &&
		is_fresh(text, origin);
	close(dir);
	return found;
}

static int remove_old(void *ctx, const char *name, enum file_kind kind)
{
	const int dir = *(int *)ctx;
	struct stat st;

	if (kind == FILE_REGULAR && *name != '.' &&
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    time(NULL) - st.st_mtime >= DAY)
		unlinkat(dir, name, 0);
	return 0;
}

void robots_cache_put(const char *origin, const struct buf *text)
{
	int dir = open_cache_dir();
	char name[SHA256_HEX], now[INSTANT_TEXT];
	struct buf file = {0};

	if (dir < 0)
		return;
	file_tidy(dir);
	file_walk(dir, "robots", remove_old, &dir, NULL);
	hash_origin(origin, name);
	buf_addf(&file, "%s %s\n", instant_format(instant_now(), now), origin);
	buf_add(&file, buf_str(text), text->len);
	if (file_create(dir, name, name, 0600, file.p, file.len, NULL) == 0)
		file_replace(dir, name, name, file.p, file.len, NULL);
	buf_release(&file);
	close(dir);
}
