/* context.c: both files are read, sanitized and joined in one pass. A file that
 * cannot be loaded has a state of its own, and each reason is reported once. The
 * text is made safe for a prompt before it is measured and cut. So the sizes are
 * those of the output, and no cut can undo an escape.
 *
 * Known limit: the cut takes from the end, which is the project's part.
 */
#include "agent/context.h"

#include "agent/digest-block.h"
#include "base/utf8.h"
#include "store/journal.h"
#include "store/save.h"
#include "sys/dirs.h"
#include "text/conflict.h"

#include <contexts.h> /* made by the Makefile of Documentation/examples */
#include <inttypes.h>
#include <unistd.h>

#define NAME "context.md"

size_t context_budget(enum scope scope)
{
	return scope == SCOPE_GLOBAL ? 3072 : 7168;
}

const char *context_state_name(enum context_state state)
{
	static const char *const names[] = {
		[CONTEXT_UNASKED] = "unasked",
		[CONTEXT_ABSENT] = "absent",
		[CONTEXT_EMPTY] = "empty",
		[CONTEXT_UNREADABLE] = "unreadable",
		[CONTEXT_MALFORMED] = "malformed",
		[CONTEXT_LOADED] = "loaded",
	};

	return names[state];
}

static void complain(struct context *c, const struct report *r,
		     const struct err *e)
{
	c->invalid = true;
	err_report(r, e);
}

/* Report E, and make it the trouble of PART if that has none. */
static void report_trouble(struct context *c, struct context_part *part,
			   const struct report *r, const struct err *e)
{
	if (!part->trouble)
		part->trouble = mem_strdup(e->text);
	complain(c, r, e);
}

void context_trouble(struct buf *out, const struct context_part *part)
{
	if (!part->trouble)
		return;
	buf_addf(out, "the %s context %s: %s", record_scope_name(part->scope),
		 part->state == CONTEXT_LOADED || part->state == CONTEXT_EMPTY
			 ? "is loaded in part"
			 : "could not be loaded",
		 part->trouble);
}

void context_explain_rules(struct buf *out, const struct context_part *part)
{
	struct buf bullet = {0};

	for (size_t i = 0; i < part->rules.n; i++) {
		const struct record *r = &part->rules.items[i];

		buf_cut(&bullet, 0);
		rules_bullet(&bullet, r->content, r->content_len, "\n");
		buf_addf(out, "rule\t%s\t%" PRId64 "\t%zu\t",
			 record_scope_name(part->scope), r->id, bullet.len);
		sanitize_terminal(out, r->path, strlen(r->path), false);
		buf_addc(out, '\n');
	}
	buf_release(&bullet);
}

void context_heading(struct buf *out, enum scope scope)
{
	buf_adds(out, scope == SCOPE_GLOBAL ? "### Global Context\n\n"
					    : "### Project Context\n\n");
}

/* Append the title or a blank line, and the heading of PART. */
static void begin_section(struct buf *out, struct context_part *part)
{
	buf_adds(out, out->len ? "\n\n" : CONTEXT_TITLE);
	context_heading(out, part->scope);
	part->at = out->len;
}

/* Append the LEN bytes of P, the body of FM, as the section of PART. */
static void add_section(struct buf *out, struct context_part *part,
			const struct frontmatter *fm, const char *p, size_t len)
{
	int line, col;

	begin_section(out, part);
	sanitize_prompt(out, p, len);
	part->len = out->len - part->at;
	frontmatter_place(fm, (size_t)(p - fm->text), &line, &col);
	part->line = (size_t)line;
}

/* Return 0, or -1 if the body of FM is not UTF-8. It is loaded nevertheless,
 * with its invalid bytes made visible, but its owner should know. */
static int check_body(const struct frontmatter *fm, const char *path,
		      struct err *e)
{
	size_t len = fm->len - fm->body;
	size_t bad = utf8_check(fm->text + fm->body, len);
	int line, col;

	if (bad == len)
		return 0;
	frontmatter_place(fm, fm->body + bad, &line, &col);
	return err_set(e, ERR_DATA, "'%s':%d:%d: not UTF-8", path, line, col);
}

/* Return TEXT of *LEN bytes. If its header has several `updated`, because both
 * sides of a merge were kept, return a copy in A with only the first. *LINE is the
 * line of the second, or 0. */
