/* jsonc-edit.c: the edits of jsonc.h.
 *
 * Each edit parses the text, inserts or removes bytes, parses the result and
 * compares: except for the value at the path, both must be equal.
 *
 * A new member follows the last one and its comments; the comma follows the
 * last value directly. Removing the member again restores the original bytes.
 */
#include "format/jsonc.h"

#include "format/json-write.h"

struct edit_state {
	/* ROOT and all parsed values refer to TEXT before the edit. */
	struct buf *text;
	struct arena a;
	struct value root;
	const char *newline, *unit;
	struct err *e;
};

static int set_unsafe(const struct edit_state *ed)
{
	return err_set(ed->e, ERR_DATA, "it cannot be edited safely");
}

static void splice(struct buf *text, size_t start, size_t end, const char *p,
		   size_t len)
{
	struct buf out = {0};

	buf_add(&out, text->p, start);
	buf_add(&out, p, len);
	buf_add(&out, text->p + end, text->len - end);
	buf_release(text);
	*text = out;
}

/* Return the length of the indentation of the line that contains AT, and set *P
 * to it. */
static size_t line_indent(const struct buf *text, size_t at, const char **p)
{
	size_t start = at, n = 0;

	while (start && text->p[start - 1] != '\n')
		start--;
	*p = text->p + start;
	while (start + n < at && (p[0][n] == ' ' || p[0][n] == '\t'))
		n++;
	return n;
}

static size_t child_count(const struct value *v)
{
	return v->kind == VALUE_MAP ? v->u.map.n : v->u.list.n;
}

static size_t child_start(const struct value *v, size_t i)
{
	return v->kind == VALUE_MAP ? v->u.map.pairs[i].key.start
				    : v->u.list.items[i].start;
}

static size_t child_end(const struct value *v, size_t i)
{
	return v->kind == VALUE_MAP ? v->u.map.pairs[i].val.end
				    : v->u.list.items[i].end;
}

/* Parse the text and detect its style. */
static int parse_text(struct edit_state *ed)
{
	const char *p, *line;
	size_t n;

	if (jsonc_parse(buf_str(ed->text), ed->text->len, &ed->a, &ed->root,
			ed->e) < 0)
		return -1;
	if (ed->root.kind != VALUE_MAP)
		return err_set(ed->e, ERR_DATA, "1:1: expected an object");
	line = memchr(ed->text->p, '\n', ed->text->len);
	ed->newline =
		line && line > ed->text->p && line[-1] == '\r' ? "\r\n" : "\n";
	ed->unit = "  ";
	if (ed->root.u.map.n) {
		n = line_indent(ed->text, child_start(&ed->root, 0), &p);
		if (n && n < 16 && p > ed->text->p)
			ed->unit = arena_copy(&ed->a, p, n);
	}
	return 0;
}

/* The comma and comments between a member and the next one or the bracket. */
struct tail {
	size_t end;   /* of the last comma or comment */
	size_t comma; /* its offset, or SIZE_MAX */
	bool open;    /* ends in a // comment */
};

static struct tail find_tail(const struct buf *text, size_t at)
{
	struct tail t = {at, SIZE_MAX, false};
	const char *p = text->p;

	for (;;) {
		while (memchr(" \t\r\n", p[at], 4))
			at++;
		if (p[at] == ',' && t.comma == SIZE_MAX) {
			t.comma = at++;
			t.open = false;
		} else if (p[at] == '/' && p[at + 1] == '/') {
			while (at < text->len && p[at] != '\n')
				at++;
			t.open = true;
			if (p[at - 1] == '\r')
				at--;
		} else if (p[at] == '/') {
			at = (size_t)(strstr(p + at + 2, "*/") + 2 - p);
			t.open = false;
		} else {
			return t;
		}
		t.end = at;
	}
}

static bool has_newline(const struct buf *text, size_t start, size_t end)
{
	return memchr(text->p + start, '\n', end - start) != NULL;
}

/* How a value is written: FLAT, on one line. */
struct layout {
	const char *newline, *unit;
	bool flat;
};

/* Append a newline, the indentation BASE, and DEPTH units of indentation. */
static void add_break(struct buf *out, const struct layout *f, const char *base,
		      int depth)
{
	buf_adds(out, f->newline);
	buf_adds(out, base);
	while (depth-- > 0)
		buf_adds(out, f->unit);
}

static bool is_flat(const struct value *v)
{
	if (v->kind != VALUE_LIST)
		return v->kind != VALUE_MAP || !v->u.map.n;
	for (size_t i = 0; i < v->u.list.n; i++) {
		const enum value_kind kind = v->u.list.items[i].kind;

		if (kind == VALUE_MAP || kind == VALUE_LIST)
			return false;
	}
	return true;
}

