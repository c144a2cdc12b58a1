/* budget.c: entries are added by rank as long as they fit. Each counts with the
 * headings that it needs and the most blank lines that it may need. Then the
 * unused room is measured and offered again, until nothing more fits.
 *
 * Two entries that become neighbours may together read as a tag or a mark. So
 * the result is sanitized again. If that makes it too long, it is fitted into
 * less.
 */
#include "agent/budget.h"

#include "agent/agent.h"
#include "agent/digest-block.h"
#include "base/utf8.h"
#include "text/injected.h"

#define BEGIN_CHARACTERS 60 /* of an entry that budget_explain() shows */

int budget_parse(struct budget *b, const char *text, struct err *e)
{
	const size_t digits = strspn(text, "0123456789");
	const struct agent *agent = agent_find(text);

	*b = (struct budget){.name = text};
	if (agent) {
		b->bytes = agent->context_max;
	} else if (!strcmp(text, "mcp")) { /* the instructions of co mcp */
		b->bytes = 2000;
		b->project_first = true;
	} else if (digits && digits <= 9 && !text[digits]) {
		b->bytes = strtoul(text, NULL, 10);
	}
	if (b->bytes)
		return 0;
	return err_set(e, ERR_USAGE,
		       "'%s' is not a budget: give an agent's name, mcp or a "
		       "number of bytes",
		       text);
}

static int count_draft(void *ctx, const struct layout_file *f, struct err *e)
{
	(void)e;
	*(size_t *)ctx += f->kind == FILE_REGULAR;
	return 0;
}

size_t budget_drafts(const struct context *c, const struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		struct repo repo;
		struct err e;

		if (!c->parts[i].path) /* not wanted, or already reported */
			continue;
		/* Like store_count(), but without opening a store. */
		if (repo_open(&repo, c->parts[i].scope, &e) < 0) {
			err_report(r, &e);
			continue;
		}
		if (layout_walk(&repo, AREA_DRAFTS, count_draft, &n, &e) < 0)
			err_report(r, &e);
		repo_close(&repo);
	}
	return n;
}

/* Return true if entry I is kept or left out by itself, rather than with the
 * entries below it. */
static bool is_leaf(const struct budget_part *part, size_t i)
{
	return !part->entries.items[i].has_parts;
}

static bool is_left(const struct budget_part *part, size_t i)
{
	return is_leaf(part, i) && !part->kept[i];
}

static void split_part(struct fitted *f, struct budget_part *part,
		       const struct context *c, const struct context_part *from)
{
	part->from = from;
	if (!from->len)
		return;
	injected_escape(&part->body, c->text.p + from->at, from->len);
	part->p = part->body.p;
	markdown_entries_split(&part->entries, part->p, part->body.len);
	part->kept = mem_alloc(part->entries.n + 1);
	for (size_t i = 0; i < part->entries.n; i++)
		f->entries += is_leaf(part, i);
}

/* Return true if a blank line is needed between entry I, which is kept, and
 * BEFORE, the last one kept before it. */
static bool is_apart(const struct budget_part *part, size_t before, size_t i)
{
	const struct markdown_entry *e = part->entries.items;

	return e[i].apart ||
	       (i > before + 1 && (e[i].kind != MARKDOWN_ENTRY_ITEM ||
				   e[before].kind != MARKDOWN_ENTRY_ITEM));
}

/* Append the entries of PART that are kept, after its heading; nothing if there are
 * none. */
static void add_part(struct buf *out, const struct budget_part *part)
{
	size_t before = MARKDOWN_ENTRY_NONE;

	for (size_t i = 0; i < part->entries.n; i++) {
		if (!part->kept[i])
			continue;
		if (before == MARKDOWN_ENTRY_NONE) {
			buf_adds(out, out->len ? "\n" : "");
			context_heading(out, part->from->scope);
		} else if (is_apart(part, before, i)) {
			buf_addc(out, '\n');
		}
		markdown_entries_add(out, &part->entries.items[i], part->p);
		buf_addc(out, '\n');
		before = i;
	}
}

/* The data for the lines that are not entries. */
struct notes {
	const struct context *context;
	size_t drafts;
	const struct budget *budget;
};

static void add_notes(struct buf *out, const struct notes *n, size_t left)
{
	struct buf text = {0};

	for (size_t i = 0; i < ARRAY_LEN(n->context->parts); i++) {
		buf_cut(&text, 0);
		context_trouble(&text, &n->context->parts[i]);
		if (text.len)
			buf_addf(out, "%s(%s.)\n", out->len ? "\n" : "",
				 text.p);
	}
	buf_release(&text);
	if (left)
		buf_addf(out,
			 "%s(%zu %s left out to fit %zu bytes; 'co context' "
			 "shows all.)\n",
			 out->len ? "\n" : "", left,
			 left == 1 ? "entry was" : "entries were",
			 n->budget->bytes);
	if (n->drafts)
		buf_addf(out, "%s(%zu %s for the user's yes: 'co review'.)\n",
			 out->len ? "\n" : "", n->drafts,
			 n->drafts == 1 ? "draft waits" : "drafts wait");
}

