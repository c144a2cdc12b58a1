/* merge.c: merge random edits of a memory by two sides.
 *
 * Each merge is checked against a model of sets: tags and bullets are kept
 * unless a side removed them, removed ones stay removed, the result is valid,
 * is the same from both sides, and does not change if merged again. The
 * argument is the number of merges. SEED in the environment is the seed.
 */
#include "merge/merge.h"

#include "../expect.h"
#include "format/frontmatter.h"
#include "merge/bullets.h"
#include "merge/order.h"

#include <stdio.h>
#include <stdlib.h>

#define WORDS 12 /* the possible tags and bullets */

/* A memory in the model. */
struct memory {
	bool tags[WORDS], bullets[WORDS];
	int source, updated; /* 0: none */
	bool always;
	bool crlf;
};

static unsigned long long state = 1;
static long merges = 300;

static unsigned pick(unsigned below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(state >> 33) % below;
}

static struct memory random_memory(void)
{
	struct memory m = {.source = (int)pick(3)};

	for (int i = 0; i < WORDS; i++) {
		m.tags[i] = !pick(3);
		m.bullets[i] = !pick(2);
	}
	m.updated = (int)pick(4);
	return m;
}

static struct memory edit(struct memory m)
{
	for (unsigned n = pick(4); n; n--) {
		const unsigned i = pick(WORDS);

		switch (pick(6)) {
		case 0:
			m.tags[i] = !m.tags[i];
			break;
		case 1:
		case 2:
			m.bullets[i] = !m.bullets[i];
			break;
		case 3:
			m.updated = (int)pick(5);
			break;
		case 4:
			m.source = (int)pick(3);
			break;
		default:
			m.always = true;
		}
	}
	m.crlf = !pick(20);
	return m;
}

static void compose(const struct memory *m, struct buf *out)
{
	struct buf text = {0};
	const char *between = "";

	buf_adds(&text, "---\nid: 7 # seven\ncreated: 2026-02-09T14:30:00Z\n"
			"tags: [");
	for (int i = 0; i < WORDS; i++) {
		if (m->tags[i]) {
			buf_addf(&text, "%st%c", between, 'a' + i);
			between = ", ";
		}
	}
	buf_adds(&text, "]\n");
	if (m->source)
		buf_addf(&text, "source: s%d\n", m->source);
	if (m->updated)
		buf_addf(&text, "updated: 2026-02-0%d\n", m->updated);
	if (m->always)
		buf_adds(&text, "always: true\n");
	buf_adds(&text, "---\n\n# Rules\n\n");
	for (int i = 0; i < WORDS; i++) {
		if (m->bullets[i])
			buf_addf(&text, "- bullet %c\n  of two lines\n",
				 'a' + i);
	}
	for (size_t i = 0; i < text.len; i++) {
		if (m->crlf && text.p[i] == '\n')
			buf_addc(out, '\r');
		buf_addc(out, text.p[i]);
	}
	buf_release(&text);
}

static int merge(const struct buf *base, const struct buf *ours,
		 const struct buf *theirs, struct buf *out)
{
	const struct merge m = {{base->p, base->len},
				{ours->p, ours->len},
				{theirs->p, theirs->len},
				"m.md",
				MERGE_MARK,
				false};
	struct err e;
	const int r = merge_documents(&m, out, NULL, &e);

	if (r < 0)
		expect_failed("failed: a merge could not be done: %s", e.text);
	return r;
}

static bool has_tag(const struct value *tags, char c)
{
	const char tag[] = {'t', c, '\0'};

	for (size_t i = 0; tags && i < tags->u.list.n; i++) {
		if (value_is(&tags->u.list.items[i], tag))
			return true;
	}
	return false;
}

static bool has_bullet(const struct buf *text, char c)
{
	const char line[] = {'b', 'u', 'l', 'l', 'e', 't', ' ', c, '\0'};

	return strstr(buf_str(text), line);
}

/* Return whether an element is there after a merge without a conflict about
 * it. */
static bool stays(bool base, bool ours, bool theirs)
{
	return base ? ours && theirs : ours || theirs;
}

/* Check MERGED against the three memories. CONFLICT: the merge had a
 * conflict. */
static void check(const struct buf *merged, bool conflict,
		  const struct memory *b, const struct memory *o,
		  const struct memory *t)
{
	struct arena a = {0};
	struct frontmatter fm;
	struct err e;
	const struct value *tags, *updated;

	expect(frontmatter_parse(&fm, merged->p, merged->len, "m", &a, &e) == 0,
	       "the frontmatter can be read");
	tags = value_get(&fm.data, "tags");
	updated = value_get(&fm.data, "updated");
	for (int i = 0; i < WORDS; i++) {
		const bool wanted = stays(b->tags[i], o->tags[i], t->tags[i]);

		expect(has_tag(tags, (char)('a' + i)) == wanted, "a tag");
		if (!conflict)
			expect(has_bullet(merged, (char)('a' + i)) ==
				       stays(b->bullets[i], o->bullets[i],
					     t->bullets[i]),
			       "a bullet");
		else if (b->bullets[i] + o->bullets[i] + t->bullets[i] == 3)
			expect(has_bullet(merged, (char)('a' + i)),
			       "a bullet that no side changed");
	}
	if (o->updated != b->updated && t->updated != b->updated &&
	    o->updated && t->updated) {
		const char later[] = {
			(char)('0' + (o->updated > t->updated ? o->updated
							      : t->updated)),
			'\0'};

		expect(updated && updated->kind == VALUE_STR &&
			       !strcmp(updated->u.s.p + 9, later),
		       "the later time");
	}
	arena_release(&a);
}

