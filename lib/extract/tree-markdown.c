/* tree-markdown.c: blocks are written in order, each line after the prefix of
 * the elements around it. The inline content of a paragraph is gathered
 * first. */
#include "extract/tree.h"

#include "base/ascii.h"

#include <strings.h>

#define BLANKS " \t\r\n\f"
#define SOFT_HYPHEN "\xc2\xad"
#define BLOCKS                                                                \
	" address article aside blockquote body center dd details dialog dir" \
	" div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6" \
	" header hgroup hr html legend li main menu nav ol p pre section"     \
	" summary table tbody td tfoot th thead tr ul caption "

struct writer {
	struct buf *out;
	/* Of each line: quotes and the indentation of items. */
	struct buf prefix;
	struct buf marker;  /* of an item; only for the next line, */
	size_t marked;	    /* after so many bytes of PREFIX */
	struct buf inlined; /* the paragraph being gathered */
	size_t closed;	    /* offset in it after the last emphasis */
	const char *mark;   /* the mark of that emphasis */
	const char *base;
	struct arena *arena;
	size_t start; /* of the output in OUT */
	size_t max;   /* most bytes of it */
	bool tight;   /* no empty line before the next block */
	bool flat;    /* in a cell or a heading: no blocks */
	bool cell;    /* in a cell */
	size_t lists;
};

/* Return true if the limit is exceeded; then nothing more is written. */
static bool is_full(const struct writer *w)
{
	return w->out->len - w->start > w->max;
}

static void write_child(struct writer *w, const struct tree_node *n);
static void write_children(struct writer *w, const struct tree_node *n);

static void trim_line(struct writer *w)
{
	while (w->out->len > w->start && w->out->p[w->out->len - 1] == ' ')
		buf_cut(w->out, w->out->len - 1);
}

/* Start a line of a block. */
static void begin_line(struct writer *w)
{
	if (w->out->len > w->start)
		buf_addc(w->out, '\n');
	if (w->marker.len) {
		buf_add(w->out, buf_str(&w->prefix), w->marked);
		buf_add(w->out, w->marker.p, w->marker.len);
		buf_cut(&w->marker, 0);
	} else {
		buf_add(w->out, buf_str(&w->prefix), w->prefix.len);
	}
}

/* Write the empty line between two blocks. */
static void separate(struct writer *w)
{
	if (w->out->len > w->start && !w->tight) {
		buf_addc(w->out, '\n');
		buf_add(w->out, buf_str(&w->prefix),
			w->marker.len ? w->marked : w->prefix.len);
		trim_line(w);
	}
	w->tight = false;
}

static void begin_block(struct writer *w)
{
	separate(w);
	begin_line(w);
}

/* A list or quote at the start of an item goes below its marker. */
static void begin_item(struct writer *w)
{
	if (!w->marker.len)
		return;
	begin_block(w);
	trim_line(w);
	w->tight = true;
}

/* Return true if the line P would begin a block in Markdown. */
static bool begins_block(const char *p, size_t len)
{
	size_t digits = 0, rule = 0;

	if (!len)
		return false;
	/* The line below a heading, or below the head of a table. */
	while (rule < len && strchr("-=|: ", p[rule]))
		rule++;
	if (rule == len)
		return true;
	if (*p == '#') {
		while (digits < len && p[digits] == '#')
			digits++;
		return digits <= 6 && (digits == len || p[digits] == ' ');
	}
	if (strchr("-+", *p) && (len == 1 || p[1] == ' '))
		return true;
	if (*p == '>' ||
	    (len >= 3 && (!strncmp(p, "---", 3) || !strncmp(p, "===", 3) ||
			  !strncmp(p, "~~~", 3))))
		return true;
	return false;
}

/* If P begins with "12." or "12)", return the offset of the mark, else 0. */
static size_t item_mark(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && n < 9 && ascii_is_digit(p[n]))
		n++;
	return n && n < len && strchr(".)", p[n]) &&
			       (n + 1 == len || p[n + 1] == ' ')
		       ? n
		       : 0;
}

static void write_line(struct writer *w, const char *p, size_t len)
{
	const size_t mark = item_mark(p, len);

	if (mark) {
		buf_add(w->out, p, mark);
		buf_addc(w->out, '\\');
		p += mark;
		len -= mark;
	} else if (begins_block(p, len)) {
		buf_addc(w->out, '\\');
	}
	buf_add(w->out, p, len);
}

