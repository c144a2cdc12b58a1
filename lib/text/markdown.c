/* markdown.c: a line is processed in three steps, as CommonMark describes:
 * match the open containers (list items and quotes), open new ones, and add the
 * rest to a block.
 *
 * Known limits: link definitions are text, so an underlined one becomes a
 * heading; a carriage return without a newline ends no line; beyond
 * MARKDOWN_DEEP, container markers are text.
 */
#include "text/markdown.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/html.h"

#define TAB 4
#define CODE 4	 /* columns that make indented code */
#define LEVELS 6 /* of headings */

/* A line and the read position. Tabs count as columns, as in CommonMark. */
struct line {
	const char *p;
	size_t len;
	size_t i, column;	  /* read position, maybe within a tab */
	size_t word, word_column; /* the next byte that is not blank */
};

static void find_nonblank(struct line *l)
{
	if (l->word < l->i) {
		l->word = l->i;
		l->word_column = l->column;
	}
	for (; l->word < l->len && ascii_is_blank(l->p[l->word]); l->word++)
		l->word_column +=
			l->p[l->word] == '\t' ? TAB - l->word_column % TAB : 1;
}

static size_t indent_columns(const struct line *l)
{
	return l->word_column - l->column;
}

static bool is_blank_line(const struct line *l)
{
	return l->word == l->len;
}

/* Advance over N columns of blanks, or fewer if there are no more. */
static void skip_columns(struct line *l, size_t n)
{
	while (n && l->i < l->word) {
		const size_t width =
			l->p[l->i] == '\t' ? TAB - l->column % TAB : 1;

		if (width > n) {
			l->column += n;
			return;
		}
		l->column += width;
		l->i++;
		n -= width;
	}
}

/* Advance over a marker of N bytes at the next word. */
static void skip_mark(struct line *l, size_t n)
{
	l->i = l->word + n;
	l->column = l->word_column + n;
	find_nonblank(l);
}

static bool all_blank(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && ascii_is_blank(p[i]))
		i++;
	return i == len;
}

/* Return the level of the heading in LEN bytes of P and set *TEXT and *N to its
 * title; 0 if it is no heading. */
static int heading_level(const char *p, size_t len, const char **text,
			 size_t *n)
{
	const size_t level = ascii_run_of(p, len, '#');
	size_t i;

	if (!level || level > LEVELS ||
	    (level < len && !ascii_is_blank(p[level])))
		return 0;
	*text = p + level;
	*n = len - level;
	utf8_strip(text, n);
	/* Remove the closing sequence of #. */
	for (i = *n; i && (*text)[i - 1] == '#';)
		i--;
	if (!i || ascii_is_blank((*text)[i - 1]))
		*n = i;
	utf8_strip(text, n);
	return (int)level;
}

/* Return the level of the heading that the line underlines, or 0. */
static int underline_level(const char *p, size_t len)
{
	const char c = len ? *p : 0;
	const size_t n = c == '=' || c == '-' ? ascii_run_of(p, len, c) : 0;

	return n && all_blank(p + n, len - n) ? c == '=' ? 1 : 2 : 0;
}

/* Return the length of the fence that opens a code block, or 0. */
static size_t opening_fence(const char *p, size_t len)
{
	const char c = len ? *p : 0;
	const size_t n = c == '`' || c == '~' ? ascii_run_of(p, len, c) : 0;

	return n >= 3 && (c == '~' || !memchr(p + n, '`', len - n)) ? n : 0;
}

static bool is_break(const char *p, size_t len)
{
	size_t n = 0;

	if (!len || !memchr("-*_", *p, 3))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (p[i] != *p && !ascii_is_blank(p[i]))
			return false;
		n += p[i] == *p;
	}
	return n >= 3;
}

/* Return the length of the list item marker at P, or 0. TEXT: the line follows
 * paragraph text, which only some markers interrupt. */
static size_t item_mark(const char *p, size_t len, bool text)
{
	size_t n = 0;

	while (n < len && n < 9 && ascii_is_digit(p[n]))
		n++;
	if (n ? n == len || !memchr(".)", p[n], 2)
	      : !len || !memchr("-*+", p[0], 3))
		return 0;
	if (text && n && (n > 1 || *p != '1'))
		return 0;
	n++;
	if (n < len && !ascii_is_blank(p[n]))
		return 0;
	return text && all_blank(p + n, len - n) ? 0 : n;
}