/* Append V, whose line is indented by BASE: lists of scalars on one line,
 * objects on several. A number is VALUE_INT or VALUE_BIGINT, as jsonc_parse()
 * returns it. */
static void add_value(struct buf *out, const struct value *v,
		      const struct layout *layout, const char *base, int depth)
{
	const bool map = v->kind == VALUE_MAP;
	size_t n;
	struct layout f = *layout;

	if (v->kind == VALUE_BIGINT) {
		buf_add(out, v->u.s.p, v->u.s.len);
		return;
	}
	if (!map && v->kind != VALUE_LIST) {
		json_write_value(out, v, NULL);
		return;
	}
	n = map ? v->u.map.n : v->u.list.n;
	f.flat = f.flat || is_flat(v);
	buf_addc(out, map ? '{' : '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(out, ',');
		if (!f.flat)
			add_break(out, &f, base, depth + 1);
		else if (i)
			buf_addc(out, ' ');
		if (map) {
			const struct value *key = &v->u.map.pairs[i].key;

			json_write_str(out, key->u.s.p, key->u.s.len);
			buf_adds(out, ": ");
		}
		add_value(out,
			  map ? &v->u.map.pairs[i].val : &v->u.list.items[i],
			  &f, base, depth + 1);
	}
	if (!f.flat && n)
		add_break(out, &f, base, depth);
	buf_addc(out, map ? '}' : ']');
}

/* Add V to the container IN, under KEY if that is an object. */
static void insert_child(struct edit_state *ed, const struct value *in,
			 const char *key, const struct value *v)
{
	const struct buf *text = ed->text;
	const size_t n = child_count(in), close = in->end - 1;
	const size_t last = n ? child_end(in, n - 1) : (size_t)in->start + 1;
	const struct tail tail = find_tail(text, last);
	struct layout layout = {ed->newline, ed->unit, false};
	struct buf new = {0}, base = {0};
	const char *p;
	size_t len;

	layout.flat = n ? !has_newline(text, in->start, child_start(in, 0))
			: ed->root.u.map.n && !has_newline(text, ed->root.start,
							   ed->root.end);
	layout.flat = layout.flat && !tail.open;
	len = line_indent(text, n ? child_start(in, n - 1) : in->start, &p);
	buf_add(&base, p, len);
	if (!n || layout.flat)
		buf_adds(&base, n ? "" : ed->unit);
	if (!layout.flat)
		add_break(&new, &layout, buf_str(&base), 0);
	else if (n)
		buf_addc(&new, ' ');
	if (key) {
		json_write_str(&new, key, strlen(key));
		buf_adds(&new, ": ");
	}
	add_value(&new, v, &layout, buf_str(&base), 0);
	if (n && tail.comma != SIZE_MAX)
		buf_addc(&new, ',');
	if (!n && !layout.flat) {
		buf_cut(&base, len);
		add_break(&new, &layout, buf_str(&base), 0);
	}
	splice(ed->text, tail.end, n ? tail.end : close, new.p, new.len);
	if (n && tail.comma == SIZE_MAX)
		splice(ed->text, last, last, ",", 1);
	buf_release(&new);
	buf_release(&base);
}

static void remove_child(struct edit_state *ed, const struct value *in,
			 size_t i)
{
	struct buf *text = ed->text;
	const size_t n = child_count(in), end = child_end(in, i);
	const struct tail own = find_tail(text, end);
	size_t start = child_start(in, i);
	struct tail before;

	if (n == 1) {
		before = find_tail(text, (size_t)in->start + 1);
		/* Remove the blanks too, unless there are comments. */
		if (before.end == (size_t)in->start + 1 &&
		    (own.end == end || own.end == own.comma + 1))
			splice(text, (size_t)in->start + 1, (size_t)in->end - 1,
			       "", 0);
		else
			splice(text, start,
			       own.comma != SIZE_MAX ? own.comma + 1 : end, "",
			       0);
	} else if (i + 1 < n) {
		while (memchr(" \t\r\n", text->p[start - 1], 4))
			start--;
		if (i) { /* keep the newline that ends a comment */
			before = find_tail(text, child_end(in, i - 1));
			if (before.open && before.end == start)
				start = child_start(in, i);
		}
		splice(text, start, own.comma + 1, "", 0);
	} else {
		before = find_tail(text, child_end(in, i - 1));
		/* Keep the style: a comma after the last child, or none. */
		splice(text, before.end,
		       own.comma != SIZE_MAX ? own.comma + 1 : end, "", 0);
		if (own.comma == SIZE_MAX)
			splice(text, before.comma, before.comma + 1, "", 0);
	}
}