static void cut_inlined(struct writer *w)
{
	buf_cut(&w->inlined, 0);
	w->closed = 0;
}

/* Write the gathered paragraph. */
static void flush_paragraph(struct writer *w)
{
	struct buf *b = &w->inlined;
	const char *p = buf_str(b);
	size_t len = b->len;

	if (w->flat)
		return;
	while (len && strchr(BLANKS, p[len - 1]))
		len--;
	if (len) {
		begin_block(w);
		for (size_t i = 0; i < len;) {
			const char *end = memchr(p + i, '\n', len - i);
			const size_t n = end ? (size_t)(end - p) - i : len - i;

			if (i)
				begin_line(w);
			write_line(w, p + i, n);
			i += n + 1;
		}
	}
	cut_inlined(w);
}

static bool is_word_byte(char c)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

/* Return true if character I of the LEN bytes of P is markup in Markdown. */
static bool needs_escape(const char *p, size_t i, size_t len)
{
	const char before = i ? p[i - 1] : ' ';
	const char after = i + 1 < len ? p[i + 1] : ' ';

	switch (p[i]) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
		return true;
	case '_': /* not markup within a word */
		return !is_word_byte(before) || !is_word_byte(after);
	case '<':
		return ascii_is_letter(after) ? true
					      : strchr("/!?", after) != NULL;
	case '&':
		return ascii_is_letter(after) ? true : after == '#';
	default:
		return false;
	}
}

static void escape_last(struct buf *b)
{
	const char last = b->p[b->len - 1];

	buf_cut(b, b->len - 1);
	buf_addc(b, '\\');
	buf_addc(b, last);
}

/* Gather text with each run of blanks as one. */
static void gather_text(struct writer *w, const char *p, size_t len)
{
	struct buf *b = &w->inlined;

	/* The last character may become markup together with this text. */
	if (len && b->len && strchr("<&", b->p[b->len - 1]) &&
	    !strchr(BLANKS, *p))
		escape_last(b);
	for (size_t i = 0; i < len; i++) {
		if (strchr(BLANKS, p[i])) {
			if (b->len && !strchr(BLANKS, b->p[b->len - 1]))
				buf_addc(b, ' ');
			continue;
		}
		/* Drop soft hyphens, because a search would not match them. */
		if (len - i >= 2 && !memcmp(p + i, SOFT_HYPHEN, 2)) {
			i++;
			continue;
		}
		if (needs_escape(p, i, len) || (w->cell && p[i] == '|'))
			buf_addc(b, '\\');
		buf_addc(b, p[i]);
	}
}