/* Return true if the last block is a paragraph that the next line may
 * continue. */
static bool can_continue_text(const struct markdown *m)
{
	return m->grows && m->last.kind == BLOCK_TEXT;
}

static bool is_html(const struct block *b)
{
	return b->kind == BLOCK_HTML || b->kind == BLOCK_COMMENT;
}

/* Return how many of the open containers hold L, and advance L over their
 * markers. */
static size_t match_holders(const struct markdown *m, struct line *l)
{
	size_t n;

	for (n = 0; n < m->depth; n++) {
		const struct markdown_holder *h = &m->holders[n];

		if (h->quote) {
			if (indent_columns(l) >= CODE || is_blank_line(l) ||
			    l->p[l->word] != '>')
				break;
			skip_mark(l, 1);
			skip_columns(l, 1);
		} else if (indent_columns(l) >= h->indent) {
			skip_columns(l, h->indent);
		} else if (is_blank_line(l) && !h->empty) {
			skip_columns(l, indent_columns(l));
		} else {
			break;
		}
	}
	return n;
}

/* Close all but the outer N containers, and the block in them. */
static void close_to(struct markdown *m, size_t n)
{
	if (n < m->depth)
		m->grows = false;
	m->depth = n;
}

static void open_holder(struct markdown *m, bool quote, size_t columns)
{
	if (m->depth)
		m->holders[m->depth - 1].empty = false;
	m->holders[m->depth++] =
		(struct markdown_holder){quote, !quote, columns};
	m->grows = false;
}

/* Return the length of the container marker at the next word of L, or 0. TEXT:
 * see item_mark(). */
static size_t holder_mark(const struct line *l, bool text)
{
	const char *p = l->p + l->word;
	const size_t len = l->len - l->word;

	if (indent_columns(l) >= CODE || !len)
		return 0;
	if (*p == '>')
		return 1;
	return is_break(p, len) ? 0 : item_mark(p, len, text);
}

/* Open the container whose marker is next in L. Returns false if there is
 * none. */
static bool open_marked_holder(struct markdown *m, struct line *l, bool text)
{
	const size_t mark = holder_mark(l, text), before = indent_columns(l);
	const bool quote = mark && l->p[l->word] == '>';
	size_t blanks = 1;

	if (!mark || m->depth == MARKDOWN_DEEP)
		return false;
	skip_mark(l, mark);
	if (!quote && !is_blank_line(l) && indent_columns(l) > 0 &&
	    indent_columns(l) <= CODE)
		blanks = indent_columns(l);
	skip_columns(l, blanks);
	open_holder(m, quote, before + mark + blanks);
	return true;
}

static void extend_block(struct markdown *m, const struct line *l)
{
	m->last.len = m->at + l->len - m->last.start;
}

/* Add L to the open code or HTML block. Returns false if there is none or it
 * ends before L. */
static bool continue_block(struct markdown *m, const struct line *l)
{
	const char *p = l->p + l->word;
	const size_t len = l->len - l->word;
	struct block *b = &m->last;

	if (!m->grows || b->kind == BLOCK_TEXT ||
	    (b->kind == BLOCK_INDENTED && !is_blank_line(l) &&
	     indent_columns(l) < CODE) ||
	    (b->till_blank && is_blank_line(l)))
		return false;
	if (!all_blank(l->p, l->len))
		extend_block(m, l);
	if (b->kind == BLOCK_FENCED && indent_columns(l) < CODE) {
		const size_t n = ascii_run_of(p, len, b->fence);

		m->grows = n < b->fence_len || !all_blank(p + n, len - n);
	} else if (is_html(b) && !b->till_blank) {
		m->grows = !html_ends(p, len, m->html);
	}
	return true;
}

/* Turn the paragraph that L underlines into a heading. Returns false if L is no
 * underline. */
static bool apply_underline(struct markdown *m, const struct line *l)
{
	struct block *b = &m->last;
	const int level =
		indent_columns(l) < CODE
			? underline_level(l->p + l->word, l->len - l->word)
			: 0;

	if (!level)
		return false;
	b->kind = BLOCK_HEADING;
	b->level = level;
	b->text = m->p + b->start;
	b->text_len = b->len;
	utf8_strip(&b->text, &b->text_len);
	extend_block(m, l);
	m->grows = false;
	return true;
}

/* Fill B with the block that begins at the next word of L. Returns false if
 * none does, so L is a paragraph or indented code. */
