/* jsonc-edit.c: the edits of jsonc.h.
 *
 * Each reads the text anew, splices bytes in or out, reads the result, and
 * compares: but for what stands at the path, both must be equal.
 *
 * A member is added behind the last one and the comments that follow it, which
 * are that one's; a comma goes right behind the last value.  Taking it away
 * again gives the bytes from before.
 */
#include "format/jsonc.h"

#include "base/utf8.h"
#include "format/json-write.h"

struct editing {
	/* ROOT, and all that was read, are of the text before any edit. */
	struct buf *text;
	struct arena a;
	struct value root;
	const char *newline, *unit;
	struct err *e;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int refuse(const struct editing *ed)
{
	return err_set(ed->e, ERR_DATA, "it cannot be edited safely");
}

/* Put LEN bytes of P in the place of those from START to END. */
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

/* The blanks that the line of AT begins with: their length, *P their place. */
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

static size_t count(const struct value *v)
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

/* Read the text; its style too. */
static int load(struct editing *ed)
{
	const char *p, *line;
	size_t n;

	if (jsonc_parse(buf_str(ed->text), ed->text->len, &ed->a, &ed->root,
			ed->e) < 0)
		return -1;
	if (ed->root.kind != VALUE_MAP)
		return err_set(ed->e, ERR_DATA, "1:1: not an object");
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

/* What stands behind AT, up to the bracket that closes. */
struct tail {
	size_t end;   /* of the last comma or comment, AT where there is none */
	size_t comma; /* where it stands; SIZE_MAX where there is none */
	bool open;    /* the last is a comment that the line's end closes */
};

static struct tail find_tail(const struct buf *text, size_t at)
{
	struct tail t = {at, SIZE_MAX, false};
	const char *p = text->p;

	for (;;) {
		while (is_blank(p[at]))
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

/* A line for each member, or all on one. */
struct form {
	const char *newline, *unit;
	bool flat;
};

/* Append a newline, BASE, the indentation of the value itself, and DEPTH units. */
static void add_break(struct buf *out, const struct form *f, const char *base,
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

/* Append V, whose line begins with BASE: lists of scalars stand on one line,
 * objects on many.  Numbers that are no VALUE_INT are VALUE_BIGINT, as jsonc.h
 * reads them. */
static void add_value(struct buf *out, const struct value *v,
		      const struct form *form, const char *base, int depth)
{
	const bool map = v->kind == VALUE_MAP;
	size_t n;
	struct form f = *form;

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

/* Add V, under KEY in a map, to the container IN. */
static void insert(struct editing *ed, const struct value *in, const char *key,
		   const struct value *v)
{
	const struct buf *text = ed->text;
	const size_t n = count(in), close = in->end - 1;
	const size_t last = n ? child_end(in, n - 1) : (size_t)in->start + 1;
	const struct tail tail = find_tail(text, last);
	struct form form = {ed->newline, ed->unit, false};
	struct buf new = {0}, base = {0};
	const char *p;
	size_t len;

	form.flat = n ? !has_newline(text, in->start, child_start(in, 0))
		      : ed->root.u.map.n && !has_newline(text, ed->root.start,
							 ed->root.end);
	form.flat = form.flat && !tail.open;
	len = line_indent(text, n ? child_start(in, n - 1) : in->start, &p);
	buf_add(&base, p, len);
	if (!n || form.flat)
		buf_adds(&base, n ? "" : ed->unit);
	if (!form.flat)
		add_break(&new, &form, buf_str(&base), 0);
	else if (n)
		buf_addc(&new, ' ');
	if (key) {
		json_write_str(&new, key, strlen(key));
		buf_adds(&new, ": ");
	}
	add_value(&new, v, &form, buf_str(&base), 0);
	if (n && tail.comma != SIZE_MAX)
		buf_addc(&new, ',');
	if (!n && !form.flat) {
		buf_cut(&base, len);
		add_break(&new, &form, buf_str(&base), 0);
	}
	splice(ed->text, tail.end, n ? tail.end : close, new.p, new.len);
	if (n && tail.comma == SIZE_MAX)
		splice(ed->text, last, last, ",", 1);
	buf_release(&new);
	buf_release(&base);
}

/* Take child I of IN out. */
static void take_out(struct editing *ed, const struct value *in, size_t i)
{
	struct buf *text = ed->text;
	const size_t n = count(in), end = child_end(in, i);
	const struct tail own = find_tail(text, end);
	size_t start = child_start(in, i);
	struct tail before;

	if (n == 1) {
		before = find_tail(text, (size_t)in->start + 1);
		/* With nothing but blanks around, the brackets meet again. */
		if (before.end == (size_t)in->start + 1 &&
		    (own.end == end || own.end == own.comma + 1))
			splice(text, (size_t)in->start + 1, (size_t)in->end - 1,
			       "", 0);
		else
			splice(text, start,
			       own.comma != SIZE_MAX ? own.comma + 1 : end, "",
			       0);
	} else if (i + 1 < n) {
		while (is_blank(text->p[start - 1]))
			start--;
		if (i) { /* a line's comment keeps its end */
			before = find_tail(text, child_end(in, i - 1));
			if (before.open && before.end == start)
				start = child_start(in, i);
		}
		splice(text, start, own.comma + 1, "", 0);
	} else {
		before = find_tail(text, child_end(in, i - 1));
		/* Where the last one has a comma, the one before keeps its. */
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

/* The index of the child of IN that STEP names, their number where there is
 * none; SIZE_MAX where IN is of another kind. */
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

/* A copy of IN, its children's values the same, with room for one more. */
static struct value widened(const struct value *in, struct arena *a)
{
	const size_t n = count(in), size = in->kind == VALUE_MAP
						   ? sizeof(struct value_pair)
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

/* What IN is to become: with V at PATH, or, for a V of NULL, without it. */
static struct value expected(const struct value *in, jsonc_path path,
			     const struct value *v, struct arena *a)
{
	const struct value nothing = {.kind = VALUE_MAP};
	struct value out;
	size_t i, n;

	if (at_end(path))
		return *v;
	in = in ? in : &nothing;
	out = widened(in, a);
	n = count(&out);
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
		*child(&out, i) = expected(child(in, i), path + 1, v, a);
	} else {
		n++;
		if (path->key)
			out.u.map.pairs[i].key = value_str(path->key);
		*child(&out, i) = expected(NULL, path + 1, v, a);
	}
	if (out.kind == VALUE_MAP)
		out.u.map.n = n;
	else
		out.u.list.n = n;
	return out;
}

/* Read the text again: it must be what was wanted. */
static int check(struct editing *ed, const struct value *want)
{
	struct value now;
	struct err why;

	if (jsonc_parse(ed->text->p, ed->text->len, &ed->a, &now, &why) < 0 ||
	    !value_equal(want, &now))
		return refuse(ed);
	return 0;
}

/* V inside the objects that PATH names. */
static struct value nested(jsonc_path path, const struct value *v,
			   struct arena *a)
{
	return expected(NULL, path, v, a);
}

/* Put V at PATH, which is not there whole. */
static int put_new(struct editing *ed, jsonc_path path, const struct value *v)
{
	const struct value *in = &ed->root;
	const char *at = "the top";
	struct value inner;
	size_t i;

	for (;; path++) {
		i = find_child(in, path);
		if (i == SIZE_MAX || (i == count(in) && !path->key))
			return err_set(ed->e, ERR_DATA,
				       "what stands at '%s' is of another kind",
				       at);
		if (i == count(in))
			break;
		in = child(in, i);
		at = path->key ? path->key : at;
	}
	inner = nested(path + 1, v, &ed->a);
	insert(ed, in, path->key, &inner);
	return 0;
}

/* Put V in the place of OLD. */
static void put_over(struct editing *ed, const struct value *old,
		     const struct value *v)
{
	const struct form form = {ed->newline, ed->unit,
				  !has_newline(ed->text, old->start, old->end)};
	struct buf new = {0}, base = {0};
	const char *p;
	size_t len = line_indent(ed->text, old->start, &p);

	buf_add(&base, p, len);
	add_value(&new, v, &form, buf_str(&base), 0);
	splice(ed->text, old->start, old->end, new.p, new.len);
	buf_release(&new);
	buf_release(&base);
}

/* An edit of TEXT; what it had before is kept where it fails. */
static int edit(struct buf *text, jsonc_path path, const struct value *v,
		int (*fn)(struct editing *, jsonc_path, const struct value *),
		struct err *e)
{
	struct editing ed = {.text = text, .e = e};
	struct buf was = {0};
	size_t bom;
	int r;

	buf_add(&was, buf_str(text), text->len);
	if (jsonc_is_blank(buf_str(text), text->len, &bom)) {
		buf_cut(text, bom);
		buf_adds(text, "{}\n");
	}
	r = load(&ed);
	if (!r)
		r = fn(&ed, path, v);
	arena_release(&ed.a);
	if (r <= 0) { /* failed, or nothing to do */
		buf_release(text);
		*text = was;
	} else {
		buf_release(&was);
	}
	return r < 0 ? -1 : 0;
}

/* These return 1 where they changed the text, 0 where there was nothing to do,
 * or -1. */

static int put(struct editing *ed, jsonc_path path, const struct value *v)
{
	const struct value *old = jsonc_at(&ed->root, path);
	struct value want;

	if (old && value_equal(old, v))
		return 0;
	if (old)
		put_over(ed, old, v);
	else if (put_new(ed, path, v) < 0)
		return -1;
	want = expected(&ed->root, path, v, &ed->a);
	return check(ed, &want) < 0 ? -1 : 1;
}

static int append(struct editing *ed, jsonc_path path, const struct value *v)
{
	const struct value *old = jsonc_at(&ed->root, path);
	const struct value empty = {.kind = VALUE_LIST};
	struct value list =
		widened(old && old->kind == VALUE_LIST ? old : &empty, &ed->a);
	struct value want;

	if (old && old->kind != VALUE_LIST)
		return err_set(ed->e, ERR_DATA,
			       "no list stands where it should");
	list.u.list.items[list.u.list.n++] = *v;
	if (!old)
		return put(ed, path, &list);
	want = expected(&ed->root, path, &list, &ed->a);
	insert(ed, old, NULL, v);
	return check(ed, &want) < 0 ? -1 : 1;
}

/* True if IN has one child, and nothing beside it. */
static bool is_alone(const struct editing *ed, const struct value *in)
{
	struct tail before, behind;

	if (count(in) != 1)
		return false;
	before = find_tail(ed->text, (size_t)in->start + 1);
	behind = find_tail(ed->text, child_end(in, 0));
	return before.end == (size_t)in->start + 1 &&
	       (behind.end == child_end(in, 0) ||
		behind.end == behind.comma + 1);
}

static int drop(struct editing *ed, jsonc_path path, const struct value *v)
{
	struct jsonc_step up[JSONC_DEPTH + 1];
	const struct value *in = &ed->root, *from = in;
	struct value want;
	size_t n = 0, cut = 0;

	(void)v;
	if (!jsonc_at(in, path) || at_end(path))
		return 0;
	/* The highest that holds nothing else goes as a whole. */
	for (; !at_end(&path[n]); n++) {
		if (n && !is_alone(ed, in)) {
			cut = n;
			from = in;
		}
		up[n] = path[n];
		in = child(in, find_child(in, &path[n]));
	}
	up[cut + 1] = JSONC_END;
	want = expected(&ed->root, up, NULL, &ed->a);
	take_out(ed, from, find_child(from, &path[cut]));
	return check(ed, &want) < 0 ? -1 : 1;
}

int jsonc_put(struct buf *text, jsonc_path path, const struct value *v,
	      struct err *e)
{
	return edit(text, path, v, put, e);
}

int jsonc_append(struct buf *text, jsonc_path path, const struct value *v,
		 struct err *e)
{
	return edit(text, path, v, append, e);
}

int jsonc_drop(struct buf *text, jsonc_path path, struct err *e)
{
	return edit(text, path, NULL, drop, e);
}

void jsonc_print(struct buf *out, const struct value *v)
{
	const struct form form = {"\n", "  ", false};

	add_value(out, v, &form, "", 0);
	buf_addc(out, '\n');
}