static bool at_end(jsonc_path path)
{
	return !path->key && path->item == SIZE_MAX;
}

/* Return the index of the child STEP of IN, the number of children if it is
 * absent, or SIZE_MAX if IN is of another kind. */
static size_t find_child(const struct value *in, const struct jsonc_step *step)
{
	size_t i = 0;

	if (in->kind != (step->key ? VALUE_MAP : VALUE_LIST))
		return SIZE_MAX;
	if (!step->key)
		return step->item < in->u.list.n ? step->item : in->u.list.n;
	while (i < in->u.map.n && !value_is(&in->u.map.pairs[i].key, step->key))
		i++;
	return i;
}

static struct value *child(const struct value *in, size_t i)
{
	return in->kind == VALUE_MAP ? &in->u.map.pairs[i].val
				     : &in->u.list.items[i];
}

/* Return a copy of IN with room for one more child. The children are shared. */
static struct value copy_with_room(const struct value *in, struct arena *a)
{
	const size_t n = child_count(in),
		     size = in->kind == VALUE_MAP ? sizeof(struct value_pair)
						  : sizeof(struct value);
	void *items = arena_alloc(a, (n + 1) * size);
	struct value v = *in;

	if (n)
		memcpy(items,
		       in->kind == VALUE_MAP ? (void *)in->u.map.pairs
					     : (void *)in->u.list.items,
		       n * size);
	if (in->kind == VALUE_MAP)
		v.u.map.pairs = items;
	else
		v.u.list.items = items;
	return v;
}

/* Return the value that IN must become: with V at PATH or, if V is NULL,
 * without PATH. */
static struct value expected_value(const struct value *in, jsonc_path path,
				   const struct value *v, struct arena *a)
{
	const struct value nothing = {.kind = VALUE_MAP};
	struct value out;
	size_t i, n;

	if (at_end(path))
		return *v;
	in = in ? in : &nothing;
	out = copy_with_room(in, a);
	n = child_count(&out);
	i = find_child(in, path);
	if (!v && at_end(path + 1)) {
		const size_t size = out.kind == VALUE_MAP
					    ? sizeof(struct value_pair)
					    : sizeof(struct value);
		char *items = out.kind == VALUE_MAP ? (char *)out.u.map.pairs
						    : (char *)out.u.list.items;

		memmove(items + i * size, items + (i + 1) * size,
			(n - i - 1) * size);
		n--;
	} else if (i < n) {
		*child(&out, i) = expected_value(child(in, i), path + 1, v, a);
	} else {
		n++;
		if (path->key)
			out.u.map.pairs[i].key = value_str(path->key);
		*child(&out, i) = expected_value(NULL, path + 1, v, a);
	}
	if (out.kind == VALUE_MAP)
		out.u.map.n = n;
	else
		out.u.list.n = n;
	return out;
}

/* Parse the edited text and compare it with WANT. */
static int check_result(struct edit_state *ed, const struct value *want)
{
	struct value now;
	struct err why;

	if (jsonc_parse(ed->text->p, ed->text->len, &ed->a, &now, &why) < 0 ||
	    !value_equal(want, &now))
		return set_unsafe(ed);
	return 0;
}

/* Insert V at PATH, which does not fully exist. */
static int insert_absent(struct edit_state *ed, jsonc_path path,
			 const struct value *v)
{
	const struct value *in = &ed->root;
	const char *at = "the top";
	struct value inner;
	size_t i;

	for (;; path++) {
		i = find_child(in, path);
		if (i == SIZE_MAX || (i == child_count(in) && !path->key))
			return err_set(
				ed->e, ERR_DATA, "the value at '%s' must be %s",
				at, path->key ? "an object" : "a longer list");
		if (i == child_count(in))
			break;
		in = child(in, i);
		at = path->key ? path->key : at;
	}
	/* V inside the objects that the rest of PATH names. */
	inner = expected_value(NULL, path + 1, v, &ed->a);
	insert_child(ed, in, path->key, &inner);
	return 0;
}

static void replace_value(struct edit_state *ed, const struct value *old,
			  const struct value *v)
{
	const struct layout layout = {
		ed->newline, ed->unit,
		!has_newline(ed->text, old->start, old->end)};
	struct buf new = {0}, base = {0};
	const char *p;
	size_t len = line_indent(ed->text, old->start, &p);

	buf_add(&base, p, len);
	add_value(&new, v, &layout, buf_str(&base), 0);
	splice(ed->text, old->start, old->end, new.p, new.len);
	buf_release(&new);
	buf_release(&base);
}