static const char *drop_second(const char *text, size_t *len, struct arena *a,
			       size_t *line)
{
	static const char key[] = "updated:";
	struct frontmatter fm;
	struct buf out = {0};
	size_t end, n, at = 1, seen = 0;

	*line = 0;
	frontmatter_split(&fm, text, *len);
	end = fm.yaml + fm.yaml_len;
	buf_add(&out, text, fm.yaml);
	for (size_t i = fm.yaml; i < end; i += n) {
		const char *newline = memchr(text + i, '\n', end - i);

		n = newline ? (size_t)(newline - text) + 1 - i : end - i;
		at++;
		if (strncmp(text + i, key, strlen(key)) != 0 || !seen++)
			buf_add(&out, text + i, n);
		else if (!*line)
			*line = at;
	}
	if (*line) {
		buf_add(&out, text + end, *len - end);
		*len = out.len;
		text = arena_copy(a, out.p, out.len);
	}
	buf_release(&out);
	return text;
}

/* Check the header FM, if there is one. In a team's store it may lack
 * `updated`: a line that each change writes would conflict in each merge. */
static int check_header(struct store *s, const struct frontmatter *fm,
			const char *path, struct err *e)
{
	struct value_pair updated = {.key = value_str("updated"),
				     .val = value_str("2026-01-01T00:00:00Z")};
	struct frontmatter with = *fm;
	struct value_pair *pairs;
	const size_t n = fm->present ? fm->data.u.map.n : 0;
	int r;

	if (!fm->present)
		return 0;
	if (value_get(&fm->data, "updated") || !store_is_team(s))
		return schema_check(SCHEMA_CONTEXT, fm, path, e);
	pairs = mem_alloc((n + 1) * sizeof(*pairs));
	memcpy(pairs, fm->data.u.map.pairs, n * sizeof(*pairs));
	pairs[n] = updated;
	with.data.u.map.pairs = pairs;
	with.data.u.map.n = n + 1;
	r = schema_check(SCHEMA_CONTEXT, &with, path, e);
	free(pairs);
	return r;
}

/* Add the text FILE to C as the section of PART. Report its faults to R. Return
 * its state. */
static enum context_state load_text(struct context *c,
				    struct context_part *part, struct store *s,
				    const struct buf *file,
				    const struct report *r)
{
	enum context_state state = CONTEXT_LOADED;
	struct arena a = {0};
	struct frontmatter fm;
	const char *text = buf_str(file), *body;
	size_t len = file->len, line;
	struct err e;

	text = conflict_ours(text, &len, &a, &line);
	if (line) {
		conflict_err(&e, part->path, line,
			     record_scope_option(part->scope));
		report_trouble(c, part, r, &e);
	}
	text = drop_second(text, &len, &a, &line);
	if (line) {
		err_set(&e, ERR_DATA,
			"'%s':%zu:1: there are two 'updated', as after a "
			"merge: the first one counts",
			part->path, line);
		complain(c, r, &e);
	}
	if (frontmatter_parse(&fm, text, len, part->path, &a, &e) < 0) {
		report_trouble(c, part, r, &e);
		arena_release(&a);
		return CONTEXT_MALFORMED;
	}
	if (check_header(s, &fm, part->path, &e) < 0)
		complain(c, r, &e);
	if (check_body(&fm, part->path, &e) < 0)
		complain(c, r, &e);
	frontmatter_content(&fm, &body, &len);
	if (len)
		add_section(&c->text, part, &fm, body, len);
	else
		state = CONTEXT_EMPTY;
	arena_release(&a);
	return state;
}

/* Read the context file in DIR of a store of SCOPE. Return as file_read(). */
static int read_file(int dir, enum scope scope, const char *path,
		     struct buf *text, struct err *e)
{
	return (scope == SCOPE_GLOBAL ? file_read_followed : file_read)(
		dir, NAME, path, CONTEXT_FILE_MAX, text, e);
}

/* Append the rules of S to the section of PART, which is begun if its file was
 * empty. */
static void add_rules(struct context *c, struct context_part *part,
		      struct store *s, const struct report *r)
{
	struct buf text = {0};
	struct err e;

	if (rules_find(&part->rules, s, &e) < 0)
		report_trouble(c, part, r, &e);
	rules_text(&text, &part->rules);
	if (!text.len)
		return;
	if (!part->len) {
		begin_section(&c->text, part);
	} else {
		for (size_t i = 0; i < part->len; i++)
			part->rules_line += c->text.p[part->at + i] == '\n';
		part->rules_line += 2;
		buf_adds(&c->text, "\n\n");
	}
	sanitize_prompt(&c->text, text.p, text.len);
	part->len = c->text.len - part->at;
	part->size += text.len;
	buf_release(&text);
}

