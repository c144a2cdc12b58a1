/* yaml-read.c: build values from the events of libyaml.
 *
 * libyaml's document loader is quadratic in anchors and its scanner in nesting.
 * Therefore events are read one by one, and the first error ends the work.
 * Nodes wait on one stack; those of a collection, from the base of its frame
 * on, move to the arena when it ends.
 *
 * libyaml counts positions in characters, which are converted to bytes here.
 */
#include "format/yaml.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "format/yaml-scalar.h"

#include <yaml.h>

#define DEPTH_MAX 64
#define ANCHORS_MAX 64
#define ALIASED_MAX ((size_t)64 * 1024)

/* An open list or map. */
struct frame {
	bool map;
	bool flow;
	size_t base;	/* stack index of its first node */
	uint32_t start; /* its position */
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
	struct value *nodes; /* stack, including keys of maps */
	size_t n, cap;
	struct frame frames[DEPTH_MAX];
	int depth, depth_max;
	struct anchor anchors[ANCHORS_MAX];
	size_t nanchors;
	size_t aliased; /* total size of expanded aliases */
	bool ascii;	/* so a position in characters is one in bytes */
	size_t at_char, at_byte; /* last converted position */
	bool ended;		 /* the document ended */
	size_t fault;
	struct err *e;
};

/* Convert the libyaml position MARK to a byte offset in P. Marks are nearly in
 * order, so it walks from the last one. */
static size_t offset_of(struct yaml_reader *r, yaml_mark_t mark)
{
	size_t size;

	if (r->ascii)
		return mark.index < r->len ? mark.index : r->len;
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

static int set_failure(struct yaml_reader *r, size_t offset, const char *what)
{
	r->fault = offset;
	return err_set(r->e, ERR_DATA, "%s", what);
}

static int set_named_failure(struct yaml_reader *r, size_t offset,
			     const char *what, const char *name, size_t len,
			     const char *tail)
{
	r->fault = offset;
	return err_set(r->e, ERR_DATA, "%s '%.*s' %s", what,
		       (int)utf8_cut(name, len, 60), name, tail);
}

/* Return true if the next node is a key of a map. */
static bool at_key(const struct yaml_reader *r)
{
	const struct frame *f = r->frames + r->depth - (r->depth > 0);

	return r->depth && f->map && (r->n - f->base) % 2 == 0;
}

static int push_node(struct yaml_reader *r, struct value v)
{
	*MEM_ADD(r->nodes, r->n, r->cap) = v;
	return 0;
}

/* Push the scalar TEXT of the arena, at the position [start, end). */
static int push_scalar(struct yaml_reader *r, size_t start, size_t end,
		       const char *text, size_t len, bool plain)
{
	struct value v = {.kind = VALUE_STR};

	if (at_key(r) && memchr(text, '\0', len))
		return set_failure(r, start, "a key has a NUL");
	v.u.s.p = text;
	v.u.s.len = len;
	if (plain && !at_key(r))
		yaml_scalar_resolve(text, len, &v);
	v.start = r->base + (uint32_t)start;
	v.end = r->base + (uint32_t)end;
	return push_node(r, v);
}

/* Return the offset after the blanks, line ends and comments at I. */
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

/* Return true if the node at I has the non-specific tag `!`, which libyaml
 * drops. */
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
		return set_failure(r, at, "more than 64 anchors");
	node.name = arena_strdup(r->a, name);
	r->anchors[r->nanchors++] = node;
	return 0;
}

static int handle_scalar(struct yaml_reader *r, const yaml_event_t *event)
{
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	const char *anchor = (const char *)event->data.scalar.anchor;
	size_t start = offset_of(r, event->start_mark);
	size_t end = offset_of(r, event->end_mark);
	size_t len = event->data.scalar.length;
	char *text;

	if (event->data.scalar.tag || has_bare_tag(r, start, anchor))
		return set_failure(r, start, "tags are not allowed");
	if (!r->depth)
		return set_failure(r, start,
				   "expected a mapping, found a scalar");
	text = arena_copy(r->a, (const char *)event->data.scalar.value, len);
	if (add_anchor(r, start, anchor,
		       (struct anchor){NULL, text, len, plain}))
		return -1;
	return push_scalar(r, start, end, text, len, plain);
}