/* Return the length of the longest run of MARK in P. */
static size_t longest_run(const char *p, size_t len, char mark)
{
	size_t longest = 0;

	for (size_t i = 0, n = 0; i < len; i++) {
		n = p[i] == mark ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest;
}

/* Gather the code in N between backquotes. */
static void gather_code(struct writer *w, const struct tree_node *n)
{
	struct buf text = {0}, *b = &w->inlined;
	size_t run;

	tree_add_words(&text, n);
	run = longest_run(buf_str(&text), text.len, '`') + 1;
	if (text.len) {
		/* Separate two runs of marks. */
		if (b->len && b->p[b->len - 1] == '`')
			buf_addc(b, ' ');
		for (size_t i = 0; i < run; i++)
			buf_addc(b, '`');
		if (text.p[0] == '`')
			buf_addc(b, ' ');
		for (size_t i = 0; i < text.len; i++) {
			if (w->cell && text.p[i] == '|')
				buf_addc(b, '\\');
			buf_addc(b, text.p[i]);
		}
		if (text.p[text.len - 1] == '`')
			buf_addc(b, ' ');
		for (size_t i = 0; i < run; i++)
			buf_addc(b, '`');
	}
	buf_release(&text);
}

/* Append URL, escaped for a link. */
static void add_reference(struct buf *b, const char *url)
{
	for (; *url; url++) {
		if (strchr("()<>\\|`", *url))
			buf_addf(b, "%%%02X", (unsigned)(unsigned char)*url);
		else
			buf_addc(b, *url);
	}
}

static void gather_inline(struct writer *w, const struct tree_node *n);

/* Gather the children of N between two MARKs, unless they are empty. */
static void gather_marked(struct writer *w, const struct tree_node *n,
			  const char *mark)
{
	struct buf *b = &w->inlined;
	const size_t before = b->len;
	size_t begin = before, end;
	struct buf inside = {0};
	bool joined;

	for (const struct tree_node *c = n->first; c; c = c->next)
		gather_inline(w, c);
	end = b->len;
	while (begin < end && strchr(BLANKS, b->p[begin]))
		begin++;
	while (end > begin && strchr(BLANKS, b->p[end - 1]))
		end--;
	/* Marks must touch letters, and cannot span lines. */
	if (begin == end || memchr(b->p + begin, '\n', end - begin) ||
	    strchr("*_", b->p[begin]))
		return;
	buf_add(&inside, b->p + begin, b->len - begin);
	buf_cut(b, begin);
	/* Join two adjacent emphases, because their marks would not work. */
	joined = begin == before && before && w->closed == before &&
		 !strcmp(w->mark, mark);
	if (joined)
		buf_cut(b, before - strlen(mark));
	else
		buf_adds(b, mark);
	buf_add(b, inside.p, end - begin);
	buf_adds(b, mark);
	w->closed = b->len;
	w->mark = mark;
	buf_add(b, inside.p + (end - begin), inside.len - (end - begin));
	buf_release(&inside);
}

/* Gather the image N, or nothing if it has no valid source. */
static void gather_picture(struct writer *w, const struct tree_node *n)
{
	const char *lazy = tree_attr(n, "data-src");
	const char *src = tree_attr(n, "src"), *url;
	struct buf *b = &w->inlined;

	if ((!*src || !strncasecmp(src, "data:", 5)) && *lazy)
		src = lazy;
	url = *src ? tree_resolve(w->base, src, w->arena) : NULL;
	if (!url)
		return;
	buf_adds(b, "![");
	gather_text(w, tree_attr(n, "alt"), strlen(tree_attr(n, "alt")));
	buf_adds(b, "](");
	add_reference(b, url);
	buf_addc(b, ')');
}

/* Gather the link N, or only its content if it has no valid target. */
static void gather_link(struct writer *w, const struct tree_node *n)
{
	const char *href = tree_attr(n, "href");
	const char *url = *href ? tree_resolve(w->base, href, w->arena) : NULL;
	struct buf *b = &w->inlined;
	size_t begin;

	/* A link within the page is useless in the article. */
	if (!url || *href == '#') {
		for (const struct tree_node *c = n->first; c; c = c->next)
			gather_inline(w, c);
		return;
	}
	if (b->len && b->p[b->len - 1] == '!')
		escape_last(b); /* not an image */
	begin = b->len;
	buf_addc(b, '[');
	for (const struct tree_node *c = n->first; c; c = c->next)
		gather_inline(w, c);
	while (b->len > begin + 1 && strchr(BLANKS, b->p[b->len - 1]))
		buf_cut(b, b->len - 1);
	if (b->len == begin + 1) {
		buf_cut(b, begin);
		return;
	}
	buf_adds(b, "](");
	add_reference(b, url);
	buf_addc(b, ')');
	if (n->last && n->last->len &&
	    strchr(BLANKS, n->last->text[n->last->len - 1]))
		buf_addc(b, ' ');
}

/* Gather the inline content of N. */
static void gather_inline(struct writer *w, const struct tree_node *n)
{
	struct buf *b = &w->inlined;

	if (n->text) {
		gather_text(w, n->text, n->len);
	} else if (tree_is(n, " br ")) {
		while (b->len && b->p[b->len - 1] == ' ')
			buf_cut(b, b->len - 1);
		if (b->len)
			buf_adds(b, w->flat ? " " : "  \n");
	} else if (tree_is(n, " code kbd samp tt ")) {
		gather_code(w, n);
	} else if (tree_is(n, " em i ")) {
		gather_marked(w, n, "*");
	} else if (tree_is(n, " strong b ")) {
		gather_marked(w, n, "**");
	} else if (tree_is(n, " img ")) {
		gather_picture(w, n);
	} else if (tree_is(n, " a ")) {
		gather_link(w, n);
	} else if (tree_is(n, " math ")) {
		struct buf text = {0};

		tree_add_formula(&text, n);
		gather_text(w, buf_str(&text), text.len);
		buf_release(&text);
	} else if (!tree_is(n, " script style template noscript ")) {
		const bool block = w->flat && tree_is(n, BLOCKS);

		if (block)
			gather_text(w, " ", 1);
		for (const struct tree_node *c = n->first; c; c = c->next)
			gather_inline(w, c);
		if (block)
			gather_text(w, " ", 1);
	}
}

/* Return true if N contains line numbers of code. */
static bool is_gutter(const struct tree_node *n)
{
	static const char *const words[] = {"gutter", "lineno", "line-number",
					    "linenum", "line-numbers"};
	const char *class = tree_attr(n, "class");
	bool called = false, digits = false;

	for (size_t i = 0; n->name && i < ARRAY_LEN(words); i++)
		called = called || strcasestr(class, words[i]);
	if (!called)
		return false;
	for (const struct tree_node *t = n; t; t = tree_next(t, n)) {
		for (size_t i = 0; i < t->len; i++) {
			if (ascii_is_digit(t->text[i]))
				digits = true;
			else if (!strchr(BLANKS, t->text[i]))
				return false;
		}
	}
	return digits;
}

static void add_code(struct buf *out, const struct tree_node *n)
{
	for (const struct tree_node *c = n->first; c; c = c->next) {
		if (c->text) {
			buf_add(out, c->text, c->len);
		} else if (tree_is(c, " br ")) {
			buf_addc(out, '\n');
		} else if (!is_gutter(c) && !tree_is(c, " button ")) {
			add_code(out, c);
			if (tree_is(c, " div p li tr ") && out->len &&
			    out->p[out->len - 1] != '\n')
				buf_addc(out, '\n');
		}
	}
}

/* Append the language in the class of N, as highlighters write it. Returns
 * false if there is none. */
static bool add_language(struct buf *out, const struct tree_node *n)
{
	static const char *const words[] = {"language-", "lang-",
					    "highlight-source-", "brush:"};
	const char *class = tree_attr(n, "class");

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const char *p = strstr(class, words[i]);
		size_t len;

		if (!p)
			continue;
		p += strlen(words[i]);
		p += strspn(p, " ");
		len = strcspn(p, " ;`\t\r\n");
		if (!len || len > 40)
			continue;
		buf_add(out, p, len);
		return true;
	}
	return false;
}

