/* frontmatter.c: find, read and write the header.
 *
 * Everything written is parsed and compared before it is returned, so writer
 * and reader remain exact inverses.
 */
#include "format/frontmatter.h"

#include "base/utf8.h"
#include "format/yaml.h"

#define BOM "\xEF\xBB\xBF"

/* Return the length of the line `---` at the start of P, with its line end; 0
 * if there is none. */
static size_t marker_len(const char *p, size_t len)
{
	size_t i = 3;

	if (len < 3 || memcmp(p, "---", 3) != 0)
		return 0;
	while (i < len && (p[i] == ' ' || p[i] == '\t'))
		i++;
	if (i < len && p[i] == '\r')
		i++;
	if (i < len && p[i] != '\n')
		return 0;
	return i < len ? i + 1 : len;
}

static size_t bom_len(const char *p, size_t len)
{
	return len >= 3 && memcmp(p, BOM, 3) == 0 ? 3 : 0;
}

void frontmatter_split(struct frontmatter *fm, const char *text, size_t len)
{
	size_t bom = bom_len(text, len), i, closing;

	*fm = (struct frontmatter){.text = text, .len = len, .body = bom};
	fm->data.kind = VALUE_MAP;
	i = bom + marker_len(text + bom, len - bom);
	if (i == bom)
		return;
	fm->yaml = i;
	while (i < len) {
		const char *end = memchr(text + i, '\n', len - i);

		closing = marker_len(text + i, len - i);
		if (closing) {
			fm->present = true;
			fm->yaml_len = i - fm->yaml;
			fm->body = i + closing;
			return;
		}
		i = end ? (size_t)(end - text) + 1 : len;
	}
	fm->yaml = 0;
}

static int set_invalid(const struct frontmatter *fm, size_t offset,
		       const char *name, const char *what, struct err *e)
{
	return frontmatter_fault(fm, offset, name, e,
				 "Invalid YAML in frontmatter: %s", what);
}

int frontmatter_parse(struct frontmatter *fm, const char *text, size_t len,
		      const char *name, struct arena *a, struct err *e)
{
	const char *yaml, *nul;
	struct err why;
	size_t bad;

	frontmatter_split(fm, text, len);
	if (!fm->present)
		return 0;
	yaml = text + fm->yaml;
	if (fm->yaml_len > FRONTMATTER_MAX)
		return set_invalid(fm, 0, name, "larger than 64 KiB", e);
	bad = utf8_check(yaml, fm->yaml_len);
	if (bad < fm->yaml_len)
		return set_invalid(fm, fm->yaml + bad, name,
				   "a byte that is not UTF-8", e);
	nul = memchr(yaml, '\0', fm->yaml_len);
	if (nul)
		return set_invalid(fm, (size_t)(nul - text), name, "a NUL byte",
				   e);
	if (yaml_parse(yaml, fm->yaml_len, (uint32_t)fm->yaml,
		       FRONTMATTER_DEPTH, a, &fm->data, &bad, &why) == 0)
		return 0;
	fm->data = (struct value){.kind = VALUE_MAP};
	return set_invalid(fm, fm->yaml + bad, name, why.text, e);
}

const struct value *frontmatter_get(const char *text, size_t len,
				    const char *key, struct arena *a)
{
	struct frontmatter fm;

	return frontmatter_parse(&fm, text, len, "", a, NULL) < 0
		       ? NULL
		       : value_get(&fm.data, key);
}

void frontmatter_content(const struct frontmatter *fm, const char **p,
			 size_t *len)
{
	*p = fm->text + fm->body;
	*len = fm->len - fm->body;
	utf8_strip(p, len);
}

void frontmatter_place(const struct frontmatter *fm, size_t offset, int *line,
		       int *col)
{
	size_t bom = bom_len(fm->text, fm->len);

	utf8_place(fm->text + bom, offset > bom ? offset - bom : 0, line, col);
}

