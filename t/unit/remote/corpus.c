/* corpus.c: the blobs of a corpus that a server keeps. */
#include "remote/corpus-columns.h"
#include "remote/corpus-postings.h"

#include "../expect.h"

static void test_numbers(void)
{
	static const int64_t numbers[] = {
		0, 1, -1, 63, 64, -64, INT32_MAX, INT64_MAX, INT64_MIN};
	struct buf out = {0};
	const unsigned char *p, *end;
	int64_t n = 1;
	uint64_t u;

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		buf_add_signed(&out, numbers[i]);
	p = (const unsigned char *)out.p;
	end = p + out.len;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		expect(buf_read_signed(&p, end, &n) && n == numbers[i],
		       "a number is read as it was written");
	expect(p == end && !buf_read_number(&p, end, &u),
	       "there is no number after the last one");
	buf_release(&out);
}

/* Add a document with every field, and its neighbours. */
static void fill_columns(struct corpus_columns *c)
{
	const struct corpus_column all[] = {
		{.number = 3, .length = 7, .place = 50, .at = {50, 0}, .id = 9},
		{.number = 4,
		 .length = 0,
		 .traits = 255,
		 .family = UINT64_MAX,
		 .place = -5,
		 .at = {-5, 999999999},
		 .id = 1,
		 .end = 77},
		{.number = 900,
		 .kind = RECORD_ARTICLE,
		 .family = UINT64_MAX,
		 .place = 12,
		 .at = {INT64_MAX, 0}},
		{.number = INT32_MAX, .kind = RECORD_ITEM, .place = 2},
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		corpus_columns_add(c, all[i]);
}

static void test_columns(void)
{
	struct corpus_columns c = {0}, d = {0};
	struct buf out = {0};
	struct err e;

	fill_columns(&c);
	corpus_columns_write(&c, &out);
	expect(corpus_columns_read(&d, out.p, out.len, &e) == 0 && d.n == c.n,
	       "all documents are read");
	for (size_t i = 0; i < d.n && i < c.n; i++) {
		const struct corpus_column *x = &c.items[i], *y = &d.items[i];

		expect(x->number == y->number && x->length == y->length &&
			       x->traits == y->traits && x->kind == y->kind &&
			       x->family == y->family && x->id == y->id &&
			       x->end == y->end,
		       "the fields of a document are as they were");
		expect(x->place == y->place && instant_cmp(x->at, y->at) == 0,
		       "its place and time are as they were");
	}
	expect(corpus_columns_drop(&d, 900) && !corpus_columns_drop(&d, 900) &&
		       d.n == 3 && d.items[2].number == INT32_MAX,
	       "a document is removed once");
	for (size_t i = 1; i < out.len; i++)
		expect(corpus_columns_read(&d, out.p, i, &e) < 0,
		       "a part of a blob is damaged");
	buf_release(&out);
	corpus_columns_release(&c);
	corpus_columns_release(&d);
}

/* Read the terms of TEXT with TITLE into T. */
static void read_terms(struct corpus_terms *t, const char *text,
		       const char *title)
{
	const struct remote_document d = {.kind = RECORD_MEMORY,
					  .path = "",
					  .created = "",
					  .expires = "",
					  .title = title,
					  .text = text,
					  .len = strlen(text)};

	corpus_terms_read(t, &d);
}

/* Print the postings of TERM in the LEN bytes of P as "doc:times/share". */
static void show_postings(struct buf *out, const char *p, size_t len)
{
	struct corpus_postings w = corpus_postings_walk(p, len);

	while (corpus_postings_next(&w) == 1)
		buf_addf(out, "%u:%u/%u ", w.doc, w.times, w.share);
}

/* Apply the changes of C to the postings P of TERM, as show_postings() prints them. */
static void expect_postings(struct corpus_changes *c, const char *term,
			    struct buf *p, const char *want)
{
	struct buf out = {0}, text = {0};
	struct err e;

	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(c->items[i].term, term) != 0)
			continue;
		expect(corpus_changes_apply(&c->items[i], buf_str(p), p->len,
					    &out, &e) == 0,
		       "changes are applied");
		show_postings(&text, buf_str(&out), out.len);
		if (strcmp(buf_str(&text), want) != 0)
			expect_failed("%s: '%s', not '%s'", term,
				      buf_str(&text), want);
		buf_cut(p, 0);
		buf_add(p, buf_str(&out), out.len);
	}
	buf_release(&out);
	buf_release(&text);
}

static void test_changes(void)
{
	struct corpus_changes c = {0};
	struct corpus_terms t = {0};
	struct buf tab = {0}, space = {0};
	struct err e;

	read_terms(&t, "tabs, no spaces: tabs", "Tabs");
	expect(t.length == 4, "each word counts");
	corpus_changes_add(&c, &t, 2);
	corpus_changes_add(&c, &t, 300);
	expect_postings(&c, "tab", &tab, "2:3/15 300:3/15 ");
	expect_postings(&c, "space", &space, "2:2/0 300:2/0 ");
	corpus_changes_release(&c);
	corpus_changes_drop(&c, &t, 2);
	corpus_changes_drop(&c, &t, 5);
	read_terms(&t, "https://tab.example/", "");
	corpus_changes_add(&c, &t, 301);
	expect_postings(&c, "tab", &tab, "300:3/15 301:1/0 ");
	corpus_changes_drop(&c, &t, 300);
	expect(corpus_changes_apply(&c.items[0], "\x01", 1, &tab, &e) < 0,
	       "damaged postings are an error");
	corpus_changes_release(&c);
	corpus_terms_release(&t);
	buf_release(&tab);
	buf_release(&space);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"numbers keep their value and sign", test_numbers},
		{"the columns of a project are read as written", test_columns},
		{"changes of postings add and remove documents", test_changes},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
