/* documents.c: three versions of a memory, a context or a category's file. The
 * first byte chooses the form: after `r` come three versions separated by NULs;
 * otherwise the bytes choose the content of BASE and the changes of each side.
 * Every line has its own number, so that it can be followed.
 *
 * Properties: the frontmatter of the result can be read if the frontmatter of
 * the sides can, and is that of a memory if theirs is; both sides get the same
 * result; no line is lost that no side removed, and no removed line returns; if
 * one side changed nothing, or both changed the same, the result equals the
 * changed side to the byte.
 */
#include "../fuzz.h"

#include "format/frontmatter.h"
#include "merge/merge.h"
#include "repo/record.h"

#define LINES 24
#define SAID 256 /* numbers of lines */
#define TAGS 6

/* The possible values of a field. The first means that it is absent. */
struct field {
	const char *key;
	const char *values[5];
};

static const struct field fields[] = {
	{"source", {"", "a", "\"no\"", "'#x: y'", "|\n  two\n  lines"}},
	{"updated", {"", "2026-01-01", "2026-01-02", "2026-01-03T00:00:00Z"}},
	{"expires", {"", "2026-01-01", "2026-01-02", "2026-01-02T00:00:00Z"}},
	{"always", {"", "true", "false"}},
	{"trust", {"", "user", "agent", "external", "5"}},
	{"confidence", {"", "low", "medium", "high"}},
	{"replaces", {"", "3", "[3, 4]", "[5]", "{a: 1}"}},
	{"supersedes", {"", "[1]", "[1, \"1\"]", "\n  - 2\n  - 1"}},
	{"superseded", {"", "3", "4", "five"}},
	{"meta", {"", "{a: 1}", "{a: [1, {b: 2}]}", "\n  a: &x 1\n  b: *x"}},
};

struct choices {
	const uint8_t *p;
	size_t len;
};

static unsigned choose(struct choices *c, unsigned below)
{
	const unsigned n = c->len ? *c->p : 0;

	c->p += c->len > 0;
	c->len -= c->len > 0;
	return n % below;
}

struct version {
	unsigned kind; /* prose, bullets, bullets below two headings, both */
	bool tags[TAGS];
	unsigned values[ARRAY_LEN(fields)];
	unsigned note, noted;	  /* a comment's number and its field */
	unsigned lines[LINES], n; /* numbers; 0 is a heading */
	bool moved;		  /* lines */
	bool crlf, bare;	  /* the last line has no end */
};

static bool says(const struct version *v, unsigned line)
{
	for (unsigned i = 0; i < v->n; i++) {
		if (v->lines[i] == line)
			return true;
	}
	return false;
}

static void put_line(struct version *v, unsigned at, unsigned line)
{
	if (v->n == LINES || says(v, line))
		return;
	memmove(v->lines + at + 1, v->lines + at,
		(v->n - at) * sizeof(*v->lines));
	v->lines[at] = line;
	v->n++;
}

static unsigned cut_line(struct version *v, unsigned at)
{
	const unsigned line = v->lines[at];

	memmove(v->lines + at, v->lines + at + 1,
		(v->n - at - 1) * sizeof(*v->lines));
	v->n--;
	return line;
}

static void begin(struct version *v, struct choices *c)
{
	const unsigned n = choose(c, 12), heading = choose(c, 8);

	v->kind = choose(c, 4);
	for (unsigned i = 0; i < TAGS; i++)
		v->tags[i] = choose(c, 3) == 1;
	for (unsigned i = 0; i < ARRAY_LEN(fields); i++)
		v->values[i] = choose(c, ARRAY_LEN(fields[i].values));
	for (unsigned i = 1; i <= n; i++)
		put_line(v, v->n, i);
	if (v->kind >= 2 && heading < v->n)
		put_line(v, heading, 0);
}

/* Change V. New lines have numbers from OWN on, or numbers that both sides may
 * add. */
static void edit(struct version *v, struct choices *c, unsigned own)
{
	for (unsigned edits = choose(c, 6); edits; edits--) {
		const unsigned at = choose(c, v->n + 1), how = choose(c, 8);
		const bool there = at < v->n && v->lines[at];
		const unsigned field = choose(c, ARRAY_LEN(fields));

		if (how < 2 && there)
			cut_line(v, at);
		if (how == 1 || how == 2)
			put_line(v, at, own++);
		if (how == 3)
			put_line(v, at, 200 + choose(c, 8));
		if (how == 4 && there) {
			const unsigned line = cut_line(v, at);

			put_line(v, choose(c, v->n + 1), line);
			v->moved = true;
		}
		if (how == 5)
			v->tags[field % TAGS] = !v->tags[field % TAGS];
		if (how > 5)
			v->values[field] =
				choose(c, ARRAY_LEN(fields[field].values));
	}
	v->note = choose(c, 4) == 1 ? own : 0;
	v->noted = choose(c, ARRAY_LEN(fields) + 1);
	v->crlf = choose(c, 16) == 1;
	v->bare = choose(c, 16) == 1;
}