int frontmatter_fault(const struct frontmatter *fm, size_t offset,
		      const char *name, struct err *e, const char *fmt, ...)
{
	struct buf what = {0};
	int line, col;
	va_list ap;

	frontmatter_place(fm, offset, &line, &col);
	va_start(ap, fmt);
	buf_vaddf(&what, fmt, ap);
	va_end(ap);
	err_set(e, ERR_DATA, "'%s':%d:%d: %s", name, line, col, buf_str(&what));
	buf_release(&what);
	return -1;
}

/* Return the nesting depth of V, itself included, or LIMIT + 1 if it is
 * deeper. */
static int depth_of(const struct value *v, int limit)
{
	int deepest = 0, depth;

	if (v->kind != VALUE_LIST && v->kind != VALUE_MAP)
		return 0;
	if (limit == 0)
		return 1;
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++) {
		depth = depth_of(&v->u.list.items[i], limit - 1);
		deepest = depth > deepest ? depth : deepest;
	}
	for (size_t i = 0; v->kind == VALUE_MAP && i < v->u.map.n; i++) {
		depth = depth_of(&v->u.map.pairs[i].val, limit - 1);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + 1;
}

/* Return 0 if TEXT, a whole document, consists of DATA and the LEN bytes of
 * BODY; else -1. */
static int read_back(const char *text, size_t text_len,
		     const struct value *data, const char *body, size_t len,
		     struct err *e)
{
	struct arena a = {0};
	struct frontmatter fm;
	int r = frontmatter_parse(&fm, text, text_len, "the result", &a, e);

	if (r == 0 &&
	    (!value_equal(&fm.data, data) || text_len - fm.body != len ||
	     memcmp(text + fm.body, body, len) != 0))
		r = err_set(e, ERR_DATA,
			    "the frontmatter would not be read back as meant");
	arena_release(&a);
	return r;
}

int frontmatter_lay_out(struct buf *out, const struct value *data,
			struct err *e)
{
	const size_t start = out->len;

	if (!data->u.map.n)
		return 0;
	if (depth_of(data, FRONTMATTER_DEPTH) > FRONTMATTER_DEPTH)
		return err_set(e, ERR_DATA,
			       "frontmatter is nested deeper than %d",
			       FRONTMATTER_DEPTH);
	buf_adds(out, "---\n");
	yaml_write_map(out, data);
	buf_adds(out, "---\n");
	if (out->len - start - 8 > FRONTMATTER_MAX) {
		buf_cut(out, start);
		return err_set(e, ERR_DATA,
			       "frontmatter is larger than 64 KiB");
	}
	return 0;
}

int frontmatter_write(struct buf *out, const struct value *data, struct err *e)
{
	const size_t start = out->len;

	if (frontmatter_lay_out(out, data, e) < 0)
		return -1;
	if (out->len > start &&
	    read_back(out->p + start, out->len - start, data, "", 0, e)) {
		buf_cut(out, start);
		return -1;
	}
	return 0;
}

int frontmatter_join(struct buf *out, const struct value *data,
		     const char *body, size_t len, struct err *e)
{
	struct frontmatter fm;

	if (frontmatter_write(out, data, e))
		return -1;
	/* An empty header protects a body that begins like a header or with a
	 * BOM. */
	frontmatter_split(&fm, body, len);
	if (!data->u.map.n && fm.body)
		buf_adds(out, "---\n---\n");
	buf_add(out, body, len);
	return 0;
}

const char *frontmatter_line_end(const struct frontmatter *fm)
{
	const char *end = memchr(fm->text, '\n', fm->len);

	return end && end > fm->text && end[-1] == '\r' ? "\r\n" : "\n";
}

static const struct value_pair *find_pair(const struct value *map,
					  const char *key)
{
	for (size_t i = 0; i < map->u.map.n; i++) {
		if (value_is(&map->u.map.pairs[i].key, key))
			return &map->u.map.pairs[i];
	}
	return NULL;
}

