/* learned.c: the section is found by its heading, a line `# Learned` of the
 * body; it ends at the next heading of the first level.  What stands in a
 * fenced block is no heading.
 */
#include "learned.h"

#include "gate.h"
#include "utf8.h"

#define HEADING "# Learned"

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

static bool is_heading(const char *p, size_t len)
{
	while (len && (p[len - 1] == ' ' || p[len - 1] == '\t'))
		len--;
	return len == strlen(HEADING) && !memcmp(p, HEADING, len);
}

/* True if the line opens or closes a fenced block. */
static bool is_fence(const char *p, size_t len)
{
	while (len && (*p == ' ' || *p == '\t')) {
		p++;
		len--;
	}
	return len >= 3 && (!memcmp(p, "```", 3) || !memcmp(p, "~~~", 3));
}

/* The section of a context: from behind its heading's line to behind its last
 * line that is not blank. */
struct section {
	const char *start, *last;
};

/* Find it in the body at P; false if there is none. */
static bool find_section(const char *p, const char *end, struct section *s)
{
	bool found = false, fenced = false;

	for (; p < end; p = next_line(p, end)) {
		size_t len = line_length(p, end);

		if (is_fence(p, len))
			fenced = !fenced;
		if (!found && !fenced && is_heading(p, len)) {
			s->start = s->last = next_line(p, end);
			found = true;
		} else if (found && !fenced && len > 1 && !memcmp(p, "# ", 2)) {
			break;
		} else if (found && len) {
			s->last = next_line(p, end);
		}
	}
	return found;
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

/* True if BULLET stands in S: its lines, and no more that belong to them. */
static bool has_bullet(const struct section *s, const struct bullet *bullet)
{
	const size_t len = bullet->text.len - strlen(bullet->nl);

	for (const char *p = s->start; p < s->last; p = next_line(p, s->last)) {
		const char *behind = p + len;

		if ((size_t)(s->last - p) < len ||
		    memcmp(p, bullet->text.p, len))
			continue;
		if (behind == s->last)
			return true;
		if (!line_length(behind, s->last)) {
			behind = next_line(behind, s->last);
			if (behind == s->last ||
			    (*behind != ' ' && *behind != '\t'))
				return true;
		}
	}
	return false;
}

/* Append WAS with a new section that holds BULLET. */
static void add_section(struct buf *out, const struct buf *was,
			const struct bullet *bullet)
{
	const char *nl = bullet->nl;

	buf_add(out, was->p, was->len);
	if (was->len && was->p[was->len - 1] != '\n')
		buf_adds(out, nl);
	buf_addf(out, "%s" HEADING "%s%s", was->len ? nl : "", nl, nl);
	buf_add(out, bullet->text.p, bullet->text.len);
}

/* Append WAS with BULLET in its section; 0 when it is there already. */
static int insert(struct buf *out, const struct buf *was,
		  const struct bullet *bullet)
{
	const char *end = buf_str(was) + was->len;
	struct frontmatter fm;
	struct section s = {0};

	frontmatter_split(&fm, buf_str(was), was->len);
	if (!find_section(fm.text + fm.body, end, &s)) {
		add_section(out, was, bullet);
		return 1;
	}
	if (has_bullet(&s, bullet))
		return 0;
	buf_add(out, was->p, (size_t)(s.last - was->p));
	if (s.last[-1] != '\n')
		buf_adds(out, bullet->nl);
	if (s.last == s.start) {
		buf_adds(out, bullet->nl);
		/* The blank line that stood behind the heading. */
		if (s.last < end && !line_length(s.last, end))
			s.last = next_line(s.last, end);
	}
	buf_add(out, bullet->text.p, bullet->text.len);
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