static size_t count_left(const struct fitted *f)
{
	size_t left = 0;

	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++) {
		for (size_t i = 0; i < f->parts[k].entries.n; i++)
			left += is_left(&f->parts[k], i);
	}
	return left;
}

/* Set F->text to the kept entries with everything around them; empty if there
 * is nothing to say. */
static void render_text(struct fitted *f, const struct notes *n, bool wrap)
{
	struct buf body = {0}, safe = {0};

	buf_cut(&f->text, 0);
	f->left = count_left(f);
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++)
		add_part(&body, &f->parts[k]);
	add_notes(&body, n, f->left);
	if (body.len || f->knowledge.len) {
		buf_adds(&f->text, wrap ? CONTEXT_BEGIN : "");
		sanitize_prompt(&safe, body.p, body.len);
		buf_cut(&body, 0);
		buf_adds(&body, CONTEXT_TITLE);
		buf_add(&body, safe.p, safe.len);
		if (safe.len && f->knowledge.len)
			buf_addc(&body, '\n');
		buf_add(&body, f->knowledge.p, f->knowledge.len);
		injected_add(&f->text, body.p, body.len);
		buf_adds(&f->text, wrap ? CONTEXT_END : "");
	}
	buf_release(&body);
	buf_release(&safe);
}

/* Return the most bytes that keeping entry I can take: with its newline, a
 * blank line before it and after it, and the headings that it needs. */
static size_t entry_cost(const struct budget_part *part, size_t i)
{
	const struct markdown_entry *e = part->entries.items;
	size_t bytes = 0;

	for (; i != MARKDOWN_ENTRY_NONE && !part->kept[i]; i = e[i].heading)
		bytes += markdown_entries_size(&e[i]) + 3;
	return bytes;
}

static void keep_entry(struct budget_part *part, size_t i)
{
	for (; i != MARKDOWN_ENTRY_NONE && !part->kept[i];
	     i = part->entries.items[i].heading)
		part->kept[i] = true;
}

/* Return true if entry I is the heading that `co learn --always` adds bullets
 * below. */
static bool is_learned(const struct budget_part *part, size_t i)
{
	static const char title[] = "Learned";
	const struct markdown_entry *e;

	if (i == MARKDOWN_ENTRY_NONE)
		return false;
	e = &part->entries.items[i];
	return (e->level == 1 || e->level == 3) &&
	       e->title_len == strlen(title) &&
	       !memcmp(e->title, title, e->title_len);
}

/* Keep entry I if it fits into *ROOM, and subtract its size. The first entry of
 * a part, while *ANY is false, also takes the heading of the part. */
static bool keep_if_fits(struct budget_part *part, size_t i, bool *any,
			 size_t *room)
{
	const size_t bytes = entry_cost(part, i) +
			     (*any ? 0 : strlen("\n### Project Context\n\n"));

	if (bytes > *room || !is_left(part, i))
		return false;
	*room -= bytes;
	*any = true;
	keep_entry(part, i);
	return true;
}

/* Keep those entries of PART that were left out and fit into *ROOM. Return true
 * if any did. */
static bool offer_part(struct budget_part *part, size_t *room)
{
	const struct markdown_entries *list = &part->entries;
	bool any = false, took = false;
	size_t end;

	for (size_t i = 0; i < list->n; i++)
		any = any || part->kept[i];
	for (size_t i = 0; i < list->n; i = end) {
		end = i + 1;
		if (!is_learned(part, list->items[i].heading)) {
			took = keep_if_fits(part, i, &any, room) || took;
			continue;
		}
		while (end < list->n &&
		       list->items[end].heading == list->items[i].heading)
			end++;
		for (size_t k = end; k-- > i;)
			took = keep_if_fits(part, k, &any, room) || took;
	}
	return took;
}

static void keep_all(struct fitted *f, bool kept)
{
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++) {
		for (size_t i = 0; i < f->parts[k].entries.n; i++)
			f->parts[k].kept[i] = kept;
	}
}

