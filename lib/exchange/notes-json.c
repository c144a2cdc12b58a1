/* notes-json.c: see notes.h. A text is read as a stream of JSON values:
 * one per line, one list, or one object. */
#include "exchange/notes.h"

#include "exchange/context-json.h"
#include "format/json-read.h"
#include "harvest/items.h"

typedef int value_fn(void *ctx, const struct value *v, struct err *e);

/* Return the offset of the first byte of P from AT on that is not blank, or
 * LEN. */
static size_t skip_blanks(const char *p, size_t len, size_t at)
{
	while (at < len && p[at] && strchr(" \t\r\n", p[at]))
		at++;
	return at;
}

/* If the unreadable value at *AT is an object at the start of a line, move *AT
 * to the next line that begins an object and return true. If only a brace is
 * on its first line, it ends at a line with the closing brace. */
static bool skip_object(const char *p, size_t len, size_t *at)
{
	size_t i = skip_blanks(p, len, *at);
	bool inside; /* within the unreadable object */

	if (i == len || p[i] != '{' || (i && p[i - 1] != '\n'))
		return false;
	inside = i + 1 < len && strchr("\r\n", p[i + 1]);
	for (i++; i < len; i++) {
		inside = inside && !(p[i] == '}' && p[i - 1] == '\n');
		if (!inside && p[i] == '{' && p[i - 1] == '\n') {
			*at = i;
			return true;
		}
	}
	return false;
}

/* Call FN for each value of the stream P, which knows where it begins. An
 * unreadable object at the start of a line is reported and skipped. */
static int each_value(const struct note_sink *s, const char *p, size_t len,
		      struct arena *a, value_fn *fn, void *ctx, struct err *e)
{
	struct value v;
	struct err why, fault;
	size_t at = 0;

	for (;;) {
		size_t start = at;
		const int r = json_parse_at(p, len, &at, a, &v, &why);
		int sent;

		v.start = (uint32_t)skip_blanks(p, len, start);
		sent = r > 0 ? fn(ctx, &v, e) : 0;
		if (!r || sent)
			return sent;
		if (r > 0)
			continue;
		err_set(&fault, ERR_DATA, "'%s':%s", s->path, why.text);
		if (!skip_object(p, len, &start))
			return err_take(e, &fault);
		at = start;
		err_report(s->report, &fault);
	}
}

/* The strings are borrowed. */
struct relation {
	const char *from, *how, *to;
	size_t number; /* position in the file */
};

struct graph {
	const struct note_sink *sink;
	struct value *entities; /* borrowed */
	size_t n, cap;
	struct relation *relations; /* sorted by FROM after reading */
	size_t nrelations, relations_cap;
};

/* A value_fn: add an entity or a relation. Other values are ignored. */
static int add_to_graph(void *ctx, const struct value *v, struct err *e)
{
	struct graph *g = ctx;
	const struct relation r = {value_text(v, "from"),
				   value_text(v, "relationType"),
				   value_text(v, "to"), g->nrelations};

	(void)e;
	if (value_is(value_get(v, "type"), "entity")) {
		*MEM_ADD(g->entities, g->n, g->cap) = *v;
	} else if (value_is(value_get(v, "type"), "relation") && r.from &&
		   r.how && r.to) {
		*MEM_ADD(g->relations, g->nrelations, g->relations_cap) = r;
	}
	return 0;
}

static int by_from(const void *a, const void *b)
{
	const struct relation *x = a, *y = b;
	const int order = strcmp(x->from, y->from);

	return order ? order
		     : (x->number > y->number) - (x->number < y->number);
}

/* Append the relations of the entity NAME. */
static void add_relations(struct buf *text, const struct graph *g,
			  const char *name)
{
	size_t low = 0, high = g->nrelations;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(g->relations[middle].from, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < g->nrelations && !strcmp(g->relations[low].from, name);
	     low++)
		buf_addf(text, "\n%s %s %s", name, g->relations[low].how,
			 g->relations[low].to);
}

/* Send the memory of the entity V. */
static int send_entity(const struct graph *g, const struct value *v,
		       struct err *e)
{
	const char *name = value_text(v, "name");
	const char *kind = value_text(v, "entityType");
	const struct value *said = value_get(v, "observations"), *item;
	struct buf text = {0};
	struct note n = {0};
	int r;

	if (!name)
		return 0;
	buf_adds(&text, name);
	if (kind && *kind) {
		buf_addf(&text, " (%s)", kind);
		strings_add(&n.tags, kind);
	}
	for (size_t i = 0; (item = value_item(said, i)); i++) {
		if (item->kind == VALUE_STR)
			buf_addf(&text, "\n%s", item->u.s.p);
	}
	add_relations(&text, g, name);
	n.content = text.p;
	n.len = text.len;
	r = note_send(g->sink, &n, e);
	free(n.tags.items);
	buf_release(&text);
	return r;
}

