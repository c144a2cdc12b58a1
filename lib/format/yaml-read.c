/* yaml-read.c: libyaml's events, folded into values.
 *
 * libyaml's own document loader is quadratic in anchors and its scanner in
 * nesting, so neither gets the chance: events come one by one and the first
 * that is refused ends the work.  Nodes wait on one stack, a collection's
 * behind its frame's base, and move to the arena as it ends.
 *
 * libyaml counts places in characters; they are turned into bytes here.
 */
#include "format/yaml-read.h"

#include "base/utf8.h"
#include "format/yaml-scalar.h"

#include <yaml.h>

#define DEPTH_MAX 64
#define ANCHORS_MAX 64
#define ALIASED_MAX ((size_t)64 * 1024)

/* A list or map that has begun. */
struct frame {
	bool map;
	bool flow;
	size_t base;	/* its first node on the stack */
	uint32_t start; /* where it begins */
};

struct anchor {
	const char *name;
	const char *text; /* NULL for a list or map */
	size_t len;
	bool plain;
};

struct yaml_reader {
	const char *p;
	size_t len;
	uint32_t base;
	struct arena *a;
	struct value *nodes; /* the stack; keys of maps included */
	size_t n, cap;
	struct frame frames[DEPTH_MAX];
	int depth, depth_max;
	struct anchor anchors[ANCHORS_MAX];
	size_t nanchors;
	size_t aliased;		 /* bytes that aliases stand for */
	size_t at_char, at_byte; /* the last place that was converted */
	bool ended;		 /* the document ended */
	size_t fault;
	struct err *e;
};

/* The byte offset in P of the libyaml place MARK.  Places come nearly in
 * order, so the walk from the last one is short. */
static size_t offset_of(struct yaml_reader *r, yaml_mark_t mark)
{
	size_t size;

	while (r->at_char > mark.index) {
		do
			r->at_byte--;
		while (((unsigned char)r->p[r->at_byte] & 0xC0) == 0x80);
		r->at_char--;
	}
	while (r->at_char < mark.index && r->at_byte < r->len) {
		utf8_decode(r->p + r->at_byte, r->len - r->at_byte, &size);
		r->at_byte += size;
		r->at_char++;
	}
	return r->at_byte;
}

static int fail(struct yaml_reader *r, size_t offset, const char *what)
{
	r->fault = offset;
	return err_set(r->e, ERR_DATA, "%s", what);
}

static int fail_named(struct yaml_reader *r, size_t offset, const char *what,
		      const char *name, size_t len, const char *tail)
{
	r->fault = offset;
	return err_set(r->e, ERR_DATA, "%s '%.*s' %s", what,
		       (int)utf8_cut(name, len, 60), name, tail);
}

/* True if the next node stands as a map's key. */
static bool at_key(const struct yaml_reader *r)
{
	const struct frame *f = r->frames + r->depth - (r->depth > 0);

	return r->depth && f->map && (r->n - f->base) % 2 == 0;
}

static int push(struct yaml_reader *r, struct value v)
{
	r->nodes = mem_grow(r->nodes, r->n, &r->cap, sizeof(*r->nodes));
	r->nodes[r->n++] = v;
	return 0;
}

/* Push the scalar TEXT, which lives in the arena and stands at [start, end).
 */
static int push_scalar(struct yaml_reader *r, size_t start, size_t end,
		       const char *text, size_t len, bool plain)
{
	struct value v = {.kind = VALUE_STR};

	if (at_key(r) && memchr(text, '\0', len))
		return fail(r, start, "a key holds a NUL");
	v.u.s.p = text;
	v.u.s.len = len;
	if (plain && !at_key(r))
		yaml_scalar_resolve(text, len, &v);
	v.start = r->base + (uint32_t)start;
	v.end = r->base + (uint32_t)end;
	return push(r, v);
}

/* The offset behind the blanks, line breaks and comments at I. */
static size_t skip_blanks(const struct yaml_reader *r, size_t i)
{
	bool comment = false;

	for (; i < r->len; i++) {
		char c = r->p[i];

		if (c == '#')
			comment = true;
		else if (c == '\n' || c == '\r')
			comment = false;
		else if (!comment && c != ' ' && c != '\t')
			break;
	}
	return i;
}

/* libyaml drops the non-specific tag `!` of the node at I, so look for it. */
static bool has_bare_tag(const struct yaml_reader *r, size_t i,
			 const char *anchor)
{
	if (anchor)
		i = skip_blanks(r, i + strlen(anchor) + 1);
	return i < r->len && r->p[i] == '!';
}

static int add_anchor(struct yaml_reader *r, size_t at, const char *name,
		      struct anchor node)
{
	if (!name)
		return 0;
	if (r->nanchors == ANCHORS_MAX)
		return fail(r, at, "more than 64 anchors");
	node.name = arena_strdup(r->a, name);
	r->anchors[r->nanchors++] = node;
	return 0;
}