/* Keep the entries that fit into LIMIT bytes, those of the project first. */
static void choose_entries(struct fitted *f, const struct notes *n, bool wrap,
			   size_t limit)
{
	size_t room;
	bool took = true;

	keep_all(f, false);
	while (took) {
		render_text(f, n, wrap);
		if (f->text.len > limit)
			break;
		took = false;
		for (enum scope s = SCOPE_PROJECT; s <= SCOPE_GLOBAL; s++) {
			for (size_t k = 0; k < ARRAY_LEN(f->parts); k++) {
				room = limit - f->text.len;
				if (f->parts[k].from->scope != s || took)
					continue;
				took = offer_part(&f->parts[k], &room);
			}
		}
	}
}

/* Add as much of the digests as still fits after the context. */
static void add_knowledge(struct fitted *f, const struct notes *n, bool wrap)
{
	const struct buf *block = &n->context->knowledge;
	size_t over;

	if (!block->len || (f->entries && !f->text.len))
		return;
	buf_add(&f->knowledge, block->p, block->len);
	render_text(f, n, wrap);
	if (f->text.len <= n->budget->bytes)
		return;
	over = f->text.len - n->budget->bytes;
	buf_cut(&f->knowledge, 0);
	if (over < block->len)
		digest_block_fit(&f->knowledge, block, block->len - over);
	render_text(f, n, wrap);
}

void budget_fit(struct fitted *f, const struct context *c,
		const struct budget *b, bool wrap, size_t drafts)
{
	const struct notes notes = {c, drafts, b};
	size_t limit = b->bytes;

	*f = (struct fitted){0};
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++)
		split_part(f, &f->parts[k], c,
			   &c->parts[b->project_first ? 1 - k : k]);
	keep_all(f, true);
	render_text(f, &notes, wrap);
	while (f->text.len > b->bytes) {
		const size_t over = f->text.len - b->bytes;

		choose_entries(f, &notes, wrap, limit);
		if (f->text.len <= b->bytes)
			break;
		if (limit <= over) {
			buf_cut(&f->text, 0);
			break;
		}
		limit -= over;
	}
	add_knowledge(f, &notes, wrap);
}

void budget_release(struct fitted *f)
{
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++) {
		buf_release(&f->parts[k].body);
		free(f->parts[k].entries.items);
		free(f->parts[k].kept);
	}
	buf_release(&f->text);
	buf_release(&f->knowledge);
}

/* Append the rules of PART that TEXT contains. */
static void add_shown_rules(struct shown_items *items,
			    const struct context_part *part,
			    const struct buf *text)
{
	struct buf bullet = {0}, clean = {0}, safe = {0};

	for (size_t i = 0; i < part->rules.n; i++) {
		const struct record *r = &part->rules.items[i];

		buf_cut(&bullet, 0);
		buf_cut(&clean, 0);
		buf_cut(&safe, 0);
		rules_bullet(&bullet, r->content, r->content_len, "\n");
		sanitize_prompt(&clean, buf_str(&bullet), bullet.len);
		injected_escape(&safe, buf_str(&clean), clean.len);
		if (memmem(buf_str(text), text->len, buf_str(&safe), safe.len))
			shown_add_record(items, r, safe.len, SHOWN_RULE, NULL);
	}
	buf_release(&bullet);
	buf_release(&clean);
	buf_release(&safe);
}

void budget_add_shown(struct shown_items *items, const struct context *c,
		      const struct fitted *f)
{
	for (size_t i = 0; i < ARRAY_LEN(c->parts) && f->text.len; i++) {
		const struct context_part *part = &c->parts[i];
		const struct shown_memory m = {.scope = part->scope,
					       .path = part->path,
					       .bytes = part->len,
					       .why = SHOWN_CONTEXT};

		if (part->state == CONTEXT_LOADED)
			shown_add(items, &m);
		add_shown_rules(items, part, &f->text);
	}
	if (f->knowledge.len)
		shown_add(items,
			  &(struct shown_memory){.bytes = f->knowledge.len,
						 .why = SHOWN_DIGEST});
}

static void explain_part(struct buf *out, const struct budget_part *part)
{
	for (size_t i = 0; i < part->entries.n; i++) {
		const struct markdown_entry *e = &part->entries.items[i];
		const char *p = part->p + e->start;
		const char *nl = memchr(p, '\n', e->len);
		const size_t len = nl ? (size_t)(nl - p) : e->len;

		if (!is_left(part, i))
			continue;
		buf_addf(out, "left\t%s\t%zu\t%zu\t",
			 record_scope_name(part->from->scope),
			 part->from->rules.n &&
					 e->line >= part->from->rules_line
				 ? 0
				 : part->from->line + e->line,
			 e->len);
		sanitize_terminal(out, p, utf8_prefix(p, len, BEGIN_CHARACTERS),
				  false);
		buf_addc(out, '\n');
	}
}

void budget_explain(struct buf *out, const struct fitted *f)
{
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++)
		explain_part(out, &f->parts[k]);
}
