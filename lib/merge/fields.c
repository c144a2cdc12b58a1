/* fields.c: each field is merged, and each change is applied to the text
 * of ours, so that all other bytes stay. */
#include "merge/fields.h"

#include "base/instant.h"

/* A field on each side; NULL if absent. */
struct field {
	const char *key;
	const struct value *base, *ours, *theirs;
	enum merge_favour favour; /* settles a conflict */
	bool conflict;		  /* a conflict; ours is kept */
};

static bool is_equal(const struct value *a, const struct value *b)
{
	return a == b || (a && b && value_equal(a, b));
}

/* Set TEXT to the sort key of V: a string itself, then a byte for the kind, so
 * that different values differ. */
static void sort_text(const struct value *v, struct buf *text)
{
	buf_cut(text, 0);
	if (v->kind == VALUE_STR)
		buf_add(text, v->u.s.p, v->u.s.len);
	else
		frontmatter_write_value(text, v, true);
	buf_addc(text, '\0');
	buf_addc(text, (char)v->kind);
}

static int by_text(const struct value *a, const struct value *b)
{
	struct buf x = {0}, y = {0};
	int order;

	sort_text(a, &x);
	sort_text(b, &y);
	order = memcmp(x.p, y.p, x.len < y.len ? x.len : y.len);
	order = order ? order : (x.len > y.len) - (x.len < y.len);
	buf_release(&x);
	buf_release(&y);
	return order;
}

/* Insert ITEM into LIST, sorted among the items after the first KEPT. */
static void insert_sorted(struct value *list, size_t kept,
			  const struct value *item)
{
	size_t i = list->u.list.n;

	for (; i > kept && by_text(&list->u.list.items[i - 1], item) > 0; i--)
		list->u.list.items[i] = list->u.list.items[i - 1];
	list->u.list.items[i] = *item;
	list->u.list.n++;
}

/* Return a list, allocated in A: the items of the base that both sides kept, in
 * their order, then the items that a side added. */
static const struct value *merge_lists(const struct field *f, struct arena *a)
{
	const struct value *base =
		f->base && f->base->kind == VALUE_LIST ? f->base : NULL;
	const struct value *sides[] = {f->ours, f->theirs};
	struct value *list = arena_alloc(a, sizeof(*list));
	size_t kept;

	list->kind = VALUE_LIST;
	list->u.list.items =
		arena_alloc(a, (f->ours->u.list.n + f->theirs->u.list.n +
				(base ? base->u.list.n : 0) + 1) *
				       sizeof(struct value));
	for (size_t i = 0; base && i < base->u.list.n; i++) {
		const struct value *item = &base->u.list.items[i];

		if (value_has_item(f->ours, item) &&
		    value_has_item(f->theirs, item) &&
		    !value_has_item(list, item))
			list->u.list.items[list->u.list.n++] = *item;
	}
	kept = list->u.list.n;
	for (size_t s = 0; s < ARRAY_LEN(sides); s++) {
		for (size_t i = 0; i < sides[s]->u.list.n; i++) {
			const struct value *item = &sides[s]->u.list.items[i];

			if (!value_has_item(base, item) &&
			    !value_has_item(list, item))
				insert_sorted(list, kept, item);
		}
	}
	return list;
}

/* Return V, or a list with V as its only item, for fields that may be
 * either. */
static const struct value *as_list(const struct value *v, struct arena *a)
{
	struct value *list;

	if (!v || v->kind == VALUE_LIST || v->kind == VALUE_MAP ||
	    v->kind == VALUE_NULL)
		return v;
	list = arena_alloc(a, 2 * sizeof(*list));
	list[0] = (struct value){.kind = VALUE_LIST};
	list[1] = *v;
	list->u.list.items = list + 1;
	list->u.list.n = 1;
	return list;
}

static const struct value *join_lists(const struct field *f, struct arena *a)
{
	const struct field lists = {.key = f->key,
				    .base = as_list(f->base, a),
				    .ours = as_list(f->ours, a),
				    .theirs = as_list(f->theirs, a)};

	if (lists.ours->kind != VALUE_LIST || lists.theirs->kind != VALUE_LIST)
		return NULL;
	return merge_lists(&lists, a);
}

static bool read_instant(const struct value *v, struct instant *at)
{
	return v->kind == VALUE_STR &&
	       instant_parse_day(v->u.s.p, v->u.s.len, at);
}

/* Return the later time if SIGN is 1, the earlier if -1, or NULL if one of them
 * is not a time. */
static const struct value *pick_time(const struct field *f, int sign)
{
	struct instant ours, theirs;
	int order;

	if (!read_instant(f->ours, &ours) || !read_instant(f->theirs, &theirs))
		return NULL;
	order = instant_cmp(theirs, ours) * sign;
	if (!order) /* equal times in different forms */
		order = by_text(f->ours, f->theirs);
	return order > 0 ? f->theirs : f->ours;
}

