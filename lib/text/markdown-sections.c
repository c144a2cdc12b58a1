/* markdown-sections.c: see markdown-sections.h. */
#include "text/markdown-sections.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "text/markdown.h"

#define DEPTH 6

struct outline {
	struct buf names[DEPTH]; /* the headings that we are below */
	struct buf title;	 /* those joined */
	markdown_section_fn *fn;
	void *ctx;
};

/* Append the LEN bytes of P, which may stand on several lines, on one. */
static void add_name(struct buf *out, const char *p, size_t len)
{
	for (const char *nl; (nl = memchr(p, '\n', len));) {
		const char *line = p;
		size_t n = (size_t)(nl - p);

		p += n + 1;
		len -= n + 1;
		utf8_strip(&line, &n);
		buf_add(out, line, n);
		buf_addc(out, ' ');
	}
	utf8_strip(&p, &len);
	buf_add(out, p, len);
}

static void enter(struct outline *o, int level, const char *name, size_t n)
{
	for (int i = level - 1; i < DEPTH; i++)
		buf_cut(&o->names[i], 0);
	add_name(&o->names[level - 1], name, n);
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
	struct markdown_section s = {buf_str(&o->title), start,
				     (size_t)(end - start)};

	utf8_strip(&s.text, &s.len);
	if (!s.len && (!leaf || !o->title.len))
		return 0;
	return o->fn(o->ctx, &s);
}

static void release(struct outline *o)
{
	for (int i = 0; i < DEPTH; i++)
		buf_release(&o->names[i]);
	buf_release(&o->title);
}

int markdown_sections_each(const char *p, size_t len, markdown_section_fn *fn,
			   void *ctx)
{
	struct outline o = {.fn = fn, .ctx = ctx};
	const char *start = p;
	int r = 0, above = 0;
	struct markdown m;
	struct block b;

	markdown_start(&m, p, len);
	while (!r && markdown_next(&m, &b)) {
		if (b.kind != BLOCK_HEADING || b.depth)
			continue;
		r = leave(&o, start, p + b.start, b.level <= above);
		enter(&o, b.level, b.text, b.text_len);
		above = b.level;
		start = p + b.start + b.len;
	}
	if (!r)
		r = leave(&o, start, p + len, true);
	release(&o);
	return r;
}