/* Run the edit FN on TEXT. On failure TEXT is restored. */
static int run_edit(struct buf *text, jsonc_path path, const struct value *v,
		    int (*fn)(struct edit_state *, jsonc_path,
			      const struct value *),
		    struct err *e)
{
	struct edit_state ed = {.text = text, .e = e};
	struct buf was = {0};
	size_t bom;
	int r;

	buf_add(&was, buf_str(text), text->len);
	if (jsonc_is_blank(buf_str(text), text->len, &bom)) {
		buf_cut(text, bom);
		buf_adds(text, "{}\n");
	}
	r = parse_text(&ed);
	if (!r)
		r = fn(&ed, path, v);
	arena_release(&ed.a);
	if (r <= 0) { /* failed, or unchanged */
		buf_release(text);
		*text = was;
	} else {
		buf_release(&was);
	}
	return r < 0 ? -1 : 0;
}

/* The edits return 1 if they changed the text, 0 if not, or -1. */

static int put_value(struct edit_state *ed, jsonc_path path,
		     const struct value *v)
{
	const struct value *old = jsonc_at(&ed->root, path);
	struct value want;

	if (old && value_equal(old, v))
		return 0;
	if (old)
		replace_value(ed, old, v);
	else if (insert_absent(ed, path, v) < 0)
		return -1;
	want = expected_value(&ed->root, path, v, &ed->a);
	return check_result(ed, &want) < 0 ? -1 : 1;
}

static int append_to_list(struct edit_state *ed, jsonc_path path,
			  const struct value *v)
{
	const struct value *old = jsonc_at(&ed->root, path);
	const struct value empty = {.kind = VALUE_LIST};
	struct value list = copy_with_room(
		old && old->kind == VALUE_LIST ? old : &empty, &ed->a);
	const char *at = "the top";
	struct value want;

	for (size_t i = 0; path[i].key; i++)
		at = path[i].key;
	if (old && old->kind != VALUE_LIST)
		return err_set(ed->e, ERR_DATA,
			       "the value at '%s' must be a list", at);
	list.u.list.items[list.u.list.n++] = *v;
	if (!old)
		return put_value(ed, path, &list);
	want = expected_value(&ed->root, path, &list, &ed->a);
	insert_child(ed, old, NULL, v);
	return check_result(ed, &want) < 0 ? -1 : 1;
}

/* Return true if IN contains one child and no comment. */
static bool is_only_child(const struct edit_state *ed, const struct value *in)
{
	struct tail before, after;

	if (child_count(in) != 1)
		return false;
	before = find_tail(ed->text, (size_t)in->start + 1);
	after = find_tail(ed->text, child_end(in, 0));
	return before.end == (size_t)in->start + 1 &&
	       (after.end == child_end(in, 0) || after.end == after.comma + 1);
}

static int drop_value(struct edit_state *ed, jsonc_path path,
		      const struct value *v)
{
	struct jsonc_step up[JSONC_DEPTH + 1];
	const struct value *in = &ed->root, *from = in;
	struct value want;
	size_t n = 0, cut = 0;

	(void)v;
	if (!jsonc_at(in, path) || at_end(path))
		return 0;
	/* Remove the outermost container that would become empty. */
	for (; !at_end(&path[n]); n++) {
		if (n && !is_only_child(ed, in)) {
			cut = n;
			from = in;
		}
		up[n] = path[n];
		in = child(in, find_child(in, &path[n]));
	}
	up[cut + 1] = JSONC_END;
	want = expected_value(&ed->root, up, NULL, &ed->a);
	remove_child(ed, from, find_child(from, &path[cut]));
	return check_result(ed, &want) < 0 ? -1 : 1;
}

int jsonc_put(struct buf *text, jsonc_path path, const struct value *v,
	      struct err *e)
{
	return run_edit(text, path, v, put_value, e);
}

int jsonc_append(struct buf *text, jsonc_path path, const struct value *v,
		 struct err *e)
{
	return run_edit(text, path, v, append_to_list, e);
}

int jsonc_drop(struct buf *text, jsonc_path path, struct err *e)
{
	return run_edit(text, path, NULL, drop_value, e);
}

void jsonc_print(struct buf *out, const struct value *v)
{
	const struct layout layout = {"\n", "  ", false};

	add_value(out, v, &layout, "", 0);
	buf_addc(out, '\n');
}