/* Return the value that comes first in WORDS (NULL-terminated), or NULL if one
 * of the two is not a word of it. */
static const struct value *pick_word(const struct field *f,
				     const char *const *words)
{
	const struct value *first = NULL;
	int found = 0;

	for (; *words; words++) {
		const bool ours = value_is(f->ours, *words);

		if (!ours && !value_is(f->theirs, *words))
			continue;
		first = first ? first : ours ? f->ours : f->theirs;
		found++;
	}
	return found == 2 ? first : NULL;
}

static const struct value *pick_true(const struct field *f)
{
	if (f->ours->kind != VALUE_BOOL || f->theirs->kind != VALUE_BOOL)
		return NULL;
	return f->theirs->u.b ? f->theirs : f->ours;
}

/* Return the lower number, or NULL. The result does not depend on the side. */
static const struct value *pick_lower(const struct field *f)
{
	if (f->ours->kind != VALUE_INT || f->theirs->kind != VALUE_INT)
		return NULL;
	return f->theirs->u.i < f->ours->u.i ? f->theirs : f->ours;
}

/* Merge the field F, which both sides have and changed. Returns NULL if it is
 * a conflict. */
static const struct value *merge_values(const struct field *f, struct arena *a)
{
	static const char *const trust[] = {"external", "agent", "user", NULL};
	static const char *const confidence[] = {"low", "medium", "high", NULL};
	const struct value key = value_str(f->key);

	if (f->ours->kind == VALUE_LIST && f->theirs->kind == VALUE_LIST)
		return merge_lists(f, a);
	if (value_is_word(&key, "replaces|supersedes|formerly|cites|paths|"
				"languages|branches"))
		return join_lists(f, a);
	if (value_is_word(&key, "updated|verified|fetched"))
		return pick_time(f, 1);
	if (value_is_word(&key, "created|expires|review-after"))
		return pick_time(f, -1);
	if (value_is_word(&key, "sensitive|always|archive"))
		return pick_true(f);
	if (value_is(&key, "trust"))
		return pick_word(f, trust);
	if (value_is(&key, "confidence"))
		return pick_word(f, confidence);
	if (value_is(&key, "superseded"))
		return pick_lower(f);
	return NULL;
}

/* Return the merged value of F, or NULL if the field is removed. */
static const struct value *merge_field(struct field *f, struct arena *a)
{
	const struct value *v;

	if (is_equal(f->ours, f->theirs) || is_equal(f->base, f->theirs))
		return f->ours;
	if (is_equal(f->base, f->ours))
		return f->theirs;
	if (!f->ours || !f->theirs)
		return f->ours ? f->ours : f->theirs;
	v = merge_values(f, a);
	f->conflict = !v && f->favour == MERGE_MARK;
	return v ? v : f->favour == MERGE_THEIRS ? f->theirs : f->ours;
}

/* The text being changed, and its parsed form. */
struct document {
	struct buf text;
	struct frontmatter fm;
};

/* Replace the text of D by TEXT, which D then owns, and parse it, unless R, the result so
 * far, is -1. */
static int replace_text(struct document *d, struct buf *text, int r,
			struct arena *a, struct err *e)
{
	if (r < 0) {
		buf_release(text);
		return -1;
	}
	buf_release(&d->text);
	d->text = *text;
	return frontmatter_parse(&d->fm, buf_str(&d->text), d->text.len,
				 "merge", a, e);
}

/* Append D with KEY set to V and the header written anew. */
static int rewrite_header(struct buf *out, const struct document *d,
			  const char *key, const struct value *v,
			  struct arena *a, struct err *e)
{
	const struct frontmatter *fm = &d->fm;
	const size_t n = fm->data.u.map.n;
	struct value map = fm->data;

	map.u.map.pairs = arena_alloc(a, (n + 1) * sizeof(*map.u.map.pairs));
	if (n)
		memcpy(map.u.map.pairs, fm->data.u.map.pairs,
		       n * sizeof(*map.u.map.pairs));
	value_put(&map, key, *v);
	return frontmatter_join(out, &map, fm->text + fm->body,
				fm->len - fm->body, e);
}

/* Set KEY to V, or remove it if V is NULL. If the text cannot be changed in
 * place, as with an anchor that is used elsewhere, the header is
 * reformatted. */
static int set_field(struct document *d, const char *key, const struct value *v,
		     struct arena *a, struct err *e)
{
	struct buf next = {0};
	int r = v ? frontmatter_set(&next, &d->fm, key, v, e)
		  : frontmatter_remove(&next, &d->fm, key, e);

	if (r < 0 && v)
		r = rewrite_header(&next, d, key, v, a, e);
	return replace_text(d, &next, r, a, e);
}

