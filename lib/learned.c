/* learned.c: the section is found by its heading, `# Learned`, and ends at the
 * next of the first level.  What is open at the text's end, a fenced block or a
 * comment, would take in what is written behind it, so that goes before it.
 */
#include "learned.h"

#include "gate.h"
#include "markdown.h"
#include "utf8.h"

#define TITLE "Learned"

/* The line at P (of which END is the text's end) without its line end. */
static size_t line_length(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));
	size_t len = (size_t)((nl ? nl : end) - p);

	return len && p[len - 1] == '\r' ? len - 1 : len;
}

static const char *next_line(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl ? nl + 1 : end;
}

/* A text as a list item, in lines that end in NL. */
struct bullet {
	struct buf text;
	const char *nl;
};

/* Make B of the LEN bytes of P: further lines are indented, so that they
 * belong. */
static void make_bullet(struct bullet *b, const char *p, size_t len)
{
	buf_adds(&b->text, "- ");
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\r' && i + 1 < len && p[i + 1] == '\n')
			continue;
		if (p[i] != '\n') {
			buf_addc(&b->text, p[i]);
			continue;
		}
		buf_adds(&b->text, b->nl);
		if (i + 1 < len && p[i + 1] != '\n' && p[i + 1] != '\r')
			buf_adds(&b->text, "  ");
	}
	buf_adds(&b->text, b->nl);
}

/* What a context's body says of the section. */
struct section {
	const char *start; /* behind its heading's line; NULL: there is none */
	const char *last;  /* behind its last line that is not blank */
	const char *open;  /* the block that never ends, NULL for none */
	bool has;	   /* the bullet that is looked for stands there */
	/* A blank line must stand between LAST and a bullet, and between a
	 * bullet and what follows. */
	bool blank_before, blank_behind;
};

/* True if the item at P, which ends at END at the latest, is BULLET: its lines,
 * and no more that belong to them. */
static bool is_bullet(const char *p, const char *end,
		      const struct bullet *bullet)
{
	const size_t len = bullet->text.len - strlen(bullet->nl);

	if ((size_t)(end - p) < len || memcmp(p, bullet->text.p, len))
		return false;
	p += len;
	if (p == end)
		return true;
	if (line_length(p, end))
		return false;
	p = next_line(p, end);
	return p == end || (*p != ' ' && *p != '\t');
}

static bool is_title(const struct block *b)
{
	return b->level == 1 && !b->depth && b->text_len == strlen(TITLE) &&
	       !memcmp(b->text, TITLE, b->text_len);
}

/* Look for the section, and BULLET in it, in the body from P to END. */
static void find_section(struct section *s, const char *p, const char *end,
			 const struct bullet *bullet)
{
	struct markdown m;
	struct block b;

	*s = (struct section){0};
	markdown_start(&m, p, (size_t)(end - p));
	while (markdown_next(&m, &b)) {
		const char *start = p + b.start;

		if (s->start && b.level == 1 && !b.depth) {
			/* Underlined, it could go on with a bullet. */
			s->blank_behind =
				!b.apart && memchr(start, '\n', b.len);
			break;
		}
		if (b.open && !b.depth) {
			s->open = start;
			break;
		}
		if (s->start || is_title(&b)) {
			s->last = next_line(start + b.len, end);
			s->blank_before = b.till_blank && !b.depth;
		}
		if (!s->start)
			s->start = s->last;
		else if (b.item && is_bullet(start, end, bullet))
			s->has = true;
	}
}

/* Append WAS with a new section that holds BULLET: at the end, but before what
 * never ends. */
static void add_section(struct buf *out, const struct buf *was,
			const char *open, const struct bullet *bullet)
{
	const char *nl = bullet->nl;
	const size_t at = open ? (size_t)(open - was->p) : was->len;

	buf_add(out, was->p, at);
	if (at && was->p[at - 1] != '\n')
		buf_adds(out, nl);
	buf_addf(out, "%s# " TITLE "%s%s", at ? nl : "", nl, nl);
	buf_add(out, bullet->text.p, bullet->text.len);
	if (!open)
		return;
	buf_adds(out, nl);
	buf_add(out, open, was->len - at);
}

/* Append WAS with BULLET in its section; 0 when it is there already. */
static int insert(struct buf *out, const struct buf *was,
		  const struct bullet *bullet)
{
	const char *end = buf_str(was) + was->len;
	struct frontmatter fm;
	struct section s;

	frontmatter_split(&fm, buf_str(was), was->len);
	find_section(&s, fm.text + fm.body, end, bullet);
	if (!s.start) {
		add_section(out, was, s.open, bullet);
		return 1;
	}
	if (s.has)
		return 0;
	buf_add(out, was->p, (size_t)(s.last - was->p));
	if (s.last[-1] != '\n')
		buf_adds(out, bullet->nl);
	if (s.last == s.start || s.blank_before)
		buf_adds(out, bullet->nl);
	/* The blank line that stood behind the heading. */
	if (s.last == s.start && s.last < end && !line_length(s.last, end))
		s.last = next_line(s.last, end);
	buf_add(out, bullet->text.p, bullet->text.len);
	if (s.blank_behind)
		buf_adds(out, bullet->nl);
	buf_add(out, s.last, (size_t)(end - s.last));
	return 1;
}

static int check_budget(const struct store *s, size_t len, struct err *e)
{
	const size_t budget = context_budget(s->root.scope);
	const char *option = s->root.scope == SCOPE_GLOBAL ? " --global" : "";

	if (len <= budget)
		return 0;
	return err_set(e, ERR_SYSTEM,
		       "'%s/context.md' would have %zu bytes, over its budget "
		       "of %zu: shorten it with 'co context --edit%s'",
		       s->path, len, budget, option);
}

static int add_locked(struct store *s, const char *p, size_t len, struct err *e)
{
	struct buf was = {0}, with = {0}, text = {0}, path = {0};
	int found = context_read(s, &was, e), r = found < 0 ? -1 : 0;
	const struct frontmatter all = {.text = buf_str(&was), .len = was.len};
	struct bullet bullet = {{0}, frontmatter_line_end(&all)};

	make_bullet(&bullet, p, len);
	context_path(&path, s);
	if (!r)
		r = insert(&with, &was, &bullet);
	if (r > 0 && (context_touch(&text, with.p, with.len, path.p, e) < 0 ||
		      check_budget(s, text.len, e) < 0 ||
		      context_save(s, found ? &was : NULL, &text, e) < 0))
		r = -1;
	buf_release(&bullet.text);
	buf_release(&was);
	buf_release(&with);
	buf_release(&text);
	buf_release(&path);
	return r;
}

int learned_add(struct store *s, const char *text, size_t len, struct err *e)
{
	int r;

	utf8_strip(&text, &len);
	if (!len)
		return err_set(e, ERR_DATA, "nothing to learn: empty text");
	if (memchr(text, '\0', len) || utf8_check(text, len) < len)
		return err_set(e, ERR_DATA, "the text is not UTF-8");
	if (gate_text(s, text, len, NULL, 0, NULL, e) < 0 ||
	    store_lock(s, e) < 0)
		return -1;
	r = add_locked(s, text, len, e);
	store_unlock(s);
	return r;
}
