/* headings.c: see headings.h.  Headings underlined with = or - are not known:
 * they are text.
 */
#include "headings.h"

#include "buf.h"
#include "utf8.h"

#define DEPTH 6

struct outline {
	struct buf names[DEPTH]; /* the headings that we are below */
	struct buf title;	 /* those joined */
	size_t open;		 /* marks of the fence that is open */
	char mark;
	section_fn *fn;
	void *ctx;
};

/* The level of the heading that the line P is: 0 for none; *NAME and *N are
 * what it says. */
static int heading(const char *p, size_t len, const char **name, size_t *n)
{
	size_t i = 0, level = 0;

	while (i < len && i < 3 && p[i] == ' ')
		i++;
	while (i + level < len && p[i + level] == '#')
		level++;
	i += level;
	if (!level || level > DEPTH ||
	    (i < len && p[i] != ' ' && p[i] != '\t' && p[i] != '\r'))
		return 0;
	*name = p + i;
	*n = len - i;
	utf8_strip(name, n);
	/* Closing marks are no part of it. */
	for (i = *n; i && (*name)[i - 1] == '#';)
		i--;
	if (!i || (*name)[i - 1] == ' ' || (*name)[i - 1] == '\t')
		*n = i;
	utf8_strip(name, n);
	return (int)level;
}

/* The length of the fence that the line P is, 0 for none; *MARK is its mark,
 * *BARE tells that nothing follows it. */
static size_t fence(const char *p, size_t len, char *mark, bool *bare)
{
	size_t i = 0, n = 0;

	*mark = 0;
	while (i < len && i < 3 && p[i] == ' ')
		i++;
	if (i == len || (p[i] != '`' && p[i] != '~'))
		return 0;
	*mark = p[i];
	while (i + n < len && p[i + n] == *mark)
		n++;
	p += i + n;
	len -= i + n;
	utf8_strip(&p, &len);
	*bare = !len;
	return n >= 3 ? n : 0;
}

static void enter(struct outline *o, int level, const char *name, size_t n)
{
	for (int i = level - 1; i < DEPTH; i++)
		buf_cut(&o->names[i], 0);
	buf_add(&o->names[level - 1], name, n);
	buf_cut(&o->title, 0);
	for (int i = 0; i < DEPTH; i++) {
		if (!o->names[i].len)
			continue;
		if (o->title.len)
			buf_adds(&o->title, " > ");
		buf_add(&o->title, o->names[i].p, o->names[i].len);
	}
}

/* Hand out the section from START to END; one without text only if LEAF. */
static int leave(struct outline *o, const char *start, const char *end,
		 bool leaf)
{
	struct section s = {buf_str(&o->title), start, (size_t)(end - start)};

	utf8_strip(&s.text, &s.len);
	if (!s.len && (!leaf || !o->title.len))
		return 0;
	return o->fn(o->ctx, &s);
}

/* Follow fenced code: true if the line P, of LEN bytes, is of it. */
static bool is_fenced(struct outline *o, const char *p, size_t len)
{
	bool bare;
	char mark;
	const size_t n = fence(p, len, &mark, &bare);

	if (!o->open) {
		o->open = n;
		o->mark = mark;
		return n > 0;
	}
	if (n >= o->open && mark == o->mark && bare)
		o->open = 0;
	return true;
}

static void release(struct outline *o)
{
	for (int i = 0; i < DEPTH; i++)
		buf_release(&o->names[i]);
	buf_release(&o->title);
}

int headings_each(const char *p, size_t len, section_fn *fn, void *ctx)
{
	const char *const end = p + len, *start = p, *next;
	struct outline o = {.fn = fn, .ctx = ctx};
	int r = 0, above = 0;

	for (; p < end && !r; p = next) {
		const char *stop = memchr(p, '\n', (size_t)(end - p)), *name;
		const size_t line = (size_t)((stop ? stop : end) - p);
		size_t n;
		int level;

		next = stop ? stop + 1 : end;
		if (is_fenced(&o, p, line))
			continue;
		level = heading(p, line, &name, &n);
		if (!level)
			continue;
		r = leave(&o, start, p, level <= above);
		enter(&o, level, name, n);
		above = level;
		start = next;
	}
	if (!r)
		r = leave(&o, start, end, true);
	release(&o);
	return r;
}