/* Write N, a <pre>, as fenced code. */
static void write_code(struct writer *w, const struct tree_node *n)
{
	const struct tree_node *inner = tree_find(n, " code ");
	struct buf text = {0}, info = {0};
	const char *p;
	size_t run;

	add_code(&text, n);
	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] == '\r') /* from &#13;, a line end too */
			text.p[i] = '\n';
	}
	p = buf_str(&text);
	/* HTML drops a line end after <pre>. */
	p += *p == '\n';
	if (strspn(p, BLANKS) == strlen(p)) {
		buf_release(&text);
		return;
	}
	if (!add_language(&info, n) && !(inner && add_language(&info, inner)) &&
	    n->parent && n->parent->name && !add_language(&info, n->parent) &&
	    n->parent->parent && n->parent->parent->name)
		add_language(&info, n->parent->parent);
	run = longest_run(p, strlen(p), '`') + 1;
	run = run < 3 ? 3 : run;
	begin_block(w);
	for (size_t i = 0; i < run; i++)
		buf_addc(w->out, '`');
	buf_adds(w->out, buf_str(&info));
	while (*p) {
		const size_t len = strcspn(p, "\n");

		begin_line(w);
		buf_add(w->out, p, len);
		p += len + (p[len] == '\n');
	}
	begin_line(w);
	for (size_t i = 0; i < run; i++)
		buf_addc(w->out, '`');
	buf_release(&text);
	buf_release(&info);
}

/* Return the offset of the last '#' in B, a heading, if the trailing ones would
 * be dropped by Markdown; else the length of B. */
static size_t closing_marks(const struct buf *b)
{
	size_t n = b->len;

	while (n && b->p[n - 1] == '#')
		n--;
	return n < b->len && (!n || b->p[n - 1] == ' ') ? b->len - 1 : b->len;
}