static bool is_bullet(const struct version *v, unsigned line)
{
	return v->kind == 3 ? line % 3 > 0 : v->kind > 0;
}

static void write_line(struct buf *out, const struct version *v, unsigned line)
{
	if (!line)
		buf_adds(out, "\n## Done\n\n");
	else if (!is_bullet(v, line))
		buf_addf(out, "Said <%u>.\n\n", line);
	else if (line % 4)
		buf_addf(out, "- item <%u>\n", line);
	else
		buf_addf(out, "- item <%u>\n  of two lines <%u>\n", line, line);
}

static void write_header(struct buf *out, const struct version *v)
{
	const char *between = "";
	bool there;

	buf_adds(out, "---\nid: 7 # seven\ncreated: 2026-02-09T14:30:00Z\n"
		      "tags: [");
	for (unsigned i = 0; i < TAGS; i++) {
		if (v->tags[i])
			buf_addf(out, "%st%u", between, i);
		between = v->tags[i] ? ", " : between;
	}
	buf_adds(out, "]\n");
	for (unsigned i = 0; i < ARRAY_LEN(fields); i++) {
		const char *value = fields[i].values[v->values[i]];

		there = value && *value;
		if (there)
			buf_addf(out, "%s: %s", fields[i].key, value);
		if (v->note && v->noted == i)
			buf_addf(out, "%s # note <%u>",
				 there && strchr(value, '|') ? "\n" : "",
				 v->note);
		if (there || (v->note && v->noted == i))
			buf_addc(out, '\n');
	}
	if (v->note && v->noted == ARRAY_LEN(fields))
		buf_addf(out, "# note <%u>\n", v->note);
	buf_adds(out, "---\n\n");
}

static void write_version(struct buf *out, const struct version *v)
{
	struct buf text = {0};

	write_header(&text, v);
	for (unsigned i = 0; i < v->n; i++)
		write_line(&text, v, v->lines[i]);
	if (v->bare)
		buf_cut(&text, text.len - 1);
	for (size_t i = 0; i < text.len; i++) {
		if (v->crlf && text.p[i] == '\n')
			buf_addc(out, '\r');
		buf_addc(out, text.p[i]);
	}
	buf_release(&text);
}

static int merge(const struct buf *base, const struct buf *ours,
		 const struct buf *theirs, struct buf *out, struct err *e)
{
	const struct merge m = {{buf_str(base), base->len},
				{buf_str(ours), ours->len},
				{buf_str(theirs), theirs->len},
				"m.md",
				MERGE_MARK,
				false};
	const int r = merge_documents(&m, out, NULL, e);

	buf_str(out);
	if (r < 0)
		must_be_error(e);
	return r;
}

static bool same_bytes(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len));
}

/* Check that the result equals the only change, or the equal change of both
 * sides. */
static void check_alone(const struct buf *b, const struct buf *x)
{
	const struct buf *const sides[][2] = {{b, x}, {x, b}, {x, x}};
	struct err e;

	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		struct buf out = {0};

		must(merge(b, sides[i][0], sides[i][1], &out, &e) == 0,
		     "the changes of one side merge");
		must(same_bytes(&out, x), "the result equals that side");
		buf_release(&out);
	}
}

/* Parse the frontmatter of DOC into FM. */
static void read_back(struct frontmatter *fm, const struct buf *doc,
		      struct arena *a)
{
	struct err e;

	must(frontmatter_parse(fm, buf_str(doc), doc->len, "m.md", a, &e) == 0,
	     "the frontmatter of the result can be read");
}

static void check_same(const struct frontmatter *x, const struct frontmatter *y,
		       bool conflict)
{
	const size_t xlen = x->len - x->body, ylen = y->len - y->body;

	must(x->data.u.map.n == y->data.u.map.n,
	     "both sides get the same number of keys");
	for (size_t i = 0; i < x->data.u.map.n; i++) {
		const struct value_pair *p = &x->data.u.map.pairs[i];
		const struct value *v = value_get(&y->data, p->key.u.s.p);

		must(v, "both sides get the same keys");
		must(conflict || value_equal(v, &p->val),
		     "both sides get the same fields");
	}
	must(conflict || (xlen == ylen &&
			  !memcmp(x->text + x->body, y->text + y->body, xlen)),
	     "both sides get the same body");
}

static bool has_line(const struct frontmatter *fm, unsigned line)
{
	char text[16];

	snprintf(text, sizeof(text), "<%u>", line);
	return memmem(fm->text + fm->body, fm->len - fm->body, text,
		      strlen(text));
}

static void check_lines(const struct frontmatter *fm, bool conflict,
			const struct version *b, const struct version *o,
			const struct version *t)
{
	for (unsigned i = 1; i < SAID; i++) {
		const bool was = says(b, i), we = says(o, i), they = says(t, i);
		const bool is = has_line(fm, i);

		if (was ? we && they : we || they)
			must(is, "a line that no side removed stays");
		if (!was && !we && !they)
			must(!is, "no unknown line appears");
		if (was && (!we || !they) && !conflict && !o->moved &&
		    !t->moved)
			must(!is, "a removed line does not return");
	}
}

