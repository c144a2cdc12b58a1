/* learned.c: the section is found by its heading, `# Learned`, and ends at the
 * next heading of the first level. A fenced block or a comment that is not
 * closed would include everything after it, so a bullet is written before it.
 *
 * Other programs may write the file at the same time. A rule that one of them
 * overwrote is written again. So are rules of another program's text that we
 * replaced.
 */
#include "agent/context.h"

#include "base/utf8.h"
#include "store/save.h"
#include "text/conflict.h"
#include "text/markdown.h"

#include <time.h>

#define TITLE "Learned"
#define TRIES 100
#define PAUSE_MS 50

/* Return the length of the line at P without its line end. END is the end of
 * the text. */
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

/* A rule as a list item, in lines that end in NL. */
struct bullet {
	struct buf text;
	const char *nl;
};

/* The `# Learned` section in the body of a context. */
struct learned_section {
	const char *start; /* after the line of its heading; NULL: no section */
	const char *last;  /* after its last line that is not blank */
	const char *open;  /* the block that is not closed, or NULL */
	bool has;	   /* it has the bullet that is searched */
	/* A blank line is needed between LAST and a new bullet, and between
	 * that bullet and what follows it. */
	bool blank_before, blank_after;
};

/* Return true if the item at P, which ends before END, is exactly BULLET. */
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