/* Write the heading N, unless it is empty. */
static void write_heading(struct writer *w, const struct tree_node *n)
{
	struct buf *b = &w->inlined;

	w->flat = true;
	for (const struct tree_node *c = n->first; c; c = c->next)
		gather_inline(w, c);
	w->flat = false;
	while (b->len && b->p[b->len - 1] == ' ')
		buf_cut(b, b->len - 1);
	if (b->len) {
		const size_t plain = closing_marks(b);

		begin_block(w);
		for (char level = '0'; level < n->name[1]; level++)
			buf_addc(w->out, '#');
		buf_addc(w->out, ' ');
		buf_add(w->out, b->p, plain);
		if (plain < b->len)
			buf_addc(w->out, '\\');
		buf_adds(w->out, b->p + plain);
	}
	cut_inlined(w);
}

/* Write N as an item. N may also be other content of a list. */
static void write_item(struct writer *w, const struct tree_node *n,
		       size_t number)
{
	const size_t prefix = w->prefix.len;
	size_t width;

	w->marked = prefix;
	buf_cut(&w->marker, 0);
	if (number)
		buf_addf(&w->marker, "%zu. ", number);
	else
		buf_adds(&w->marker, "- ");
	width = w->marker.len > 4 ? w->marker.len : 4;
	for (size_t i = 0; i < width; i++)
		buf_addc(&w->prefix, ' ');
	if (tree_is(n, " ul ol "))
		buf_cut(&w->marker, 0);
	if (tree_is(n, " li "))
		write_children(w, n);
	else
		write_child(w, n);
	flush_paragraph(w);
	buf_cut(&w->prefix, prefix);
	buf_cut(&w->marker, 0);
}

/* Return true if an item has more than one paragraph and a list. */
static bool is_loose(const struct tree_node *list)
{
	for (const struct tree_node *i = list->first; i; i = i->next) {
		size_t blocks = 0;

		for (const struct tree_node *c = i->first; c; c = c->next)
			blocks += tree_is(c, " p pre blockquote table div ");
		if (blocks > 1)
			return true;
	}
	return false;
}

/* Write the list N. */
static void write_list(struct writer *w, const struct tree_node *n)
{
	const bool loose = is_loose(n), ordered = tree_is(n, " ol ");
	const char *start = tree_attr(n, "start");
	size_t number = ordered ? 1 : 0;
	bool first = true;

	if (!tree_find(n, " li ")) { /* only used for indentation */
		write_children(w, n);
		return;
	}
	if (ordered && ascii_is_digit(*start) && strlen(start) < 9)
		number = strtoul(start, NULL, 10);
	if (ordered && !number)
		number = 1;
	w->lists++;
	begin_item(w);
	/* In an item, a list follows without an empty line. */
	w->tight = w->tight || w->lists > 1;
	for (const struct tree_node *c = n->first; c; c = c->next) {
		const size_t before = w->out->len;

		if (c->text && strspn(c->text, BLANKS) == c->len)
			continue;
		w->tight = w->tight || (!first && !loose);
		write_item(w, c, number);
		if (w->out->len > before) {
			first = false;
			number += ordered;
		}
	}
	w->tight = false;
	w->lists--;
}

static void write_quote(struct writer *w, const struct tree_node *n)
{
	const size_t prefix = w->prefix.len;

	begin_item(w);
	separate(w);
	w->tight = true;
	buf_adds(&w->prefix, "> ");
	write_children(w, n);
	flush_paragraph(w);
	buf_cut(&w->prefix, prefix);
	w->tight = false;
}

static bool is_row_of(const struct tree_node *n, const struct tree_node *table)
{
	const struct tree_node *up = tree_above(n, " table ");

	return tree_is(n, " tr ") && up == table;
}

/* Return true if every cell has at most one line of text, and a row has several
 * cells. */
static bool is_simple(const struct tree_node *table)
{
	size_t widest = 0;

	if (tree_find(table, " table pre ul ol blockquote h1 h2 h3 h4 h5 h6 "))
		return false;
	for (const struct tree_node *n = table->first; n;
	     n = tree_next(n, table)) {
		size_t cells = 0, blocks = 0;

		for (const struct tree_node *c = n->first; c; c = c->next)
			cells += tree_is(c, " td th ");
		if (cells > widest)
			widest = cells;
		if (!tree_is(n, " td th "))
			continue;
		for (const struct tree_node *c = n->first; c; c = c->next)
			blocks += tree_is(c, " p div ");
		if (blocks > 2)
			return false;
	}
	return widest > 1;
}