/* Return true if the bytes [start, end) of the text are blanks and at least one
 * line end. */
static bool is_break(const struct frontmatter *fm, size_t start, size_t end)
{
	bool broken = false;

	for (; start < end; start++) {
		if (!strchr(" \t\r\n", fm->text[start]) || !fm->text[start])
			return false;
		broken = broken || fm->text[start] == '\r' ||
			 fm->text[start] == '\n';
	}
	return broken;
}

/* Return true if the whole map is in flow form, between braces. */
static bool is_flow(const struct frontmatter *fm)
{
	return fm->data.end && fm->text[fm->data.start] == '{';
}

/* Append the text with the value of PAIR replaced by V. */
static void append_replaced(struct buf *out, const struct frontmatter *fm,
			    const struct value_pair *pair,
			    const struct value *v)
{
	size_t start = pair->val.start, end = pair->val.end;
	const char *text = fm->text, *colon;

	/* Keep the final line end of a block scalar. */
	while (end > start && (text[end - 1] == '\n' || text[end - 1] == '\r'))
		end--;
	colon = memchr(text + pair->key.end, ':', start - pair->key.end);
	/* A value that began on the line below moves up after its key. */
	if (colon && is_break(fm, (size_t)(colon - text) + 1, start))
		start = (size_t)(colon - text) + 1;
	buf_add(out, text, start);
	if (start == 0 || !strchr(" \t", text[start - 1]))
		buf_addc(out, ' ');
	frontmatter_write_value(out, v, is_flow(fm));
	if (text[end] == '#')
		buf_addc(out, ' ');
	buf_add(out, text + end, fm->len - end);
}

/* Append the text with the new KEY set to V at the end of the header. */
static void append_inserted(struct buf *out, const struct frontmatter *fm,
			    const char *key, const struct value *v)
{
	const struct value name = value_str(key);
	size_t at = fm->yaml + fm->yaml_len;
	bool flow = is_flow(fm);
	int line, col = 1;

	if (flow)
		at = fm->data.end - 1;
	else if (fm->data.u.map.n)
		frontmatter_place(fm, fm->data.start, &line, &col);
	buf_add(out, fm->text, at);
	if (flow && fm->data.u.map.n)
		buf_adds(out, ", ");
	for (; !flow && col > 1; col--)
		buf_addc(out, ' ');
	frontmatter_write_value(out, &name, flow);
	buf_adds(out, ": ");
	frontmatter_write_value(out, v, flow);
	if (!flow)
		buf_adds(out, frontmatter_line_end(fm));
	buf_add(out, fm->text + at, fm->len - at);
}

/* Append the text, which has no header, with one that sets KEY to V. */
static void append_with_header(struct buf *out, const struct frontmatter *fm,
			       const char *key, const struct value *v)
{
	const struct value name = value_str(key);
	const char *end = frontmatter_line_end(fm);

	buf_add(out, fm->text, fm->body);
	buf_addf(out, "---%s", end);
	frontmatter_write_value(out, &name, false);
	buf_adds(out, ": ");
	frontmatter_write_value(out, v, false);
	buf_addf(out, "%s---%s", end, end);
	buf_add(out, fm->text + fm->body, fm->len - fm->body);
}

static struct value with_key(const struct value *map, const char *key,
			     const struct value *v, struct arena *a)
{
	size_t n = map->u.map.n;
	struct value copy = *map;
	struct value_pair *pairs = arena_alloc(a, (n + 1) * sizeof(*pairs));
	const struct value_pair *old = find_pair(map, key);
	size_t i = old ? (size_t)(old - map->u.map.pairs) : n;

	if (n)
		memcpy(pairs, map->u.map.pairs, n * sizeof(*pairs));
	pairs[i] = (struct value_pair){value_str(key), *v};
	copy.u.map.pairs = pairs;
	copy.u.map.n = old ? n : n + 1;
	return copy;
}