static void check_tags(const struct frontmatter *fm, const struct version *b,
		       const struct version *o, const struct version *t)
{
	const struct value *tags = value_get(&fm->data, "tags");

	for (unsigned i = 0; i < TAGS; i++) {
		const char tag[] = {'t', (char)('0' + i), '\0'};
		const bool wanted = b->tags[i] ? o->tags[i] && t->tags[i]
					       : o->tags[i] || t->tags[i];
		bool is = false;

		for (size_t k = 0; k < tags->u.list.n; k++)
			is = is || value_is(&tags->u.list.items[k], tag);
		must(is == wanted, "the tags are those of the model");
	}
}

/* Check that a comment after a value stays with the value. */
static void check_note(const struct frontmatter *fm, const struct version *v)
{
	const bool behind = v->noted < ARRAY_LEN(fields) && v->values[v->noted];
	char text[20];

	snprintf(text, sizeof(text), "# note <%u>", v->note);
	must(!v->note ||
		     (behind && !value_get(&fm->data, fields[v->noted].key)) ||
		     memmem(fm->text, fm->body, text, strlen(text)),
	     "a comment of a side stays");
}

/* Check versions that the input chose. */
static void check_chosen(struct choices c)
{
	struct version b = {0}, o, t;
	struct buf base = {0}, ours = {0}, theirs = {0}, one = {0}, two = {0};
	struct frontmatter here, there;
	struct arena a = {0};
	struct err e;
	int r;

	begin(&b, &c);
	o = t = b;
	edit(&o, &c, 100);
	edit(&t, &c, 150);
	write_version(&base, &b);
	write_version(&ours, &o);
	write_version(&theirs, &t);
	check_alone(&base, &ours);
	r = merge(&base, &ours, &theirs, &one, &e);
	must(r >= 0, "valid versions merge");
	must(merge(&base, &theirs, &ours, &two, &e) == r,
	     "both sides get the same conflict");
	read_back(&here, &one, &a);
	read_back(&there, &two, &a);
	must(schema_check(SCHEMA_MEMORY, &here, "m.md", &e) == 0,
	     "a memory stays a memory");
	check_same(&here, &there, r > 0 || o.crlf != t.crlf);
	check_lines(&here, r > 0, &b, &o, &t);
	check_lines(&there, r > 0, &b, &t, &o);
	check_tags(&here, &b, &o, &t);
	check_note(&here, &o);
	check_note(&here, &t);
	arena_release(&a);
	buf_release(&base);
	buf_release(&ours);
	buf_release(&theirs);
	buf_release(&one);
	buf_release(&two);
}

/* Read the text up to the next NUL. */
static void take_text(struct choices *c, struct buf *text)
{
	const uint8_t *end = c->len ? memchr(c->p, '\0', c->len) : NULL;
	const size_t len = end ? (size_t)(end - c->p) : c->len;

	if (len)
		buf_add(text, (const char *)c->p, len);
	c->p += len + (end != NULL);
	c->len -= len + (end != NULL);
}

static bool can_be_read(const struct buf *text)
{
	struct frontmatter fm;
	struct arena a = {0};
	const bool r = frontmatter_parse(&fm, buf_str(text), text->len, "m.md",
					 &a, NULL) == 0;

	arena_release(&a);
	return r;
}

static bool has_cr(const struct buf *text)
{
	return text->len && memchr(text->p, '\r', text->len);
}

static bool are_two(const struct frontmatter *x, const struct frontmatter *y)
{
	const struct value *a = value_get(&x->data, "id"),
			   *b = value_get(&y->data, "id");

	return a && b && a->kind == VALUE_INT && b->kind == VALUE_INT &&
	       a->u.i != b->u.i;
}

/* Check three versions of any bytes. */
static void check_bytes(struct choices c)
{
	struct buf base = {0}, ours = {0}, theirs = {0}, one = {0}, two = {0};
	struct frontmatter here, there;
	struct arena a = {0};
	struct err e;
	int r, back;

	take_text(&c, &base);
	take_text(&c, &ours);
	take_text(&c, &theirs);
	check_alone(&base, &ours);
	r = merge(&base, &ours, &theirs, &one, &e);
	back = merge(&base, &theirs, &ours, &two, &e);
	must(r == back, "merging from either side has the same status");
	if (r >= 0 && can_be_read(&ours) && can_be_read(&theirs)) {
		read_back(&here, &one, &a);
		read_back(&there, &two, &a);
		/* If two memories became one, each side keeps its own
		 * memory. */
		if (!are_two(&here, &there) || !same_bytes(&one, &ours) ||
		    !same_bytes(&two, &theirs))
			check_same(&here, &there,
				   r > 0 || has_cr(&base) || has_cr(&ours) ||
					   has_cr(&theirs));
	}
	arena_release(&a);
	buf_release(&base);
	buf_release(&ours);
	buf_release(&theirs);
	buf_release(&one);
	buf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && *data == 'r')
		check_bytes((struct choices){data + 1, size - 1});
	else if (size)
		check_chosen((struct choices){data + 1, size - 1});
	return 0;
}