/* Load PART, with the rules if RULES. Unless DIGEST is NULL, set it to whether
 * the settings ask for a digest. */
static void load_part(struct context *c, struct context_part *part,
		      bool *digest, bool rules, const struct report *r)
{
	struct buf text = {0}, path = {0};
	struct root root;
	struct store s;
	struct err e;
	int got = 0;

	part->state = CONTEXT_ABSENT;
	if (part->scope == SCOPE_GLOBAL && !dirs_known())
		return; /* as in a container without HOME */
	part->state = CONTEXT_UNREADABLE;
	if (store_open(&s, part->scope, r, &e) < 0) {
		report_trouble(c, part, r, &e);
		if (root_find(&root, part->scope, NULL) < 0)
			return;
		if (digest)
			*digest = digest_block_wanted(&root);
		buf_addf(&path, "%s/knowledge/" NAME, root.path);
		part->path = buf_take(&path);
		root_release(&root);
		return;
	}
	if (digest)
		*digest = digest_block_wanted(&s.repo.root);
	context_path(&path, &s);
	part->path = buf_take(&path);
	if (s.repo.fd >= 0)
		got = read_file(s.repo.fd, part->scope, part->path, &text, &e);
	if (got < 0)
		report_trouble(c, part, r, &e);
	part->size = text.len;
	if (got == 0)
		part->state = CONTEXT_ABSENT;
	else if (got > 0)
		part->state = load_text(c, part, &s, &text, r);
	if (rules)
		add_rules(c, part, &s, r);
	buf_release(&text);
	store_close(&s);
}

void context_load_whole(struct context *c, unsigned want,
			const struct report *r)
{
	static const enum scope order[] = {SCOPE_GLOBAL, SCOPE_PROJECT};
	const bool as_set = want & CONTEXT_DIGEST_AS_SET,
		   user = want & CONTEXT_WANT(SCOPE_GLOBAL);
	bool digest = want & CONTEXT_DIGEST;

	memset(c, 0, sizeof(*c));
	if (as_set && !user)
		digest = digest_block_wanted(NULL);
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		c->parts[i].scope = order[i];
		c->parts[i].budget = context_budget(order[i]);
		if (want & CONTEXT_WANT(order[i]))
			load_part(c, &c->parts[i],
				  as_set && order[i] == SCOPE_GLOBAL ? &digest
								     : NULL,
				  !(want & CONTEXT_FILES_ONLY), r);
	}
	if (digest)
		digest_block_add(&c->knowledge, want, r);
	if (c->knowledge.len) {
		buf_adds(&c->text, c->text.len ? "\n\n" : CONTEXT_TITLE);
		buf_add(&c->text, c->knowledge.p, c->knowledge.len);
	}
	c->size = c->text.len;
}

void context_load(struct context *c, unsigned want, const struct report *r)
{
	context_load_whole(c, want, r);
	if (c->size > CONTEXT_LIMIT)
		buf_cut(&c->text,
			utf8_cut(c->text.p, c->text.len, CONTEXT_LIMIT));
}

void context_release(struct context *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		free(c->parts[i].path);
		free(c->parts[i].trouble);
		rules_release(&c->parts[i].rules);
	}
	buf_release(&c->text);
	buf_release(&c->knowledge);
}

void context_file_budgets(const struct context *c, const struct report *r)
{
	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		const struct context_part *p = &c->parts[i];

		if (p->size <= p->budget)
			continue;
		err_warn(r, ERR_DATA,
			 "WARNING: '%s': %s context is %zu bytes, over its "
			 "budget of %zu bytes.",
			 p->path, record_scope_name(p->scope), p->size,
			 p->budget);
	}
}

void context_budgets(const struct context *c, const struct report *r)
{
	struct err e;

	context_file_budgets(c, r);
	if (c->size > CONTEXT_LIMIT)
		err_set(&e, ERR_DATA,
			"ERROR: Knowledge size %zu bytes exceeds %d byte "
			"limit. Truncating to %d bytes. Please reduce content "
			"in context.md files.",
			c->size, CONTEXT_LIMIT, CONTEXT_LIMIT);
	else if (c->size > CONTEXT_TARGET)
		err_set(&e, ERR_DATA,
			"WARNING: Knowledge size %zu bytes exceeds %d byte "
			"target. Consider reducing content in context.md "
			"files.",
			c->size, CONTEXT_TARGET);
	else
		return;
	err_report(r, &e);
}