static bool parse_block_start(const struct line *l, bool text, struct block *b,
			      int *html)
{
	const char *p = l->p + l->word;
	const size_t len = l->len - l->word;

	if (indent_columns(l) >= CODE || !len)
		return false;
	if ((b->level = heading_level(p, len, &b->text, &b->text_len))) {
		b->kind = BLOCK_HEADING;
	} else if ((b->fence_len = opening_fence(p, len))) {
		b->kind = BLOCK_FENCED;
		b->fence = *p;
		b->text = p + b->fence_len;
		b->text_len = len - b->fence_len;
		utf8_strip(&b->text, &b->text_len);
	} else if ((*html = html_start(p, len, text))) {
		b->kind = *html == HTML_COMMENT ? BLOCK_COMMENT : BLOCK_HTML;
		b->till_blank = *html >= HTML_TILL_BLANK;
	} else if (is_break(p, len)) {
		b->kind = BLOCK_BREAK;
	} else {
		return false;
	}
	return true;
}

/* Return true if L continues a paragraph without its container markers. */
static bool is_lazy(const struct markdown *m, const struct line *l)
{
	struct block b;
	int html;

	return can_continue_text(m) && !is_blank_line(l) &&
	       !holder_mark(l, false) && !parse_block_start(l, true, &b, &html);
}

/* Begin the block B with L. Returns true if there was a block before it, which
 * *OUT gets. */
static bool begin_block(struct markdown *m, const struct block *b,
			const struct line *l, struct block *out)
{
	const bool had = m->has_last;

	*out = m->last;
	m->last = *b;
	m->last.start = m->at;
	m->last.line = m->line;
	m->last.depth = m->depth;
	m->last.apart = m->blank;
	m->has_last = true;
	m->grows = b->kind != BLOCK_EMPTY && b->kind != BLOCK_HEADING &&
		   b->kind != BLOCK_BREAK;
	if (is_html(b) && !b->till_blank)
		m->grows =
			!html_ends(l->p + l->word, l->len - l->word, m->html);
	if (m->depth && b->kind != BLOCK_EMPTY)
		m->holders[m->depth - 1].empty = false;
	extend_block(m, l);
	return had;
}

/* Process L, whose first HELD containers are matched and which continues no
 * code or HTML. Returns as begin_block(). */
static bool process_line(struct markdown *m, struct line *l, size_t held,
			 struct block *out)
{
	bool text = held == m->depth && can_continue_text(m);
	struct block b = {.text = ""};

	if (text && apply_underline(m, l))
		return false;
	if (held < m->depth && is_lazy(m, l)) {
		extend_block(m, l);
		return false;
	}
	close_to(m, held);
	while (open_marked_holder(m, l, text))
		text = false;
	if (is_blank_line(l)) {
		m->grows = false;
		if (all_blank(l->p, l->len))
			return false;
		b.kind = BLOCK_EMPTY;
	} else if (!parse_block_start(l, text, &b, &m->html)) {
		if (text) {
			extend_block(m, l);
			return false;
		}
		b.kind = indent_columns(l) < CODE ? BLOCK_TEXT : BLOCK_INDENTED;
	}
	b.listed = m->depth && !m->holders[0].quote;
	b.item = b.listed && !held;
	return begin_block(m, &b, l, out);
}

void markdown_start(struct markdown *m, const char *p, size_t len)
{
	*m = (struct markdown){.p = p, .len = len, .blank = true};
}

bool markdown_next(struct markdown *m, struct block *out)
{
	bool found = false;

	while (!found && m->at < m->len) {
		const char *p = m->p + m->at;
		const char *nl = memchr(p, '\n', m->len - m->at);
		const size_t n = nl ? (size_t)(nl - p) : m->len - m->at;
		struct line l = {.p = p, .len = n};
		size_t held;

		if (nl && n && p[n - 1] == '\r')
			l.len--;
		find_nonblank(&l);
		held = match_holders(m, &l);
		if (held < m->depth || !continue_block(m, &l))
			found = process_line(m, &l, held, out);
		m->blank = all_blank(l.p, l.len);
		m->at += n + (nl != NULL);
		m->line++;
	}
	if (found || !m->has_last)
		return found;
	*out = m->last;
	out->open = m->grows && (out->kind == BLOCK_FENCED ||
				 (is_html(out) && !out->till_blank));
	m->has_last = false;
	return true;
}