static int handle_alias(struct yaml_reader *r, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	size_t start = offset_of(r, event->start_mark);
	size_t end = offset_of(r, event->end_mark);
	const struct anchor *node = NULL;

	if (!r->depth)
		return set_failure(r, start,
				   "expected a mapping, found an alias");
	for (size_t i = r->nanchors; !node && i-- > 0;) {
		if (strcmp(r->anchors[i].name, name) == 0)
			node = &r->anchors[i];
	}
	if (!node)
		return set_named_failure(r, start, "alias", name, strlen(name),
					 "names no anchor");
	if (!node->text)
		return set_named_failure(
			r, start, "alias", name, strlen(name),
			"names a list or map; only scalars have "
			"aliases");
	r->aliased += node->len;
	if (r->aliased > ALIASED_MAX)
		return set_failure(r, start,
				   "aliases expand to more than 64 KiB");
	return push_scalar(r, start, end, node->text, node->len, node->plain);
}

static int handle_start(struct yaml_reader *r, const yaml_event_t *event,
			bool map)
{
	/* The two event types differ only in the types of their styles. */
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
		return set_failure(r, start, "tags are not allowed");
	if (!r->depth && !map)
		return set_failure(r, start,
				   "expected a mapping, found a list");
	if (r->depth && at_key(r))
		return set_failure(r, start, "a key must be a scalar");
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
	const struct value *duplicate;

	for (size_t i = 0; i < n / 2; i++)
		pairs[i] = (struct value_pair){nodes[2 * i], nodes[2 * i + 1]};
	v->kind = VALUE_MAP;
	v->u.map.n = n / 2;
	v->u.map.pairs = pairs;
	duplicate = value_duplicate_key(v);
	if (duplicate)
		return set_named_failure(r, duplicate->start - r->base, "key",
					 duplicate->u.s.p, duplicate->u.s.len,
					 "is given twice");
	return 0;
}

static int handle_end(struct yaml_reader *r, const yaml_event_t *event)
{
	const struct frame *f = &r->frames[--r->depth];
	struct value v = {.start = f->start}, *nodes;
	size_t n = r->n - f->base;

	/* The stack is allocated with its first node. */
	nodes = n ? r->nodes + f->base : NULL;

	/* libyaml ends a block at the next token, after all comments. Use the
	 * end of its last node. */
	if (f->flow || !n)
		v.end = r->base + (uint32_t)offset_of(r, event->end_mark);
	else
		v.end = nodes[n - 1].end;
	if (!f->map)
		close_list(r, nodes, n, &v);
	else if (close_map(r, nodes, n, &v))
		return -1;
	r->n = f->base;
	return push_node(r, v);
}

static int handle_document(struct yaml_reader *r, const yaml_event_t *event)
{
	size_t start = offset_of(r, event->start_mark);

	if (event->data.document_start.version_directive ||
	    event->data.document_start.tag_directives.start !=
		    event->data.document_start.tag_directives.end)
		return set_failure(r, start, "directives are not allowed");
	if (r->ended)
		return set_failure(r, start, "more than one document");
	if (!event->data.document_start.implicit)
		return set_failure(r, start,
				   "document markers are not allowed");
	return 0;
}

static int handle_event(struct yaml_reader *r, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return handle_document(r, event);
	case YAML_DOCUMENT_END_EVENT:
		r->ended = true;
		if (!event->data.document_end.implicit)
			return set_failure(r, offset_of(r, event->start_mark),
					   "document markers are not allowed");
		return 0;
	case YAML_ALIAS_EVENT:
		return handle_alias(r, event);
	case YAML_SCALAR_EVENT:
		return handle_scalar(r, event);
	case YAML_SEQUENCE_START_EVENT:
		return handle_start(r, event, false);
	case YAML_MAPPING_START_EVENT:
		return handle_start(r, event, true);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return handle_end(r, event);
	default:
		return 0;
	}
}

static int set_parser_failure(struct yaml_reader *r,
			      const yaml_parser_t *parser)
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
			return set_parser_failure(r, parser);
		more = event.type != YAML_STREAM_END_EVENT;
		failed = handle_event(r, &event);
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

	r.ascii = utf8_is_ascii(p, len);
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

void frontmatter_library(struct buf *out)
{
	buf_addf(out, "libyaml %s", yaml_get_version_string());
}