void context_path(struct buf *out, const struct store *s)
{
	buf_addf(out, "%s/" NAME, s->repo.path);
}

/* Append the example of a context without its items: a new context begins with
 * the headings. */
static void add_template(struct buf *out, enum scope scope)
{
	const char *line =
		scope == SCOPE_GLOBAL ? global_context_md : context_md;
	struct buf text = {0};
	size_t len;

	for (; *line; line += len) {
		const bool blank = *line == '\n';

		len = strcspn(line, "\n") + 1;
		if (*line == '-' && line[1] == ' ')
			continue;
		if (!blank || text.p[text.len - 2] != '\n')
			buf_add(&text, line, len);
	}
	buf_cut(&text, text.len - 1); /* the blank line after the last items */
	context_touch(out, text.p, text.len, NAME, NULL);
	buf_release(&text);
}

int context_read(struct store *s, struct buf *text, struct err *e)
{
	struct buf path = {0};
	int r = 0;

	context_path(&path, s);
	if (s->repo.fd >= 0)
		r = read_file(s->repo.fd, s->repo.root.scope, path.p, text, e);
	if (!r) {
		buf_cut(text, 0);
		add_template(text, s->repo.root.scope);
	}
	buf_release(&path);
	return r;
}

int context_check(struct store *s, const char *text, size_t len,
		  const char *path, struct err *e)
{
	struct arena a = {0};
	struct frontmatter fm;
	int r = frontmatter_parse(&fm, text, len, path, &a, e);

	if (!r)
		r = check_header(s, &fm, path, e);
	if (!r)
		r = check_body(&fm, path, e);
	if (!r && memchr(text, '\0', len))
		r = err_set(e, ERR_DATA, "'%s' has a NUL byte", path);
	arena_release(&a);
	return r;
}

int context_touch(struct buf *out, const char *text, size_t len,
		  const char *path, struct err *e)
{
	struct arena a = {0};
	struct frontmatter fm;
	char now[INSTANT_TEXT];
	struct value v = value_str(instant_format(instant_now(), now));
	int r = frontmatter_parse(&fm, text, len, path, &a, e);

	if (!r && fm.present)
		r = frontmatter_set(out, &fm, "updated", &v, e);
	else if (!r)
		buf_add(out, text, len);
	arena_release(&a);
	return r;
}

/* Do context_save_over() with TEXT as it is. The caller holds the lock. */
static int save_locked(struct store *s, const char *path, const struct buf *was,
		       const struct buf *text, struct buf *lost, struct err *e)
{
	struct operation_change c = {s->repo.fd, NAME, path, was,
				     text,	 NULL, lost};
	struct buf is = {0};
	struct arena a = {0};
	int r = 0;

	if (s->repo.root.scope == SCOPE_GLOBAL)
		r = file_follow(s->repo.fd, NAME, path, &a, &c.dir, &c.name, e);
	if (!r)
		r = file_read(c.dir, c.name, path, CONTEXT_FILE_MAX, &is, e);
	if (r >= 0 && (r != 0) == (was != NULL) &&
	    (!was || buf_equal(&is, was)))
		r = operation_change(s, &c, e);
	else if (r >= 0)
		r = err_set(e, ERR_BUSY, "'%s' was changed meanwhile", path);
	if (c.dir >= 0 && c.dir != s->repo.fd)
		close(c.dir);
	buf_release(&is);
	arena_release(&a);
	return r;
}

int context_save_over(struct store *s, const struct buf *was,
		      const struct buf *text, struct buf *lost, struct err *e)
{
	struct buf path = {0}, touched = {0};
	int r;

	context_path(&path, s);
	if (was && store_is_team(s)) {
		buf_add(&touched, buf_str(text), text->len);
		r = 0;
	} else {
		r = context_touch(&touched, buf_str(text), text->len, path.p,
				  e);
	}
	if (!r)
		r = secret_gate_text(s, buf_str(text), text->len,
				     was ? buf_str(was) : NULL,
				     was ? was->len : 0, NULL, e);
	if (!r)
		r = store_lock(s, e);
	if (!r) {
		r = save_locked(s, path.p, was, &touched, lost, e);
		store_unlock(s);
	}
	buf_release(&path);
	buf_release(&touched);
	return r;
}

int context_save(struct store *s, const struct buf *was, const struct buf *text,
		 struct err *e)
{
	return context_save_over(s, was, text, NULL, e) < 0 ? -1 : 0;
}