int frontmatter_set(struct buf *out, const struct frontmatter *fm,
		    const char *key, const struct value *v, struct err *e)
{
	const struct value_pair *pair = find_pair(&fm->data, key);
	size_t start = out->len;
	struct arena a = {0};
	struct value meant = with_key(&fm->data, key, v, &a);
	int r;

	if (!fm->present)
		append_with_header(out, fm, key, v);
	else if (pair)
		append_replaced(out, fm, pair, v);
	else
		append_inserted(out, fm, key, v);
	r = read_back(out->p + start, out->len - start, &meant,
		      fm->text + fm->body, fm->len - fm->body, e);
	if (r)
		buf_cut(out, start);
	arena_release(&a);
	return r;
}

/* Return the offset of the line after the one that contains the byte before
 * AT. */
static size_t next_line(const struct frontmatter *fm, size_t at)
{
	const char *end;

	if (at && fm->text[at - 1] == '\n')
		return at;
	end = memchr(fm->text + at, '\n', fm->len - at);
	return end ? (size_t)(end - fm->text) + 1 : fm->len;
}

/* Append the text without its pair number I. */
static void append_without(struct buf *out, const struct frontmatter *fm,
			   size_t i)
{
	const struct value_pair *pair = &fm->data.u.map.pairs[i];
	size_t start = pair->key.start, end = next_line(fm, pair->val.end);

	while (start > fm->yaml && fm->text[start - 1] != '\n')
		start--;
	if (is_flow(fm) && i + 1 < fm->data.u.map.n) {
		start = pair->key.start;
		end = pair[1].key.start;
	} else if (is_flow(fm)) {
		start = i ? pair[-1].val.end : pair->key.start;
		end = pair->val.end;
	}
	buf_add(out, fm->text, start);
	buf_add(out, fm->text + end, fm->len - end);
}

int frontmatter_remove(struct buf *out, const struct frontmatter *fm,
		       const char *key, struct err *e)
{
	const struct value_pair *old = find_pair(&fm->data, key);
	const size_t i = (size_t)(old - fm->data.u.map.pairs);
	const size_t n = fm->data.u.map.n, start = out->len;
	const char *body = fm->text + fm->body;
	struct value rest = fm->data;
	struct arena a = {0};
	int r;

	rest.u.map.pairs = arena_alloc(&a, n * sizeof(*old));
	rest.u.map.n = n - 1;
	memcpy(rest.u.map.pairs, fm->data.u.map.pairs, i * sizeof(*old));
	memcpy(rest.u.map.pairs + i, old + 1, (n - 1 - i) * sizeof(*old));
	append_without(out, fm, i);
	r = read_back(out->p + start, out->len - start, &rest, body,
		      fm->len - fm->body, e);
	if (r) {
		buf_cut(out, start);
		r = frontmatter_join(out, &rest, body, fm->len - fm->body, e);
	}
	arena_release(&a);
	return r;
}

int frontmatter_remark(struct buf *out, const struct frontmatter *fm,
		       const char *key, const char *comment, struct err *e)
{
	const struct value_pair *pair = find_pair(&fm->data, key);
	const size_t start = out->len;
	size_t at = next_line(fm, pair->val.end);
	int r;

	/* If a comment is not possible there, as inside a list of several
	 * lines, put it at the end of the header. */
	for (;;) {
		buf_add(out, fm->text, at);
		buf_addf(out, "%s%s", comment, frontmatter_line_end(fm));
		buf_add(out, fm->text + at, fm->len - at);
		r = read_back(out->p + start, out->len - start, &fm->data,
			      fm->text + fm->body, fm->len - fm->body, e);
		if (!r || at == fm->yaml + fm->yaml_len)
			break;
		at = fm->yaml + fm->yaml_len;
		buf_cut(out, start);
	}
	if (r)
		buf_cut(out, start);
	return r;
}