/* Insert the lines of COMMENT after the value of KEY. */
static int add_comment(struct document *d, const char *key,
		       const struct buf *comment, struct arena *a,
		       struct err *e)
{
	struct buf next = {0};
	const int r = frontmatter_remark(&next, &d->fm, key, comment->p, e);

	return replace_text(d, &next, r, a, e);
}

/* Insert the comment `# theirs: KEY: VALUE` after the field F. */
static int add_conflict(struct document *d, const struct field *f,
			struct arena *a, struct err *e)
{
	const struct value key = value_str(f->key);
	struct buf text = {0};
	int r;

	buf_adds(&text, "# theirs: ");
	frontmatter_write_value(&text, &key, false);
	buf_adds(&text, ": ");
	frontmatter_write_value(&text, f->theirs, false);
	r = add_comment(d, f->key, &text, a, e);
	buf_release(&text);
	return r;
}

static void report_conflict(const struct field *f, const char *name,
			    const struct report *r)
{
	struct buf ours = {0}, theirs = {0};

	frontmatter_write_value(&ours, f->ours, false);
	frontmatter_write_value(&theirs, f->theirs, false);
	err_warn(r, ERR_NO,
		 "'%s': both sides changed '%s': ours is %s, theirs %s", name,
		 f->key, buf_str(&ours), buf_str(&theirs));
	buf_release(&ours);
	buf_release(&theirs);
}

static int merge_key(struct document *d, struct field *f, const char *name,
		     struct arena *a, const struct report *r, struct err *e)
{
	const struct value *v = merge_field(f, a);

	if (!is_equal(v, f->ours) && set_field(d, f->key, v, a, e) < 0)
		return -1;
	if (!f->conflict)
		return 0;
	report_conflict(f, name, r);
	return add_conflict(d, f, a, e) < 0 ? -1 : 1;
}

/* Append the comments of FM between FROM and TO, one per line, except those
 * that BASE or D has. */
static void find_comments(struct buf *out, const struct frontmatter *fm,
			  size_t from, size_t to,
			  const struct frontmatter *base,
			  const struct document *d)
{
	const char *p = fm->text + from, *end = fm->text + to;

	while (p < end && (p = memchr(p, '#', (size_t)(end - p)))) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((line ? line : end) - p);

		while (len && strchr(" \t\r", p[len - 1]))
			len--;
		if (!memmem(base->text, base->body, p, len) &&
		    !memmem(d->fm.text, d->fm.body, p, len)) {
			buf_adds(out, out->len ? "\n" : "");
			buf_add(out, p, len);
		}
		p += len;
	}
}

/* Insert the comments that only THEIRS has after the keys that they follow. */
static int add_comments(struct document *d, const struct frontmatter *base,
			const struct frontmatter *theirs, struct arena *a,
			struct err *e)
{
	const struct value_pair *pairs = theirs->data.u.map.pairs;
	const size_t n = theirs->data.u.map.n;
	int r = 0;

	for (size_t i = 0; i <= n && !r && d->fm.data.u.map.n; i++) {
		const size_t from = i ? pairs[i - 1].val.end : theirs->yaml;
		const size_t to = i < n ? pairs[i].key.start
					: theirs->yaml + theirs->yaml_len;
		const struct value *at = &d->fm.data.u.map.pairs[0].key;
		struct buf text = {0};

		if (i && value_get(&d->fm.data, pairs[i - 1].key.u.s.p))
			at = &pairs[i - 1].key;
		find_comments(&text, theirs, from, to, base, d);
		if (text.len)
			r = add_comment(d, at->u.s.p, &text, a, e);
		buf_release(&text);
	}
	return r;
}

int merge_fields(const struct frontmatter *versions, const char *name,
		 enum merge_favour favour, struct buf *out,
		 const struct report *r, struct err *e)
{
	const struct frontmatter *base = &versions[0], *ours = &versions[1];
	const struct frontmatter *theirs = &versions[2];
	const struct value *sides[] = {&ours->data, &theirs->data};
	struct document d = {{0}, *ours};
	struct arena a = {0};
	int result = 0;

	for (size_t s = 0; s < ARRAY_LEN(sides) && result >= 0; s++) {
		for (size_t i = 0; i < sides[s]->u.map.n && result >= 0; i++) {
			const char *key = sides[s]->u.map.pairs[i].key.u.s.p;
			struct field f = {key,
					  value_get(&base->data, key),
					  value_get(&ours->data, key),
					  value_get(&theirs->data, key),
					  favour,
					  false};
			int n;

			if (s == 1 && f.ours)
				continue;
			n = merge_key(&d, &f, name, &a, r, e);
			result = n < 0 ? -1 : n ? 1 : result;
		}
	}
	if (result >= 0 && add_comments(&d, base, theirs, &a, e) < 0)
		result = -1;
	if (result >= 0)
		buf_add(out, d.fm.text, d.fm.len);
	buf_release(&d.text);
	arena_release(&a);
	return result;
}
