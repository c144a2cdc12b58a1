/* learned.c: the section is found by its heading, a line `# Learned`; it ends
 * at the next heading of the first level.
 *
 * Known limit: a `# Learned` inside a code block counts as the heading.
 */
#include "learned.h"

#include "file.h"
#include "lock.h"
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

/* Where the section of TEXT (from its heading) stands: *START behind the
 * heading's line, *END behind its last line that is not blank.  False if there
 * is no section. */
static bool find_section(const char *text, const char *end, const char **start,
			 const char **last)
{
	const char *p = text;

	while (p < end && !is_heading(p, line_length(p, end)))
		p = next_line(p, end);
	if (p >= end)
		return false;
	p = next_line(p, end);
	*start = *last = p;
	for (; p < end && (end - p < 2 || memcmp(p, "# ", 2) != 0);
	     p = next_line(p, end)) {
		if (line_length(p, end))
			*last = next_line(p, end);
	}
	return true;
}

/* TEXT as a list item: further lines are indented, so that they belong. */
static void add_bullet(struct buf *out, const char *p, size_t len)
{
	buf_adds(out, "- ");
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\r' && i + 1 < len && p[i + 1] == '\n')
			continue;
		buf_addc(out, p[i]);
		if (p[i] == '\n' && i + 1 < len && p[i + 1] != '\n' &&
		    p[i + 1] != '\r')
			buf_adds(out, "  ");
	}
	buf_addc(out, '\n');
}

/* True if BULLET stands between START and END as whole lines. */
static bool has_bullet(const char *start, const char *end,
		       const struct buf *bullet)
{
	for (const char *p = start; p < end; p = next_line(p, end)) {
		if ((size_t)(end - p) >= bullet->len &&
		    !memcmp(p, bullet->p, bullet->len))
			return true;
	}
	return false;
}

/* Append WAS with BULLET in its section; 0 when it is there already. */
static int insert(struct buf *out, const struct buf *was,
		  const struct buf *bullet)
{
	const char *end = was->p + was->len, *start, *last;
	size_t head;

	if (!find_section(was->p, end, &start, &last)) {
		buf_add(out, was->p, was->len);
		if (was->len && was->p[was->len - 1] != '\n')
			buf_addc(out, '\n');
		buf_adds(out, "\n" HEADING "\n\n");
		buf_add(out, bullet->p, bullet->len);
		return 1;
	}
	if (has_bullet(start, last, bullet))
		return 0;
	head = (size_t)(last - was->p);
	buf_add(out, was->p, head);
	if (last[-1] != '\n')
		buf_addc(out, '\n');
	if (last == start)
		buf_addc(out, '\n');
	buf_add(out, bullet->p, bullet->len);
	if (last == start && last < end && *last == '\n')
		last++; /* the blank line that stood behind the heading */
	buf_add(out, last, (size_t)(end - last));
	return 1;
}

static int add_locked(struct store *s, const char *path, const struct buf *item,
		      struct err *e)
{
	const size_t budget = context_budget(s->root.scope);
	struct buf was = {0}, with = {0}, text = {0};
	int r, found;

	found = r =
		file_read(s->fd, "context.md", path, CONTEXT_FILE_MAX, &was, e);
	if (!found)
		buf_adds(&was, "---\nversion: 1\nupdated: x\n---\n");
	if (r >= 0)
		r = insert(&with, &was, item);
	if (r <= 0)
		goto out;
	r = -1;
	if (context_touch(&text, with.p, with.len, path, e) < 0)
		goto out;
	if (text.len > budget) {
		err_set(e, ERR_SYSTEM,
			"'%s' would have %zu bytes, over its budget of %zu: "
			"shorten it with 'co context --edit'",
			path, text.len, budget);
		goto out;
	}
	r = found ? file_replace(s->fd, "context.md", path, text.p, text.len, e)
		  : file_create(s->fd, "context.md", path,
				root_file_mode(&s->root), text.p, text.len, e);
	r = r < 0 ? -1 : 1;
out:
	buf_release(&was);
	buf_release(&with);
	buf_release(&text);
	return r;
}

int learned_add(struct store *s, const char *text, size_t len, struct err *e)
{
	struct buf item = {0}, path = {0};
	int r = -1, lock;

	utf8_strip(&text, &len);
	if (!len)
		return err_set(e, ERR_DATA, "nothing to learn: empty text");
	if (memchr(text, '\0', len) || utf8_check(text, len) < len)
		return err_set(e, ERR_DATA, "the text is not UTF-8");
	add_bullet(&item, text, len);
	buf_addf(&path, "%s/context.md", s->path);
	if (!lock_take(s->fd, s->path, &lock, e)) {
		r = add_locked(s, path.p, &item, e);
		lock_release(s->fd, lock);
	}
	buf_release(&item);
	buf_release(&path);
	return r;
}