/* Find the section, and BULLET in it, in the body from P to END. */
static void find_section(struct learned_section *s, const char *p,
			 const char *end, const struct bullet *bullet)
{
	struct markdown m;
	struct block b;

	*s = (struct learned_section){0};
	markdown_start(&m, p, (size_t)(end - p));
	while (markdown_next(&m, &b)) {
		const char *start = p + b.start;

		if (s->start && b.level == 1 && !b.depth) {
			/* A heading that is underlined would continue the
			 * bullet. */
			s->blank_after = !b.apart && memchr(start, '\n', b.len);
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

/* Append WAS with a new section that has BULLET: at the end, but before OPEN, a
 * block that is not closed, if there is one. */
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

/* Append WAS with BULLET added to its section. Return 1, or 0 with nothing
 * appended if the section has BULLET already. */
static int insert_bullet(struct buf *out, const struct buf *was,
			 const struct bullet *bullet)
{
	const char *end = buf_str(was) + was->len;
	struct frontmatter fm;
	struct learned_section s;

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
	/* Skip the blank line after the heading. */
	if (s.last == s.start && s.last < end && !line_length(s.last, end))
		s.last = next_line(s.last, end);
	buf_add(out, bullet->text.p, bullet->text.len);
	if (s.blank_after)
		buf_adds(out, bullet->nl);
	buf_add(out, s.last, (size_t)(end - s.last));
	return 1;
}

static int check_budget(const struct store *s, size_t len, struct err *e)
{
	const size_t budget = context_budget(s->repo.root.scope);
	const char *option = record_scope_option(s->repo.root.scope);

	if (len <= budget)
		return 0;
	return err_set(e, ERR_SYSTEM,
		       "'%s/context.md' would have %zu bytes, over its budget "
		       "of %zu: shorten it with 'co context --edit%s'",
		       s->repo.path, len, budget, option);
}

/* Return the length of the bullet at P, which ends before END: up to the next
 * bullet or heading, without blank lines at the end. */
static size_t bullet_length(const char *p, const char *end)
{
	const char *last = next_line(p, end), *line = last;

	for (; line < end && *line != '-' && *line != '#';
	     line = next_line(line, end)) {
		if (line_length(line, end))
			last = next_line(line, end);
	}
	return (size_t)(last - p);
}

/* Add to TEXT the bullets of the section of LOST that TEXT lacks. */
static void add_lost(struct buf *text, const struct buf *lost)
{
	const char *end = buf_str(lost) + lost->len, *p;
	struct bullet bullet = {{0}, "\n"};
	struct frontmatter fm;
	struct learned_section s;

	frontmatter_split(&fm, buf_str(lost), lost->len);
	find_section(&s, fm.text + fm.body, end, &bullet);
	for (p = s.start; p && p < s.last; p = next_line(p, s.last)) {
		struct buf with = {0};

		if (s.last - p < 2 || p[0] != '-' || p[1] != ' ')
			continue;
		buf_cut(&bullet.text, 0);
		buf_add(&bullet.text, p, bullet_length(p, s.last));
		if (bullet.text.p[bullet.text.len - 1] != '\n')
			buf_addc(&bullet.text, '\n');
		if (insert_bullet(&with, text, &bullet)) {
			buf_release(text);
			*text = with;
		} else {
			buf_release(&with);
		}
	}
	buf_release(&bullet.text);
}

/* A rule to be added. */
struct addition {
	struct store *s;
	const char *p; /* the rule */
	size_t len;
	struct buf lost; /* the text of another program that we replaced; its
			  * rules must be added again */
};

/* Return true if the rule of A is in TEXT. Otherwise WITH, unless it is NULL,
 * gets TEXT with the rule. */
static bool has_rule(const struct addition *a, const struct buf *text,
		     struct buf *with)
{
	const struct frontmatter all = {.text = buf_str(text),
					.len = text->len};
	struct bullet bullet = {{0}, frontmatter_line_end(&all)};
	struct buf unwanted = {0};
	bool has;

	rules_bullet(&bullet.text, a->p, a->len, bullet.nl);
	has = !insert_bullet(with ? with : &unwanted, text, &bullet);
	buf_release(&bullet.text);
	buf_release(&unwanted);
	return has;
}

/* Check that readers see the rule of A in TEXT. Return 0, or -1 with ERR_DATA
 * if it is on the other side of an unresolved merge. */
static int check_shown(const struct addition *a, const struct buf *text,
		       const char *path, struct err *e)
{
	struct arena arena = {0};
	struct buf shown = {0};
	size_t len = text->len, line;
	const char *ours = conflict_ours(buf_str(text), &len, &arena, &line);
	int r = 0;

	buf_add(&shown, ours, len);
	if (line && !has_rule(a, &shown, NULL))
		r = err_set(e, ERR_DATA,
			    "'%s':%zu:1: an unresolved merge, whose other side "
			    "would have the rule: run 'co resolve%s' first",
			    path, line,
			    record_scope_option(a->s->repo.root.scope));
	buf_release(&shown);
	arena_release(&arena);
	return r;
}

/* Return true if the file still has the rule of A. Unless SURE, wait first: the
 * file system could not exchange names, so a concurrent writer may be about to
 * replace our text. */
static bool is_still_there(struct addition *a, bool sure)
{
	struct buf is = {0};
	bool there;

	if (!sure)
		nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
	there = context_read(a->s, &is, NULL) == 1 ? has_rule(a, &is, NULL)
						   : sure;
	buf_release(&is);
	return there;
}

/* Add the rule of A to the file once. Return 1; 0 if the rule is there already;
 * or -1: ERR_BUSY if another process has changed the file. */
static int write_once(struct addition *a, struct err *e)
{
	struct buf was = {0}, with = {0}, text = {0}, path = {0};
	const int found = context_read(a->s, &was, e);
	int r = found < 0 ? -1 : 1;

	context_path(&path, a->s);
	if (r > 0 && has_rule(a, &was, &with)) {
		buf_add(&with, was.p, was.len);
		r = 0;
	}
	if (r >= 0 && a->lost.len) {
		add_lost(&with, &a->lost);
		r = 1;
	}
	if (r >= 0 && check_shown(a, &with, path.p, e) < 0)
		r = -1;
	if (r > 0 && (context_touch(&text, with.p, with.len, path.p, e) < 0 ||
		      check_budget(a->s, text.len, e) < 0))
		r = -1;
	if (r > 0) {
		const int saved = context_save_over(a->s, found ? &was : NULL,
						    &text, &a->lost, e);

		if (saved < 0)
			r = -1;
		else if (!is_still_there(a, saved == 0))
			r = err_set(e, ERR_BUSY,
				    "'%s' is written by another program at the "
				    "same time, and lacks the rule: try again",
				    path.p);
		else
			buf_cut(&a->lost, 0);
	}
	buf_release(&was);
	buf_release(&with);
	buf_release(&text);
	buf_release(&path);
	return r;
}

/* Add a rule to the context file, and repeat that while other processes change
 * the file: the lock may not reach them, see sys/file-write.h. */
static int add_locked(struct store *s, const char *p, size_t len, struct err *e)
{
	struct addition a = {s, p, len, {0}};
	struct err why;
	int r, n = 0;

	do
		r = write_once(&a, &why);
	while (r < 0 && why.code == ERR_BUSY && ++n < TRIES);
	buf_release(&a.lost);
	if (r < 0 && e)
		*e = why;
	return r == 0 && n ? 1 : r;
}

int context_has_room(struct store *s, const char *p, size_t len, struct err *e)
{
	const size_t budget = context_budget(s->repo.root.scope);
	struct buf text = {0}, rules_are = {0};
	struct rules rules;
	int r = rules_find(&rules, s, e);

	if (!r)
		r = context_read(s, &text, e);
	if (r == 0) /* no file: TEXT is the template */
		buf_cut(&text, 0);
	if (r >= 0) {
		rules_text(&rules_are, &rules);
		rules_bullet(&text, p, len, "\n");
		buf_adds(&text, rules_are.len ? "" : "### Learned\n\n");
	}
	if (r >= 0 && text.len + rules_are.len > budget)
		r = err_set(e, ERR_SYSTEM,
			    "the %s context would have %zu bytes, over "
			    "its budget of %zu: 'co-context-load --explain' "
			    "names what takes them, 'co forget ID' makes room",
			    s->repo.root.scope == SCOPE_GLOBAL ? "user's"
							       : "project's",
			    text.len + rules_are.len, budget);
	rules_release(&rules);
	buf_release(&text);
	buf_release(&rules_are);
	return r < 0 ? -1 : 0;
}

/* Make the memory at PATH a rule. */
static int make_rule(struct store *s, const char *path, struct err *e)
{
	const struct value yes = {.kind = VALUE_BOOL, .u.b = true};
	const struct save_edit edit = {
		.path = path, .keys = RULES_KEY, .value = &yes};

	return save_edit(s, &edit, NULL, NULL, e);
}

/* Do context_learn() for a store whose rules are memories. The caller holds the lock.
 */
static int add_memory(struct store *s, const char *p, size_t len,
		      struct buf *where, struct err *e)
{
	struct value_pair pair = {.key = value_str(RULES_KEY),
				  .val = {.kind = VALUE_BOOL, .u.b = true}};
	const struct value extra = {.kind = VALUE_MAP,
				    .u.map = {.pairs = &pair, .n = 1}};
	const struct store_new new = {
		.content = p, .len = len, .extra = &extra};
	struct arena a = {0};
	struct record r;
	int found = duplicates_find_exact(s, AREA_MEMORIES, p, len, &a, &r, e),
	    result = -1;

	if (found == 1)
		found = store_read(s, arena_strdup(&a, r.path), &a, &r, e);
	if (found == 1 && rules_has(&r))
		result = 0;
	else if (found >= 0 && context_has_room(s, p, len, e) == 0)
		result = (found ? make_rule(s, r.path, e)
				: save_memory(s, &new, &a, &r, e)) < 0
				 ? -1
				 : 1;
	if (result >= 0)
		buf_adds(where, r.path);
	arena_release(&a);
	return result;
}

int context_learn(struct store *s, const char *text, size_t len,
		  struct buf *where, struct err *e)
{
	int r;

	utf8_strip(&text, &len);
	if (!len)
		return err_set(e, ERR_DATA, "nothing to learn: empty text");
	if (memchr(text, '\0', len) || utf8_check(text, len) < len)
		return err_set(e, ERR_DATA, "the text is not UTF-8");
	if (secret_gate_text(s, text, len, NULL, 0, NULL, e) < 0 ||
	    store_lock(s, e) < 0)
		return -1;
	if (store_is_team(s)) {
		r = add_memory(s, text, len, where, e);
	} else {
		r = add_locked(s, text, len, e);
		context_path(where, s);
	}
	store_unlock(s);
	return r;
}