static void check_same(const struct buf *x, const struct buf *y)
{
	struct arena a = {0};
	struct frontmatter one, two;
	struct err e;

	if (frontmatter_parse(&one, x->p, x->len, "x", &a, &e) < 0 ||
	    frontmatter_parse(&two, y->p, y->len, "y", &a, &e) < 0) {
		expect(false, "both can be read");
	} else {
		expect(one.data.u.map.n == two.data.u.map.n, "as many keys");
		for (size_t i = 0; i < one.data.u.map.n; i++) {
			const struct value_pair *p = &one.data.u.map.pairs[i];
			const struct value *v =
				value_get(&two.data, p->key.u.s.p);

			expect(v && value_equal(v, &p->val),
			       "a field from the other side");
		}
		expect(one.len - one.body == two.len - two.body &&
			       !memcmp(one.text + one.body, two.text + two.body,
				       one.len - one.body),
		       "the body from the other side");
	}
	arena_release(&a);
}

static void try_one(void)
{
	const struct memory base = random_memory();
	struct memory ours = edit(base), theirs = edit(base);
	struct buf b = {0}, o = {0}, t = {0}, here = {0}, there = {0};
	struct buf again = {0};
	const int before = failures;
	bool conflict;

	if (theirs.crlf)
		ours.crlf = true; /* for equal line ends of the results */
	else
		ours.crlf = false;
	compose(&base, &b);
	compose(&ours, &o);
	compose(&theirs, &t);
	conflict = merge(&b, &o, &t, &here) > 0;
	expect((merge(&b, &t, &o, &there) > 0) == conflict,
	       "the same conflict from both sides");
	check(&here, conflict, &base, &ours, &theirs);
	if (!conflict) {
		check_same(&here, &there);
		expect(merge(&b, &here, &here, &again) == 0 &&
			       again.len == here.len &&
			       !memcmp(again.p, here.p, here.len),
		       "merging the result again changes nothing");
	}
	if (failures > before)
		expect_failed(
			"== base\n%s== ours\n%s== theirs\n%s== merged\n%s", b.p,
			o.p, t.p, here.p);
	buf_release(&b);
	buf_release(&o);
	buf_release(&t);
	buf_release(&here);
	buf_release(&there);
	buf_release(&again);
}

static void test_all(void)
{
	for (long i = 0; i < merges && failures < 6; i++)
		try_one();
}

static void test_bullets(void)
{
	static const char *const begin[] = {"- a", "* a", "+ a", "- "};
	static const char *const other[] = {"",	   "-",	 "-a", "a b",
					    "# a", "--", "  a"};

	for (size_t i = 0; i < ARRAY_LEN(begin); i++)
		expect(bullets_begins(begin[i], strlen(begin[i])), begin[i]);
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		expect(!bullets_begins(other[i], strlen(other[i])), other[i]);
	expect(!bullets_begins("\0 a", 3), "a NUL");
	expect(!bullets_begins("- a", 1), "a blank of another line");
}

static struct merge_text text_of(const char *p)
{
	return (struct merge_text){p, strlen(p)};
}

static void test_order(void)
{
	static const struct {
		const char *a, *b;
		bool same;
	} cases[] = {
		{"a\nb\n", "b\na\n", true},
		{"a\r\nb", "b\n\na\n\r\na\n", true},
		{"a1\nb\n", "a2\nb\n", false},
		{"a\n", "a\nb\n", false},
		{"", "\r\n\n", true},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct merge_text a = text_of(cases[i].a);
		const struct merge_text b = text_of(cases[i].b);

		expect(order_same(a, b) == cases[i].same, cases[i].b);
		expect(order_same(b, a) == cases[i].same, cases[i].a);
	}
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{"random merges lose nothing, and are equal from both sides",
		 test_all},
		{"a bullet begins with one of three marks and a blank",
		 test_bullets},
		{"texts with the same lines are equal in any order and line "
		 "ends",
		 test_order},
	};
	const char *seed = getenv("SEED");

	if (argc > 1)
		merges = strtol(argv[1], NULL, 10);
	if (seed)
		state = strtoull(seed, NULL, 10);
	return unit_run(tests, ARRAY_LEN(tests));
}
