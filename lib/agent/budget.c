/* budget.c: entries are added by their rank as long as they fit, each counted with
 * the headings that it needs and with the blank lines that it may need at most. The
 * unused room is measured and offered again, until nothing more fits. Two entries
 * that become neighbours may together read as a tag or a mark. So the result is
 * sanitized again, and if that makes it too long, it is fitted into less.
 */
#include "agent/budget.h"

#include "agent/agent.h"
#include "agent/digest-block.h"
#include "base/utf8.h"
#include "text/injected.h"

#include <unistd.h>

#define BEGIN_CHARACTERS 60 /* that are shown of an entry */

int budget_parse(struct budget *b, const char *text, struct err *e)
{
	const size_t digits = strspn(text, "0123456789");
	const struct agent *agent = agent_find(text);

	*b = (struct budget){.name = text};
	if (agent) {
		b->bytes = agent->context_max;
	} else if (!strcmp(text, "mcp")) { /* instructions of a server */
		b->bytes = 2000;
		b->project_first = true;
	} else if (digits && digits <= 9 && !text[digits]) {
		b->bytes = strtoul(text, NULL, 10);
	}
	if (b->bytes)
		return 0;
	return err_set(e, ERR_USAGE,
		       "'%s' is no budget: give an agent's name, mcp or a "
		       "number of bytes",
		       text);
}

static int count_draft(void *ctx, const char *name, enum file_kind kind)
{
	*(size_t *)ctx += kind == FILE_REGULAR && layout_is_memory(name);
	return 0;
}

/* Count the drafts below ROOT, as store_count() would, but without the rest of
 * a store. */
static int count_below(struct root *root, size_t *n, struct err *e)
{
	struct buf path = {0};
	int knowledge, drafts;
	int r = root_open_knowledge(root, &path, &knowledge, e);

	if (r == 1) {
		buf_addf(&path, "/%s", layout_name(AREA_DRAFTS));
		r = file_open_dir(knowledge, layout_name(AREA_DRAFTS), path.p,
				  &drafts, e);
		close(knowledge);
	}
	if (r == 1) {
		r = file_walk(drafts, path.p, count_draft, n, e);
		close(drafts);
	}
	if (r >= 0)
		r = shared_open(root, false, &drafts, e);
	if (r == 1) {
		r = file_walk(drafts, shared_path(root), count_draft, n, e);
		close(drafts);
	}
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

size_t budget_drafts(const struct context *c, const struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(c->parts); i++) {
		struct root root;
		struct err e;

		if (!c->parts[i].path) /* unasked, or complained of */
			continue;
		if (root_find(&root, c->parts[i].scope, &e) < 0) {
			err_report(r, &e);
			continue;
		}
		if (count_below(&root, &n, &e) < 0)
			err_report(r, &e);
		root_release(&root);
	}
	return n;
}

/* True if entry I is left out or kept for its own sake. */
static bool is_leaf(const struct budget_part *part, size_t i)
{
	return !part->entries.items[i].has_parts;
}

static bool is_left(const struct budget_part *part, size_t i)
{
	return is_leaf(part, i) && !part->kept[i];
}

static void split(struct fitted *f, struct budget_part *part,
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

/* Return true if a blank line is between entry I, which is kept, and BEFORE, the
 * last one kept before it. */
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

/* The data for the lines besides the entries. */
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

/* Replace f->text by the kept entries and all that surrounds them; by nothing if
 * there is nothing to tell. */
static void render(struct fitted *f, const struct notes *n, bool wrap)
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

/* The most bytes that keeping entry I costs: with a newline, a blank line
 * before it and one before the next, and the headings it needs. */
static size_t cost(const struct budget_part *part, size_t i)
{
	const struct markdown_entry *e = part->entries.items;
	size_t bytes = 0;

	for (; i != MARKDOWN_ENTRY_NONE && !part->kept[i]; i = e[i].heading)
		bytes += markdown_entries_size(&e[i]) + 3;
	return bytes;
}

static void keep(struct budget_part *part, size_t i)
{
	for (; i != MARKDOWN_ENTRY_NONE && !part->kept[i];
	     i = part->entries.items[i].heading)
		part->kept[i] = true;
}

/* True if entry I is what `co learn --always` adds to. */
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

/* Keep entry I if *ROOM is left for it; a part's first takes the heading of the
 * part along. */
static bool offer(struct budget_part *part, size_t i, bool *any, size_t *room)
{
	const size_t bytes = cost(part, i) +
			     (*any ? 0 : strlen("\n### Project Context\n\n"));

	if (bytes > *room || !is_left(part, i))
		return false;
	*room -= bytes;
	*any = true;
	keep(part, i);
	return true;
}

/* Offer ROOM to the entries of PART that are left out: true if any took it. */
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
			took = offer(part, i, &any, room) || took;
			continue;
		}
		while (end < list->n &&
		       list->items[end].heading == list->items[i].heading)
			end++;
		for (size_t k = end; k-- > i;)
			took = offer(part, k, &any, room) || took;
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

/* Keep what fits into LIMIT bytes, the project's first. */
static void choose(struct fitted *f, const struct notes *n, bool wrap,
		   size_t limit)
{
	size_t room;
	bool took = true;

	keep_all(f, false);
	while (took) {
		render(f, n, wrap);
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

/* Add what still fits of the digests: the context goes before them. */
static void add_knowledge(struct fitted *f, const struct notes *n, bool wrap)
{
	const struct buf *block = &n->context->knowledge;
	size_t over;

	if (!block->len || (f->entries && !f->text.len))
		return;
	buf_add(&f->knowledge, block->p, block->len);
	render(f, n, wrap);
	if (f->text.len <= n->budget->bytes)
		return;
	over = f->text.len - n->budget->bytes;
	buf_cut(&f->knowledge, 0);
	if (over < block->len)
		digest_block_fit(&f->knowledge, block, block->len - over);
	render(f, n, wrap);
}

void budget_fit(struct fitted *f, const struct context *c,
		const struct budget *b, bool wrap, size_t drafts)
{
	const struct notes notes = {c, drafts, b};
	size_t limit = b->bytes;

	*f = (struct fitted){0};
	for (size_t k = 0; k < ARRAY_LEN(f->parts); k++)
		split(f, &f->parts[k], c,
		      &c->parts[b->project_first ? 1 - k : k]);
	keep_all(f, true);
	render(f, &notes, wrap);
	while (f->text.len > b->bytes) {
		const size_t over = f->text.len - b->bytes;

		choose(f, &notes, wrap, limit);
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