static int take_scalar(struct yaml_reader *r, const yaml_event_t *event)
{
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	const char *anchor = (const char *)event->data.scalar.anchor;
	size_t start = offset_of(r, event->start_mark);
	size_t end = offset_of(r, event->end_mark);
	size_t len = event->data.scalar.length;
	char *text;

	if (event->data.scalar.tag || has_bare_tag(r, start, anchor))
		return fail(r, start, "tags are not allowed");
	if (!r->depth)
		return fail(r, start, "expected a mapping, found a scalar");
	text = arena_copy(r->a, (const char *)event->data.scalar.value, len);
	if (add_anchor(r, start, anchor,
		       (struct anchor){NULL, text, len, plain}))
		return -1;
	return push_scalar(r, start, end, text, len, plain);
}

static int take_alias(struct yaml_reader *r, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	size_t start = offset_of(r, event->start_mark);
	size_t end = offset_of(r, event->end_mark);
	const struct anchor *node = NULL;

	if (!r->depth)
		return fail(r, start, "expected a mapping, found an alias");
	for (size_t i = r->nanchors; !node && i-- > 0;) {
		if (strcmp(r->anchors[i].name, name) == 0)
			node = &r->anchors[i];
	}
	if (!node)
		return fail_named(r, start, "alias", name, strlen(name),
				  "names no anchor");
	if (!node->text)
		return fail_named(r, start, "alias", name, strlen(name),
				  "names a list or map; only scalars have "
				  "aliases");
	r->aliased += node->len;
	if (r->aliased > ALIASED_MAX)
		return fail(r, start, "aliases stand for more than 64 KiB");
	return push_scalar(r, start, end, node->text, node->len, node->plain);
}

/* A list or map begins. */
static int take_start(struct yaml_reader *r, const yaml_event_t *event,
		      bool map)
{
	/* The two kinds of event differ in the types of their styles only. */
	const yaml_char_t *anchor = map ? event->data.mapping_start.anchor
					: event->data.sequence_start.anchor;
	const yaml_char_t *tag = map ? event->data.mapping_start.tag
				     : event->data.sequence_start.tag;
	bool flow =
		map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
		    : event->data.sequence_start.style ==
				YAML_FLOW_SEQUENCE_STYLE;
	size_t start = offset_of(r, event->start_mark);

	if (tag || has_bare_tag(r, start, (const char *)anchor))
		return fail(r, start, "tags are not allowed");
	if (!r->depth && !map)
		return fail(r, start, "expected a mapping, found a list");
	if (r->depth && at_key(r))
		return fail(r, start, "a key must be a scalar");
	if (r->depth == r->depth_max) {
		r->fault = start;
		return err_set(r->e, ERR_DATA, "nested deeper than %d",
			       r->depth_max);
	}
	if (add_anchor(r, start, (const char *)anchor,
		       (struct anchor){NULL, NULL, 0, false}))
		return -1;
	r->frames[r->depth++] =
		(struct frame){map, flow, r->n, r->base + (uint32_t)start};
	return 0;
}

/* By text, then by place: keys that stand twice become neighbours. */
static int compare_keys(const void *x, const void *y)
{
	const struct value *a = *(const struct value *const *)x;
	const struct value *b = *(const struct value *const *)y;
	int r;

	if (a->u.s.len != b->u.s.len)
		return a->u.s.len < b->u.s.len ? -1 : 1;
	r = memcmp(a->u.s.p, b->u.s.p, a->u.s.len);
	return r ? r : (a->start > b->start) - (a->start < b->start);
}

static bool same_text(const struct value *a, const struct value *b)
{
	return a->u.s.len == b->u.s.len &&
	       memcmp(a->u.s.p, b->u.s.p, a->u.s.len) == 0;
}

/* The first key of MAP that stands there a second time, or NULL. */
static const struct value *find_twice(const struct value *map)
{
	const struct value_pair *pairs = map->u.map.pairs;
	const struct value *twice = NULL;
	size_t n = map->u.map.n;
	const struct value **keys;

	if (n < 2)
		return NULL;
	keys = mem_resize(NULL, n, sizeof(*keys));
	for (size_t i = 0; i < n; i++)
		keys[i] = &pairs[i].key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < n; i++) {
		if (same_text(keys[i - 1], keys[i]) &&
		    (!twice || keys[i]->start < twice->start))
			twice = keys[i];
	}
	free(keys);
	return twice;
}

static void close_list(struct yaml_reader *r, const struct value *nodes,
		       size_t n, struct value *v)
{
	v->kind = VALUE_LIST;
	v->u.list.n = n;
	v->u.list.items = arena_alloc(r->a, n * sizeof(*nodes));
	if (n)
		memcpy(v->u.list.items, nodes, n * sizeof(*nodes));
}