/* Write ROW as a line of a table with the number of columns CELLS. */
static void write_row(struct writer *w, const struct tree_node *row,
		      size_t cells)
{
	size_t n = 0;

	buf_addc(w->out, '|');
	for (const struct tree_node *c = row->first; c; c = c->next) {
		struct buf *b = &w->inlined;

		if (!tree_is(c, " td th "))
			continue;
		w->flat = w->cell = true;
		gather_inline(w, c);
		w->flat = w->cell = false;
		while (b->len && b->p[b->len - 1] == ' ')
			buf_cut(b, b->len - 1);
		buf_addf(w->out, " %s |", buf_str(b) + strspn(buf_str(b), " "));
		cut_inlined(w);
		n++;
	}
	for (; n < cells; n++)
		buf_adds(w->out, "  |");
}

/* Write TABLE as a pipe table, or only its content if it is not simple. */
static void write_table(struct writer *w, const struct tree_node *table)
{
	const struct tree_node *caption = tree_find(table, " caption ");
	size_t cells = 0;

	if (!is_simple(table)) {
		write_children(w, table);
		return;
	}
	if (caption) {
		write_children(w, caption);
		flush_paragraph(w);
	}
	for (const struct tree_node *n = table->first; n;
	     n = tree_next(n, table)) {
		size_t width = 0;

		for (const struct tree_node *c = n->first; c; c = c->next)
			width += tree_is(c, " td th ");
		if (is_row_of(n, table) && width > cells)
			cells = width;
	}
	for (const struct tree_node *n = table->first, *first = NULL;
	     n && !is_full(w); n = tree_next(n, table)) {
		if (!is_row_of(n, table))
			continue;
		if (first)
			begin_line(w);
		else
			begin_block(w);
		write_row(w, n, cells);
		if (!first) {
			begin_line(w);
			for (size_t i = 0; i < cells; i++)
				buf_adds(w->out, i ? " --- |" : "| --- |");
		}
		first = n;
	}
}

/* Write the block N. */
static void write_block(struct writer *w, const struct tree_node *n)
{
	if (n->name[0] == 'h' && n->name[1] >= '1' && n->name[1] <= '6' &&
	    !n->name[2]) {
		write_heading(w, n);
	} else if (tree_is(n, " pre ")) {
		write_code(w, n);
	} else if (tree_is(n, " ul ol menu dir ")) {
		write_list(w, n);
	} else if (tree_is(n, " blockquote ")) {
		write_quote(w, n);
	} else if (tree_is(n, " table ")) {
		write_table(w, n);
	} else if (tree_is(n, " hr ")) {
		/* "- ---" would be a line, not an item. */
		const bool begins_item = w->marker.len;

		begin_block(w);
		buf_adds(w->out, begins_item ? "***" : "---");
	} else if (!tree_is(n, " caption ")) {
		write_children(w, n);
	}
}

static void write_child(struct writer *w, const struct tree_node *n)
{
	if (is_full(w))
		return;
	if (!tree_is(n, BLOCKS) && !tree_find(n, BLOCKS)) {
		gather_inline(w, n);
		return;
	}
	flush_paragraph(w);
	/* A link around a heading or a span around paragraphs is dropped. */
	if (tree_is(n, BLOCKS))
		write_block(w, n);
	else
		write_children(w, n);
	flush_paragraph(w);
}

static void write_children(struct writer *w, const struct tree_node *n)
{
	for (const struct tree_node *c = n->first; c; c = c->next)
		write_child(w, c);
}

int tree_markdown_check(size_t len, size_t max, struct err *e)
{
	return len <= max
		       ? 0
		       : err_set(e, ERR_SYSTEM,
				 "its text is longer than %zu MiB", max >> 20);
}

int tree_markdown_add(struct buf *out, const struct tree_node *root,
		      const char *base, size_t max, struct arena *a,
		      struct err *e)
{
	struct writer w = {.out = out,
			   .base = base,
			   .arena = a,
			   .start = out->len,
			   .max = max};

	write_children(&w, root);
	flush_paragraph(&w);
	if (out->len > w.start)
		buf_addc(out, '\n');
	buf_release(&w.prefix);
	buf_release(&w.marker);
	buf_release(&w.inlined);
	return tree_markdown_check(out->len - w.start, max, e);
}