int notes_send_entities(const struct note_sink *s, const char *name,
			const char *p, size_t len, struct err *e)
{
	struct graph g = {.sink = s};
	struct arena a = {0};
	int r = each_value(s, p, len, &a, add_to_graph, &g, e);

	(void)name;
	MEM_SORT(g.relations, g.nrelations, by_from);
	for (size_t i = 0; i < g.n && !r; i++)
		r = send_entity(&g, &g.entities[i], e);
	free(g.entities);
	free(g.relations);
	arena_release(&a);
	return r;
}

/* Return the first text of V under one of KEYS, or NULL. */
static const char *first_text(const struct value *v, const char *const *keys)
{
	const char *text = NULL;

	for (; *keys && !text; keys++)
		text = value_text(v, *keys);
	return text;
}

/* The reader of a stream. */
struct stream {
	const struct note_sink *sink;
	unsigned section; /* if it is a file of memories */
	const char *text; /* all of it */
	size_t at;	  /* where the value that is read begins */
	struct arena *arena;
};

/* A value_fn: send a memory, or each memory of a list. */
static int send_mem0(void *ctx, const struct value *v, struct err *e)
{
	static const char *const texts[] = {"memory", "text", "content", "data",
					    NULL};
	static const char *const times[] = {"created_at", "createdAt",
					    "updated_at", NULL};
	struct stream *st = ctx;
	const struct value *lists[] = {value_get(v, "results"),
				       value_get(v, "memories"), v};
	const struct value *item;
	const char *text = first_text(v, texts);
	struct note n = {.content = text, .created = first_text(v, times)};
	int r = 0;

	for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
		if (!lists[k] || lists[k]->kind != VALUE_LIST)
			continue;
		for (size_t i = 0; (item = value_item(lists[k], i)) && !r; i++)
			r = send_mem0(ctx, item, e);
		return r;
	}
	if (!text)
		return 0;
	note_add_tags(&n.tags, value_get(v, "categories"), st->arena);
	note_add_tags(&n.tags, value_get(value_get(v, "metadata"), "category"),
		      st->arena);
	n.len = strlen(text);
	r = note_send(st->sink, &n, e);
	free(n.tags.items);
	return r;
}

int notes_send_mem0(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e)
{
	struct arena a = {0};
	struct stream st = {.sink = s, .arena = &a};
	int r = each_value(s, p, len, &a, send_mem0, &st, e);

	(void)name;
	arena_release(&a);
	return r;
}

/* Report that the value that is read of ST has the fault WHAT, with its line. */
static void fault_of(const struct stream *st, const char *what)
{
	size_t line = 1;

	for (const char *p = st->text; p < st->text + st->at; p++)
		line += *p == '\n';
	note_fault(st->sink,
		   arena_printf(st->arena, "line %zu: %s", line, what));
}

static int send_record(const struct stream *st, const struct value *v,
		       struct err *e)
{
	struct buf line = {0};
	int r = json_write_value(&line, v, e);

	if (!r)
		r = st->sink->fn(st->sink->ctx, line.p, line.len, e);
	buf_release(&line);
	return r;
}

/* A value_fn: send a record, or each record of a list, or add a file of an
 * older co. */
static int send_value(void *ctx, const struct value *v, struct err *e)
{
	struct stream *st = ctx;
	const struct value *list =
		v->kind == VALUE_LIST ? v : value_get(v, "memories");
	int r = 0;

	/* A value inside another one does not record where it begins. */
	st->at = v->start ? v->start : st->at;
	if (list && list->kind == VALUE_LIST) {
		for (size_t i = 0; i < list->u.list.n && !r; i++)
			r = send_value(ctx, &list->u.list.items[i], e);
		return r;
	}
	if (value_get(v, "content") || item_lines_is(v))
		return send_record(st, v, e);
	if (context_read_is(v))
		return context_read_add(st->sink->kept, st->sink, v, e);
	if (st->section < CONTEXT_SECTIONS) {
		context_read_add_memories(st->sink->kept, st->sink, st->section,
					  v);
		return 0;
	}
	fault_of(st, "expected records with 'content', context.json, or a "
		     "file of memories");
	return 0;
}

int notes_send_records(const struct note_sink *s, const char *name,
		       const char *p, size_t len, struct err *e)
{
	struct arena a = {0};
	struct stream st = {.sink = s,
			    .section = context_read_section(name),
			    .text = p,
			    .arena = &a};
	int r = each_value(s, p, len, &a, send_value, &st, e);

	arena_release(&a);
	return r;
}
