/* sections.c: one pass through the blocks of a file. */
#include "mining/sections.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "sys/file.h"
#include "text/markdown.h"

#include <strings.h>

/* Return the number of line ends in the LEN bytes of P. */
static size_t count_lines(const char *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += p[i] == '\n';
	return n;
}

bool sections_has_word(const char *text, const char *const *words)
{
	for (; *words; words++) {
		for (const char *p = text; *p; p++) {
			if (!strncasecmp(p, *words, strlen(*words)) &&
			    (p == text || !ascii_is_letter(p[-1])))
				return true;
		}
	}
	return false;
}

size_t sections_line(const struct section *s, size_t at)
{
	return s->first + count_lines(s->p + s->heading, at - s->heading);
}

/* Append the LEN bytes of P without tags such as <a name="x">. */
static void add_untagged(struct buf *out, const char *p, size_t len)
{
	const char *end = p + len;

	while (p < end) {
		const char *tag = memchr(p, '<', (size_t)(end - p));
		const char *close =
			tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;

		buf_add(out, p, (size_t)((close ? tag : end) - p));
		p = close ? close + 1 : end;
	}
}

void sections_set_title(char title[SECTION_TITLE_MAX + 1], const char *p,
			size_t len)
{
	struct buf words = {0}, plain = {0};

	len = utf8_cut(p, len, 4 * SECTION_TITLE_MAX);
	add_untagged(&plain, p, len);
	markdown_words(&words, buf_str(&plain), plain.len);
	p = buf_str(&words);
	len = words.len;
	utf8_strip(&p, &len);
	len = utf8_cut(p, len, SECTION_TITLE_MAX);
	memcpy(title, p, len);
	title[len] = '\0';
	for (size_t i = 0; i < len; i++)
		title[i] = title[i] == '\n' ? ' ' : title[i];
	buf_release(&plain);
	buf_release(&words);
}

/* Find where the text of the file in S begins. */
static void skip_frontmatter(struct section *s)
{
	const char *end;

	if (s->len < 4 || strncmp(s->p, "---\n", 4) != 0)
		return;
	end = strstr(s->p + 3, "\n---\n");
	if (!end)
		return;
	s->body = (size_t)(end - s->p) + strlen("\n---\n");
	s->body_line = count_lines(s->p, s->body);
}

/* The name of the file is the title of the text before the first heading. */
static void enter_file(struct section *s)
{
	const char *name = file_name_of(s->path);

	sections_set_title(s->title, name, strcspn(name, "."));
	s->heading = s->start = s->end = s->body;
	s->first = s->body_line + 1;
}

/* Set the title of S from the heading B, and the ones above it. */
static void enter_heading(struct section *s, const struct block *b)
{
	s->level = b->level;
	sections_set_title(s->title, b->text, b->text_len);
	memcpy(s->above[b->level], s->title, sizeof(s->title));
	for (int i = b->level + 1; i <= SECTION_LEVELS; i++)
		s->above[i][0] = '\0';
	s->heading = s->body + b->start;
	s->start = s->end = s->heading + b->len;
	s->first = s->body_line + b->line + 1;
}

void sections_add_title(struct buf *out, const struct section *s)
{
	int level = s->level - 1;

	while (level > 1 && !s->above[level][0])
		level--;
	if (level > 1)
		buf_addf(out, "%s: ", s->above[level]);
	buf_adds(out, s->title);
}

void sections_each(struct section *s, section_fn *fn, void *ctx)
{
	struct markdown m;
	struct block b;

	skip_frontmatter(s);
	enter_file(s);
	markdown_start(&m, s->p + s->body, s->len - s->body);
	while (markdown_next(&m, &b)) {
		if (b.kind == BLOCK_HEADING && !b.depth) {
			if (s->level || s->end > s->start)
				fn(ctx, s);
			enter_heading(s, &b);
		} else {
			s->end = s->body + b.start + b.len;
		}
	}
	if (s->level || s->end > s->start)
		fn(ctx, s);
}

/* Append the LEN bytes of P, with one blank line where there are several, and no blanks
 * at the ends of lines. */
static void add_lines(struct buf *out, const char *p, size_t len)
{
	const char *end = p + len;
	bool blank = true;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((stop ? stop : end) - p);

		while (n && strchr(" \t\r", p[n - 1]))
			n--;
		buf_add(out, p, n);
		if (stop && (n || !blank))
			buf_adds(out, "\n");
		blank = !n;
		p = stop ? stop + 1 : end;
	}
}

void sections_add_part(struct candidates *c, const struct section *s,
		       const struct part *part, const char *title,
		       enum candidate_kind kind, int points)
{
	const char *p = s->p + part->start;
	size_t len = part->end - part->start;
	struct buf text = {0}, cite = {0};
	const size_t last = part->line + count_lines(p, len);

	while (len && p[0] == '\n') {
		p++;
		len--;
	}
	while (len && strchr(" \t\r\n", p[len - 1]))
		len--;
	buf_addf(&text, "%s\n\n", title);
	add_lines(&text, p, len);
	buf_addf(&cite, "%s:%zu-%zu", s->path, part->first, last);
	candidates_add(c, &(struct candidate){.kind = kind,
					      .text = text.p,
					      .len = text.len,
					      .cite = cite.p,
					      .points = points});
	buf_release(&text);
	buf_release(&cite);
}
