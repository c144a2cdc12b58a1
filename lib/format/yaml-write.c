/* yaml-write.c: layout and quoting; yaml-scalar.c decides what needs quotes.
 *
 * Nesting is not limited here: the caller checks it and reads the result back.
 */
#include "format/yaml.h"

#include "base/utf8.h"
#include "format/frontmatter.h"
#include "format/json-write.h"
#include "format/yaml-scalar.h"

#include <math.h>

/* A key of more characters cannot precede a colon (YAML 1.2, 7.4.2) and is
 * written after a question mark. Counting bytes is on the safe side. */
#define KEY_MAX 1000

static void add_double_quoted(struct buf *out, const char *p, size_t len)
{
	size_t size;

	buf_addc(out, '"');
	for (size_t i = 0; i < len; i += size) {
		const uint32_t c = utf8_decode(p + i, len - i, &size);
		const char letter =
			utf8_letter(c, "\"\\\t\n\r\x1B\0", "\"\\tnre0");

		if (letter)
			buf_add(out, (char[]){'\\', letter}, 2);
		else if (c != UTF8_BAD && yaml_scalar_needs_escape(c))
			buf_addf(out, c > 0xFF ? "\\u%04X" : "\\x%02X",
				 (unsigned)c);
		else
			buf_add(out, p + i, size);
	}
	buf_addc(out, '"');
}

static bool needs_double(const char *p, size_t len)
{
	size_t size;

	for (size_t i = 0; i < len; i += size) {
		if (yaml_scalar_needs_escape(
			    utf8_decode(p + i, len - i, &size)))
			return true;
	}
	return false;
}

static void add_string(struct buf *out, const char *p, size_t len, bool flow)
{
	if (yaml_scalar_is_bare(p, len, flow)) {
		buf_add(out, p, len);
	} else if (!memchr(p, '\'', len) && !needs_double(p, len) &&
		   (memchr(p, '"', len) || memchr(p, '\\', len))) {
		buf_addc(out, '\'');
		buf_add(out, p, len);
		buf_addc(out, '\'');
	} else {
		add_double_quoted(out, p, len);
	}
}

static void add_flow_list(struct buf *out, const struct value *v)
{
	buf_addc(out, '[');
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (i)
			buf_adds(out, ", ");
		frontmatter_write_value(out, &v->u.list.items[i], true);
	}
	buf_addc(out, ']');
}

static void add_flow_map(struct buf *out, const struct value *v)
{
	buf_addc(out, '{');
	for (size_t i = 0; i < v->u.map.n; i++) {
		if (i)
			buf_adds(out, ", ");
		frontmatter_write_value(out, &v->u.map.pairs[i].key, true);
		buf_adds(out, ": ");
		frontmatter_write_value(out, &v->u.map.pairs[i].val, true);
	}
	buf_addc(out, '}');
}

void frontmatter_write_value(struct buf *out, const struct value *v, bool flow)
{
	switch (v->kind) {
	case VALUE_NULL:
	case VALUE_BOOL:
	case VALUE_INT:
	case VALUE_FLOAT:
		if (json_write_value(out, v, NULL) < 0)
			buf_adds(out, isnan(v->u.f) ? ".nan"
				      : v->u.f < 0  ? "-.inf"
						    : ".inf");
		break;
	case VALUE_BIGINT:
		buf_add(out, v->u.s.p, v->u.s.len);
		break;
	case VALUE_STR:
		add_string(out, v->u.s.p, v->u.s.len, flow);
		break;
	case VALUE_LIST:
		add_flow_list(out, v);
		break;
	case VALUE_MAP:
		add_flow_map(out, v);
		break;
	}
}

/* Return true if V must be written on lines of its own. */
static bool is_block(const struct value *v)
{
	if (v->kind == VALUE_MAP)
		return v->u.map.n > 0;
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind >= VALUE_LIST)
			return true;
	}
	return false;
}

static void add_indent(struct buf *out, size_t indent)
{
	for (size_t i = 0; i < indent; i++)
		buf_addc(out, ' ');
}

static void add_map(struct buf *out, const struct value *v, size_t indent,
		    bool after_dash);

/* Append the list V, one line for each item. */
static void add_list(struct buf *out, const struct value *v, size_t indent)
{
	for (size_t i = 0; i < v->u.list.n; i++) {
		const struct value *item = &v->u.list.items[i];

		add_indent(out, indent);
		if (!is_block(item)) {
			buf_adds(out, "- ");
			frontmatter_write_value(out, item, false);
			buf_addc(out, '\n');
		} else if (item->kind == VALUE_MAP) {
			buf_adds(out, "- ");
			add_map(out, item, indent + 2, true);
		} else {
			buf_adds(out, "-\n");
			add_list(out, item, indent + 2);
		}
	}
}

static void add_key(struct buf *out, const struct value *key, size_t indent)
{
	size_t start = out->len;

	frontmatter_write_value(out, key, false);
	if (out->len - start > KEY_MAX) {
		buf_cut(out, start);
		buf_adds(out, "? ");
		frontmatter_write_value(out, key, false);
		buf_addc(out, '\n');
		add_indent(out, indent);
	}
	buf_addc(out, ':');
}

/* Append the map V. AFTER_DASH: its first key follows the dash of a list
 * item. */
static void add_map(struct buf *out, const struct value *v, size_t indent,
		    bool after_dash)
{
	for (size_t i = 0; i < v->u.map.n; i++) {
		const struct value_pair *pair = &v->u.map.pairs[i];

		if (i || !after_dash)
			add_indent(out, indent);
		add_key(out, &pair->key, indent);
		if (!is_block(&pair->val)) {
			buf_addc(out, ' ');
			frontmatter_write_value(out, &pair->val, false);
			buf_addc(out, '\n');
			continue;
		}
		buf_addc(out, '\n');
		if (pair->val.kind == VALUE_MAP)
			add_map(out, &pair->val, indent + 2, false);
		else
			add_list(out, &pair->val, indent + 2);
	}
}

void yaml_write_map(struct buf *out, const struct value *v)
{
	add_map(out, v, 0, false);
}