struct outline {
	struct buf names[LEVELS]; /* titles of the open headings */
	struct buf title;	  /* those, joined by " > " */
	markdown_section_fn *fn;
	void *ctx;
};

/* Append the LEN bytes of P with its lines joined by a space. */
static void add_title(struct buf *out, const char *p, size_t len)
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

static void enter_section(struct outline *o, int level, const char *name,
			  size_t n)
{
	for (int i = level - 1; i < LEVELS; i++)
		buf_cut(&o->names[i], 0);
	add_title(&o->names[level - 1], name, n);
	buf_cut(&o->title, 0);
	for (int i = 0; i < LEVELS; i++) {
		if (!o->names[i].len)
			continue;
		if (o->title.len)
			buf_adds(&o->title, " > ");
		buf_add(&o->title, o->names[i].p, o->names[i].len);
	}
}

/* Call FN for the section from START to END. One without text is passed only if
 * LEAF. */
static int pass_section(struct outline *o, const char *start, const char *end,
			bool leaf)
{
	struct markdown_section s = {buf_str(&o->title), start,
				     (size_t)(end - start)};

	utf8_strip(&s.text, &s.len);
	if (!s.len && (!leaf || !o->title.len))
		return 0;
	return o->fn(o->ctx, &s);
}

static void release_outline(struct outline *o)
{
	for (int i = 0; i < LEVELS; i++)
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
		r = pass_section(&o, start, p + b.start, b.level <= above);
		enter_section(&o, b.level, b.text, b.text_len);
		above = b.level;
		start = p + b.start + b.len;
	}
	if (!r)
		r = pass_section(&o, start, p + len, true);
	release_outline(&o);
	return r;
}

/* Return true if B begins a new entry after LAST. */
static bool begins_entry(const struct markdown_entry *last,
			 const struct block *b)
{
	if (b->item || !last || last->kind == MARKDOWN_ENTRY_HEADING)
		return true;
	if (b->listed)
		return false;
	return b->apart || (b->kind == BLOCK_HEADING && !b->depth);
}

/* Return the index of the heading above a heading of LEVEL or, with 0, above
 * any other entry. */
static size_t heading_above(const struct markdown_entries *list, int level)
{
	size_t i = list->n;

	/* Climb from heading to heading, so that each level costs one step. */
	while (i && list->items[i - 1].kind != MARKDOWN_ENTRY_HEADING)
		i = list->items[i - 1].heading == MARKDOWN_ENTRY_NONE
			    ? 0
			    : list->items[i - 1].heading + 1;
	if (!i)
		return MARKDOWN_ENTRY_NONE;
	for (i--; level && i != MARKDOWN_ENTRY_NONE &&
		  list->items[i].level >= level;)
		i = list->items[i].heading;
	return i;
}

static struct markdown_entry *begin_entry(struct markdown_entries *list,
					  const struct block *b)
{
	struct markdown_entry new = {.start = b->start, .line = b->line};
	struct markdown_entry *entry;

	new.apart = b->apart && list->n;
	new.level = b->depth ? 0 : b->level;
	new.kind = b->item     ? MARKDOWN_ENTRY_ITEM
		   : new.level ? MARKDOWN_ENTRY_HEADING
			       : MARKDOWN_ENTRY_TEXT;
	new.title = b->text;
	new.title_len = b->text_len;
	new.heading = heading_above(list, new.level);
	if (new.heading != MARKDOWN_ENTRY_NONE)
		list->items[new.heading].has_parts = true;
	entry = MEM_ADD(list->items, list->n, list->cap);
	*entry = new;
	return entry;
}

void markdown_entries_split(struct markdown_entries *list, const char *p,
			    size_t len)
{
	struct markdown_entry *last = NULL;
	struct markdown m;
	struct block b;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		if (begins_entry(last, &b))
			last = begin_entry(list, &b);
		last->len = b.start + b.len - last->start;
		if (b.open && !b.depth) {
			last->fence = b.fence;
			last->fence_len = b.fence_len;
		}
	}
}

void markdown_entries_add(struct buf *out, const struct markdown_entry *e,
			  const char *p)
{
	buf_add(out, p + e->start, e->len);
	if (!e->fence)
		return;
	buf_addc(out, '\n');
	for (size_t i = 0; i < e->fence_len; i++)
		buf_addc(out, e->fence);
}

size_t markdown_entries_size(const struct markdown_entry *e)
{
	return e->len + (e->fence ? 1 + e->fence_len : 0);
}