static int close_map(struct yaml_reader *r, const struct value *nodes, size_t n,
		     struct value *v)
{
	struct value_pair *pairs = arena_alloc(r->a, n / 2 * sizeof(*pairs));
	const struct value *twice;

	for (size_t i = 0; i < n / 2; i++)
		pairs[i] = (struct value_pair){nodes[2 * i], nodes[2 * i + 1]};
	v->kind = VALUE_MAP;
	v->u.map.n = n / 2;
	v->u.map.pairs = pairs;
	twice = find_twice(v);
	if (twice)
		return fail_named(r, twice->start - r->base, "key",
				  twice->u.s.p, twice->u.s.len,
				  "is given twice");
	return 0;
}

/* A list or map ends. */
static int take_end(struct yaml_reader *r, const yaml_event_t *event)
{
	const struct frame *f = &r->frames[--r->depth];
	struct value v = {.start = f->start}, *nodes;
	size_t n = r->n - f->base;

	/* The stack itself is made for its first node. */
	nodes = n ? r->nodes + f->base : NULL;

	/* libyaml lets a block end where the next token begins, behind all
	 * comments; it ends with its last node. */
	if (f->flow || !n)
		v.end = r->base + (uint32_t)offset_of(r, event->end_mark);
	else
		v.end = nodes[n - 1].end;
	if (!f->map)
		close_list(r, nodes, n, &v);
	else if (close_map(r, nodes, n, &v))
		return -1;
	r->n = f->base;
	return push(r, v);
}

static int take_document(struct yaml_reader *r, const yaml_event_t *event)
{
	size_t start = offset_of(r, event->start_mark);

	if (event->data.document_start.version_directive ||
	    event->data.document_start.tag_directives.start !=
		    event->data.document_start.tag_directives.end)
		return fail(r, start, "directives are not allowed");
	if (r->ended)
		return fail(r, start, "more than one document");
	if (!event->data.document_start.implicit)
		return fail(r, start, "document markers are not allowed");
	return 0;
}

static int take(struct yaml_reader *r, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return take_document(r, event);
	case YAML_DOCUMENT_END_EVENT:
		r->ended = true;
		if (!event->data.document_end.implicit)
			return fail(r, offset_of(r, event->start_mark),
				    "document markers are not allowed");
		return 0;
	case YAML_ALIAS_EVENT:
		return take_alias(r, event);
	case YAML_SCALAR_EVENT:
		return take_scalar(r, event);
	case YAML_SEQUENCE_START_EVENT:
		return take_start(r, event, false);
	case YAML_MAPPING_START_EVENT:
		return take_start(r, event, true);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return take_end(r, event);
	default:
		return 0;
	}
}

/* Say what libyaml found wrong. */
static int fail_parser(struct yaml_reader *r, const yaml_parser_t *parser)
{
	const char *problem = parser->problem ? parser->problem : "malformed";
	const char *sep = parser->context ? " " : "";

	if (parser->error == YAML_MEMORY_ERROR)
		mem_none();
	if (parser->error == YAML_READER_ERROR)
		r->fault = parser->problem_offset;
	else
		r->fault = offset_of(r, parser->problem_mark);
	if (r->fault > r->len)
		r->fault = r->len;
	return err_set(r->e, ERR_DATA, "%s%s%s", problem, sep,
		       parser->context ? parser->context : "");
}

static int read_events(struct yaml_reader *r, yaml_parser_t *parser)
{
	yaml_event_t event;
	bool more = true;
	int failed;

	while (more) {
		if (!yaml_parser_parse(parser, &event))
			return fail_parser(r, parser);
		more = event.type != YAML_STREAM_END_EVENT;
		failed = take(r, &event);
		yaml_event_delete(&event);
		if (failed)
			return -1;
	}
	return 0;
}

int yaml_parse(const char *p, size_t len, uint32_t base, int depth,
	       struct arena *a, struct value *out, size_t *fault, struct err *e)
{
	struct yaml_reader r = {
		.p = p, .len = len, .base = base, .a = a, .e = e};
	yaml_parser_t parser;
	int failed;

	r.depth_max = depth < DEPTH_MAX ? depth : DEPTH_MAX;
	if (!yaml_parser_initialize(&parser))
		mem_none();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)p, len);
	failed = read_events(&r, &parser);
	yaml_parser_delete(&parser);
	if (failed)
		*fault = r.fault;
	else
		*out = r.n ? r.nodes[0] : (struct value){.kind = VALUE_MAP};
	free(r.nodes);
	return failed;
}

void yaml_library(struct buf *out)
{
	buf_addf(out, "libyaml %s", yaml_get_version_string());
}
